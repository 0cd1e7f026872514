/** Several judges → one. A tribunal of two never permits what it is split on; the arithmetic over more is AEGIS's own. */
import type { Outcome } from '../core/verdict.ts'
import type { Ruling } from './accept.ts'
import type { Gradient } from './answer.ts'

/**
 * Signet's tribunal: two that agree are followed, two that differ leave it to a person (SIG-15 to SIG-18). Null stands for a
 * judge that gave no answer: a rejection holds without it, an acceptance does not.
 */
export function tribunalOf(first: Ruling | null, second: Ruling | null): Ruling | null {
  const given = [first, second].filter((ruling) => ruling !== null)
  const reason = given.map((ruling) => ruling.reason).join(' / ')
  const rejecting = given.filter((ruling) => !accepts(ruling.verdict))
  if (rejecting.length > 0 && rejecting.length === given.length) return { verdict: worst(rejecting), reason }
  if (given.length < 2) return null
  if (rejecting.length > 0) return { verdict: 'ask', reason: `the judges are split: ${reason}` }
  return { verdict: given.some(({ verdict }) => verdict === 'flag') ? 'flag' : 'allow', reason }
}

/** True for the verdicts that accept a call. */
export function accepts(verdict: Outcome): boolean {
  return verdict === 'allow' || verdict === 'flag'
}

function worst(rulings: readonly Ruling[]): Outcome {
  return rulings.some(({ verdict }) => verdict === 'halt') ? 'halt' : 'deny'
}

export type Consensus = 'weighted_average' | 'majority' | 'unanimous' | 'best_of_n'

export interface ConsensusOptions {
  readonly consensus: Consensus
  /** From which score on a judge votes for; default 0.7. */
  readonly threshold?: number
  /** For `weighted_average`, one per answer; default equal. */
  readonly weights?: readonly number[]
  /** For `best_of_n`; default 1. */
  readonly n?: number
}

type Figures = Pick<Gradient, 'score' | 'confidence'>

/** Score and confidence of several answers together. @throws {RangeError} for no answers, or weights that do not fit. */
export function consensusOf(answers: readonly Figures[], options: ConsensusOptions): Figures {
  if (answers.length === 0) throw new RangeError('a consensus needs at least one answer')
  const { threshold = 0.7, n = 1 } = options
  switch (options.consensus) {
    case 'weighted_average':
      return weighted(answers, options.weights ?? answers.map(() => 1))
    case 'majority':
      return majority(answers, threshold)
    case 'unanimous': {
      const all = answers.every(({ score }) => score >= threshold)
      return { score: all ? mean(answers.map(({ score }) => score)) : 0, confidence: Math.min(...answers.map((each) => each.confidence)) }
    }
    case 'best_of_n': {
      const best = answers.toSorted((a, b) => b.score * b.confidence - a.score * a.confidence).slice(0, Math.max(1, n))
      return { score: mean(best.map(({ score }) => score)), confidence: mean(best.map((each) => each.confidence)) }
    }
  }
}

function weighted(answers: readonly Figures[], weights: readonly number[]): Figures {
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  if (weights.length !== answers.length || weights.some((weight) => !(weight >= 0)) || !(total > 0)) {
    throw new RangeError('weights must be as many as answers, none below 0, one above')
  }
  const score = answers.reduce((sum, each, index) => sum + each.score * (weights[index] ?? 0), 0) / total
  const average = mean(answers.map((each) => each.score))
  const variance = mean(answers.map((each) => (each.score - average) ** 2))
  return { score, confidence: (1 - Math.min(variance / 0.25, 1)) * 0.7 + mean(answers.map((each) => each.confidence)) * 0.3 }
}

function majority(answers: readonly Figures[], threshold: number): Figures {
  const votes = answers.filter(({ score }) => score >= threshold).length
  const margin = Math.abs(2 * votes - answers.length) / answers.length
  const score = 2 * votes === answers.length ? 0.5 : Number(2 * votes > answers.length)
  return { score, confidence: margin * 0.7 + mean(answers.map((each) => each.confidence)) * 0.3 }
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
