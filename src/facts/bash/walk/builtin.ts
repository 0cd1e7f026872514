import type { Effect } from '../../effect.ts'
import type { Input, Invocation, Word } from '../../host.ts'
import type { ExecutionContext, Output } from '../state/state.ts'

/** What a builtin of the shell is given: its words, what they assign, and where its streams go. */

/** An assignment, expanded: `name=value`. */
export interface Declared {
  readonly name: string
  readonly word: Word
  readonly elements: readonly Word[] | null
  readonly keyed?: true
  readonly sparse?: true
}

/** Where the streams of a command go. */
export interface Streams {
  readonly input: Input
  /** Standard output does not reach the pipe. */
  readonly away: boolean
  /** Keys of files that get the standard output; `append` keeps what was there. */
  readonly outputs: readonly { readonly key: string; readonly append: boolean }[]
  /** Network effects of redirections, by direction. */
  readonly received: readonly Effect[]
  readonly sent: readonly Effect[]
  /** Every effect of redirections of standard output, for `>(…)` and data flow. */
  readonly effects: readonly Effect[]
  /** Those of them that write over a file whose name comes from a list that is read. */
  readonly listed: readonly Effect[]
}

export interface BuiltinCall {
  readonly invocation: Invocation
  /** Words given as `name=value` to `export` and its kin. */
  readonly declared: readonly Declared[]
  readonly streams: Streams
  readonly site: ExecutionContext
}

export type Builtin = (call: BuiltinCall) => Output
