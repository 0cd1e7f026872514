/** Clients over HTTP and servers over standard streams: one process for each session, and a few for requests without one. */
import { isJsonObject, type JsonObject, own } from '../../../core/json.ts'
import { errorAnswer, HEADER_MISMATCH, INVALID_PARAMS, INVALID_REQUEST, metaOf, statelessVersion, unsupportedVersion } from '../answers.ts'
import { createLineReader } from '../lines.ts'
import { type Id, idKey, idOf, MAX_MESSAGE, type Message, type Request, readMessage, resultFor } from '../message.ts'
import { type ClientFacts, createDelivery, type Onward } from '../shared.ts'
import { endSoon, type ServerProcess, type StdioServer, startServer, writeLine } from '../stdio.ts'
import type { Traffic } from '../traffic.ts'
import { type HeaderValues, isStatelessHeader, missingHeader, missingMeta, missingParam, VERSION_HEADER } from './headers.ts'
import {
  type Admitting,
  admit,
  type Behind,
  type Incoming,
  type Passing,
  SESSION_HEADER,
  sessionOf,
  takesEvents,
  unknownSession,
} from './incoming.ts'
import { EVENT_STREAM, eventOf, lineOf } from './reply.ts'
import type { HttpCaller } from './sessions.ts'
import { createRoom, createStreams, STREAM_LIMITS, type StreamLimits, type Streams } from './streams.ts'

export interface ChildrenParts {
  readonly server: StdioServer
  /** New traffic; `id` names the session, null where there is none. */
  readonly create: (caller: HttpCaller, id: string | null, facts?: ClientFacts) => Traffic
  /** Default: `STREAM_LIMITS`. */
  readonly streams?: StreamLimits
}

/** Processes that may run at the same time. */
const MAX_CHILDREN = 256
/** Milliseconds after which a process that nobody used is ended. */
const IDLE_MS = 30 * 60_000
const CHECK_MS = 60_000

export function createChildren(parts: ChildrenParts): Behind {
  const sessions = new Map<string, Child>()
  const pools = new Map<string, Child[]>()
  const all = new Set<Child>()
  const limits = parts.streams ?? STREAM_LIMITS
  const room = createRoom(limits.room)
  const open = (caller: HttpCaller, id: string | null): Child | null => {
    if (all.size >= MAX_CHILDREN) return null
    const of = { traffic: parts.create(caller, id), owner: ownerOf(caller), streams: createStreams(limits, room) }
    const child: Child = new Child(parts.server, of, () => {
      all.delete(child)
      if (id !== null) sessions.delete(id)
      for (const [key, pool] of pools) {
        const left = pool.filter((each) => each !== child)
        if (left.length === 0) pools.delete(key)
        else pools.set(key, left)
      }
    })
    all.add(child)
    if (id !== null) sessions.set(id, child)
    return child
  }
  const timer = setInterval(() => {
    for (const child of all) if (child.idleSince() < Date.now() - IDLE_MS) child.end()
  }, CHECK_MS)
  timer.unref()
  const house: House = { sessions, pools, open }
  return {
    handle: async (incoming) => {
      switch (incoming.request.method) {
        case 'POST':
          return post(incoming, house)
        case 'GET':
        case 'DELETE': {
          const child = known(incoming, house)
          if (child === null) return unknownSession(incoming)
          if (incoming.request.method === 'GET') return child.listen(incoming)
          // Its process may take a while to end; the session is over now.
          sessions.delete(sessionOf(incoming.request) ?? '')
          child.end()
          incoming.response.writeHead(200).end()
          return
        }
        default:
          incoming.response.writeHead(405, { allow: 'GET, POST, DELETE' }).end()
      }
    },
    wellKnown: async () => false,
    close: async () => {
      clearInterval(timer)
      await Promise.all([...all].map((child) => child.end()))
    },
  }
}

interface House {
  readonly sessions: ReadonlyMap<string, Child>
  readonly pools: Map<string, Child[]>
  /** Null: there are as many processes as may be. */
  readonly open: (caller: HttpCaller, id: string | null) => Child | null
}

function ownerOf({ owner, principal }: HttpCaller): string {
  return JSON.stringify([owner, principal])
}

/** The session that the request names, where it is the caller's own. */
function known({ request, caller }: Incoming, { sessions }: House): Child | null {
  const child = sessions.get(sessionOf(request) ?? '')
  return child?.owner === ownerOf(caller) ? child : null
}

async function post(incoming: Incoming, house: House): Promise<void> {
  const { request, response, body, caller } = incoming
  const message = readMessage(body)
  const answer = (status: number, bytes: Uint8Array): void => {
    response.writeHead(status, { 'content-type': 'application/json', 'content-length': String(bytes.length) }).end(bytes)
  }
  const refuse = (status: number, code: number, why: string): void =>
    answer(status, errorAnswer(message.kind === 'request' ? message.id : null, code, why))
  const stateless = isStateless(message)
  const begins = message.kind === 'request' && message.method === 'initialize' && !stateless
  const missing = incomplete(message, incoming)
  if (missing !== null) return refuse(400, ...missing)
  if (!stateless && !begins && sessionOf(request) === null) return refuse(400, INVALID_REQUEST, 'the request names no session')
  const id = begins ? crypto.randomUUID() : null
  const child = begins ? house.open(caller, id) : childOf(message, incoming, house)
  if (child === null) return begins || stateless ? refuse(503, INVALID_REQUEST, 'too many servers run already') : unknownSession(incoming)
  const unsupported = child.refusesVersionOf(message, request.headers)
  if (unsupported !== null) return answer(400, unsupported)
  const unsaid = unsaidIn(message, incoming, child)
  if (unsaid !== null) return refuse(400, HEADER_MISMATCH, unsaid)
  const passing = admit(incoming, child.traffic, { scope: '', ask: child.send, ...lineOfSession(message, incoming, child) })
  if (passing !== null) await child.pass(passing, id)
}

function isStateless(message: Message): message is Request {
  return message.kind === 'request' && statelessVersion(message) !== null
}

/** The version of the protocol whose clients take an event without a message as their way back. */
const RESUMING = '2025-11-25'

function lineOfSession(message: Message, { request, response }: Incoming, { streams }: Child): Pick<Admitting, 'line'> {
  const { headers } = request
  const resumes = headers[VERSION_HEADER] === RESUMING && sessionOf(request) !== null && takesEvents(headers)
  if (!resumes || message.kind !== 'request' || statelessVersion(message) !== null) return {}
  return { line: streams.open(message.id, response) }
}

/** What a request of the stateless protocol lacks, with the error that says so. */
function incomplete(message: Message, { request }: Incoming): readonly [number, string] | null {
  if (message.kind !== 'request') return null
  if (!isStateless(message) && !(isStatelessHeader(request.headers) && sessionOf(request) === null)) return null
  const header = isStateless(message) ? missingHeader(request.headers, message) : null
  if (header !== null) return [HEADER_MISMATCH, header]
  const meta = missingMeta(message)
  return meta === null ? null : [INVALID_PARAMS, meta]
}

/** The process that this message goes to. */
function childOf(message: Message, incoming: Incoming, house: House): Child | null {
  return isStateless(message) ? pooled(message, incoming, house) : known(incoming, house)
}

/** The argument that a header has to repeat in the stateless protocol, and does not. */
function unsaidIn(message: Message, { request }: Incoming, { traffic }: Child): string | null {
  if (!isStateless(message) || message.method !== 'tools/call') return null
  return missingParam(request.headers, message, traffic.headersOf(String(own(message.params, 'name'))))
}

/** A process in which nobody else uses the id of the request, nor its progress token. */
function pooled(message: Request, { caller }: Incoming, { pools, open }: House): Child | null {
  const key = ownerOf(caller)
  const pool = pools.get(key) ?? []
  const free = pool.find((child) => child.isFree(message))
  if (free !== undefined) return free
  const child = open(caller, null)
  if (child !== null) pools.set(key, [...pool, child])
  return child
}

/** What a server says while nobody listens, in messages. */
const MAX_WAITING = 100

interface Under {
  readonly passing: Passing
  readonly token: Id | null
  readonly stateless: boolean
}

class Child {
  readonly traffic: Traffic
  readonly owner: string
  readonly streams: Streams
  private readonly process: ServerProcess
  /** Requests that wait for an answer, the newest last. */
  private readonly under = new Map<string, Under>()
  private readonly listeners = new Set<Incoming['response']>()
  private waiting: Uint8Array[] = []
  /** As the server says of itself; null: it was not asked. */
  private versions: readonly string[] | null = null
  private used = Date.now()

  constructor(server: StdioServer, { traffic, owner, streams }: Pick<Child, 'traffic' | 'owner' | 'streams'>, gone: () => void) {
    this.traffic = traffic
    this.owner = owner
    this.streams = streams
    this.process = startServer(server)
    const delivery = createDelivery((each) => this.route(each))
    const reader = createLineReader((bytes) => delivery.deliver(traffic.fromServer(bytes, '')), MAX_MESSAGE)
    this.process.stdout.on('data', (chunk: Buffer) => {
      try {
        reader.push(chunk)
      } catch {
        this.end()
      }
    })
    this.process.stdin.on('error', () => {})
    const over = async (): Promise<void> => {
      gone()
      // What it said before it went is on its way.
      await delivery.done()
      for (const bytes of traffic.serverGone('', 'the server ended before it answered')) this.route(bytes)
      for (const { passing } of this.under.values()) passing.reply.end(502)
      for (const response of this.listeners) response.end()
      streams.end()
    }
    this.process.once('close', () => void over()).once('error', () => void over())
  }

  readonly send = (bytes: Uint8Array): void => {
    this.used = Date.now()
    if (!this.process.stdin.destroyed) writeLine(this.process.stdin, lineOf(bytes))
  }

  idleSince(): number {
    return this.under.size > 0 || this.listeners.size > 0 ? Date.now() : this.used
  }

  isFree({ id, params }: Request): boolean {
    const token = idOf(own(metaOf(params), 'progressToken'))
    return !this.under.has(idKey(id)) && (token === null || ![...this.under.values()].some((each) => each.token === token))
  }

  /** A server over streams may look at the version of its first request alone. */
  refusesVersionOf(message: Message, { [VERSION_HEADER]: header }: HeaderValues): Uint8Array | null {
    const version = isStateless(message) ? statelessVersion(message) : null
    // A header that says something else is refused for that.
    if (version === null || header !== version || this.versions === null || this.versions.includes(version) || message.kind !== 'request')
      return null
    return unsupportedVersion(message.id, version, this.versions)
  }

  async pass(passing: Passing, session: string | null): Promise<void> {
    const { message, exchange, reply, traffic } = passing
    const stateless = isStateless(message)
    if (message.kind === 'request') {
      const token = idOf(own(metaOf(message.params), 'progressToken'))
      this.under.set(idKey(message.id), { passing, token, stateless })
      exchange.signal.addEventListener('abort', () => this.left(message, stateless), { once: true })
    }
    if (session !== null) reply.response.setHeader(SESSION_HEADER, session)
    const onward: Onward = await traffic.fromClient(message.bytes, exchange)
    if (onward.kind === 'forward') this.send(onward.bytes)
    if (message.kind === 'request' && onward.kind !== 'forward') this.under.delete(idKey(message.id))
    if (onward.kind === 'answer') reply.answer(onward.bytes, message.kind === 'request' ? 200 : 400)
    else if (onward.kind === 'drop' || message.kind !== 'request') reply.end(202)
  }

  listen({ request, response }: Incoming): void {
    const last = request.headers['last-event-id']
    if (typeof last === 'string' && this.streams.resume(last, response)) return
    response.writeHead(200, EVENT_STREAM)
    response.flushHeaders()
    this.listeners.add(response)
    response.once('close', () => this.listeners.delete(response))
    for (const bytes of this.waiting) response.write(eventOf(bytes))
    this.waiting = []
  }

  end(): Promise<void> {
    const { process: child } = this
    if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve()
    child.stdin.end()
    endSoon(child)
    return new Promise((resolve) => child.once('close', () => resolve()))
  }

  /** The client closed the connection: without a session that is how it cancels. */
  private left(message: Request, stateless: boolean): void {
    if (!this.under.delete(idKey(message.id)) || !stateless) return
    const params = { requestId: message.id, reason: 'the client left' }
    this.send(new TextEncoder().encode(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params })))
  }

  private route(bytes: Uint8Array): void {
    this.used = Date.now()
    const id = resultFor(bytes)
    if (id !== null) {
      this.result(id, bytes)
      return
    }
    const message = readMessage(bytes)
    if (message.kind === 'response') {
      const under = message.id === null ? undefined : this.under.get(idKey(message.id))
      if (message.id === null || under === undefined) return
      this.under.delete(idKey(message.id))
      this.versions = discovered(under.passing.message, message) ?? this.versions
      if (under.stateless) under.passing.reply.answer(bytes, statusOf(message))
      else under.passing.reply.answerAsEvent(bytes)
      return
    }
    const under = this.related(message)
    const [listener] = this.listeners
    if (under !== null) under.passing.reply.tell(bytes)
    else if (listener !== undefined) listener.write(eventOf(bytes))
    else if (message.kind !== 'noise' && this.waiting.length < MAX_WAITING) this.waiting.push(bytes)
  }

  /** What was read elsewhere: a result of a call. */
  private result(id: Id, bytes: Uint8Array): void {
    const under = this.under.get(idKey(id))
    if (under === undefined) return
    this.under.delete(idKey(id))
    if (under.stateless) under.passing.reply.answer(bytes)
    else under.passing.reply.answerAsEvent(bytes)
  }

  /** The request that a message of the server belongs to; where it does not say, the newest one whose client takes events. */
  private related(message: Message): Under | null {
    if (message.kind !== 'notification' && message.kind !== 'request') return null
    const all = [...this.under.values()]
    const token = own(message.params, 'progressToken')
    if (message.method === 'notifications/progress') return all.find((each) => each.token === token) ?? null
    const subscription = idOf(own(metaOf(message.params), 'io.modelcontextprotocol/subscriptionId'))
    if (subscription !== null) return this.under.get(idKey(subscription)) ?? null
    return all.at(-1) ?? null
  }
}

/** The versions that a server lists when it is asked what it is. */
function discovered(asked: Message, { result }: Extract<Message, { kind: 'response' }>): readonly string[] | null {
  if (asked.kind !== 'request' || asked.method !== 'server/discover' || !isJsonObject(result ?? null)) return null
  const versions = own(result as JsonObject, 'supportedVersions')
  const named = Array.isArray(versions) ? versions.filter((each) => typeof each === 'string') : []
  return named.length === 0 ? null : named
}

const STATUSES: ReadonlyMap<number, number> = new Map([
  [-32601, 404],
  [-32020, 400],
  [-32021, 400],
  [-32022, 400],
])

/** As the stateless protocol has errors of the protocol over HTTP. */
function statusOf(message: Extract<Message, { kind: 'response' }>): number {
  const error = own(message.value, 'error')
  const code = isJsonObject(error) ? own(error, 'code') : undefined
  return typeof code === 'number' ? (STATUSES.get(code) ?? 200) : 200
}
