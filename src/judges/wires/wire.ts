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
  readonly tokens: Tokens | null
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
}

/** Tokens of an answer at most. */
export const MAX_TOKENS = 1_024

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

/** Null where the wire does not count. */
export function tokensOf(usage: Json | undefined, input: string, output: string): Tokens | null {
  if (!isJsonObject(usage)) return null
  const count = (key: string): number => {
    const value = own(usage, key)
    return typeof value === 'number' ? value : 0
  }
  return { input: count(input), output: count(output) }
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
  readonly tokens: Tokens | null
}): Turn {
  const { message, texts, requests, tokens } = parts
  if (requests.length > 0) return { message, text: null, requests, tokens }
  const [only] = texts
  if (only === undefined || texts.length > 1) throw new NoAnswer('judge.malformed', 'the model did not answer with one text')
  return { message, text: textOf(only), requests: [], tokens }
}
