/** What happens in a session, as its memory is reduced from it. Everything in an event is bounded and holds no text of a value. */
import type { Outcome } from '../../core/verdict.ts'

/** A value that was seen: its keyed hash, the number of its source within the event, and what is known of it. */
export interface SeenValue {
  readonly hash: number
  readonly source: number
  readonly flags: number
}

/** A call was decided. */
export interface CallEvent {
  readonly kind: 'call'
  /** Milliseconds since the epoch. */
  readonly at: number
  /** Names the call until its result comes. */
  readonly id: string
  readonly tool: string
  readonly verdict: Outcome
  /** Hashes of targets that a person agreed to with it. */
  readonly approved: readonly number[]
}

/** A call that was let through returned. */
export interface ResultEvent {
  readonly kind: 'result'
  readonly at: number
  readonly id: string
  readonly tool: string
  /** Names of fields; `SeenValue.source` counts them from 0. */
  readonly fields: readonly string[]
  readonly values: readonly SeenValue[]
  /** Text came in that somebody else may have written. */
  readonly untrusted: boolean
  /** What the texts ask for that the user handed the decision on to: bits of acts and topics. */
  readonly handed: { readonly acts: number; readonly topics: readonly number[] } | null
}

export type SessionEvent = CallEvent | ResultEvent
