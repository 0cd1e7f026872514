/**
 * The text of a judge → its answer, or the reason why it is none. Strict: one object and nothing else, every field known and in
 * range. A judge that was talked into quoting an answer gives two, and two are none (T52, AEG-W2).
 */
import { isJsonObject, type Json, type JsonObject, own } from '../core/json.ts'
import { readJson } from '../ingress/json.ts'
import { type Answer, type Gradient, NoAnswer, RISK_CATEGORIES, RISK_LEVELS, type Risk, type Signal } from './answer.ts'

/** Between which marks an answer must stand; null: the text is the answer. */
export type Marks = { readonly open: string; readonly close: string } | null

const MAX_BYTES = 65_536
const MAX_SIGNALS = 32
const MAX_TEXT = 8_192
const FENCE = /^```(?:json)?[ \t]*\r?\n/i

/** @throws {NoAnswer} with `judge.malformed` for everything but exactly one well-formed answer. */
export function parseAnswer(text: string, marks: Marks): Answer {
  return answerOf(parseObject(text, marks))
}

/** @throws {NoAnswer} with `judge.malformed` for everything but exactly one JSON object. */
export function parseObject(text: string, marks: Marks): JsonObject {
  if (text.length > MAX_BYTES) throw malformed(`the answer is longer than ${MAX_BYTES} characters`)
  const body = unfenced(marks === null ? text.trim() : between(text, marks))
  if (body === '') throw malformed('the answer is empty')
  const read = readJson(body, { maxBytes: MAX_BYTES * 3, maxDepth: 16 })
  if (!read.ok) throw malformed(`the answer is not one JSON object: ${read.refusal.message}`)
  if (!isJsonObject(read.value)) throw malformed('the answer is no JSON object')
  return read.value
}

function between(text: string, { open, close }: NonNullable<Marks>): string {
  const inner = text.trim()
  if (!inner.startsWith(open) || !inner.endsWith(close) || inner.length < open.length + close.length) {
    throw malformed('the answer does not stand between its marks, alone')
  }
  const body = inner.slice(open.length, inner.length - close.length)
  if (body.includes(open) || body.includes(close)) throw malformed('there is more than one answer')
  return body.trim()
}

/** One fence around all of it may stay; a second one stands inside of what must be JSON and fails there. */
function unfenced(text: string): string {
  const fence = FENCE.exec(text)
  if (fence === null) return text
  if (!text.endsWith('```')) throw malformed('the code block of the answer does not end')
  return text.slice(fence[0].length, -3).trim()
}

const GRADIENT: ReadonlySet<string> = new Set(['score', 'confidence', 'reasoning', 'signals', 'metadata'])
const RISK: ReadonlySet<string> = new Set(['risk_level', 'level', 'category', 'reason'])
const SIGNAL: ReadonlySet<string> = new Set(['category', 'score', 'message'])

function answerOf(value: JsonObject): Answer {
  const hasGradient = ['score', 'confidence', 'reasoning'].some((key) => Object.hasOwn(value, key))
  const hasRisk = ['risk_level', 'level'].some((key) => Object.hasOwn(value, key))
  if (!hasGradient && !hasRisk) throw malformed('the answer has neither a score nor a risk level')
  // A field of a form that is not there says something that nobody would read.
  known(value, (key) => (hasGradient && GRADIENT.has(key)) || (hasRisk && RISK.has(key)))
  return { gradient: hasGradient ? gradientOf(value) : null, risk: hasRisk ? riskOf(value) : null }
}

/** @throws {NoAnswer} for a field that is not known here. */
function known(value: JsonObject, isKnown: (key: string) => boolean): void {
  for (const key of Object.keys(value)) if (!isKnown(key)) throw malformed(`the answer has an unknown field \`${key.slice(0, 64)}\``)
}

function gradientOf(value: JsonObject): Gradient {
  const metadata = own(value, 'metadata')
  if (metadata !== undefined && metadata !== null && !isJsonObject(metadata)) throw malformed('`metadata` is no object')
  return {
    score: share(value, 'score'),
    confidence: share(value, 'confidence'),
    reasoning: textOf(value, 'reasoning'),
    signals: signalsOf(own(value, 'signals')),
  }
}

function signalsOf(value: Json | undefined): readonly Signal[] {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value) || value.length > MAX_SIGNALS) throw malformed(`\`signals\` is no list of at most ${MAX_SIGNALS}`)
  return value.map((each: Json) => {
    if (!isJsonObject(each)) throw malformed('a signal is no object')
    known(each, (key) => SIGNAL.has(key))
    const message = own(each, 'message')
    if (message !== undefined && typeof message !== 'string') throw malformed('the message of a signal is no text')
    return { category: textOf(each, 'category'), score: share(each, 'score'), message: (message ?? '').slice(0, MAX_TEXT) }
  })
}

function riskOf(value: JsonObject): Risk {
  const [first, second] = [own(value, 'risk_level'), own(value, 'level')]
  if (first !== undefined && second !== undefined) throw malformed('the answer has two risk levels')
  const level = RISK_LEVELS.find((each) => each === (first ?? second))
  if (level === undefined) throw malformed('the risk level is none of low, medium, high, critical')
  const named = own(value, 'category')
  const category = RISK_CATEGORIES.find((each) => each === named) ?? null
  if (category === null && named !== undefined && named !== null) throw malformed('the category is not one of the seven')
  if (category === null && level !== 'low') throw malformed(`a risk that is ${level} needs a category`)
  return { level, category, reason: textOf(value, 'reason') }
}

function share(value: JsonObject, key: string): number {
  const number = own(value, key)
  if (typeof number !== 'number' || !(number >= 0 && number <= 1)) throw malformed(`\`${key}\` is no number from 0 to 1`)
  return number
}

function textOf(value: JsonObject, key: string): string {
  const text = own(value, key)
  if (typeof text !== 'string' || text.trim() === '') throw malformed(`\`${key}\` is missing or empty`)
  return text.slice(0, MAX_TEXT)
}

function malformed(message: string): NoAnswer {
  return new NoAnswer('judge.malformed', message)
}
