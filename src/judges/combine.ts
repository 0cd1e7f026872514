/**
 * Two judges → one, which never permits what they are split on. AEGIS's arithmetic over more of them judges work that is done,
 * not calls: a mean of scores would hide a rejection, so it has no place before one (AEG-15).
 */
import type { Outcome } from '../core/verdict.ts'
import type { Ruling } from './accept.ts'

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
