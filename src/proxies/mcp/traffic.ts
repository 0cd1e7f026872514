/**
 * What goes on between one client and one server: every message is looked at once, and goes on as its bytes came, unless it proposes
 * a call, answers one, or cannot be told from one. Transports bring the messages; the gate decides.
 */
import { isJsonObject, type Json, type JsonObject, own } from '../../core/json.ts'
import { errorAnswer, INVALID_REQUEST, metaOf, PARSE_ERROR, statelessVersion } from './answers.ts'
import { type Calls, createCalls } from './calls.ts'
import { createCatalog } from './catalog.ts'
import type { ParamHeader } from './http/headers.ts'
import { ambiguousKey } from './keys.ts'
import { encode, type Id, idKey, type Message, type Notification, type Request, type Response, readMessage } from './message.ts'
import { createResults, type Results } from './results.ts'
import {
  type ClientFacts,
  type Exchange,
  type Onward,
  type OpenRequests,
  type Outgoing,
  remember,
  type Shared,
  type TrafficParts,
  type TrafficSide,
} from './shared.ts'

export interface Traffic {
  /** At once for everything that is no call. Never rejects. */
  readonly fromClient: (bytes: Uint8Array, exchange: Exchange) => Onward | Promise<Onward>
  /** What goes on to the client: at once for everything but lists of tools and large results. Never rejects. */
  readonly fromServer: (bytes: Uint8Array, scope: string) => Outgoing
  /** The client does not wait for this request any more. */
  readonly cancel: (id: Id, scope: string) => void
  /** The server is gone: answers for every request that still waits for it, in this scope. */
  readonly serverGone: (scope: string, why: string) => readonly Uint8Array[]
  /** The server will not answer this request any more: the answer in its stead; null where nothing waits for one. */
  readonly unanswered: (id: Id, scope: string, why: string) => Uint8Array | null
  /** True while a request of this id is on its way to the server, or its answer on the way back. */
  readonly waits: (id: Id, scope: string) => boolean
  readonly client: () => ClientFacts
  /** The arguments of a tool that headers of HTTP repeat, as far as its definition is known. */
  readonly headersOf: (tool: string) => readonly ParamHeader[]
}

const UNKNOWN: ClientFacts = { name: null, capabilities: {} }
const DROP: Onward = { kind: 'drop' }

/** `facts`: what the client said before this traffic began. */
export function createTraffic(parts: TrafficParts, side: TrafficSide, facts: ClientFacts = UNKNOWN): Traffic {
  const catalog = createCatalog(side)
  const open: OpenRequests = new Map()
  const waiting = new Map<string, (answer: Response) => void>()
  let client = facts
  const askPeer = asking(waiting)
  const shared: Shared = { parts, side, catalog, open, client: () => client, askClient: askPeer, askServer: askPeer }
  const calls = createCalls(shared)
  const results = createResults(shared, calls)
  return {
    fromClient: (bytes, exchange) => {
      results.settle()
      const message = readMessage(bytes)
      client = factsIn(message) ?? client
      return fromClient(message, exchange, { shared, calls, waiting })
    },
    fromServer: (bytes, scope) => {
      const read = (): Outgoing => fromServer(readMessage(bytes), scope, { shared, results, waiting })
      return results.apart(bytes, scope, read) ?? read()
    },
    cancel: (id, scope) => {
      calls.cancel(scope + idKey(id))
    },
    serverGone: (scope, why) => {
      const answers: Uint8Array[] = []
      for (const [key, request] of open) {
        if (!key.startsWith(scope)) continue
        open.delete(key)
        answers.push(results.lost(request, why))
      }
      return answers
    },
    unanswered: (id, scope, why) => {
      const request = open.get(scope + idKey(id))
      open.delete(scope + idKey(id))
      return request === undefined ? null : results.lost(request, why)
    },
    waits: (id, scope) => open.has(scope + idKey(id)) || waiting.has(idKey(id)),
    client: () => client,
    headersOf: catalog.headersOf,
  }
}

/** How a client names itself: at the start of a session, or in every request. */
function factsIn(message: Message): ClientFacts | null {
  if (message.kind !== 'request') return null
  const meta = metaOf(message.params)
  const stateless = statelessVersion(message) !== null
  if (message.method !== 'initialize' && !stateless) return null
  const info = stateless ? own(meta, 'io.modelcontextprotocol/clientInfo') : own(message.params, 'clientInfo')
  const given = stateless ? own(meta, 'io.modelcontextprotocol/clientCapabilities') : own(message.params, 'capabilities')
  const name = isJsonObject(info) ? own(info, 'name') : null
  return { name: typeof name === 'string' ? name : null, capabilities: isJsonObject(given) ? given : {} }
}

interface Inward {
  readonly shared: Shared
  readonly calls: Calls
  readonly waiting: Map<string, (answer: Response) => void>
}

function fromClient(message: Message, exchange: Exchange, { shared, calls, waiting }: Inward): Onward | Promise<Onward> {
  switch (message.kind) {
    case 'noise':
      shared.parts.uninspected('client message', false)
      return { kind: 'answer', bytes: errorAnswer(null, PARSE_ERROR, `the message is no JSON: ${message.refusal.message}`) }
    case 'unreadable':
      return refuseUnreadable(message.bytes, { id: message.id, ...message.refusal }, shared)
    case 'batch':
      if (!message.messages.some(isInspected)) return { kind: 'forward', bytes: message.bytes }
      return refuseUnreadable(message.bytes, { id: null, code: 'ingress.wrong_type', message: 'calls must be sent one by one' }, shared)
    default: {
      const odd = ambiguousKey(message.value)
      if (odd === null) return fromClientPlain(message, exchange, { shared, calls, waiting })
      const id = message.kind === 'notification' ? null : message.id
      return refuseUnreadable(message.bytes, { id, code: 'ingress.duplicate_key', message: odd }, shared)
    }
  }
}

function fromClientPlain(
  message: Request | Notification | Response,
  exchange: Exchange,
  { shared, calls, waiting }: Inward,
): Onward | Promise<Onward> {
  const forward: Onward = { kind: 'forward', bytes: message.bytes }
  if (message.kind === 'response') return take(message, waiting) ? DROP : forward
  if (message.kind === 'notification') {
    if (message.method === 'tools/call') {
      shared.parts.uninspected('call without an id', false)
      return DROP
    }
    if (message.method !== 'notifications/cancelled') return forward
    const id = own(message.params, 'requestId')
    const stopped = (typeof id === 'string' || typeof id === 'number') && calls.cancel(exchange.scope + idKey(id))
    // The server never saw the request.
    return stopped ? DROP : forward
  }
  const key = exchange.scope + idKey(message.id)
  if (shared.open.has(key) || calls.holds(key))
    return { kind: 'answer', bytes: errorAnswer(message.id, INVALID_REQUEST, 'the id of this request is in use') }
  if (message.method === 'tools/call') return calls.call(message, exchange)
  const judged = calls.taskOf(message)
  if (judged !== null) remember(shared.open, key, { kind: 'call', judged: { ...judged, request: message } })
  else
    remember(
      shared.open,
      key,
      message.method === 'tools/list' ? { kind: 'list', request: message } : { kind: 'other', request: { id: message.id } },
    )
  return forward
}

const INSPECTED: ReadonlySet<string> = new Set(['tools/call', 'tools/list', 'tasks/result', 'tasks/get'])

function isInspected(message: Json): boolean {
  if (!isJsonObject(message) || ambiguousKey(message) !== null) return true
  const method = own(message, 'method')
  return typeof method === 'string' && INSPECTED.has(method)
}

interface Fault {
  readonly id: Id | null
  readonly code: Parameters<TrafficParts['gate']['refuse']>[0]['code']
  readonly message: string
}

/** Two readers may take it for two things, so it goes nowhere. */
async function refuseUnreadable(bytes: Uint8Array, { id, code, message }: Fault, { parts, side, client }: Shared): Promise<Onward> {
  parts.uninspected('client message', false)
  const agent = side.principal.agent ?? client().name
  const digest = parts.bytesDigest(bytes)
  await parts.gate.refuse({ code, message, digest, agent, session: side.session, cwd: side.cwd })
  return { kind: 'answer', bytes: errorAnswer(id, INVALID_REQUEST, `the message cannot be read in one way: ${message}`) }
}

interface Outward {
  readonly shared: Shared
  readonly results: Results
  readonly waiting: Map<string, (answer: Response) => void>
}

function fromServer(message: Message, scope: string, outward: Outward): Outgoing {
  const { shared, results, waiting } = outward
  switch (message.kind) {
    // No client reads a message in it.
    case 'noise':
    case 'request':
      return [message.bytes]
    case 'notification':
      if (message.method === 'notifications/tools/list_changed') shared.catalog.forget()
      return [message.bytes]
    case 'unreadable':
      return results.unreadable(message, scope)
    case 'batch': {
      const parts = message.messages.filter(isJsonObject)
      const known = parts.some((each) => concerns(each, scope, outward))
      return known ? together(parts.map((each) => fromServer(readMessage(encode(each)), scope, outward))) : [message.bytes]
    }
    case 'response':
      return take(message, waiting) ? [] : results.answer(message, scope)
  }
}

function together(parts: readonly Outgoing[]): Outgoing {
  return parts.some((each) => each instanceof Promise)
    ? Promise.all(parts).then((all) => all.flat())
    : (parts as readonly (readonly Uint8Array[])[]).flat()
}

function concerns(message: JsonObject, scope: string, { shared, waiting }: Outward): boolean {
  const id = own(message, 'id')
  if (typeof id !== 'string' && typeof id !== 'number') return false
  const request = shared.open.get(scope + idKey(id))
  return waiting.has(idKey(id)) || (request !== undefined && request.kind !== 'other')
}

function take(message: Response, waiting: Inward['waiting']): boolean {
  const key = message.id === null ? null : idKey(message.id)
  const waiter = key === null ? undefined : waiting.get(key)
  if (key === null || waiter === undefined) return false
  waiting.delete(key)
  waiter(message)
  return true
}

/** Ids of our own: nobody can guess them, so nobody answers in another's stead. */
function asking(waiting: Inward['waiting']): Shared['askClient'] {
  return (method, params, { send, signal }) =>
    new Promise((resolve) => {
      const id = `countersign-${crypto.randomUUID()}`
      const end = (answer: Response | undefined): void => {
        signal.removeEventListener('abort', stop)
        waiting.delete(idKey(id))
        resolve(answer)
      }
      const stop = (): void => end(undefined)
      if (signal.aborted) return resolve(undefined)
      signal.addEventListener('abort', stop, { once: true })
      waiting.set(idKey(id), end)
      send(encode({ jsonrpc: '2.0', id, method, params }))
    })
}
