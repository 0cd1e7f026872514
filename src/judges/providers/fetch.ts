/** Requests to a judge: no redirects, bounded answers, strict JSON; what goes wrong is named, never guessed around. */
import { setTimeout as sleep } from 'node:timers/promises'
import { isJsonObject, type JsonObject } from '../../core/json.ts'
import { readJson } from '../../ingress/json.ts'
import { NoAnswer } from '../answer.ts'
import { EventReader } from './events.ts'
import type { Fetch } from './provider.ts'

const MAX_BYTES = 1_048_576

export interface Exchange {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

export interface Sending {
  readonly url: string
  /** Absent: GET. */
  readonly body?: JsonObject
  readonly headers: Readonly<Record<string, string>>
  readonly signal: AbortSignal
  /** How long it may wait where the server asks it to come back later, in milliseconds. Default 0: not at all. */
  readonly patienceMs?: number
  /** Told where the request was not taken: nothing was read of it. */
  readonly turnedAway?: () => void
}

/** @throws {NoAnswer} where the server is overloaded or fails, or says more than it may. */
export async function exchange(sending: Sending, fetch: Fetch): Promise<Exchange> {
  const response = await opened(sending, fetch)
  let text = ''
  for await (const part of texts(response)) text += part
  return { status: response.status, headers: response.headers, text }
}

/** Adds the events of a stream, up to the one that ends it, each a JSON object, as they come. @throws {NoAnswer} as `exchange`. */
export async function streamed(sending: Sending, fetch: Fetch, events: JsonObject[]): Promise<void> {
  const response = await opened(sending, fetch)
  const reader = new EventReader()
  for await (const part of texts(response)) {
    for (const data of reader.read(part)) {
      if (data === '[DONE]') return
      const event = objectIn(data)
      events.push(event)
      if (event.type === 'message_stop') return
    }
  }
  if (events.length === 0) throw new NoAnswer('judge.malformed', 'the judge did not answer with a stream of events')
}

/** @throws {NoAnswer} where the text is no JSON object. */
export function objectIn(text: string): JsonObject {
  const read = readJson(text, { maxBytes: MAX_BYTES })
  if (!read.ok || !isJsonObject(read.value)) throw new NoAnswer('judge.malformed', 'the judge did not answer with a JSON object')
  return read.value
}

/** Statuses that say: not now. */
const BUSY: ReadonlySet<number> = new Set([429, 503, 529])
const MAX_TRIES = 3

/** A response that is no error; one that asks for patience is heeded as long as there is some. */
async function opened(sending: Sending, fetch: Fetch): Promise<Response> {
  let patience = sending.patienceMs ?? 0
  for (let tries = 1; ; tries++) {
    const response = await requested(sending, fetch).catch((error: unknown) => {
      if (isUnreached(error)) sending.turnedAway?.()
      throw error
    })
    if (response.ok) return response
    const wait = BUSY.has(response.status) ? waitOf(response.headers.get('retry-after'), Date.now()) : null
    await response.body?.cancel()
    if (wait === null || wait > patience || tries === MAX_TRIES) sending.turnedAway?.()
    if (wait === null) throw new NoAnswer('judge.unavailable', `the judge answered with status ${response.status}`)
    if (wait > patience || tries === MAX_TRIES)
      throw new NoAnswer('judge.unavailable', `the judge is overloaded and asks to come back in ${Math.ceil(wait / 1_000)} s`)
    patience -= wait
    await sleep(wait, undefined, { signal: sending.signal })
  }
}

const UNREACHED: ReadonlySet<unknown> = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'])

/** True where nothing of the request can have been read. */
function isUnreached(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined
  return cause instanceof Error && 'code' in cause && UNREACHED.has(cause.code)
}

function requested({ url, body, headers, signal }: Sending, fetch: Fetch): Promise<Response> {
  const posted = body === undefined ? {} : { body: JSON.stringify(body).toWellFormed() }
  return fetch(url, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { accept: 'application/json', ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    // The answer of one host must not send the call, with its key, to another.
    redirect: 'error',
    signal,
    ...posted,
  })
}

/** `retry-after` in milliseconds: seconds or a date; null where it says neither. @param now milliseconds since the epoch. */
export function waitOf(written: string | null, now: number): number | null {
  if (written === null) return null
  if (/^\d{1,6}$/.test(written)) return Number(written) * 1_000
  const at = /^[A-Z][a-z]{2}, /.test(written) ? Date.parse(written) : Number.NaN
  return Number.isNaN(at) ? null : Math.max(0, at - now)
}

async function* texts(response: Response): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let size = 0
  try {
    for await (const chunk of response.body ?? []) {
      size += chunk.length
      if (size > MAX_BYTES) throw new NoAnswer('judge.malformed', `the answer has more than ${MAX_BYTES} bytes`)
      yield decoder.decode(chunk, { stream: true })
    }
    yield decoder.decode()
  } catch (error) {
    if (error instanceof TypeError && 'code' in error && error.code === 'ERR_ENCODING_INVALID_ENCODED_DATA') {
      throw new NoAnswer('judge.malformed', 'the answer is not UTF-8')
    }
    throw error
  }
}
