/** The side of a thread that works: each task by its name, as they come. Those that wait for something run beside each other. */
import { readlinkSync } from 'node:fs'
import { setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import { type Asked, failureOf, type Reply } from './wire.ts'

export interface Done {
  readonly value: unknown
  /** Memory that is handed over instead of copied. */
  readonly transfer?: readonly ArrayBuffer[]
}

export type Tasks = Readonly<Record<string, (input: never) => Promise<Done> | Done>>

export function serveTasks(tasks: Tasks): void {
  const port = parentPort
  if (port === null) throw new Error('this file is for a thread')
  port.on('message', ({ id, task, input }: Asked) => {
    const act = async (): Promise<Done> => {
      const known = Object.hasOwn(tasks, task) ? tasks[task] : undefined
      if (known === undefined) throw new Error(`there is no task \`${task}\``)
      return known(input as never)
    }
    act().then(
      ({ value, transfer = [] }) => port.postMessage({ id, value } satisfies Reply, [...transfer]),
      (error: unknown) => port.postMessage({ id, failure: failureOf(error) } satisfies Reply),
    )
  })
}

/** What nobody's call waits for goes on with what the others leave of the processor, where the system can say so of one thread. */
export function stepBack(niceness: number): void {
  try {
    const thread = Number(readlinkSync('/proc/thread-self').split('/').at(-1))
    if (Number.isSafeInteger(thread) && thread > 0) setPriority(thread, niceness)
  } catch {
    // Not this system, or not for this user: it works as fast as any.
  }
}
