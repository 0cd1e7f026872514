/** A request of a client over HTTP, read and attributed, on its way to whichever server stands behind. */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { own } from '../../../core/json.ts'
import { errorAnswer, HEADER_MISMATCH, INVALID_REQUEST } from '../answers.ts'
import { type Message, readMessage } from '../message.ts'
import type { Exchange } from '../shared.ts'
import type { Traffic } from '../traffic.ts'
import { headerMismatch } from './headers.ts'
import { createReply, type Reply } from './reply.ts'
import type { HttpCaller } from './sessions.ts'
import { type Line, plainLine } from './streams.ts'

export interface Incoming {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly body: Uint8Array
  readonly caller: HttpCaller
  /** Headers that are ours alone: they hold a token of ours. */
  readonly drop: readonly string[]
}

/** One kind of server behind the proxy. */
export interface Behind {
  readonly handle: (incoming: Incoming) => Promise<void>
  /** A question of OAuth about the server, by the path below `/.well-known/`; false: there is no answer here. */
  readonly wellKnown: (incoming: Incoming, name: string) => Promise<boolean>
  readonly close: () => Promise<void>
}

export const SESSION_HEADER = 'mcp-session-id'

/** One message of a client on its way through its traffic. */
export interface Passing {
  readonly message: Message
  readonly traffic: Traffic
  readonly exchange: Exchange
  readonly reply: Reply
}

let exchanges = 0

/** Ids of requests in different exchanges are different ids where no session holds them together. */
export function nextScope(): string {
  exchanges += 1
  return `x${exchanges} `
}

export interface Admitting extends Pick<Exchange, 'scope' | 'ask'> {
  /** Where the answer goes. Default: to the connection of the request, and nowhere once that is gone. */
  readonly line?: Line
}

/**
 * A posted message and its way back; answers it and is null where it goes nowhere: headers that say something else than the body are
 * refused before anything is judged.
 */
export function admit({ request, response, body }: Incoming, traffic: Traffic, at: Admitting): Passing | null {
  const { headers } = request
  const { scope, ask, line = plainLine(response, takesEvents(headers)) } = at
  const { reply, signal } = line
  const message = readMessage(body)
  if (message.kind === 'request' || message.kind === 'notification') {
    const tool = message.method === 'tools/call' ? own(message.params, 'name') : null
    const odd = headerMismatch(headers, message, typeof tool === 'string' ? traffic.headersOf(tool) : [])
    if (odd !== null) {
      reply.answer(errorAnswer(message.kind === 'request' ? message.id : null, HEADER_MISMATCH, odd), 400)
      return null
    }
  }
  return { message, traffic, exchange: { scope, ask, signal, tell: reply.tell }, reply }
}

export function takesEvents({ accept = '' }: IncomingHttpHeaders): boolean {
  return accept.includes('text/event-stream')
}

/** The id of the session that a request names. */
export function sessionOf({ headers }: IncomingMessage): string | null {
  const id = headers[SESSION_HEADER]
  return typeof id === 'string' ? id : null
}

/** As a server says that it does not know the session. */
export function unknownSession({ response }: Pick<Incoming, 'response'>): void {
  createReply(response, false).answer(errorAnswer(null, INVALID_REQUEST, 'there is no such session'), 404)
}
