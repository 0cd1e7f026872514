import type { Code } from '../../core/codes.ts'
import type { Verb } from '../../core/effect.ts'
import type { JsonObject } from '../../core/json.ts'
import type { Enforcement } from '../../core/verdict.ts'
import type { Effect } from '../../facts/effect.ts'
import type { Facts } from '../../facts/facts.ts'
import type { SessionState } from '../../session/state.ts'

/** A Bash command, or a call of another tool. */
export type Example = string | { readonly tool: string; readonly args: JsonObject }

/** A dangerous effect as data. Every example is judged by the tests; `safer` must itself pass with the shipped policy. */
export interface HazardRule {
  readonly id: string
  readonly code: Code
  /** The level it is bound at where the policy says nothing. */
  readonly level: Enforcement
  /** For the operator: what is dangerous about it. */
  readonly reason: string
  /** For the agent: what to do instead, in words that name no pattern. */
  readonly advice: string | null
  /** What reaches the same end harmlessly, or as much of it as is an agent's to do. */
  readonly safer: Example
  readonly examples: { readonly match: readonly Example[]; readonly not_match: readonly Example[] }
  /** Only effects with one of these verbs are meant; default any. */
  readonly verbs?: readonly Verb[]
  /** Only effects with one of these actions, or of these families (`git` of `git:push`), are meant; default any, and none. */
  readonly actions?: readonly string[]
  /**
   * Only calls of tools that the policy neither registers nor has a contract for: the operator knows the others. `unnamed`: nor has a rule
   * that names the tool to let it run or to ask about it. Default: all calls.
   */
  readonly unregistered?: true | 'unnamed'
  /** Only effects that no other rule is about, of any pack but `review`: what the policy leaves off is not asked about by this one in its place. */
  readonly otherwise?: true
  /** What must hold of the effect besides, given what earlier calls left; default nothing. */
  readonly when?: (effect: Effect, facts: Facts, state: SessionState) => boolean
}

export interface HazardPack {
  readonly name: string
  readonly summary: string
  readonly rules: readonly HazardRule[]
}
