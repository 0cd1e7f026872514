/**
 * The risk of a run: what a session was denied, asked about and flagged for adds up and fades with time. Each step fades by itself, so
 * that innocent calls take none of it away, and the same steps in any order make the same score. Pure.
 */
import type { Outcome } from '../../core/verdict.ts'

/** A decision that added to the risk of its session. */
export interface RiskStep {
  /** Number of the call, from 1. */
  readonly step: number
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly verdict: Exclude<Outcome, 'allow'>
  /** Code of the decision. */
  readonly because: string
}

/** Steps that are remembered; the ones that weigh least by then go first. */
export const MAX_STEPS = 32

/** What a verdict adds to a session without any; a call that people agreed to adds nothing. */
const WEIGHTS: Readonly<Record<RiskStep['verdict'], number>> = { flag: 0.04, ask: 0.1, deny: 0.25, halt: 0.5 }

/** Mistakes of form, which an agent is told to mend, and failures of ours say little of what it is up to. */
const MISTAKE = /^(?:contract|ingress|infra|policy)\./
const MISTAKE_WEIGHT = 0.04
/** A role that nobody knows yet is far from everything: that says nothing of the session. */
const LITTLE_KNOWN = 'baseline.cold'

export interface Fading {
  /** Milliseconds since the epoch. */
  readonly now: number
  /** Milliseconds after which a step weighs half as much. */
  readonly halfLife: number
  /** Steps before this time do not count: a person let the session go on. Milliseconds since the epoch; 0: nobody did. */
  readonly liftedAt: number
}

/** From 0, nothing happened, to 1. */
export function scoreOf(steps: readonly RiskStep[], fading: Fading): number {
  return joined(steps.map((step) => weightNow(step, fading)))
}

/** What a step weighs by now. A clock that goes back takes nothing away. */
export function weightNow({ at, verdict, because }: RiskStep, { now, halfLife, liftedAt }: Fading): number {
  return at <= liftedAt ? 0 : weightOf(verdict, because) * 2 ** (-Math.max(0, now - at) / halfLife)
}

/** What a decision weighs when it is made. */
export function weightOf(verdict: Outcome, because: string): number {
  if (verdict === 'allow' || because === LITTLE_KNOWN) return 0
  return MISTAKE.test(because) ? MISTAKE_WEIGHT : WEIGHTS[verdict]
}

/** Several weights as one: neither alone nor together more than 1. */
export function joined(weights: readonly number[]): number {
  const left = weights.reduce((product, weight) => product * (1 - weight), 1)
  return Math.round((1 - left) * 1_000) / 1_000
}

/** The steps with one more. Of too many the lightest goes, so that flags never push a denial out. */
export function withStep(steps: readonly RiskStep[], step: RiskStep): RiskStep[] {
  const all = [...steps, step]
  if (all.length <= MAX_STEPS) return all
  const fading = { now: step.at, halfLife: LIGHTEST_BY, liftedAt: -Infinity }
  const weights = all.map((each) => weightNow(each, fading))
  const lightest = weights.indexOf(Math.min(...weights))
  return all.filter((_, index) => index !== lightest)
}

/** The steps without the newest question: people answered it with yes. */
export function withoutQuestion(steps: readonly RiskStep[]): RiskStep[] {
  const newest = steps.findLastIndex(({ verdict }) => verdict === 'ask')
  return steps.filter((_, index) => index !== newest)
}

/** By which half-life it is told what weighs least, whatever the policy's is: two hours, in milliseconds. */
const LIGHTEST_BY = 7_200_000

/** One line for people. */
export function stepText({ step, verdict, because }: RiskStep): string {
  return `call ${step}: ${verdict} (${because})`
}
