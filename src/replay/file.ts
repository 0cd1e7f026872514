/** Runs the recordings of a file through one or more gates, each recording in the world that it describes. */
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PolicyState } from '../gate.ts'
import { type OpenedGate, openGate } from '../open.ts'
import { createFixedView } from '../view/fixed.ts'
import { type World, worldOf } from '../view/world.ts'
import { readRecordings } from './read.ts'
import { NEUTRAL, type Replayed, type ReplayedGate, replayRecording } from './run.ts'
import { worldOfRecording } from './world.ts'

/** A gate whose View is the world of the recording at hand. */
export interface ReplayGate {
  readonly opened: OpenedGate & ReplayedGate
  readonly describe: (world: World) => void
}

/**
 * A gate over described worlds. It keeps its log in the state directory `record`; null: in one that is gone once the gate is
 * closed, since without a log there is no memory, and a file that the session wrote would be one that nobody has seen.
 */
export function openReplay(policy: PolicyState, record: string | null): ReplayGate {
  let world: World = NEUTRAL
  const home = record ?? mkdtempSync(join(tmpdir(), 'countersign-replay-'))
  const opened = openGate({
    home,
    rehearsal: true,
    policy: () => policy,
    view: () => createFixedView({ gate: [`${NEUTRAL.home}/.countersign`], ...world }),
  })
  return {
    opened: {
      ...opened,
      run: randomUUID(),
      close: () => {
        opened.close()
        if (record === null) rmSync(home, { recursive: true, force: true })
      },
    },
    describe: (next) => {
      world = next
    },
  }
}

/** Each call of the file as every gate decides it, in the order of the gates. Throws where a line cannot be read. */
export async function* replayFile(path: string, gates: readonly ReplayGate[]): AsyncGenerator<readonly Replayed[]> {
  for await (const recording of readRecordings(path)) {
    const world = recording.world === null ? worldOfRecording(recording) : worldOf(recording.world, NEUTRAL)
    for (const gate of gates) gate.describe(world)
    const runs = gates.map(({ opened }) => replayRecording(opened, recording, world.cwd ?? NEUTRAL.cwd))
    for (let step = await nextOf(runs); step !== null; step = await nextOf(runs)) yield step
  }
}

async function nextOf(runs: readonly AsyncGenerator<Replayed>[]): Promise<readonly Replayed[] | null> {
  const results = await Promise.all(runs.map((run) => run.next()))
  const replayed = results.flatMap((result) => (result.done === true ? [] : [result.value]))
  return replayed.length === 0 ? null : replayed
}
