/** Asks the two judges of a tribunal at once, each as it is configured, and joins what they say. */
import type { JudgePolicy } from '../policy/judges.ts'
import type { Thresholds } from './accept.ts'
import { tribunalOf } from './combine.ts'
import { configIn, consultOne, over } from './one.ts'
import type { Stance } from './prompt.ts'
import type { Consulted, ConsultParts, Question } from './question.ts'

const STANCES: readonly Stance[] = ['reviewer', 'adversary']

export async function consultTribunal(question: Question, parts: ConsultParts): Promise<Consulted> {
  const { judge, named, payload } = question
  const members = judge.members.flatMap((name) => named.get(name) ?? [])
  const refused = question.spent(judge) ? over(judge) : null
  const asking = refused !== null ? [] : members.map((member, index) => ({ member, stance: STANCES[index] ?? 'adversary' }))
  const given = await Promise.all(asking.map(({ member, stance }) => consultOne(forMember(question, member), stance, parts)))
  const [first, second] = given
  const ruling = tribunalOf(first?.ruling ?? null, second?.ruling ?? null)
  const failure = refused ??
    first?.failure ??
    second?.failure ?? { code: 'judge.unavailable' as const, message: 'the tribunal is not complete' }
  const asked = given.flatMap(({ evidence }) => evidence.asked)
  const said = given.flatMap(({ evidence }) => (typeof evidence.said === 'string' && evidence.said !== '' ? [evidence.said] : []))
  return {
    ruling,
    failure: ruling === null ? failure : null,
    evidence: {
      judge: judge.name,
      provider: 'tribunal',
      ...configIn(question),
      input_digest: payload.digest,
      truncated: payload.truncated || given.some(({ evidence }) => evidence.truncated === true),
      members: given.map(({ evidence }) => evidence),
      ...(said.length === 0 ? {} : { said: said.join('; ') }),
      asked: asked.length === 0 ? [] : [judge.name, ...asked],
    },
  }
}

function forMember(question: Question, member: JudgePolicy): Question {
  const { payload, payloadFor, thresholds, timeoutMs } = question
  return {
    ...question,
    judge: member,
    payload: payloadFor?.(member) ?? payload,
    thresholds: stricter(member, thresholds),
    timeoutMs: Math.min(member.timeoutMs, timeoutMs),
  }
}

/** Of what the member, the tribunal and the gate ask for, the most. */
function stricter(one: Thresholds, other: Thresholds): Thresholds {
  const veto = new Map(one.veto)
  for (const [signal, least] of other.veto) veto.set(signal, Math.max(least, veto.get(signal) ?? 0))
  return {
    minScore: Math.max(one.minScore, other.minScore),
    minConfidence: Math.max(one.minConfidence, other.minConfidence),
    veto,
  }
}
