/**
 * What goes on between one editor and the agent that it started: every message is looked at once and goes on as its bytes came, unless it has
 * the editor act or ask its person. Those wait for the gate. A tool that the agent runs by itself is decided once it says so.
 */
import { isJsonObject, own } from '../../core/json.ts'
import { errorAnswer, INVALID_REQUEST } from '../mcp/answers.ts'
import { ambiguousKey } from '../mcp/keys.ts'
import { type Id, idKey, type Message, type Notification, type Request, type Response, readMessage } from '../mcp/message.ts'
import type { Exchange, Onward, Outgoing } from '../mcp/shared.ts'
import type { SessionParts } from '../session-parts.ts'
import { DECIDED } from './calls.ts'
import { createDeciding, type Deciding } from './deciding.ts'
import type { AcpSide } from './parts.ts'
import { createSessions, type Sessions } from './sessions.ts'
import { createWatch, type Watch } from './watch.ts'

export interface AcpTraffic {
  /** From the editor. Never rejects. */
  readonly fromClient: (bytes: Uint8Array) => Onward | Promise<Onward>
  /** From the agent: at once for everything that is not decided. Never rejects. */
  readonly fromServer: (bytes: Uint8Array, scope: string, exchange: Exchange) => Outgoing
  readonly serverGone: (scope: string, why: string) => readonly Uint8Array[]
}

const DROP: Onward = { kind: 'drop' }

interface Between {
  readonly parts: SessionParts
  readonly sessions: Sessions
  readonly deciding: Deciding
  readonly watch: Watch
  /** Requests of the editor that the agent has not answered. */
  readonly open: Map<string, Id>
}

/** Requests that are never answered; the oldest are forgotten first. */
const MAX_OPEN = 10_000

export function createAcpTraffic(parts: SessionParts, side: AcpSide): AcpTraffic {
  const sessions = createSessions()
  const deciding = createDeciding({ parts, side, sessions })
  const watch = createWatch({ parts, side, sessions, callsOf: deciding.callsOf })
  const between: Between = { parts, sessions, deciding, watch, open: new Map() }
  return {
    fromClient: (bytes) => fromClient(readMessage(bytes), between),
    fromServer: (bytes, _scope, exchange) => fromServer(readMessage(bytes), exchange, between),
    serverGone: (_scope, why) => {
      const answers = [...between.open.values()].map((id) => errorAnswer(id, INVALID_REQUEST, why))
      between.open.clear()
      return answers
    },
  }
}

function fromClient(message: Message, between: Between): Onward | Promise<Onward> {
  const { parts, sessions, deciding, open } = between
  const fault = faultOf(message)
  if (fault !== null) {
    parts.uninspected('client message', false)
    return fault.id === undefined ? DROP : { kind: 'answer', bytes: errorAnswer(fault.id, INVALID_REQUEST, fault.why) }
  }
  const forward: Onward = { kind: 'forward', bytes: message.bytes }
  switch (message.kind) {
    case 'response':
      return deciding.answered(message) ? DROP : forward
    case 'notification':
      if (message.method === 'session/cancel') deciding.cancel(own(message.params, 'sessionId'))
      return forward
    case 'request':
      open.set(idKey(message.id), message.id)
      if (open.size > MAX_OPEN) for (const oldest of [...open.keys()].slice(0, 1)) open.delete(oldest)
      sessions.opening(message)
      return message.method === 'session/prompt' ? prompted(message, between).then(() => forward) : forward
    default:
      return forward
  }
}

/** What the user asked for, in their own words. Where it cannot be kept, nobody is told anything of it. */
async function prompted({ params }: Request, { parts, sessions, deciding }: Between): Promise<void> {
  sessions.turn(own(params, 'sessionId'))
  const blocks = own(params, 'prompt')
  const texts = (Array.isArray(blocks) ? blocks.filter(isJsonObject) : []).map((each) => own(each, 'text'))
  const session = deciding.sessionOf(own(params, 'sessionId'))
  const text = texts.filter((each) => typeof each === 'string').join('\n')
  if (text !== '') await parts.prompt(session, text).catch(() => {})
}

function fromServer(message: Message, exchange: Exchange, between: Between): Outgoing {
  const { parts, sessions, deciding, open } = between
  const fault = faultOf(message)
  if (fault !== null) {
    parts.uninspected('agent message', false)
    if (fault.id !== undefined) exchange.ask(errorAnswer(fault.id, INVALID_REQUEST, fault.why))
    return []
  }
  switch (message.kind) {
    case 'response':
      if (message.id !== null) {
        open.delete(idKey(message.id))
        sessions.opened(message.id, message.result)
      }
      return [message.bytes]
    case 'notification':
      return notified(message, exchange, between)
    case 'request':
      return DECIDED.has(message.method) ? deciding.decide(message, exchange) : [message.bytes]
    default:
      return [message.bytes]
  }
}

function notified(message: Notification, exchange: Exchange, { parts, watch, deciding }: Between): Outgoing {
  // Sent as a notification, nobody would wait for what is decided of it.
  if (DECIDED.has(message.method)) {
    parts.uninspected('request without an id', false)
    return []
  }
  if (message.method === '$/cancel_request') deciding.withdraw(own(message.params, 'requestId'))
  if (message.method === 'session/update') void watch.updated(message.params, exchange)
  return [message.bytes]
}

interface Fault {
  /** Undefined: nobody waits for an answer. */
  readonly id: Id | null | undefined
  readonly why: string
}

/** Why a message goes nowhere: two readers may take it for two things. */
function faultOf(message: Message): Fault | null {
  switch (message.kind) {
    case 'noise':
      return null
    case 'unreadable':
      return { id: message.id ?? undefined, why: `the message cannot be read in one way: ${message.refusal.message}` }
    case 'batch':
      return { id: null, why: 'messages must be sent one by one' }
    default: {
      const odd = ambiguousKey(message.value) ?? inexactIn(message)
      return odd === null ? null : { id: idOf(message), why: `the message cannot be read in one way: ${odd}` }
    }
  }
}

function idOf(message: Request | Notification | Response): Id | null | undefined {
  return message.kind === 'request' ? message.id : undefined
}

function inexactIn(message: Request | Notification | Response): string | null {
  return message.kind === 'request' && DECIDED.has(message.method) ? (message.inexact[0]?.message ?? null) : null
}
