/** Runs recordings through a gate, one call after the other, as they would have come. Open loop: nothing is executed. */
import type { ToolCall } from '../core/call.ts'
import { canonicalJson } from '../core/canonical.ts'
import type { Decision } from '../core/decision.ts'
import { toolIdentity } from '../core/tool-name.ts'
import { runs } from '../core/verdict.ts'
import { digester, type OpenedGate } from '../open.ts'
import { changedWorld } from '../view/described.ts'
import type { World } from '../view/fixed.ts'
import { NEUTRAL } from '../view/world.ts'
import type { RecordedCall, Recording } from './read.ts'
import { worldFor } from './world.ts'

/** What one replayed call was decided as. */
export interface Replayed {
  readonly recording: Recording
  readonly index: number
  readonly decision: Decision
  /** Analysis and layers, microseconds. */
  readonly micros: number
  /** Somebody answers what is asked before the next call comes. */
  readonly attended: boolean
}

/** A gate whose View is the world of the recording at hand. */
export interface ReplayGate {
  readonly opened: Pick<OpenedGate, 'gate' | 'observe' | 'close' | 'store'>
  /** Names this replay: what an earlier one left in the log must not be taken for the memory of a session. */
  readonly run: string
  /** A person at the host agrees to what is labelled benign, and to nothing else. */
  readonly attended: boolean
  readonly describe: (world: World, answers?: Recording['answers']) => void
  /** Calls of an export that were let through and have not returned yet. */
  readonly open: Set<string>
}

/** Every call of a recording, in order; what a call returned and left behind counts only after the call was let through. */
export async function* replayRecording(gate: ReplayGate, recording: Recording): AsyncGenerator<Replayed> {
  let world = worldFor(recording)
  gate.describe(world, recording.answers)
  returned(gate, recording)
  for (const [index, recorded] of recording.calls.entries()) {
    const call = callOf({ gate, recording, recorded, cwd: world.cwd ?? NEUTRAL.cwd })
    const decision = await gate.opened.gate.decide(call, 0, gate.attended)
    const agreed = gate.attended && decision.decision === 'ask' && recording.labels[index]?.label === 'benign'
    if (runs(decision.decision) || agreed) {
      if (recorded.result !== null) gate.opened.observe(call, recorded.result)
      if (recording.recorded !== undefined) gate.open.add(sameCall(call))
      if (recorded.after !== undefined) {
        world = changedWorld(recorded.after, world)
        gate.describe(world, recording.answers)
      }
    }
    yield { recording, index, decision, micros: decision.timings.facts + decision.timings.layers, attended: gate.attended }
  }
}

/** A result of the log belongs to the call that it names, where this replay let that call through. */
function returned(gate: ReplayGate, { returned: result, session }: Recording): void {
  if (result === undefined) return
  const call = { ...result.call, session: sessionOf(gate, session) }
  if (gate.open.delete(sameCall(call))) gate.opened.observe(call, result.response)
}

function sameCall({ session, tool, args }: ToolCall): string {
  return digester.digest('countersign/replay/v1', [session, tool.server, tool.name, canonicalJson(args)])
}

function sessionOf({ run }: ReplayGate, session: Recording['session']): string {
  return `replay:${run}:${session}`
}

interface Calling {
  readonly gate: ReplayGate
  readonly recording: Recording
  readonly recorded: RecordedCall
  readonly cwd: string
}

function callOf({ gate, recording, recorded, cwd }: Calling): ToolCall {
  const session = sessionOf(gate, recording.session)
  if (recorded.call !== undefined) return { ...recorded.call, session, cwd: recorded.call.cwd ?? cwd }
  const definition = recorded.definition ?? null
  return {
    tool: { ...toolIdentity(null, recorded.tool), definition: definition === null ? null : digester.definitionDigest(definition) },
    args: recorded.args,
    principal: { agent: 'replay', role: recording.role, user: null, tenant: null, chain: [] },
    session,
    cwd,
    context: { task: recording.task, vouched: true, recent: [] },
    definition,
    approval: null,
    callId: null,
  }
}

/** The line that replay prints for one call; `was` and `expected` where they are another decision than this one. */
export function replayLine({ recording, index, decision, micros }: Replayed): string {
  const codes = [...new Set(decision.determining.map((at) => decision.findings[at]?.code ?? decision.code))]
  const { recorded, expected } = recording
  const asExpected =
    expected === undefined || (expected.decision === decision.decision && (expected.code ?? decision.code) === decision.code)
  return JSON.stringify({
    session: recording.session,
    index,
    tool: recording.calls[index]?.tool ?? '',
    decision: decision.decision,
    codes,
    ...(recorded === undefined || recorded === decision.decision ? {} : { was: recorded }),
    ...(asExpected ? {} : { expected: expected.code === null ? expected.decision : `${expected.decision} ${expected.code}` }),
    micros,
  })
}
