/** Earlier calls that were let through and would have done the same as the one at hand, and what is known of their results. */
import type { Json } from '../core/json.ts'

/** `open`: no result came yet. `unknown`: one came, and it does not tell whether the act happened. */
export type AttemptState = 'open' | 'unknown'

export interface Attempt {
  /** Id of the record of its decision. */
  readonly record: string
  /** Milliseconds since the epoch at which it was let through. */
  readonly at: number
  readonly state: AttemptState
  /** Why its result says nothing; null: there is none. */
  readonly why: string | null
  /** True where a person at the host was asked, and the gate was not told what they said. */
  readonly attended: boolean
  /** True where both carry the same key, by which whoever acts tells a repetition. */
  readonly sameKey: boolean
}

/** What is looked for: equal for two calls that would do the same thing, and the key that the call carries for whoever acts. */
export interface Sought {
  readonly matter: Json
  readonly idempotency: string | null
}

/** For each, the attempts whose result is not known, newest first. The same call of a host under its same id is none. */
export type Attempts = (sought: readonly Sought[]) => readonly (readonly Attempt[])[]
