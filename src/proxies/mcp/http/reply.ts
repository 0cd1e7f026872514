/** The answer to one request over HTTP: one JSON body, or a stream of events once something has to be said before the answer. */
import type { ServerResponse } from 'node:http'
import { frameText } from '../../model/sse.ts'

export interface Reply {
  /** A message beside the answer; lost where the client takes no events. */
  readonly tell: (bytes: Uint8Array) => void
  /** True once events have been sent. */
  readonly streaming: () => boolean
  /** The answer; `status` and `headers` hold only where nothing was sent before. */
  readonly answer: (bytes: Uint8Array, status?: number, headers?: ReplyHeaders) => void
  /** The answer as an event, as servers of sessions send theirs; one JSON body where the client takes none. */
  readonly answerAsEvent: (bytes: Uint8Array) => void
  /** Without a body. */
  readonly end: (status: number, headers?: ReplyHeaders) => void
  readonly response: ServerResponse
}

export type ReplyHeaders = Readonly<Record<string, string | string[]>>

export const EVENT_STREAM: ReplyHeaders = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
}

/** `events`: whether the client takes them. */
export function createReply(response: ServerResponse, events: boolean): Reply {
  let streaming = false
  const begin = (headers: ReplyHeaders): void => {
    if (response.headersSent) return
    streaming = true
    response.writeHead(200, { ...headers, ...EVENT_STREAM })
  }
  const answer: Reply['answer'] = (bytes, status = 200, headers = {}) => {
    if (response.writableEnded || response.destroyed) return
    if (streaming) {
      response.end(eventOf(bytes))
      return
    }
    if (response.headersSent) return
    response.writeHead(status, { ...headers, 'content-type': 'application/json', 'content-length': String(bytes.length) })
    response.end(bytes)
  }
  return {
    response,
    streaming: () => streaming,
    tell: (bytes) => {
      if (!events || response.writableEnded) return
      begin({})
      if (streaming) response.write(eventOf(bytes))
    },
    answer,
    answerAsEvent: (bytes) => {
      if (events && !response.writableEnded && !response.destroyed) begin({})
      answer(bytes)
    },
    end: (status, headers = {}) => {
      if (response.writableEnded || response.destroyed) return
      if (!response.headersSent) response.writeHead(status, { ...headers })
      response.end()
    },
  }
}

/** A message as one event; line breaks between its parts would end the field. */
export function eventOf(bytes: Uint8Array): Buffer {
  return frameText(lineOf(bytes), 'message')
}

/** The same without line breaks: mostly the bytes as they are. */
export function lineOf(bytes: Uint8Array): Uint8Array {
  return bytes.includes(0x0a) || bytes.includes(0x0d) ? Buffer.from(onOneLine(bytes)) : bytes
}

/** White space alone stands between the parts of JSON: a line break there is as good as a space. */
export function onOneLine(bytes: Uint8Array): string {
  const text = new TextDecoder().decode(bytes)
  return /[\r\n]/.test(text) ? text.replace(/[\r\n]+/g, ' ') : text
}
