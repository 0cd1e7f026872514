/** One request to a judge: no redirects, bounded answers, strict JSON; what goes wrong is named, never guessed around. */
import { isJsonObject, type JsonObject } from '../../core/json.ts'
import { readJson } from '../../ingress/json.ts'
import { NoAnswer } from '../answer.ts'
import type { Fetch } from './provider.ts'

const MOST_BYTES = 1_048_576

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
}

/** @throws {NoAnswer} where the server is overloaded or fails, or says more than it may. */
export async function exchange({ url, body, headers, signal }: Sending, fetch: Fetch): Promise<Exchange> {
  const posted = body === undefined ? {} : { body: JSON.stringify(body).toWellFormed() }
  const response = await fetch(url, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { accept: 'application/json', ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    // The answer of one host must not send the call, with its key, to another.
    redirect: 'error',
    signal,
    ...posted,
  })
  const text = await bounded(response)
  if (!response.ok) throw new NoAnswer('judge.unavailable', `the judge answered with status ${response.status}`)
  return { status: response.status, headers: response.headers, text }
}

/** @throws {NoAnswer} where the text is no JSON object. */
export function objectIn(text: string): JsonObject {
  const read = readJson(text, { maxBytes: MOST_BYTES })
  if (!read.ok || !isJsonObject(read.value)) throw new NoAnswer('judge.malformed', 'the judge did not answer with a JSON object')
  return read.value
}

async function bounded(response: Response): Promise<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let text = ''
  let size = 0
  try {
    for await (const chunk of response.body ?? []) {
      size += chunk.length
      if (size > MOST_BYTES) throw new NoAnswer('judge.malformed', `the answer has more than ${MOST_BYTES} bytes`)
      text += decoder.decode(chunk, { stream: true })
    }
    return text + decoder.decode()
  } catch (error) {
    if (error instanceof TypeError && 'code' in error && error.code === 'ERR_ENCODING_INVALID_ENCODED_DATA') {
      throw new NoAnswer('judge.malformed', 'the answer is not UTF-8')
    }
    throw error
  }
}
