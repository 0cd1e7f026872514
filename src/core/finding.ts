import type { Code } from './codes.ts'
import type { JsonObject } from './json.ts'
import type { Verdict } from './verdict.ts'

/** Who may resolve an `ask`, cheapest first. */
export const RESOLVERS = ['grant', 'judge', 'human'] as const
export type ResolverKind = (typeof RESOLVERS)[number]

/** What one rule of one layer says of one call. Findings raise; only `allow` permits. */
export interface Finding {
  readonly layer: string
  /** The rule within the layer, as the policy or the pack names it. */
  readonly rule: string
  readonly verdict: Verdict
  readonly code: Code
  /** For the operator: full, with the reason. The agent gets the code's coarse text (D13). */
  readonly message: string
  /** A safe next step for the agent, where the rule has one; must not name the pattern (T53). */
  readonly advice: string | null
  readonly evidence: JsonObject
  /** Who may lower it; empty unless the verdict is `ask`. */
  readonly resolvers: readonly ResolverKind[]
  /** Which of several policies it comes from; absent: the one that governs. */
  readonly scope?: FindingScope
}

export interface FindingScope {
  readonly name: 'managed' | 'user' | 'project'
  /** The policy file; null: it stands in none. */
  readonly path: string | null
  /** Of the rule, from 1; null where it has no place of its own. */
  readonly line: number | null
}
