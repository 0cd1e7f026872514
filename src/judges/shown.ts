/** What each judge is shown of one call: of a tribunal every judge sees it as it is configured itself. Pure. */
import type { JudgePolicy } from '../policy/judges.ts'
import { type Payload, type PayloadInput, type PayloadParts, payloadOf } from './payload.ts'

export interface Showing extends Omit<PayloadInput, 'criteria' | 'recentCalls' | 'maxBytes'> {
  readonly judge: JudgePolicy
  /** Those of its place as a gate. */
  readonly gateCriteria: string | null
}

export interface Shown {
  readonly payload: Payload
  readonly payloadFor: (member: JudgePolicy) => Payload
}

export function shownOf({ judge, gateCriteria, ...input }: Showing, parts: PayloadParts): Shown {
  const made = (criteria: readonly (string | null)[], recentCalls: number, maxBytes: number): Payload => {
    const text = criteria.filter((each) => each !== null && each !== '').join('\n')
    return payloadOf({ ...input, criteria: text, recentCalls, maxBytes }, parts)
  }
  return {
    payload: made([judge.criteria, gateCriteria], judge.recentCalls, judge.maxPayloadBytes),
    payloadFor: ({ criteria, recentCalls, maxPayloadBytes }) =>
      made([judge.criteria, criteria, gateCriteria], Math.max(judge.recentCalls, recentCalls), maxPayloadBytes),
  }
}
