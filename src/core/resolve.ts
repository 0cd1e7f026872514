import type { Resolution } from './decision.ts'
import type { Finding, ResolverKind } from './finding.ts'
import { compare, join, type Outcome } from './verdict.ts'

/** An open question: one `ask` finding that nobody has settled yet. */
export interface Ask {
  readonly index: number
  readonly finding: Finding
  readonly resolvers: readonly ResolverKind[]
}

/** Who answered which finding with what. */
export interface Answer {
  readonly index: number
  readonly resolution: Resolution
}

/** The questions a set of findings leaves open. */
export function openAsks(findings: readonly Finding[]): readonly Ask[] {
  return findings.flatMap((finding, index) => (finding.verdict === 'ask' ? [{ index, finding, resolvers: finding.resolvers }] : []))
}

/**
 * The verdict after the answers. Only an `ask` can be lowered, only by a kind it names, and every open `ask` needs its own
 * answer; an answer may also raise. A `deny` or `halt` stays whatever anybody says (P2).
 */
export function applyAnswers(findings: readonly Finding[], answers: readonly Answer[]): Outcome {
  let verdict: Outcome = 'allow'
  for (const [index, finding] of findings.entries()) {
    verdict = join(verdict, settled(index, finding, answers))
  }
  return verdict
}

function settled(index: number, finding: Finding, answers: readonly Answer[]): Outcome {
  if (finding.verdict === 'abstain') return 'allow'
  if (finding.verdict !== 'ask') return finding.verdict
  const given = answers.filter((answer) => answer.index === index)
  const entitled = given.filter(({ resolution }) => finding.resolvers.includes(resolution.by) || compare(resolution.verdict, 'ask') > 0)
  if (entitled.length === 0) return 'ask'
  return entitled.reduce<Outcome>((verdict, answer) => join(verdict, answer.resolution.verdict), 'allow')
}
