/** An answer → a verdict under the thresholds of a judge. Thresholds are inclusive; a veto looks past the mean. */
import { join, type Outcome } from '../core/verdict.ts'
import type { JudgePolicy } from '../policy/judges.ts'
import type { Answer, Gradient, RiskLevel } from './answer.ts'

export type Thresholds = Pick<JudgePolicy, 'minScore' | 'minConfidence' | 'veto'>

/** What a judge makes of a call. `allow` and `flag` accept; `ask` is a tribunal that is split. */
export interface Ruling {
  readonly verdict: Outcome
  /** For the operator; never for the agent, who would learn what passes (AEG-W10). */
  readonly reason: string
}

const OUTCOMES: Readonly<Record<RiskLevel, Outcome>> = { low: 'allow', medium: 'flag', high: 'deny', critical: 'halt' }

/** Where an answer has both forms, the worse one holds. */
export function rulingOf({ gradient, risk }: Answer, thresholds: Thresholds): Ruling {
  const rulings: Ruling[] = []
  if (gradient !== null) rulings.push(underThresholds(gradient, thresholds))
  if (risk !== null) {
    const about = risk.category === null ? risk.level : `${risk.level}, ${risk.category}`
    rulings.push({ verdict: OUTCOMES[risk.level], reason: `${about}: ${risk.reason}` })
    // A veto that cannot be looked up does not hold: the judge must answer with signals.
    if (gradient === null && thresholds.veto.size > 0) rulings.push({ verdict: 'deny', reason: 'the answer has no signals to look at' })
  }
  const verdict = rulings.reduce<Outcome>((worst, each) => join(worst, each.verdict), 'allow')
  return { verdict, reason: rulings.map((each) => each.reason).join('; ') }
}

const SCORES: Readonly<Record<RiskLevel, number>> = { low: 1, medium: 0.66, high: 0.33, critical: 0 }

/** From 0 to 1, of either form; of both the lower. */
export function scoreOf({ gradient, risk }: Answer): number {
  return Math.min(gradient?.score ?? 1, risk === null ? 1 : SCORES[risk.level])
}

function underThresholds(gradient: Gradient, { minScore, minConfidence, veto }: Thresholds): Ruling {
  const { score, confidence, reasoning } = gradient
  const problem = vetoed(gradient, veto)
  if (problem !== null) return { verdict: 'deny', reason: `${problem}: ${reasoning}` }
  const accepted = score >= minScore && confidence >= minConfidence
  const figures = `score ${score} of at least ${minScore}, confidence ${confidence} of at least ${minConfidence}`
  return { verdict: accepted ? 'allow' : 'deny', reason: `${figures}: ${reasoning}` }
}

function vetoed({ signals }: Gradient, veto: Thresholds['veto']): string | null {
  for (const [category, least] of veto) {
    const scores = signals.filter((signal) => signal.category === category).map((signal) => signal.score)
    if (scores.length === 0) return `the signal \`${category}\` is missing`
    const lowest = Math.min(...scores)
    if (lowest < least) return `the signal \`${category}\` has ${lowest} of at least ${least}`
  }
  return null
}
