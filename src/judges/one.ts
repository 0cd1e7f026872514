/** Asks one judge once and says what came of it. Never rejects: what fails is no answer with a code. */
import type { JsonObject } from '../core/json.ts'
import { calibrated } from '../policy/judge-evidence.ts'
import type { JudgePolicy } from '../policy/judges.ts'
import { rulingOf, scoreOf } from './accept.ts'
import { type Answer, NoAnswer } from './answer.ts'
import { barredFrom, failureOf, inTime } from './exchange.ts'
import { afterOutcome, CLOSED, isOpen, isOutage, nextDepth } from './limits.ts'
import { createMeter, type Meter } from './meter.ts'
import { parseAnswer } from './parse.ts'
import { promptFor, type Stance } from './prompt.ts'
import type { Consulted, ConsultParts, Failure, Question } from './question.ts'
import { openToolbox, type Toolbox } from './tools/toolbox.ts'

export async function consultOne(question: Question, stance: Stance, parts: ConsultParts): Promise<Consulted> {
  const { judge, payload, memory } = question
  const before = {
    judge: judge.name,
    provider: judge.provider,
    model: judge.model,
    ...configIn(question),
    input_digest: payload.digest,
    truncated: payload.truncated,
  }
  const known = barredFrom(question, parts) === null ? recalled(question, stance) : null
  if (known !== null) return { ...ruled(known, question, before), failure: null }
  const closed = unaskable(question, parts)
  if (closed !== null) return { ruling: null, failure: closed, evidence: { ...before, outcome: closed.code, asked: [] } }
  const started = parts.now()
  const meter = createMeter()
  const { answer, failure, toolbox } = await answered({ question, stance, meter }, parts)
  const breaker = parts.breakers.get(judge.name) ?? CLOSED
  if (failure === null || isOutage(failure.code)) parts.breakers.set(judge.name, afterOutcome(breaker, failure === null, parts.now()))
  // Copied: a tool that ends too late changes no record.
  const uses = toolbox === null ? [] : [...toolbox.records]
  const seen = { ...before, truncated: payload.truncated || uses.some(({ cut }) => cut === true) }
  const spent = {
    ...spending(judge, meter),
    latency_ms: Math.round(parts.now() - started),
    ...(toolbox === null ? {} : { tool_calls: uses }),
    asked: [judge.name],
  }
  if (answer !== null) {
    memory?.keep(judge, stance, { answer, payload })
    const { ruling, evidence } = ruled(answer, question, seen)
    return { ruling, failure: null, evidence: { ...evidence, ...spent, cached: false } }
  }
  const told = failure ?? { code: 'judge.unavailable' as const, message: '' }
  const evidence = { ...seen, outcome: told.code, score: null, confidence: null, reasoning: told.message, ...spent }
  return { ruling: null, failure: told, evidence }
}

/** By this, labels of people are told apart that were given when the judge was another one. */
export function configIn({ judge, configOf }: Question): JsonObject {
  return configOf === undefined ? {} : { config: configOf(judge) }
}

/** What was kept is only taken where it can be read; anything else is asked anew. */
function recalled({ judge, payload, memory }: Question, stance: Stance): Answer | null {
  try {
    return memory?.recall(judge, stance, payload) ?? null
  } catch {
    return null
  }
}

/** Of every exchange that there was, also of those that came to nothing. */
export function spending({ price }: JudgePolicy, meter: Meter): JsonObject {
  const tokens = meter.counted()
  // Not `tokens`: what stands under that name is a secret, and is masked.
  const counted = { usage: tokens === null ? null : { ...tokens } }
  if (price === null) return { ...counted, cost: null }
  const { micros, bounded } = meter.cost(price)
  return { ...counted, cost: micros / 1_000_000, ...(bounded ? { cost_bounded: true } : {}) }
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
  readonly failure: Failure | null
  readonly toolbox: Toolbox | null
}

interface Asking {
  readonly question: Question
  readonly stance: Stance
  readonly meter: Meter
}

async function answered(asking: Asking, parts: ConsultParts): Promise<Answered> {
  const nonce = parts.nonce()
  let toolbox: Toolbox | null = null
  try {
    toolbox = toolboxOf(asking.question, nonce, parts)
    const { judge, payload, timeoutMs } = asking.question
    const prompt = promptFor(payload, { stance: asking.stance, nonce, steps: toolbox?.maxSteps ?? 0 })
    const reply = await inTime({ judge, payload, prompt, toolbox, timeoutMs, meter: asking.meter }, parts)
    return { answer: parseAnswer(reply.text, reply.marks), failure: null, toolbox }
  } catch (error) {
    return { answer: null, failure: failureOf(error), toolbox }
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

function unaskable(question: Question, parts: ConsultParts): Failure | null {
  const { judge, spent, resting, timeoutMs } = question
  const barred = barredFrom(question, parts)
  if (barred !== null) return barred
  if (spent(judge)) return over(judge)
  if (timeoutMs <= 0) return { code: 'timeout.judge', message: `there was no time left to ask \`${judge.name}\`` }
  if (resting?.(judge) === true || isOpen(parts.breakers.get(judge.name) ?? CLOSED, parts.now())) {
    return { code: 'judge.unavailable', message: `\`${judge.name}\` failed several times in a row and rests for a moment` }
  }
  return null
}

export function over(judge: JudgePolicy): Failure {
  return { code: 'judge.over_budget', message: `the budget of \`${judge.name}\` is used up` }
}
