/** A client over standard streams and a server over HTTP: each message becomes a request, with the headers that it needs. */
import type { IncomingMessage } from 'node:http'
import type { Readable, Writable } from 'node:stream'
import { isJsonObject, own } from '../../../core/json.ts'
import { statelessVersion } from '../answers.ts'
import { createLineReader } from '../lines.ts'
import { type Id, idKey, MAX_MESSAGE, type Message, readMessage } from '../message.ts'
import { inOrder } from '../order.ts'
import { deliver, type Exchange, type Onward } from '../shared.ts'
import { onEnd } from '../signals.ts'
import { writeLine } from '../stdio.ts'
import type { Traffic } from '../traffic.ts'
import { withoutOddTools } from './declared.ts'
import { headersFor, METHOD_HEADER, VERSION_HEADER } from './headers.ts'
import { SESSION_HEADER } from './incoming.ts'
import { lineOf } from './reply.ts'
import { type HttpServer, kindOf, readEvents, request, wholeBody } from './upstream.ts'

export interface BridgeEnds {
  readonly input: Readable
  readonly output: Writable
  /** Told in one line of what the client does not get. */
  readonly note?: (line: string) => void
}

/** Runs until the client is gone. */
export async function runHttpClient(server: HttpServer, { input, output, note = () => {} }: BridgeEnds, traffic: Traffic): Promise<number> {
  const gone = new AbortController()
  const toClient = (bytes: Uint8Array): void => {
    if (!output.destroyed) writeLine(output, lineOf(bytes))
  }
  const bridge = new Bridge(server, traffic, { toClient, note, signal: gone.signal })
  const exchange: Exchange = { scope: '', signal: gone.signal, tell: toClient, ask: (bytes) => void bridge.post(bytes) }
  const send = inOrder((onward: Onward) => {
    if (onward.kind === 'forward') void bridge.post(onward.bytes)
    else if (onward.kind === 'answer') toClient(onward.bytes)
  })
  const reader = createLineReader((bytes) => send(traffic.fromClient(bytes, exchange)), MAX_MESSAGE)
  let ended = (): void => {}
  await new Promise<void>((resolve) => {
    const stop = (): void => resolve()
    input.once('end', stop).once('close', stop).on('error', stop)
    output.on('error', stop)
    ended = onEnd(stop)
    input.on('data', (chunk: Uint8Array) => {
      try {
        reader.push(chunk)
      } catch {
        stop()
      }
    })
  })
  await bridge.end()
  ended()
  gone.abort()
  input.destroy()
  return 0
}

interface BridgeParts {
  readonly note: (line: string) => void
  readonly toClient: (bytes: Uint8Array) => void
  readonly signal: AbortSignal
}

interface Stream {
  /** The last event that was numbered, from which the server can go on. */
  last: string | null
  /** Milliseconds to wait before it is asked to. */
  retry: number
}

const JSON_AND_EVENTS = { accept: 'application/json, text/event-stream' }
const RETRY_MS = 1_000
/** Tries to go on with one answer that broke off. */
const MAX_RESUMES = 10
const GOODBYE_MS = 2_000

class Bridge {
  private readonly server: HttpServer
  private readonly traffic: Traffic
  private readonly parts: BridgeParts
  private session: string | null = null
  /** What client and server agreed on, or what the last stateless request named. */
  private version: string | null = null
  /** The client's own introduction, for a server that forgot the session. */
  private opening: { readonly initialize: Uint8Array; initialized: Uint8Array | null } | null = null
  private readonly running = new Map<string, AbortController>()
  /** What has to have reached the server before the next message does. */
  private before: Promise<unknown> = Promise.resolve()

  constructor(server: HttpServer, traffic: Traffic, parts: BridgeParts) {
    this.server = server
    this.traffic = traffic
    this.parts = parts
  }

  /** Never rejects. */
  async post(bytes: Uint8Array): Promise<void> {
    const message = readMessage(bytes)
    const cancelled =
      message.kind === 'notification' && message.method === 'notifications/cancelled' ? own(message.params, 'requestId') : undefined
    const running = typeof cancelled === 'string' || typeof cancelled === 'number' ? this.running.get(idKey(cancelled)) : undefined
    if (running !== undefined) return running.abort()
    const { before } = this
    const sent = before.then(() => this.send(message, true))
    // Requests may take as long as they like; whatever is only taken note of keeps its place.
    if (message.kind !== 'request' || message.method === 'initialize') this.before = sent.then((answer) => answer)
    const answer = await sent
    if (answer !== null) await this.take(answer, message)
    if (message.kind === 'notification' && message.method === 'notifications/initialized') void this.listen()
  }

  /** Ends the session, where there is one. */
  async end(): Promise<void> {
    if (this.session === null) return
    const headers = { [SESSION_HEADER]: this.session, ...(this.version === null ? {} : { [VERSION_HEADER]: this.version }) }
    await request(this.server, { method: 'DELETE', headers, signal: AbortSignal.timeout(GOODBYE_MS) }).then(
      (answer) => answer.resume(),
      () => {},
    )
  }

  /** The head of the answer; null where there is none, which the client has been told. */
  private async send(message: Message, again: boolean): Promise<IncomingMessage | null> {
    const cancelling = new AbortController()
    const id = message.kind === 'request' ? message.id : null
    this.remember(message, cancelling)
    const signal = AbortSignal.any([this.parts.signal, cancelling.signal])
    try {
      const answer = await request(this.server, { headers: this.headers(message), body: message.bytes, signal })
      const session = answer.headers[SESSION_HEADER]
      if (typeof session === 'string') this.session = session
      if (answer.statusCode === 404 && this.session !== null && again && (await this.reopen())) {
        answer.resume()
        return this.send(message, false)
      }
      return answer
    } catch (error) {
      this.forget(id)
      this.fail(id, `the server cannot be reached (${error instanceof Error && 'code' in error ? String(error.code) : 'no connection'})`)
      return null
    }
  }

  /** What is needed later: to introduce the client again, and to cancel a request of the stateless protocol. */
  private remember(message: Message, cancelling: AbortController): void {
    if (message.kind === 'request') {
      if (message.method === 'initialize') this.opening = { initialize: message.bytes, initialized: null }
      if (statelessVersion(message) !== null) this.running.set(idKey(message.id), cancelling)
    } else if (message.kind === 'notification' && message.method === 'notifications/initialized' && this.opening !== null)
      this.opening.initialized = message.bytes
  }

  private headers(message: Message): Record<string, string> {
    const base = { ...JSON_AND_EVENTS, 'content-type': 'application/json' }
    if (message.kind === 'request' && statelessVersion(message) !== null) {
      this.version = statelessVersion(message)
      const tool = message.method === 'tools/call' ? own(message.params, 'name') : null
      return { ...base, ...headersFor(message, typeof tool === 'string' ? this.traffic.headersOf(tool) : []) }
    }
    const begins = message.kind === 'request' && message.method === 'initialize'
    return {
      ...base,
      ...(this.session === null || begins ? {} : { [SESSION_HEADER]: this.session }),
      ...(this.version === null || begins ? {} : { [VERSION_HEADER]: this.version }),
      ...(this.session === null && this.version !== null && message.kind === 'notification' ? { [METHOD_HEADER]: message.method } : {}),
    }
  }

  private async take(answer: IncomingMessage, message: Message): Promise<void> {
    const id = message.kind === 'request' ? message.id : null
    try {
      if (kindOf(answer) === 'events') {
        await this.stream(answer, message)
        return
      }
      const body = await wholeBody(answer)
      if (kindOf(answer) === 'json' && body !== null && body.length > 0) this.through(body, message)
      if (id !== null) this.fail(id, `the server answered with status ${answer.statusCode ?? 0}`)
    } finally {
      this.forget(id)
    }
  }

  /** Reads the events of an answer, and goes on where it broke off, as long as the server numbers them. */
  private async stream(answer: IncomingMessage, message: Message): Promise<void> {
    const stream: Stream = { last: null, retry: RETRY_MS }
    let current: IncomingMessage | null = answer
    let answered = false
    for (let tries = 0; current !== null && tries <= MAX_RESUMES; tries += 1) {
      answered = (await this.events(current, stream, message)) || answered
      if (answered || message.kind !== 'request' || stream.last === null) break
      current = await this.resume(stream)
    }
    if (!answered && message.kind === 'request') this.fail(message.id, 'the server ended its answer before the result')
  }

  /** True once the answer of the request was among them. */
  private async events(answer: IncomingMessage, stream: Stream, message: Message): Promise<boolean> {
    let answered = false
    try {
      await readEvents(answer, ({ bytes, data }) => {
        const text = bytes.toString('utf8')
        stream.last = /^id: ?(.*)$/m.exec(text)?.[1] ?? stream.last
        const retry = /^retry: ?(\d{1,7})$/m.exec(text)?.[1]
        if (retry !== undefined) stream.retry = Number(retry)
        if (data !== null && data !== '') answered = this.through(Buffer.from(data), message) || answered
      })
    } catch {
      // It goes on with another request, or does not.
    }
    return answered
  }

  private async resume({ last, retry }: Stream): Promise<IncomingMessage | null> {
    await new Promise((resolve) => setTimeout(resolve, retry))
    if (this.parts.signal.aborted) return null
    return this.get(last)
  }

  /** A stream of the session from after this event; null where the server has none. */
  private async get(last: string | null): Promise<IncomingMessage | null> {
    const headers = {
      accept: 'text/event-stream',
      ...(this.session === null ? {} : { [SESSION_HEADER]: this.session }),
      ...(this.version === null ? {} : { [VERSION_HEADER]: this.version }),
      ...(last === null ? {} : { 'last-event-id': last }),
    }
    try {
      const answer = await request(this.server, { method: 'GET', headers, signal: this.parts.signal })
      if (kindOf(answer) === 'events' && answer.statusCode === 200) return answer
      answer.resume()
    } catch {
      // As if it had none.
    }
    return null
  }

  /** What the server says by itself. */
  private async listen(): Promise<void> {
    const stream: Stream = { last: null, retry: RETRY_MS }
    for (let answer = await this.get(null); answer !== null; answer = await this.resume(stream)) await this.events(answer, stream, NOTHING)
  }

  /** True where the answer of the request was among the messages. */
  private through(given: Uint8Array, message: Message): boolean {
    const bytes = this.listed(given, message)
    deliver(this.traffic.fromServer(bytes, ''), this.parts.toClient)
    if (message.kind !== 'request') return false
    // A large answer is read elsewhere: whether it is one, its traffic knows.
    const answered = !this.traffic.waits(message.id, '')
    if (answered && message.method === 'initialize') this.agree(readMessage(bytes))
    return answered
  }

  private agree(answer: Message): void {
    const version = answer.kind === 'response' && isJsonObject(answer.result) ? own(answer.result, 'protocolVersion') : undefined
    if (typeof version === 'string') this.version = version
  }

  /** Whoever speaks HTTP leaves tools out whose headers could not be told apart; over streams nobody else does. */
  private listed(bytes: Uint8Array, message: Message): Uint8Array {
    if (message.kind !== 'request' || message.method !== 'tools/list' || statelessVersion(message) === null) return bytes
    const { bytes: kept, left } = withoutOddTools(bytes)
    for (const { name, why } of left) this.parts.note(`\`${name}\` is left out of the list of tools: ${why}`)
    return kept
  }

  /** Introduces the client again to a server that forgot the session. */
  private async reopen(): Promise<boolean> {
    const { opening } = this
    if (opening === null || opening.initialized === null) return false
    this.session = null
    const begun = await this.quietly(opening.initialize)
    return begun && (await this.quietly(opening.initialized))
  }

  private async quietly(bytes: Uint8Array): Promise<boolean> {
    try {
      const answer = await request(this.server, { headers: this.headers(readMessage(bytes)), body: bytes, signal: this.parts.signal })
      const session = answer.headers[SESSION_HEADER]
      if (typeof session === 'string') this.session = session
      if (kindOf(answer) === 'events') await readEvents(answer, () => {})
      else await wholeBody(answer)
      return (answer.statusCode ?? 500) < 300
    } catch {
      return false
    }
  }

  /** Tells the client that a request has no answer; nothing where it was answered. */
  private fail(id: Id | null, why: string): void {
    const lost = id === null ? null : this.traffic.unanswered(id, '', why)
    if (lost !== null) this.parts.toClient(lost)
  }

  private forget(id: Id | null): void {
    if (id !== null) this.running.delete(idKey(id))
  }
}

const NOTHING: Message = { kind: 'batch', bytes: new Uint8Array(), messages: [] }
