import type { Certainty, Effect } from '../../effect.ts'
import type { Value } from './value.ts'

/** What happened so far: cross-call knowledge that single calls are judged with. */
export interface ExecutionState {
  certainty: Certainty
  /** An endless loop without pause or way out is around the current node. */
  endless: boolean
  /** A raw connection was opened. */
  connection: Effect | null
  /** A standard stream was put onto a connection. */
  streams: boolean
  /** A shell whose streams are not its parent's was started. */
  shell: boolean
  /** Files that were written with what came from the network. */
  readonly downloaded: Map<string, Effect>
  /** Files that were written with known text. */
  readonly written: Map<string, Value>
  /** Characters of code and command lines that were handed on for analysis. */
  handed: number
  /** Packages that were told a secret: what is called there speaks for an account. */
  readonly accounts: Set<string>
  /** Things said once. */
  readonly said: Set<string>
}

/** Before the first step. */
export function nothingDone(): ExecutionState {
  return {
    certainty: 'certain',
    endless: false,
    connection: null,
    streams: false,
    shell: false,
    downloaded: new Map(),
    written: new Map(),
    handed: 0,
    accounts: new Set(),
    said: new Set(),
  }
}
