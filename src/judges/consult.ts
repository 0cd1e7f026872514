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
import { openToolbox, type Toolbox, type ToolParts } from './tools/toolbox.ts'

export interface ConsultParts extends ProviderParts {
  /** Characters that nobody can foresee; at least 16. */
  readonly nonce: () => string
  /** Milliseconds; never goes back. */
  readonly now: () => number
  /** What the surroundings say of how deep among judges this is. */
  readonly depth: () => string | undefined
  /** By judge; kept as long as the process. */
  readonly breakers: Map<string, Breaker>
  /** What judges with tools need. Absent: such judges give no answer here. */
  readonly tools?: ToolParts
}

/** Answers of before, for the same question under the same policy. */
export interface Memory {
  readonly recall: (judge: JudgePolicy, stance: Stance) => Answer | null
  readonly keep: (judge: JudgePolicy, stance: Stance, answer: Answer) => void
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
  /** True where other processes found it failing a moment ago. Absent: nobody knows. */
  readonly resting?: (judge: JudgePolicy) => boolean
  /** Absent: nothing is remembered. */
  readonly memory?: Memory
  /** Where the call comes from; what tools see. */
  readonly cwd?: string | null
}

export interface Consulted {
  /** Null: no answer. */
  readonly ruling: Ruling | null
  readonly failure: { readonly code: NoAnswerCode; readonly message: string } | null
  /** For the record: judge, model, digest of what it was shown, usage in tokens, latency, and which judges were really asked. */
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
  const { judge, payload, memory } = question
  const before = {
    judge: judge.name,
    provider: judge.provider,
    model: judge.model,
    input_digest: payload.digest,
    truncated: payload.truncated,
  }
  const known = isBarred(question, parts) === null ? (memory?.recall(judge, stance) ?? null) : null
  if (known !== null) return { ...ruled(known, question, before), failure: null }
  const closed = unaskable(question, parts)
  if (closed !== null) return { ruling: null, failure: closed, evidence: { ...before, outcome: closed.code, asked: [] } }
  const started = parts.now()
  const { answer, failure, reply, toolbox } = await answered(question, stance, parts)
  const breaker = parts.breakers.get(judge.name) ?? CLOSED
  parts.breakers.set(judge.name, afterOutcome(breaker, failure === null, parts.now()))
  if (answer !== null) memory?.keep(judge, stance, answer)
  const spent = {
    usage: reply?.tokens == null ? null : { input: reply.tokens.input, output: reply.tokens.output },
    latency_ms: Math.round(parts.now() - started),
    ...(toolbox === null ? {} : { tool_calls: toolbox.records }),
    asked: [judge.name],
  }
  if (answer !== null) {
    const { ruling, evidence } = ruled(answer, question, before)
    return { ruling, failure: null, evidence: { ...evidence, ...spent, cached: false } }
  }
  const told = failure ?? { code: 'judge.unavailable' as const, message: '' }
  const evidence = { ...before, outcome: told.code, score: null, confidence: null, reasoning: told.message, ...spent }
  return { ruling: null, failure: told, evidence }
}

/** An answer, of now or of before, under the thresholds of now. */
function ruled(raw: Answer, { judge, thresholds }: Question, before: JsonObject): Pick<Consulted, 'ruling' | 'evidence'> {
  const answer = withProbability(raw, judge.calibration)
  const ruling = rulingOf(answer, thresholds)
  const said = [raw.gradient?.reasoning, raw.risk?.reason].filter((text) => text !== undefined).join('; ')
  return {
    ruling,
    evidence: { ...before, outcome: ruling.verdict, ...figuresOf(answer, raw), reasoning: ruling.reason, said, cached: true, asked: [] },
  }
}

interface Answered {
  readonly answer: Answer | null
  readonly failure: Consulted['failure']
  readonly reply: JudgeReply | null
  readonly toolbox: Toolbox | null
}

async function answered(question: Question, stance: Stance, parts: ConsultParts): Promise<Answered> {
  const nonce = parts.nonce()
  let toolbox: Toolbox | null = null
  let reply: JudgeReply | null = null
  try {
    toolbox = toolboxOf(question, nonce, parts)
    reply = await inTime(question, { stance, nonce, toolbox }, parts)
    return { answer: parseAnswer(reply.text, reply.marks), failure: null, reply, toolbox }
  } catch (error) {
    return { answer: null, failure: failureOf(error), reply, toolbox }
  }
}

/** @throws {NoAnswer} where a judge has tools and there is no sandbox for them. */
function toolboxOf({ judge, cwd = null }: Question, nonce: string, parts: ConsultParts): Toolbox | null {
  if (judge.tools === null) return null
  if (parts.tools === undefined) throw new NoAnswer('judge.sandbox', 'there is no sandbox for the tools of judges here')
  return openToolbox({ policy: judge.tools, cwd, depth: nextDepth(parts.depth()) ?? 1, nonce }, parts.tools)
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

/** Why this judge is not heard at all, whether it would have to be asked or not. */
function isBarred({ judge, agent }: Question, parts: ConsultParts): Consulted['failure'] {
  if (isSameFamily(judge, agent)) {
    return {
      code: 'judge.same_family',
      message: `\`${judge.name}\` is of the family of the agent; set \`allow_same_family\` to let it judge`,
    }
  }
  if (nextDepth(parts.depth()) === null) return { code: 'judge.depth', message: 'this call comes from a judge of a judge already' }
  return null
}

function unaskable(question: Question, parts: ConsultParts): Consulted['failure'] {
  const { judge, spent, resting } = question
  const barred = isBarred(question, parts)
  if (barred !== null) return barred
  if (spent(judge)) return over(judge)
  if (resting?.(judge) === true || isOpen(parts.breakers.get(judge.name) ?? CLOSED, parts.now())) {
    return { code: 'judge.unavailable', message: `\`${judge.name}\` failed several times in a row and rests for a moment` }
  }
  return null
}

function over(judge: JudgePolicy): NonNullable<Consulted['failure']> {
  return { code: 'judge.over_budget', message: `the budget of \`${judge.name}\` is used up` }
}

/** A provider may not heed its signal, so the time is also kept here. */
async function inTime(
  { judge, payload, timeoutMs }: Question,
  { stance, nonce, toolbox }: { readonly stance: Stance; readonly nonce: string; readonly toolbox: Toolbox | null },
  parts: ConsultParts,
): Promise<JudgeReply> {
  const control = new AbortController()
  const prompt = promptFor(payload, { stance, nonce, steps: toolbox?.maxSteps ?? 0 })
  const depth = nextDepth(parts.depth()) ?? 1
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(new NoAnswer('timeout.judge', `\`${judge.name}\` did not answer within ${timeoutMs} ms`))
      control.abort()
    }, timeoutMs)
  })
  try {
    return await Promise.race([ask({ judge, payload, prompt, depth, toolbox, timeoutMs, signal: control.signal }, parts), late])
  } finally {
    clearTimeout(timer)
  }
}

function failureOf(error: unknown): NonNullable<Consulted['failure']> {
  if (error instanceof NoAnswer) return { code: error.code, message: error.message }
  return { code: 'judge.unavailable', message: error instanceof Error ? error.message : String(error) }
}
