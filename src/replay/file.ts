/** Runs the recordings of a file through one or more gates, each recording in the world that it describes. */
import { hash, randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PolicyState } from '../gate.ts'
import { openGate } from '../open.ts'
import { createFixedView } from '../view/fixed.ts'
import { recordedFirst } from '../view/recorded.ts'
import type { World } from '../view/world.ts'
import { NEUTRAL } from '../view/world.ts'
import { type Recording, readRecordings } from './read.ts'
import { type Replayed, type ReplayGate, replayRecording } from './run.ts'

export interface ReplayOptions {
  /** A person at the host agrees to what is labelled benign, and to nothing else. Default: nobody is there. */
  readonly attended?: boolean
  /** Judges of the host program, by the names under which the policy knows them. */
  readonly judges?: Parameters<typeof openGate>[0]['judges']
}

/**
 * A gate over described worlds. It keeps its log in the state directory `record`; null: in one that is gone once the gate is
 * closed, since without a log there is no memory, and a file that the session wrote would be one that nobody has seen.
 */
export function openReplay(policy: PolicyState, record: string | null, { attended = false, judges }: ReplayOptions = {}): ReplayGate {
  let world: World = NEUTRAL
  let answers: Recording['answers']
  const home = record ?? mkdtempSync(join(tmpdir(), 'countersign-replay-'))
  const unresolved = withoutNameLookups(policy)
  const opened = openGate({
    home,
    rehearsal: true,
    ...(judges === undefined ? {} : { judges }),
    policy: () => unresolved,
    view: () => {
      const view = createFixedView({ gate: [`${NEUTRAL.home}/.countersign`], digest, ...world })
      return answers === undefined ? view : recordedFirst(view, answers)
    },
  })
  return {
    opened: {
      ...opened,
      close: () => {
        opened.close()
        if (record === null) rmSync(home, { recursive: true, force: true })
      },
    },
    run: randomUUID(),
    attended,
    open: new Set(),
    describe: (next, seen) => {
      world = next
      answers = seen
    },
  }
}

/** Host names are answered by the described world, never by a resolver of this machine. */
function withoutNameLookups(state: PolicyState): PolicyState {
  if (state.policy === null || !state.policy.guards.ssrf.resolve) return state
  const { policy } = state
  return { ...state, policy: { ...policy, guards: { ...policy.guards, ssrf: { ...policy.guards.ssrf, resolve: false } } } }
}

function digest(text: string): string {
  return `sha256:${hash('sha256', text)}`
}

/** Each call of the file as every gate decides it, in the order of the gates. Throws where a line cannot be read. */
export async function* replayFile(path: string, gates: readonly ReplayGate[]): AsyncGenerator<readonly Replayed[]> {
  for await (const recording of readRecordings(path)) {
    const runs = gates.map((gate) => replayRecording(gate, recording))
    for (let step = await nextOf(runs); step !== null; step = await nextOf(runs)) yield step
  }
}

async function nextOf(runs: readonly AsyncGenerator<Replayed>[]): Promise<readonly Replayed[] | null> {
  const results = await Promise.all(runs.map((run) => run.next()))
  const replayed = results.flatMap((result) => (result.done === true ? [] : [result.value]))
  return replayed.length === 0 ? null : replayed
}
