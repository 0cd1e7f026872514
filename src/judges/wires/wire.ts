/** What the wires of the models have in common: a conversation goes out, one turn of the model comes back. */
import { isJsonObject, type Json, type JsonObject, own } from '../../core/json.ts'
import type { JudgePolicy } from '../../policy/judges.ts'
import { NoAnswer } from '../answer.ts'

/** A tool as models are told of it. The name has letters, digits and `_` only: every wire takes those. */
export interface ToolSpec {
  readonly name: string
  readonly description: string
  /** JSON Schema of its input. */
  readonly schema: JsonObject
}

export interface ToolRequest {
  readonly id: string
  readonly name: string
  readonly input: JsonObject
}

export interface ToolResult {
  readonly request: ToolRequest
  readonly text: string
  readonly failed: boolean
}

export interface Conversation {
  readonly model: string
  readonly system: string
  /** In the form of the wire. */
  readonly messages: readonly Json[]
  readonly tools: readonly ToolSpec[]
  readonly stream: boolean
  /** True where it goes to the provider itself, and not to another server that speaks its protocol. */
  readonly own: boolean
  /** Null: the model's own; many of today's models refuse to be told another. */
  readonly temperature: number | null
}

export interface Tokens {
  readonly input: number
  readonly output: number
}

/** What a model said: an answer, or the tools that it asks for. */
export interface Turn {
  /** As it has to stand in the conversation that goes on. */
  readonly message: Json
  /** Null where it asks for tools. */
  readonly text: string | null
  readonly requests: readonly ToolRequest[]
}

export interface Place {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

export interface Wire {
  readonly place: (judge: JudgePolicy, env: (name: string) => string | undefined) => Place
  readonly body: (conversation: Conversation) => JsonObject
  readonly question: (user: string) => Json
  readonly results: (results: readonly ToolResult[]) => readonly Json[]
  /** @throws {NoAnswer} where it is no whole turn. */
  readonly turn: (answer: JsonObject) => Turn
  /** The answer that a stream of events amounts to, in the form that `turn` reads. @throws {NoAnswer} where it broke off. */
  readonly whole: (events: readonly JsonObject[]) => JsonObject
  /**
   * What a whole answer, or as much of a stream as came, says that it cost; null where it does not count. Read before the turn
   * is: an answer that cannot be used is paid for as well.
   */
  readonly usage: (said: readonly JsonObject[]) => Tokens | null
}

/** Tokens of an answer at most, with what a model thinks before it. */
export const MAX_TOKENS = 8_192

/** What the wires of several models call a refusal. */
const REFUSALS: ReadonlySet<string> = new Set([
  'refusal',
  'content_filter',
  'SAFETY',
  'PROHIBITED_CONTENT',
  'BLOCKLIST',
  'RECITATION',
  'SPII',
])

/** Half an answer may be the half that was meant to be read. @throws {NoAnswer} for any reason that is not in `whole`. */
export function finished(reason: Json | undefined, whole: readonly string[]): string {
  if (typeof reason === 'string' && REFUSALS.has(reason)) throw new NoAnswer('judge.refused', 'the model declined to answer')
  if (typeof reason === 'string' && whole.includes(reason)) return reason
  throw new NoAnswer('judge.malformed', 'the model did not finish its answer')
}

/** @throws {NoAnswer} where it is no text. */
export function textOf(text: Json | undefined): string {
  if (typeof text !== 'string') throw new NoAnswer('judge.malformed', 'the model did not answer with a text')
  return text
}

/** @throws {NoAnswer} where it is no object. */
export function objectOf(value: Json | undefined, what: string): JsonObject {
  if (!isJsonObject(value)) throw new NoAnswer('judge.malformed', `the model did not answer with ${what}`)
  return value
}

export function objectsIn(value: Json | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : []
}

/** The counts of these names, each summed up; null where the first of either is missing or any of them is no count. */
export function tokensOf(usage: Json | undefined, input: readonly string[], output: readonly string[]): Tokens | null {
  if (!isJsonObject(usage)) return null
  const sum = (keys: readonly string[]): number => {
    const counts = keys.map((key, index) => own(usage, key) ?? (index === 0 ? Number.NaN : 0))
    return counts.reduce<number>((total, each) => total + (typeof each === 'number' && each >= 0 ? each : Number.NaN), 0)
  }
  const tokens = { input: sum(input), output: sum(output) }
  return Number.isSafeInteger(tokens.input) && Number.isSafeInteger(tokens.output) ? tokens : null
}

type Keyed = Pick<JudgePolicy, 'apiKeyEnv' | 'url'>

/**
 * The key that a judge is asked with; undefined where it needs none. The usual variable is read for the provider's own address
 * only: another server gets a key that the policy names for it. @throws {NoAnswer} where there is none, or none that can be sent.
 */
export function keyOf({ apiKeyEnv, url }: Keyed, usual: string | null, env: (name: string) => string | undefined): string | undefined {
  const name = apiKeyEnv ?? (url === null ? usual : null)
  return name === null ? undefined : headerValue(name, env)
}

/** What the variable holds, for a header. The message never tells it: errors of the platform would. @throws {NoAnswer} */
export function headerValue(name: string, env: (name: string) => string | undefined): string {
  const value = env(name)?.trim() ?? ''
  if (value === '') throw new NoAnswer('judge.unavailable', `the variable \`${name}\` is not set`)
  if (/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(value)) return value
  throw new NoAnswer('judge.unavailable', `what the variable \`${name}\` holds cannot be sent in a header`)
}

/** The address without a slash at its end. */
export function baseOf(url: string | null, usual: string): string {
  const written = url ?? usual
  return written.endsWith('/') ? written.slice(0, -1) : written
}

/** Either the one text, or the tools that are asked for; both or neither of them is no turn. */
export function turnOf(parts: {
  readonly message: Json
  readonly texts: readonly Json[]
  readonly requests: readonly ToolRequest[]
}): Turn {
  const { message, texts, requests } = parts
  if (requests.length > 0) return { message, text: null, requests }
  const [only] = texts
  if (only === undefined || texts.length > 1) throw new NoAnswer('judge.malformed', 'the model did not answer with one text')
  return { message, text: textOf(only), requests: [] }
}
