/** Runs recordings through a gate, one call after the other, as they would have come. Open loop: nothing is executed. */
import type { ToolCall } from '../core/call.ts'
import type { Decision } from '../core/decision.ts'
import { runs } from '../core/verdict.ts'
import { digester, type OpenedGate } from '../open.ts'
import type { Recording } from './read.ts'

/** What one replayed call was decided as. */
export interface Replayed {
  readonly recording: Recording
  readonly index: number
  readonly decision: Decision
  /** Analysis and layers, microseconds. */
  readonly micros: number
}

/** The directory that recorded calls are taken to run in where nothing else is known. */
export const NEUTRAL = { home: '/home/user', cwd: '/home/user/project' } as const

export interface ReplayedGate extends Pick<OpenedGate, 'gate' | 'observe'> {
  /** Names this replay: what an earlier one left in the log must not be taken for the memory of a session. */
  readonly run: string
}

/** Every call of a recording, in order; what a call returned is told only after the call was let through. */
export async function* replayRecording(
  { gate, observe, run }: ReplayedGate,
  recording: Recording,
  cwd: string = NEUTRAL.cwd,
): AsyncGenerator<Replayed> {
  for (const [index, recorded] of recording.calls.entries()) {
    const definition = recorded.definition ?? null
    const call: ToolCall = {
      tool: { ...identity(recorded.tool), definition: definition === null ? null : digester.definitionDigest(definition) },
      args: recorded.args,
      principal: { agent: 'replay', role: recording.role, user: null, tenant: null, chain: [] },
      session: `replay:${run}:${recording.session}`,
      cwd,
      context: { task: recording.task, vouched: true, recent: [] },
      definition,
      approval: null,
      callId: null,
    }
    const decision = await gate.decide(call)
    if (runs(decision.decision) && recorded.result !== null) observe(call, recorded.result)
    yield { recording, index, decision, micros: decision.timings.facts + decision.timings.layers }
  }
}

function identity(name: string): { readonly server: string | null; readonly name: string } {
  const match = /^mcp__([^_]+(?:_[^_]+)*)__(.+)$/.exec(name)
  return match === null ? { server: null, name } : { server: match[1] ?? null, name: match[2] ?? name }
}

/** The line that replay prints for one call. */
export function replayLine({ recording, index, decision, micros }: Replayed): string {
  const codes = [...new Set(decision.determining.map((at) => decision.findings[at]?.code ?? decision.code))]
  return JSON.stringify({
    session: recording.session,
    index,
    tool: recording.calls[index]?.tool ?? '',
    decision: decision.decision,
    codes,
    micros,
  })
}
