import type { Invocation } from '../../host.ts'
import type { ExecutionContext } from '../state/state.ts'
import type { Streams } from '../walk/builtin.ts'

/** A program that was read, with its streams and the place of the first of its effects: what the notes of it are told from. */
export interface Noted {
  readonly site: ExecutionContext
  readonly invocation: Invocation
  readonly streams: Streams
  readonly start: number
}
