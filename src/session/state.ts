import type { RoleBaseline } from '../core/behaviour.ts'
import type { Effect } from '../core/effect.ts'
import type { Json } from '../core/json.ts'
import type { Unanswered } from '../core/unanswered.ts'
import type { HeldGrant } from '../grants/grant.ts'
import type { HashKey } from '../provenance/keyed-hash.ts'
import type { Attempts } from './attempts.ts'
import { type FileLabels, NO_LABELS } from './labels.ts'
import type { SessionMemory } from './memory/memory.ts'
import { type PinState, UNPINNED } from './pin.ts'
import type { WrittenFiles } from './written.ts'

/** What earlier calls of the session left behind, reduced from its events; facts and layers read it, never write it. */
export interface SessionState {
  /** Milliseconds since the epoch at which this decision is made: layers read no clock (H3). */
  readonly now: number
  /** Files the agent wrote earlier in the session, by kernel-true path. */
  readonly written: WrittenFiles
  /** Files in which other sessions left what somebody else may have written. */
  readonly labels: FileLabels
  /** Denials so far, by effect family and target. */
  readonly denials: ReadonlyMap<string, number>
  /** What is known from earlier results and from lookups (`contracts.state`, `contracts.providers`): values, and tables by key. */
  readonly tables: ReadonlyMap<string, Json | ReadonlyMap<string, Json>>
  /** What became of lookups without an answer, by provider; empty: none was made, or all have one. */
  readonly unanswered: ReadonlyMap<string, Unanswered>
  /** Grants that may cover these effects of the call, with their uses so far; where none does, some that come near. */
  readonly grants: (effects: readonly Effect[]) => readonly HeldGrant[]
  /** Value of a counter of the store, tenant first; 0 where nothing was counted. */
  readonly count: (key: readonly [string, ...string[]]) => number
  /** How the definition that came with the call stands to the one that was pinned. */
  readonly pin: () => PinState
  /** What is known of the call's role, read once for a decision; null: baselines are not kept here. */
  readonly baseline: () => RoleBaseline | 'unreadable' | null
  /** What the session took in and was asked for, with the key of its hashes; null: the call names no session. */
  readonly memory: () => { readonly memory: SessionMemory; readonly key: HashKey } | null
  /** Calls of any session of the tenant that may have done the same. */
  readonly attempts: Attempts
}

/** A session nothing is known of; a missing trace never permits (PIT-20). */
export function emptySession(now: number): SessionState {
  return {
    now,
    written: new Map(),
    labels: NO_LABELS,
    denials: new Map(),
    tables: new Map(),
    unanswered: new Map(),
    grants: () => [],
    count: () => 0,
    pin: () => UNPINNED,
    baseline: () => null,
    memory: () => null,
    attempts: (sought) => sought.map(() => []),
  }
}
