import type { Invocation } from './spec.ts'
import type { Streams } from './walk-redirect.ts'
import type { Site } from './walk-state.ts'

/** A program that was read, with its streams and the place of the first of its effects: what the notes of it are told from. */
export interface Noted {
  readonly site: Site
  readonly invocation: Invocation
  readonly streams: Streams
  readonly start: number
}
