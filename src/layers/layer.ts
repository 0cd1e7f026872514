import type { ToolCall } from '../core/call.ts'
import type { Finding } from '../core/finding.ts'
import type { History } from '../core/history.ts'
import type { Facts } from '../facts/facts.ts'
import type { Policy } from '../policy/policy.ts'
import type { SessionState } from '../session/state.ts'

/** What every layer sees; nothing else. A layer does no I/O, reads no clock and may run in any order. */
export interface LayerInput {
  readonly call: ToolCall
  readonly facts: Facts
  readonly policy: Policy
  readonly state: SessionState
  /** What rules over time and flow may ask; absent or null: the call names no session. */
  readonly history?: History | null
}

/** One way to judge a call: facts in, findings out. Pure, without I/O; one that throws counts as violated. */
export interface Layer {
  readonly name: string
  /** What a throw of this layer counts as where the policy binds nothing (D2). */
  readonly onError: 'ask' | 'deny'
  readonly evaluate: (input: LayerInput) => readonly Finding[]
}
