/** Rules over time and flow, compiled: what is looked for in calls one by one, and what is made of it. Pure. */
import type { ResolverKind } from '../../core/finding.ts'
import type { History } from '../../core/history.ts'
import type { Enforcement } from '../../core/verdict.ts'
import type { AuthorizationSection } from '../authorization/model.ts'
import type { FlowSection } from '../flow/model.ts'
import type { ToolPattern } from '../glob.ts'
import type { ConditionInput } from '../policy.ts'

/** The words of time, of counts and of flow. */
export const TERMS = ['formerly', 'previous', 'since', 'within', 'count', 'sum', 'distinct', 'flows_from', 'sends', 'holds'] as const
export type TermName = (typeof TERMS)[number]

/** Something found in one call, for those who remember it. Shaped as the memory's `Mark`, with the key and value still in clear. */
export interface FoundMark {
  readonly id: string
  readonly kind: 'seen' | 'count' | 'distinct'
  /** Milliseconds; negative: calls; null: the whole session. */
  readonly window: number | null
  readonly by: string | null
  /** A number to add, or the text of a value. */
  readonly value: number | string
  readonly always: boolean
}

export interface SequenceRule {
  readonly id: string
  /** Null: it is built in. */
  readonly place: { readonly line: number; readonly column: number } | null
  readonly tool: ToolPattern | null
  readonly when: string
  readonly reason: string
  readonly enforcement: Enforcement
  readonly resolvers: readonly ResolverKind[]
  readonly advice: string | null
  /** @throws {ConditionError} where it cannot be told. */
  readonly matches: (input: ConditionInput, history: History) => boolean
  /** True where it may match whatever came before, which is not known. */
  readonly mayMatch: (input: ConditionInput) => boolean
  /** What of this call later calls are judged by. `decision`: what became of it. Never throws: what cannot be told is taken for found. */
  readonly marks: (input: ConditionInput, history: History, decision: string) => readonly FoundMark[]
}

/** What is judged by what the session knows. */
export interface MemorySections {
  readonly flow: FlowSection
  readonly authorization: AuthorizationSection
  readonly sequences: readonly SequenceRule[]
}
