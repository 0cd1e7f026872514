import type { Code } from '../../core/codes.ts'
import type { Verb } from '../../core/effect.ts'
import type { Enforcement } from '../../core/verdict.ts'
import type { Effect } from '../../facts/effect.ts'
import type { Facts } from '../../facts/facts.ts'

/** A dangerous effect as data. Every example is a Bash command and is run by the tests; `safer` must itself pass. */
export interface HazardRule {
  readonly id: string
  readonly code: Code
  /** The level it is bound at where the policy says nothing. */
  readonly level: Enforcement
  /** For the operator: what is dangerous about it. */
  readonly reason: string
  /** For the agent: what to do instead, in words that name no pattern. */
  readonly advice: string | null
  /** A command that reaches the same end harmlessly, where there is one. */
  readonly safer: string | null
  readonly examples: { readonly match: readonly string[]; readonly not_match: readonly string[] }
  /** Only effects with one of these verbs are meant; default any. */
  readonly verbs?: readonly Verb[]
  /** Only effects with one of these actions, or of these families (`git` of `git:push`), are meant; default any, and none. */
  readonly actions?: readonly string[]
  /** What must hold of the effect besides; default nothing. */
  readonly when?: (effect: Effect, facts: Facts) => boolean
}

export interface HazardPack {
  readonly name: string
  readonly summary: string
  readonly rules: readonly HazardRule[]
}
