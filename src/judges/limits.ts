/** Whether a judge is asked at all: sampling, model families, depth, and a breaker for one that keeps failing. All pure. */
import type { ToolCall } from '../core/call.ts'
import { familyOf, familyOfJudge, type JudgePolicy } from '../policy/judges.ts'
import type { NoAnswerCode } from './answer.ts'

/** @param draw gives a number from 0 up to 1 that the agent cannot foresee; it is only drawn where it decides. */
export function isSampled(
  { sample, always }: Pick<JudgePolicy, 'sample' | 'always'>,
  { tool, alsoNamed = [] }: Pick<ToolCall, 'tool' | 'alsoNamed'>,
  draw: () => number,
): boolean {
  const isAlways = [tool, ...alsoNamed].some(({ server, name }) => always.some((pattern) => pattern.matches(server, name)))
  return sample >= 1 || isAlways || (sample > 0 && draw() < sample)
}

export interface Breaker {
  readonly failures: number
  /** Milliseconds; null while closed. */
  readonly openUntil: number | null
}

/**
 * True where the judge itself is out of order. An answer that cannot be read, a refusal or too many steps can be what the call made of
 * it: whoever writes calls must not be able to put a judge to rest.
 */
export function isOutage(code: string): boolean {
  return OUTAGES.has(code)
}

const OUTAGES: ReadonlySet<string> = new Set<NoAnswerCode>(['judge.unavailable', 'timeout.judge'])

export const CLOSED: Breaker = { failures: 0, openUntil: null }

const FAILURES = 5
const PAUSE = 30_000

/** The breaker after an answer (`ok`) or a failure: five outages in a row pause the judge for half a minute. */
export function afterOutcome({ failures }: Breaker, ok: boolean, now: number): Breaker {
  if (ok) return CLOSED
  const total = failures + 1
  return { failures: total, openUntil: total >= FAILURES ? now + PAUSE : null }
}

/** True while the judge is not to be asked. When the pause is over one call tries it, and its failure pauses it again. */
export function isOpen({ openUntil }: Breaker, now: number): boolean {
  return openUntil !== null && now < openUntil
}

/** How many judges may stand behind one another. */
const DEEPEST = 3

/** The depth of the calls that a judge itself makes, or null where that is too deep (AEG-19, T36). @param written what the caller handed on. */
export function nextDepth(written: string | undefined): number | null {
  if (written === undefined || written === '') return 1
  const depth = /^\d$/.test(written) ? Number(written) : DEEPEST
  return depth >= DEEPEST ? null : depth + 1
}

/** How often a pending answer is asked for within the time; at least once (AEG-16). Both in milliseconds. */
export function attemptsWithin(timeoutMs: number, pollMs: number): number {
  return Math.max(1, Math.ceil(timeoutMs / pollMs))
}

/** True where judge and agent would be fooled by the same words (T51). */
export function isSameFamily(
  judge: Pick<JudgePolicy, 'family' | 'model' | 'provider' | 'url' | 'allowSameFamily'>,
  agent: string | null,
): boolean {
  if (judge.allowSameFamily) return false
  const family = familyOfJudge(judge)
  return family !== null && family === familyOf(agent)
}
