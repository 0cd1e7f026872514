/** Hook calls while the daemon is killed and started again: what passed, and whether each pass has its record (T31, P5). */
import type { ChildProcess } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { auditVerify } from '../../src/audit/log.ts'
import { openStore } from '../../src/store/sqlite/open.ts'
import { Random } from '../fuzz/random.ts'
import { cli, event, type Home, installedCommand, makeHome, permission, runHook, startServe, stop } from '../hosts/harness.ts'

export interface Deaths {
  /** How often the daemon is killed, each time with calls under way. */
  readonly kills: number
  /** The daemon is killed once it has seen so many calls, or fewer. */
  readonly atMost: number
  readonly callers: number
  readonly seed: number
}

export interface Outcome {
  readonly calls: number
  /** Calls that the hook let pass. */
  readonly passed: readonly number[]
  /** Passed without a record. */
  readonly unrecorded: readonly number[]
  /** Neither passed nor refused with a reason. */
  readonly wrong: readonly number[]
  readonly verified: boolean
}

export async function killDaemons({ kills, atMost, callers, seed }: Deaths): Promise<Outcome> {
  const random = new Random(seed)
  const home = makeHome()
  try {
    cli(home, ['init', '--yes'])
    const command = installedCommand(home)
    const calling = startCalling(home, command, callers)
    for (let killed = 0; killed < kills; killed += 1) {
      const daemon: ChildProcess = await startServe(home)
      await calling.answered(1 + random.below(atMost)).finally(() => stop(daemon, 'SIGKILL'))
      // What a killed daemon leaves behind; the next hook must not hang on it.
      if (random.once(2)) rmSync(join(home.state, 'run/gate.sock'), { force: true })
    }
    const { calls, passed, wrong } = await calling.stop()
    const recorded = recordedCalls(home)
    return {
      calls,
      passed,
      wrong,
      unrecorded: passed.filter((id) => !recorded.has(id)),
      verified: auditVerify({ directory: home.state }).ok,
    }
  } finally {
    home.remove()
  }
}

interface Calling {
  /** Settles once so many more calls have been answered. */
  readonly answered: (more: number) => Promise<void>
  readonly stop: () => Promise<Pick<Outcome, 'calls' | 'passed' | 'wrong'>>
}

/** Each caller asks again as soon as it has its answer. */
function startCalling(home: Home, command: string, callers: number): Calling {
  const passed: number[] = []
  const wrong: number[] = []
  const waiting = new Set<() => void>()
  let [next, ended, running] = [0, 0, true]
  const caller = async (): Promise<void> => {
    while (running) {
      const id = next++
      const { status, stdout, stderr } = await runHook(command, event(`echo call ${id}`, `toolu_${id}`), home.environment)
      if (status === 0 && permission(stdout) === null) passed.push(id)
      else if (status === 2 ? stderr === '' : permission(stdout) === null) wrong.push(id)
      ended += 1
      for (const look of waiting) look()
    }
  }
  const all = Promise.all(Array.from({ length: callers }, caller))
  return {
    answered: (more) => {
      const until = ended + more
      return new Promise((resolve, reject) => {
        const look = (): void => {
          if (ended < until) return
          waiting.delete(look)
          resolve()
        }
        waiting.add(look)
        all.catch(reject)
      })
    },
    stop: async () => {
      running = false
      await all
      return { calls: ended, passed, wrong }
    },
  }
}

function recordedCalls(home: Home): ReadonlySet<number> {
  const store = openStore({ directory: home.state })
  const recorded = new Set<number>()
  for (const record of store.read({ kind: 'decision', decision: 'allow' }) as Iterable<{ body: unknown }>) {
    const id = /echo call (\d+)/.exec(JSON.stringify(record.body))?.[1]
    if (id !== undefined) recorded.add(Number(id))
  }
  store.close()
  return recorded
}
