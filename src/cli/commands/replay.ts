import { basename } from 'node:path'
import { type OpenedGate, openGate, stateDirectory } from '../../open.ts'
import { readRecordings } from '../../replay/read.ts'
import { NEUTRAL, type Replayed, replayLine, replayRecording } from '../../replay/run.ts'
import { Score } from '../../replay/score.ts'
import { worldOfRecording } from '../../replay/world.ts'
import { createFixedView } from '../../view/fixed.ts'
import { type World, worldOf } from '../../view/world.ts'
import { loadInForce } from '../open.ts'
import { EXIT, print, UsageError, warn } from '../terminal.ts'

export interface ReplayOptions {
  readonly policy?: string
  readonly score?: boolean
  readonly diff?: string
  readonly record?: string | boolean
}

/** `countersign replay`: one line per call, or the table of metrics, or the calls that another policy decides differently. */
export async function replay(files: readonly string[], options: ReplayOptions): Promise<number> {
  const home = typeof options.record === 'string' ? options.record : stateDirectory()
  const main = openReplay(options.policy ?? null, home)
  const other = options.diff === undefined ? null : openReplay(options.diff, home, main.opened.store)
  try {
    for (const file of files) await replayFile(file, main, { other, options })
  } finally {
    main.opened.close()
  }
  return EXIT.ok
}

interface Replay {
  readonly opened: OpenedGate
  /** The described world of the next calls. */
  readonly describe: (world: World) => void
}

function openReplay(policy: string | null, home: string, store?: OpenedGate['store']): Replay {
  const state = loadInForce(policy)
  if (state.policy === null) throw new UsageError(state.error)
  let world: World = NEUTRAL
  const opened = openGate({
    home,
    policy: () => state,
    view: () => createFixedView({ gate: [`${NEUTRAL.home}/.countersign`], ...world }),
    ...(store === undefined ? {} : { store }),
  })
  return {
    opened,
    describe: (next) => {
      world = next
    },
  }
}

interface Extra {
  readonly other: Replay | null
  readonly options: ReplayOptions
}

async function replayFile(file: string, main: Replay, { other, options }: Extra): Promise<void> {
  const score = new Score()
  let calls = 0
  let reported = Date.now()
  for await (const recording of readRecordings(file)) {
    const world = recording.world === null ? worldOfRecording(recording) : worldOf(recording.world, NEUTRAL)
    const cwd = world.cwd ?? NEUTRAL.cwd
    main.describe(world)
    other?.describe(world)
    const others = other === null ? null : replayRecording(other.opened.gate, recording, cwd)
    for await (const replayed of replayRecording(main.opened.gate, recording, cwd)) {
      calls++
      score.add(replayed)
      const against = others === null ? null : (await others.next()).value
      if (against !== null) printDifference(replayed, against ?? null)
      else if (options.score !== true) print(replayLine(replayed))
      if (Date.now() - reported > 1000) {
        warn(`${basename(file)}: ${calls} calls`)
        reported = Date.now()
      }
    }
  }
  if (options.score === true) print(score.table(basename(file)))
}

function printDifference(replayed: Replayed, against: Replayed | null): void {
  if (against === null || against.decision.decision === replayed.decision.decision) return
  print(`${replayLine(replayed).slice(0, -1)},"other":"${against.decision.decision}","other_code":"${against.decision.code}"}`)
}
