/** What a compensator is, and what a policy adds to those of the catalogue. */
import type { Effect } from '../core/effect.ts'
import type { KnownDatabase } from './databases/known.ts'

/** What a policy adds to the catalogue. */
export interface Ways {
  readonly databases: readonly KnownDatabase[]
  /** Ways back that a person goes, by action. */
  readonly declared: readonly DeclaredWay[]
}

/** As the policy, or Role OS's `compensator`, names it. */
export interface DeclaredWay {
  readonly action: string
  readonly how: string
  readonly until: string
  readonly cannot: string
  readonly owner: string
}

export interface Compensator {
  readonly name: string
  /** True where this takes back what the effect does. */
  readonly covers: (effect: Effect, ways: Ways) => boolean
  /** What is kept before the act. */
  readonly captures: string
  /** The act that takes it back. */
  readonly how: string
  /** For how long that works. */
  readonly until: string
  readonly cannot: string
  /** What keeping it, and taking it back, costs. */
  readonly cost: string
  /** Who can do it. */
  readonly owner: string
  /** `manual` is told, for a person to do; all others are run by `countersign undo`. */
  readonly run: 'files' | 'git' | 'git-push' | 'npm' | 'database' | 'kubernetes' | 'github' | 'terraform' | 'manual'
  readonly exercised: boolean
  /** True where what is kept only helps a person: the act itself stays without a way back, and is asked about. Absent: it takes the act back. */
  readonly helps?: boolean
}
