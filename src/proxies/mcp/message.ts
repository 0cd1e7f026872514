/** One JSON-RPC message of MCP as it arrived: what kind it is, and what of it decides where it goes. Nothing is lost: the bytes go on. */
import { isJsonObject, type Json, type JsonObject, own } from '../../core/json.ts'
import { readJsonTolerant } from '../../ingress/json.ts'
import type { Refusal } from '../../ingress/refusal.ts'

export type Id = string | number

interface Read {
  readonly bytes: Uint8Array
  readonly value: JsonObject
  /** Values that a reader may take for others: numbers beyond a double, halves of surrogate pairs. */
  readonly inexact: readonly Refusal[]
}

export interface Request extends Read {
  readonly kind: 'request'
  readonly id: Id
  readonly method: string
  /** Empty where there are none. */
  readonly params: JsonObject
}

export interface Notification extends Read {
  readonly kind: 'notification'
  readonly method: string
  readonly params: JsonObject
}

export interface Response extends Read {
  readonly kind: 'response'
  /** Null: the sender could not tell which request it answers. */
  readonly id: Id | null
  /** Absent in an error. */
  readonly result: Json | undefined
}

/** Several messages in one, as only MCP 2025-03-26 has it. */
export interface Batch {
  readonly kind: 'batch'
  readonly bytes: Uint8Array
  readonly messages: readonly Json[]
}

/** What no peer that follows JSON reads as a message. */
export interface Noise {
  readonly kind: 'noise'
  readonly bytes: Uint8Array
  readonly refusal: Refusal
}

/** JSON that two readers may understand in two ways, such as a name that stands twice, or more of it than is read. */
export interface Unreadable {
  readonly kind: 'unreadable'
  readonly bytes: Uint8Array
  readonly refusal: Refusal
  /** As most readers see it; null where there is none. */
  readonly id: Id | null
}

export type Message = Request | Notification | Response | Batch | Noise | Unreadable

/** Bytes of one message that are held in memory; a longer one ends the connection. */
export const MAX_MESSAGE = 64 * 1024 * 1024

const LIMITS = { maxBytes: MAX_MESSAGE, maxDepth: 512, maxKeys: 1_000_000, maxString: MAX_MESSAGE }

/** Large messages that were read: transports look at a message, and then its traffic does. */
const READ = new WeakMap<Uint8Array, Message>()
const LARGE = 16 * 1024

/** Never throws. Whoever hands in the same bytes again, gets what they said before. */
export function readMessage(bytes: Uint8Array): Message {
  const known = READ.get(bytes)
  if (known !== undefined) return known
  const message = readNow(bytes)
  if (bytes.length > LARGE) READ.set(bytes, message)
  return message
}

function readNow(bytes: Uint8Array): Message {
  const read = readJsonTolerant(bytes, LIMITS)
  if (!read.ok) return unread(bytes, read.refusal)
  const { value, inexact } = read
  if (Array.isArray(value)) return { kind: 'batch', bytes, messages: value }
  if (!isJsonObject(value)) return { kind: 'noise', bytes, refusal: NO_OBJECT }
  return messageOf({ bytes, value, inexact })
}

const NO_OBJECT: Refusal = {
  code: 'ingress.wrong_type',
  pointer: '',
  offset: null,
  line: null,
  column: null,
  message: 'the message is no JSON object',
  help: 'send one JSON-RPC message',
}

/** A method makes it a request or a notification, whatever else stands in it: a peer may look at that first. */
function messageOf(read: Read): Message {
  const { value } = read
  const method = own(value, 'method')
  const id = idOf(own(value, 'id'))
  if (typeof method === 'string') {
    const given = own(value, 'params')
    const params = isJsonObject(given) ? given : {}
    return id === null ? { ...read, kind: 'notification', method, params } : { ...read, kind: 'request', id, method, params }
  }
  return { ...read, kind: 'response', id, result: own(value, 'result') }
}

export function idOf(value: Json | undefined): Id | null {
  return typeof value === 'string' || typeof value === 'number' ? value : null
}

/** Ids of two types are two ids: `1` and `"1"`. */
export function idKey(id: Id): string {
  return typeof id === 'number' ? String(id) : JSON.stringify(id)
}

function unread(bytes: Uint8Array, refusal: Refusal): Noise | Unreadable {
  if (bytes.length > MAX_MESSAGE) return { kind: 'unreadable', bytes, refusal, id: null }
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes))
    const id = typeof value === 'object' && value !== null && 'id' in value ? idOf(value.id as Json) : null
    return { kind: 'unreadable', bytes, refusal, id }
  } catch {
    return { kind: 'noise', bytes, refusal }
  }
}

/** True where a value below the pointer has no exact meaning. */
export function inexactBelow(inexact: readonly Refusal[], pointer: string): Refusal | null {
  return inexact.find((each) => each.pointer === pointer || each.pointer.startsWith(`${pointer}/`)) ?? null
}

/** Answers that were read elsewhere. */
const ANSWERS = new WeakMap<Uint8Array, Id>()

/** Whoever read these bytes found a result for the request of this id. */
export function isResultFor(bytes: Uint8Array, id: Id): Uint8Array {
  ANSWERS.set(bytes, id)
  return bytes
}

/** Of the request that these bytes are known to answer with a result; null: they have to be read. */
export function resultFor(bytes: Uint8Array): Id | null {
  return ANSWERS.get(bytes) ?? null
}

const UTF8 = new TextEncoder()

export function encode(value: JsonObject): Uint8Array {
  return UTF8.encode(JSON.stringify(value))
}
