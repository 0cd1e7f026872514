/** The installed hook while the processors are busy with something else: how long each answer took, and whether it came before the host gives up. */
import type { ChildProcess } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { hostNamed } from '../../src/hosts/index.ts'
import { cli, event, installedCommand, makeHome, permission, runHook, startServe, stop } from '../hosts/harness.ts'

export interface Load {
  readonly runs: number
  /** Share of every processor that is kept busy besides, 0 to 100. */
  readonly load: number
  readonly callers: number
  /** False: no daemon answers, and every hook decides by itself. */
  readonly daemon: boolean
}

export interface Answers {
  /** Milliseconds of each run, in ascending order. */
  readonly took: readonly number[]
  /** Answers after 60 % of what the host waits, at which it is to be sure. */
  readonly late: number
  /** Answers after the host has given up. */
  readonly missed: number
  /** Ordinary calls that were stopped, hostile ones that passed, and what was no answer. */
  readonly wrong: readonly string[]
}

const WAITS_MS = (hostNamed('claude-code')?.about.waits ?? 0) * 1000

/** Every third call is hostile. */
const CALLS = [
  ['git status', null],
  ['npm test', null],
  ['rm -rf ~', 'deny'],
] as const

export async function answersUnder({ runs, load, callers, daemon }: Load): Promise<Answers> {
  const home = makeHome()
  const burners = Array.from({ length: load > 0 ? availableParallelism() : 0 }, () => burner(load))
  let served: ChildProcess | null = null
  try {
    cli(home, ['init', '--yes'])
    const command = installedCommand(home)
    served = daemon ? await startServe(home) : null
    const [took, wrong]: [number[], string[]] = [[], []]
    let next = 0
    const caller = async (): Promise<void> => {
      for (let at = next++; at < runs; at = next++) {
        const [line, wanted] = CALLS[at % CALLS.length] as (typeof CALLS)[number]
        const begun = performance.now()
        const { status, stdout, stderr } = await runHook(
          command,
          event(line, `toolu_${at}`, { session_id: `soak-${at}` }),
          home.environment,
        )
        took.push(performance.now() - begun)
        const said = heard(status, stdout)
        if (said !== wanted) wrong.push(`${line}: ${said ?? 'passed'} (exit ${status}) ${stderr.slice(0, 200)}`)
      }
    }
    await Promise.all(Array.from({ length: callers }, caller))
    took.sort((a, b) => a - b)
    const over = (limit: number): number => took.filter((each) => each > limit).length
    return { took, wrong, late: over(WAITS_MS * 0.6), missed: over(WAITS_MS) }
  } finally {
    if (served !== null) await stop(served)
    await Promise.all(burners.map((each) => each.terminate()))
    home.remove()
  }
}

function heard(status: number | null, stdout: string): string | null {
  if (status !== 0) return 'no answer'
  try {
    return permission(stdout)
  } catch {
    return 'no answer'
  }
}

/** Busy for so many hundredths of every 20 ms. */
function burner(load: number): Worker {
  const program = `
    const busy = ${(20 * load) / 100}
    const turn = () => {
      const end = performance.now() + busy
      while (performance.now() < end);
      setTimeout(turn, ${20 - (20 * load) / 100})
    }
    turn()`
  return new Worker(program, { eval: true })
}
