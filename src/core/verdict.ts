/** The lattice of verdicts: `abstain ⊑ allow ⊑ flag ⊑ ask ⊑ deny ⊑ halt`. */
export const VERDICTS = ['abstain', 'allow', 'flag', 'ask', 'deny', 'halt'] as const
export type Verdict = (typeof VERDICTS)[number]

/** What a decision may say: a verdict that has been settled. */
export type Outcome = Exclude<Verdict, 'abstain'>

/** How strongly a rule or a layer is bound: advisory ⇒ flag, soft ⇒ ask, hard ⇒ deny. */
export const ENFORCEMENTS = ['advisory', 'soft', 'hard'] as const
export type Enforcement = (typeof ENFORCEMENTS)[number]

const RANK: Readonly<Record<Verdict, number>> = { abstain: 0, allow: 1, flag: 2, ask: 3, deny: 4, halt: 5 }
const ENFORCED: Readonly<Record<Enforcement, 'flag' | 'ask' | 'deny'>> = { advisory: 'flag', soft: 'ask', hard: 'deny' }

/** Negative, zero or positive as `a` is below, equal to or above `b`. */
export function compare(a: Verdict, b: Verdict): number {
  return RANK[a] - RANK[b]
}

/** The maximum of the two: commutative, associative, idempotent, with `abstain` as identity. */
export function join<T extends Verdict>(a: T, b: T): T {
  return RANK[a] >= RANK[b] ? a : b
}

/** The verdict that a violation has when its rule is bound at this level. */
export function enforced(level: Enforcement): 'flag' | 'ask' | 'deny' {
  return ENFORCED[level]
}

/** True when the call may run: `allow` and `flag`. */
export function runs(verdict: Verdict): boolean {
  return verdict === 'allow' || verdict === 'flag'
}
