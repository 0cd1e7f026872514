/** Requests to a server over HTTP, and what it answers, message by message. */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { type Frame, FrameReader } from '../../model/sse.ts'
import { decoded, type Headers, requestHeaders, send } from '../../model/upstream.ts'
import { MAX_MESSAGE } from '../message.ts'

export interface HttpServer {
  readonly url: URL
  /** Sent with every request, and standing above what the client sends. */
  readonly headers: Readonly<Record<string, string>>
}

export interface Posting {
  readonly method?: 'POST' | 'GET' | 'DELETE'
  readonly headers: Headers
  readonly body?: Uint8Array
  readonly signal: AbortSignal
}

/** Resolves with the head of the answer. */
export function request(server: HttpServer, { method = 'POST', headers, body, signal }: Posting): Promise<IncomingMessage> {
  const { url } = server
  const destination = { upstream: { prefix: '', url: url.origin, key: null }, path: `${url.pathname}${url.search}` }
  return send(destination, { method, headers: { ...headers, ...server.headers }, body: Buffer.from(body ?? new Uint8Array()), signal })
}

/** Headers of a client's request as they go on. */
export function onwardHeaders(given: IncomingHttpHeaders, drop: readonly string[]): Headers {
  return requestHeaders(given, { drop: [...drop, 'origin', 'referer'] })
}

export type AnswerKind = 'json' | 'events' | 'other'

export function kindOf({ headers }: IncomingMessage): AnswerKind {
  const type = (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? ''
  if (type === 'text/event-stream') return 'events'
  return type === 'application/json' || type.endsWith('+json') ? 'json' : 'other'
}

/** The whole body; null where it is too long, its encoding is not known, or it broke off. */
export async function wholeBody(answer: IncomingMessage): Promise<Buffer | null> {
  const plain = decoded(answer)
  if (plain === null) return null
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of plain as AsyncIterable<Buffer>) {
      chunks.push(chunk)
      size += chunk.length
      if (size > MAX_MESSAGE) {
        answer.destroy()
        return null
      }
    }
  } catch {
    return null
  }
  return Buffer.concat(chunks)
}

/** Hands out each event as it arrives; resolves at the end of the stream, rejects where it broke off. Waits for what `take` returns. */
export async function readEvents(answer: IncomingMessage, take: (frame: Frame) => void | Promise<void>): Promise<void> {
  const plain: Readable | null = decoded(answer)
  if (plain === null) throw new Error('the encoding of the events is not known')
  const reader = new FrameReader()
  for await (const chunk of plain as AsyncIterable<Buffer>) for (const frame of reader.push(chunk)) await take(frame)
}
