/** A client over HTTP and a server over HTTP: the same request goes on, and its answer comes back, event by event as it is sent. */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { own } from '../../../core/json.ts'
import { type Frame, withData } from '../../model/sse.ts'
import { responseHeaders } from '../../model/upstream.ts'
import { errorAnswer, INTERNAL_ERROR } from '../answers.ts'
import { readMessage } from '../message.ts'
import { deliver, type Onward, type Outgoing } from '../shared.ts'
import type { Traffic } from '../traffic.ts'
import { headersFor, paramHeaders } from './headers.ts'
import { admit, type Behind, type Incoming, nextScope, type Passing, SESSION_HEADER, sessionOf, unknownSession } from './incoming.ts'
import { eventOf, onOneLine } from './reply.ts'
import type { Sessions } from './sessions.ts'
import { type HttpServer, kindOf, onwardHeaders, readEvents, request, wholeBody } from './upstream.ts'
import { challengeFrom, createWellKnown } from './well-known.ts'

export interface ReverseParts {
  readonly server: HttpServer
  readonly sessions: Sessions
}

export function createReverse(parts: ReverseParts): Behind {
  const wellKnown = createWellKnown(parts.server)
  return {
    handle: async (incoming) => {
      const { method } = incoming.request
      if (method === 'POST') return post(incoming, parts)
      if (method === 'GET' || method === 'DELETE') return other(incoming, method, parts)
      incoming.response.writeHead(405, { allow: 'GET, POST, DELETE' }).end()
    },
    wellKnown,
    close: async () => {},
  }
}

async function post(incoming: Incoming, parts: ReverseParts): Promise<void> {
  const { request: given, drop } = incoming
  const headers = onwardHeaders(given.headers, drop)
  // What we ask the server ourselves goes the same way, under the same session and key.
  const ask = (bytes: Uint8Array): void => void askServer(bytes, { passing: () => passing, headers, parts })
  const id = sessionOf(given)
  const traffic = id === null ? parts.sessions.shared(incoming.caller) : parts.sessions.of(id, incoming.caller)
  if (traffic === null) return unknownSession(incoming)
  const passing = admit(incoming, traffic, { scope: id === null ? nextScope() : '', ask })
  if (passing === null) return
  const { message, exchange, reply } = passing
  const onward = await traffic.fromClient(incoming.body, exchange)
  if (onward.kind === 'drop') return reply.end(202)
  if (onward.kind === 'answer') return reply.answer(onward.bytes, message.kind === 'request' ? 200 : 400)
  let answer: IncomingMessage
  try {
    answer = await request(parts.server, {
      headers: { ...headers, ...changedHeaders(onward, passing, given.headers) },
      body: onward.bytes,
      signal: exchange.signal,
    })
  } catch (error) {
    return failed(passing, `the server cannot be reached (${codeOf(error)})`)
  }
  await back(answer, incoming, { ...passing, parts })
}

/** Arguments that people changed are in the headers that repeat them, too. */
function changedHeaders(onward: Onward, { message, traffic }: Passing, given: IncomingHttpHeaders): Record<string, string> {
  if (onward.kind !== 'forward' || message.kind !== 'request' || onward.bytes === message.bytes) return {}
  const changed = readMessage(onward.bytes)
  if (changed.kind !== 'request') return {}
  const tool = own(changed.params, 'name')
  const declared = typeof tool === 'string' ? traffic.headersOf(tool) : []
  const repeated = declared.filter(({ header }) => given[header] !== undefined)
  return paramHeaders(own(changed.params, 'arguments'), repeated)
}

interface Back extends Passing {
  readonly parts: ReverseParts
}

async function back(answer: IncomingMessage, incoming: Incoming, passing: Back): Promise<void> {
  const { message, traffic, exchange, reply, parts } = passing
  const headers = wellKnownHeaders(responseHeaders(answer.headers), incoming, parts.server)
  const session = answer.headers[SESSION_HEADER]
  const begins = typeof session === 'string' && message.kind === 'request' && message.method === 'initialize'
  if (begins) parts.sessions.begin(session, incoming.caller, traffic.client())
  const kind = kindOf(answer)
  if (kind === 'events') return events(answer, headers, passing)
  const body = await wholeBody(answer)
  if (body === null) return failed(passing, 'the answer of the server is too long, or broke off')
  if (kind === 'json') {
    const out = await outOf(body, traffic, exchange.scope)
    return out === null ? reply.end(202, headers) : reply.answer(out, answer.statusCode, headers)
  }
  otherBody(body, { status: answer.statusCode ?? 502, headers }, passing)
}

/** Neither JSON nor events. What it says of a call the model would read, whatever it is, so it is not sent on. */
function otherBody(body: Buffer, { status, headers }: Head, { message, traffic, exchange, reply }: Passing): void {
  const id = message.kind === 'request' ? message.id : null
  const lost = id === null ? null : traffic.unanswered(id, exchange.scope, 'the server sent no JSON')
  const called = message.kind === 'request' && message.method === 'tools/call'
  if (lost !== null && (called || reply.streaming())) reply.answer(lost, status >= 400 ? status : 502, headers)
  else if (reply.streaming()) reply.end(200)
  else {
    reply.response.writeHead(status, { ...headers, ...(body.length > 0 ? { 'content-length': String(body.length) } : {}) })
    reply.response.end(body)
  }
}

interface Head {
  readonly status: number
  readonly headers: Record<string, string | string[]>
}

/** The body of an answer without what may not go on; null where nothing is left. A batch stays one. */
async function outOf(body: Buffer, traffic: Traffic, scope: string): Promise<Uint8Array | null> {
  const messages = await traffic.fromServer(body, scope)
  const [only] = messages
  if (messages.length === 0 || only === undefined) return null
  if (messages.length === 1) return only
  return new TextEncoder().encode(`[${messages.map((each) => new TextDecoder().decode(each)).join(',')}]`)
}

async function events(answer: IncomingMessage, headers: Record<string, string | string[]>, passing: Back): Promise<void> {
  const { message, traffic, exchange, reply } = passing
  const { response } = reply
  if (!reply.streaming()) response.writeHead(answer.statusCode ?? 200, headers)
  response.flushHeaders()
  let resumable = false
  try {
    await readEvents(answer, (frame) => {
      resumable ||= /^id:/m.test(frame.bytes.toString('latin1'))
      return writeFrame(response, framesOf(frame, traffic, exchange.scope))
    })
  } catch {
    // The client sees that it broke off, as it would at the server.
  }
  // Where the server numbers its events, the client can ask for the rest.
  if (!resumable && message.kind === 'request')
    traffic.unanswered(message.id, exchange.scope, 'the server ended its answer before the result')
  response.end()
}

/** What goes on of one event: itself, byte by byte, wherever its message is not another one. */
function framesOf(frame: Frame, traffic: Traffic, scope: string): Outgoing {
  if (frame.data === null || frame.data === '') return [frame.bytes]
  const bytes = new TextEncoder().encode(frame.data)
  const outgoing = traffic.fromServer(bytes, scope)
  const frames = (messages: readonly Uint8Array[]): readonly Uint8Array[] => framed(messages, { frame, bytes })
  return outgoing instanceof Promise ? outgoing.then(frames) : frames(outgoing)
}

function framed(
  messages: readonly Uint8Array[],
  { frame, bytes }: { readonly frame: Frame; readonly bytes: Uint8Array },
): readonly Uint8Array[] {
  if (messages.length === 1 && messages[0] === bytes) return [frame.bytes]
  return messages.map((each, index) => (index === 0 ? withData(frame, onOneLine(each)) : eventOf(each)))
}

function writeFrame(response: Incoming['response'], outgoing: Outgoing): void | Promise<void> {
  return outgoing instanceof Promise ? outgoing.then((chunks) => written(response, chunks)) : written(response, outgoing)
}

function written(response: Incoming['response'], chunks: readonly Uint8Array[]): void | Promise<void> {
  let room = true
  for (const chunk of chunks) room = response.write(chunk)
  if (room || response.destroyed) return undefined
  return new Promise((resolve) => {
    const done = (): void => {
      response.off('drain', done).off('close', done)
      resolve()
    }
    response.once('drain', done).once('close', done)
  })
}

function failed({ message, traffic, exchange, reply }: Passing, why: string): void {
  if (exchange.signal.aborted) return
  const id = message.kind === 'request' ? message.id : null
  const lost = id === null ? null : traffic.unanswered(id, exchange.scope, why)
  reply.answer(lost ?? errorAnswer(id, INTERNAL_ERROR, why), 502)
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'no connection'
}

/** The stream of a session, and its end. */
async function other(
  { request: given, response, caller, drop, ...incoming }: Incoming,
  method: 'GET' | 'DELETE',
  parts: ReverseParts,
): Promise<void> {
  const id = sessionOf(given)
  const traffic = id === null ? parts.sessions.shared(caller) : parts.sessions.of(id, caller)
  if (traffic === null) return unknownSession({ response })
  const gone = new AbortController()
  response.once('close', () => gone.abort())
  let answer: IncomingMessage
  try {
    answer = await request(parts.server, { method, headers: onwardHeaders(given.headers, drop), signal: gone.signal })
  } catch {
    if (!response.headersSent) response.writeHead(502)
    response.end()
    return
  }
  if (method === 'DELETE' && id !== null && (answer.statusCode ?? 500) < 300) parts.sessions.end(id)
  const headers = wellKnownHeaders(responseHeaders(answer.headers), { request: given, response, caller, drop, ...incoming }, parts.server)
  if (kindOf(answer) !== 'events') {
    const body = await wholeBody(answer)
    response.writeHead(answer.statusCode ?? 502, headers)
    response.end(body ?? undefined)
    return
  }
  response.writeHead(answer.statusCode ?? 200, headers)
  response.flushHeaders()
  try {
    await readEvents(answer, (frame) => writeFrame(response, framesOf(frame, traffic, '')))
  } catch {
    // As above.
  }
  response.end()
}

interface Asking {
  readonly passing: () => Passing | null
  readonly headers: Record<string, string | string[]>
  readonly parts: ReverseParts
}

/** A request of our own; its answer, and what comes with it, goes the way of all messages of the server. */
async function askServer(bytes: Uint8Array, { passing, headers, parts }: Asking): Promise<void> {
  const through = passing()
  const message = readMessage(bytes)
  if (through === null || message.kind !== 'request') return
  const { traffic, exchange } = through
  const plain = Object.entries(headers).filter(([name]) => name !== 'last-event-id' && !/^mcp-(?:name|method|param-)/.test(name))
  const tool = message.method === 'tools/call' ? own(message.params, 'name') : null
  const own_ = headersFor(message, typeof tool === 'string' ? traffic.headersOf(tool) : [])
  try {
    const answer = await request(parts.server, { headers: { ...Object.fromEntries(plain), ...own_ }, body: bytes, signal: exchange.signal })
    const through_ = (said: Uint8Array): void => deliver(traffic.fromServer(said, exchange.scope), exchange.tell)
    if (kindOf(answer) === 'events')
      await readEvents(answer, ({ data }) => (data === null || data === '' ? undefined : through_(new TextEncoder().encode(data))))
    else {
      const body = await wholeBody(answer)
      if (body !== null && body.length > 0) through_(body)
    }
  } catch {
    // Nobody answers: whoever asked goes on without.
  }
}

/** Where a server says how to get a token for it, the client is led to our own word for it. */
function wellKnownHeaders(
  headers: Record<string, string | string[]>,
  { request: given }: Incoming,
  server: HttpServer,
): Record<string, string | string[]> {
  const challenge = headers['www-authenticate']
  const host = given.headers.host
  if (typeof challenge !== 'string' || host === undefined) return headers
  const path = (given.url ?? '/').split('?')[0] ?? '/'
  const ours = `http://${host}/.well-known/oauth-protected-resource${path === '/' ? '' : path}`
  return { ...headers, 'www-authenticate': challengeFrom(server, challenge, ours) }
}
