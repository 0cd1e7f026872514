/** What a judge is asked and what came of it: the words between the gate and the judges' room. */
import type { JsonObject } from '../core/json.ts'
import type { JudgePolicy } from '../policy/judges.ts'
import type { Ruling, Thresholds } from './accept.ts'
import type { Answer, NoAnswerCode } from './answer.ts'
import type { Breaker } from './limits.ts'
import type { Payload } from './payload.ts'
import type { Stance } from './prompt.ts'
import type { ProviderParts } from './providers/provider.ts'
import type { ToolParts } from './tools/toolbox.ts'

export interface ConsultParts extends ProviderParts {
  /** Characters that nobody can foresee; at least 16. */
  readonly nonce: () => string
  /** Milliseconds; never goes back. */
  readonly now: () => number
  /** What the surroundings say of how deep among judges this is. */
  readonly depth: () => string | undefined
  /** By judge; kept as long as the process. */
  readonly breakers: Map<string, Breaker>
  /** What judges with tools need. Absent: such judges give no answer here. */
  readonly tools?: ToolParts
}

/** Answers of before, for the same question under the same policy. */
export interface Memory {
  readonly recall: (judge: JudgePolicy, stance: Stance, payload: Payload) => Answer | null
  readonly keep: (judge: JudgePolicy, stance: Stance, kept: { readonly answer: Answer; readonly payload: Payload }) => void
}

export interface Question {
  readonly judge: JudgePolicy
  readonly named: ReadonlyMap<string, JudgePolicy>
  readonly payload: Payload
  /** What a judge of a tribunal is shown. Absent: the same. */
  readonly payloadFor?: (member: JudgePolicy) => Payload
  /** `sha256:…` over what decides the answers of a judge, for the record. */
  readonly configOf?: (judge: JudgePolicy) => string
  readonly thresholds: Thresholds
  readonly timeoutMs: number
  /** The agent whose call it is. */
  readonly agent: string | null
  /** True where the judge may not be asked any more. */
  readonly spent: (judge: JudgePolicy) => boolean
  /** True where other processes found it failing a moment ago. Absent: nobody knows. */
  readonly resting?: (judge: JudgePolicy) => boolean
  /** Absent: nothing is remembered. */
  readonly memory?: Memory
  /** Where the call comes from; what tools see. */
  readonly cwd?: string | null
}

export interface Failure {
  readonly code: NoAnswerCode
  readonly message: string
}

export interface Consulted {
  /** Null: no answer. */
  readonly ruling: Ruling | null
  readonly failure: Failure | null
  /** For the record: judge, model, digest of what it was shown, tokens, cost, latency, and which judges were really asked. */
  readonly evidence: JsonObject & { readonly asked: readonly string[] }
}
