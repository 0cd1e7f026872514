/** Asks one judge, or the two of a tribunal, and says what came of it. Never rejects: what fails is no answer with a code. */
import type { JsonObject } from '../core/json.ts'
import { calibrated } from '../policy/judge-evidence.ts'
import type { JudgePolicy } from '../policy/judges.ts'
import { type Ruling, rulingOf, scoreOf, type Thresholds } from './accept.ts'
import { type Answer, NoAnswer, type NoAnswerCode } from './answer.ts'
import { tribunalOf } from './combine.ts'
import { afterOutcome, type Breaker, CLOSED, isOpen, isSameFamily, nextDepth } from './limits.ts'
import { parseAnswer } from './parse.ts'
import type { Payload } from './payload.ts'
import { promptFor, type Stance } from './prompt.ts'
import { ask, type JudgeReply, type ProviderParts } from './providers/provider.ts'

export interface ConsultParts extends ProviderParts {
  /** Characters that nobody can foresee; at least 16. */
  readonly nonce: () => string
  /** Milliseconds; never goes back. */
  readonly now: () => number
  /** What the surroundings say of how deep among judges this is. */
  readonly depth: () => string | undefined
  /** By judge; kept as long as the process. */
  readonly breakers: Map<string, Breaker>
}

export interface Question {
  readonly judge: JudgePolicy
  readonly named: ReadonlyMap<string, JudgePolicy>
  readonly payload: Payload
  readonly thresholds: Thresholds
  readonly timeoutMs: number
  /** The agent whose call it is. */
  readonly agent: string | null
  /** True where the judge may not be asked any more. */
  readonly spent: (judge: JudgePolicy) => boolean
}

export interface Consulted {
  /** Null: no answer. */
  readonly ruling: Ruling | null
  readonly failure: { readonly code: NoAnswerCode; readonly message: string } | null
  /** For the record: judge, model, digest of what it was shown, tokens, latency, and which judges were really asked. */
  readonly evidence: JsonObject & { readonly asked: readonly string[] }
}

export async function consult(question: Question, parts: ConsultParts): Promise<Consulted> {
  if (question.judge.provider === 'tribunal') return consultTribunal(question, parts)
  return consultOne(question, 'reviewer', parts)
}

async function consultTribunal(question: Question, parts: ConsultParts): Promise<Consulted> {
  const { judge, named, spent } = question
  const members = judge.members.map((name) => named.get(name)).filter((member) => member !== undefined)
  const stances: readonly Stance[] = ['reviewer', 'adversary']
  const refused = spent(judge) ? over(judge) : null
  const each =
    refused !== null
      ? []
      : members.map((member, index) => {
          const asking = { ...question, judge: member, thresholds: member, timeoutMs: Math.min(member.timeoutMs, question.timeoutMs) }
          return consultOne(asking, stances[index] ?? 'adversary', parts)
        })
  const [first, second] = await Promise.all(each)
  const ruling = tribunalOf(first?.ruling ?? null, second?.ruling ?? null)
  const failure = refused ??
    first?.failure ??
    second?.failure ?? { code: 'judge.unavailable' as const, message: 'the tribunal is not complete' }
  const asked = [...(first?.evidence.asked ?? []), ...(second?.evidence.asked ?? [])]
  return {
    ruling,
    failure: ruling === null ? failure : null,
    evidence: {
      judge: judge.name,
      provider: 'tribunal',
      input_digest: question.payload.digest,
      truncated: question.payload.truncated,
      members: [first, second].flatMap((member) => (member === undefined ? [] : [member.evidence])),
      asked: asked.length === 0 ? [] : [judge.name, ...asked],
    },
  }
}

async function consultOne(question: Question, stance: Stance, parts: ConsultParts): Promise<Consulted> {
  const { judge, payload, thresholds } = question
  const started = parts.now()
  const closed = unaskable(question, parts)
  const before = {
    judge: judge.name,
    provider: judge.provider,
    model: judge.model,
    input_digest: payload.digest,
    truncated: payload.truncated,
  }
  if (closed !== null) return { ruling: null, failure: closed, evidence: { ...before, outcome: closed.code, asked: [] } }
  let reply: JudgeReply | null = null
  let ruling: Ruling | null = null
  let figures: JsonObject = { score: null, confidence: null }
  let failure: Consulted['failure'] = null
  try {
    reply = await inTime(question, stance, parts)
    const raw = parseAnswer(reply.text, reply.marks)
    const answer = withProbability(raw, judge.calibration)
    ruling = rulingOf(answer, thresholds)
    figures = figuresOf(answer, raw)
  } catch (error) {
    failure = failureOf(error)
  }
  const breaker = parts.breakers.get(judge.name) ?? CLOSED
  parts.breakers.set(judge.name, afterOutcome(breaker, failure === null, parts.now()))
  const tokens = reply?.tokens ?? null
  const evidence = {
    ...before,
    outcome: ruling?.verdict ?? failure?.code ?? 'judge.unavailable',
    ...figures,
    reasoning: ruling?.reason ?? failure?.message ?? '',
    tokens: tokens === null ? null : { input: tokens.input, output: tokens.output },
    latency_ms: Math.round(parts.now() - started),
    asked: [judge.name],
  }
  return { ruling, failure, evidence }
}

/** Its score as the probability that its evidence makes of it; signals and levels stay as they are. */
function withProbability(answer: Answer, calibration: JudgePolicy['calibration']): Answer {
  const { gradient } = answer
  if (calibration === null || gradient === null) return answer
  return { ...answer, gradient: { ...gradient, score: calibrated(calibration, gradient.score, gradient.confidence) } }
}

/** The raw score beside a calibrated one, so that the log can be calibrated anew. */
function figuresOf(answer: Answer, raw: Answer): JsonObject {
  const figures = { score: scoreOf(answer), confidence: answer.gradient?.confidence ?? null }
  return answer === raw ? figures : { ...figures, raw_score: scoreOf(raw) }
}

function unaskable({ judge, agent, spent }: Question, parts: ConsultParts): Consulted['failure'] {
  if (isSameFamily(judge, agent)) {
    return {
      code: 'judge.same_family',
      message: `\`${judge.name}\` is of the family of the agent; set \`allow_same_family\` to let it judge`,
    }
  }
  if (nextDepth(parts.depth()) === null) return { code: 'judge.depth', message: 'this call comes from a judge of a judge already' }
  if (spent(judge)) return over(judge)
  if (isOpen(parts.breakers.get(judge.name) ?? CLOSED, parts.now())) {
    return { code: 'judge.unavailable', message: `\`${judge.name}\` failed several times in a row and rests for a moment` }
  }
  return null
}

function over(judge: JudgePolicy): NonNullable<Consulted['failure']> {
  return { code: 'judge.over_budget', message: `the budget of \`${judge.name}\` is used up` }
}

/** A provider may not heed its signal, so the time is also kept here. */
async function inTime(question: Question, stance: Stance, parts: ConsultParts): Promise<JudgeReply> {
  const { judge, payload, timeoutMs } = question
  const control = new AbortController()
  const prompt = promptFor(payload, { stance, nonce: parts.nonce() })
  const depth = nextDepth(parts.depth()) ?? 1
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(new NoAnswer('timeout.judge', `\`${judge.name}\` did not answer within ${timeoutMs} ms`))
      control.abort()
    }, timeoutMs)
  })
  try {
    return await Promise.race([ask({ judge, payload, prompt, depth, timeoutMs, signal: control.signal }, parts), late])
  } finally {
    clearTimeout(timer)
  }
}

function failureOf(error: unknown): NonNullable<Consulted['failure']> {
  if (error instanceof NoAnswer) return { code: error.code, message: error.message }
  return { code: 'judge.unavailable', message: error instanceof Error ? error.message : String(error) }
}
