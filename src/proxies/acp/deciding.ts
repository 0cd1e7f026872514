/** Requests of the agent that make the editor act, or ask its person: each waits for the gate, and goes on as it was, or is answered here. */
import type { ToolCall } from '../../core/call.ts'
import type { Code } from '../../core/codes.ts'
import { CODES } from '../../core/codes.ts'
import type { Decision } from '../../core/decision.ts'
import { isJsonObject, type Json, type JsonObject, own } from '../../core/json.ts'
import { runs } from '../../core/verdict.ts'
import { callFromJson } from '../../ingress/call.ts'
import { createMemory, type Memory } from '../mcp/memory.ts'
import { encode, idKey, type Request, type Response } from '../mcp/message.ts'
import type { Exchange } from '../mcp/shared.ts'
import type { SessionParts } from '../session-parts.ts'
import { settle } from '../settle.ts'
import { askedRequest, cancelledAnswer, isAgreed, question, refusedAnswer, rejectedAnswer, saidNotice, type Why } from './answers.ts'
import { type Proposal, proposalsOf } from './calls.ts'
import type { AcpSide } from './parts.ts'
import { keyOf, merged, type Sessions } from './sessions.ts'

export interface Deciding {
  /** What goes on to the editor. Never rejects. */
  readonly decide: (request: Request, exchange: Exchange) => Promise<readonly Uint8Array[]>
  /** An answer of the editor; true where it was to a question of ours. */
  readonly answered: (answer: Response) => boolean
  /** The person ends the turn: nothing that waits goes on. */
  readonly cancel: (session: Json | undefined) => void
  /** The agent does not wait for this request any more. */
  readonly withdraw: (id: Json | undefined) => void
  /** The session as the gate knows it. */
  readonly sessionOf: (session: Json | undefined) => string
  readonly callsOf: CallsOf
}

/** The calls behind proposals, or why one of them is none. */
export type CallsOf = (proposals: readonly Proposal[], session: Json | undefined) => { readonly calls: readonly ToolCall[] } | Refused

interface Refused {
  readonly code: Code
  readonly message: string
}

interface DecidingParts {
  readonly parts: SessionParts
  readonly side: AcpSide
  readonly sessions: Sessions
}

/** Waits as long as the approval does. */
const HOLD_MS = 2 ** 31 - 1
const MAX_QUESTIONS = 10_000

type Verdict =
  /** `ask`: the person at the editor still has to agree; why. */
  { readonly kind: 'run'; readonly ask: string | null } | { readonly kind: 'stop'; readonly why: Why } | { readonly kind: 'gone' }

interface Sent {
  readonly request: Request
  readonly calls: readonly ToolCall[]
  readonly key: string
  /** The parameters as the person was shown them. */
  readonly params: JsonObject
  readonly asked: boolean
}

interface State extends DecidingParts {
  /** Let through, and not answered by the editor yet. */
  readonly sent: Map<string, Sent>
  /** Being decided. */
  readonly held: Map<string, { readonly session: Json | undefined; readonly stop: AbortController }>
  readonly questions: Memory<(answer: Response | null) => void>
  readonly callsOf: CallsOf
}

export function createDeciding(given: DecidingParts): Deciding {
  const { side } = given
  const sessionOf = (session: Json | undefined): string => `${side.prefix}${typeof session === 'string' ? session : ''}`
  const callsOf = callsFor(given, sessionOf)
  const state: State = { ...given, sent: new Map(), held: new Map(), questions: createMemory(MAX_QUESTIONS), callsOf }
  const { sent, held, questions } = state
  return {
    sessionOf,
    callsOf,
    decide: (request, exchange) => decide(request, exchange, state),
    answered: (answer) => {
      const key = answer.id === null ? '' : idKey(answer.id)
      const ours = questions.get(key)
      if (ours !== null) {
        ours(answer)
        return true
      }
      const request = sent.get(key)
      sent.delete(key)
      if (request !== undefined) settled(request, answer, given)
      return false
    },
    withdraw: (id) => {
      if (typeof id === 'string' || typeof id === 'number') held.get(idKey(id))?.stop.abort()
    },
    cancel: (session) => {
      for (const each of held.values()) if (each.session === session) each.stop.abort()
    },
  }
}

async function decide(request: Request, exchange: Exchange, state: State): Promise<readonly Uint8Array[]> {
  const { held, sent, parts } = state
  const key = idKey(request.id)
  if (held.has(key) || sent.has(key)) {
    exchange.ask(refusedAnswer(request.id, { code: 'ingress.wrong_type', agentReason: 'The id of this request is in use.' }))
    return []
  }
  const stop = new AbortController()
  const session = own(request.params, 'sessionId')
  held.set(key, { session, stop })
  const asking: Asking = { request, exchange, session, signal: AbortSignal.any([stop.signal, exchange.signal]) }
  try {
    return await onward(asking, state)
  } catch (error) {
    parts.note(`the gate failed: ${error instanceof Error ? error.message : String(error)}`)
    return refuse({ code: 'infra.internal', agentReason: CODES['infra.internal'].agent }, asking)
  } finally {
    held.delete(key)
  }
}

interface Asking {
  readonly request: Request
  readonly exchange: Exchange
  readonly session: Json | undefined
  /** Aborted once nobody waits for the request any more. */
  readonly signal: AbortSignal
}

const PERMISSION = 'session/request_permission'

async function onward(asking: Asking, state: State): Promise<readonly Uint8Array[]> {
  const { request, session, signal } = asking
  const { sessions } = state
  const permission = request.method === PERMISSION
  const proposals = proposalsOf(request.method, request.params, permission ? toolCallOf(request, sessions) : null)
  const read = proposals === null ? UNTOLD : state.callsOf(proposals, session)
  if ('code' in read) return refuse(await recorded(request, read, state), asking)
  const verdict = await verdictOf(read.calls, signal, state)
  if (verdict.kind === 'gone') return gone(asking)
  if (verdict.kind === 'stop') return refuse(verdict.why, asking)
  const key = keyOf(read.calls)
  const name = typeof session === 'string' ? session : ''
  if (verdict.ask !== null && !permission && !sessions.takeAgreed(name, key)) {
    const yes = await isAgreedTo(verdict.ask, asking, state)
    if (signal.aborted) return gone(asking)
    if (!yes) return refuse(REJECTED, asking)
  }
  if (!permission) sessions.cover(name, key)
  const { bytes, params } = permission ? askedRequest(request, verdict.ask) : request
  state.sent.set(idKey(request.id), { request, calls: read.calls, key, params, asked: verdict.ask !== null })
  return [bytes]
}

/** The agent is answered in the editor's stead; what it says to the person goes on. */
function refuse(why: Why, { request, exchange, session }: Asking): readonly Uint8Array[] {
  const permission = request.method === PERMISSION
  exchange.ask(permission ? rejectedAnswer(request, why) : refusedAnswer(request.id, why))
  return permission && typeof session === 'string' ? [saidNotice(session, `${why.agentReason} (${why.code})`)] : []
}

function gone({ request, exchange }: Asking): readonly Uint8Array[] {
  exchange.ask(cancelledAnswer(request))
  return []
}

async function verdictOf(calls: readonly ToolCall[], signal: AbortSignal, { parts, side }: DecidingParts): Promise<Verdict> {
  let ask: string | null = null
  for (const call of calls) {
    const decision = await decisionOf(parts.withWords(call), { parts, side, signal })
    if (signal.aborted) return { kind: 'gone' }
    if (runs(decision.decision)) continue
    if (decision.decision !== 'ask' || !side.attended) return { kind: 'stop', why: decision }
    ask ??= decision.reason
  }
  return { kind: 'run', ask }
}

/** Asks the person at the editor about something that the agent has it do. */
async function isAgreedTo(why: string, { request, exchange, session, signal }: Asking, { questions }: State): Promise<boolean> {
  const id = `countersign-${crypto.randomUUID()}`
  const params = question({ session: session ?? null, title: titleOf(request), input: request.params, why })
  const answer = await new Promise<Response | null>((resolve) => {
    const withdraw = (): void => {
      exchange.tell(encode({ jsonrpc: '2.0', method: '$/cancel_request', params: { requestId: id } }))
      resolve(null)
    }
    signal.addEventListener('abort', withdraw, { once: true })
    // It stays known: an answer that comes late is none of the agent's.
    questions.set(idKey(id), (given) => {
      signal.removeEventListener('abort', withdraw)
      resolve(given)
    })
    exchange.tell(encode({ jsonrpc: '2.0', id, method: PERMISSION, params }))
  })
  return answer !== null && isAgreed(answer.result, params)
}

const UNTOLD: Refused = { code: 'ingress.wrong_type', message: 'what the request would do cannot be told from it' }
const REJECTED: Why = { code: 'approval.denied', agentReason: CODES['approval.denied'].agent }

/** Where a person sits at the editor, a question is left open for them; else approvals answer it. */
async function decisionOf(
  call: ToolCall,
  { parts, side, signal }: Pick<DecidingParts, 'parts' | 'side'> & { readonly signal: AbortSignal },
): Promise<Decision> {
  if (side.attended) return parts.gate.decide(call, 0, { attended: true, rewrites: false })
  return (await settle(call, { gate: parts.gate, queue: parts.queue, signal, rewrites: false, holdMs: () => HOLD_MS })).decision
}

function callsFor({ parts, side, sessions }: DecidingParts, sessionOf: (session: Json | undefined) => string): CallsOf {
  const { agent, role, user, tenant, chain } = side.principal
  return (proposals, session) => {
    const calls: ToolCall[] = []
    for (const { server, tool, args, cwd } of proposals) {
      const read = callFromJson(
        {
          tool,
          server,
          args,
          principal: { agent, role, user, tenant, chain },
          session: sessionOf(session),
          cwd: cwd ?? sessions.directoryOf(session) ?? side.cwd,
        },
        { digester: parts.digester },
      )
      if (!read.ok) return { code: read.refusal.code, message: read.refusal.message }
      calls.push(read.call)
    }
    return { calls }
  }
}

/** The tool call of a permission, with what the agent told of it before. */
function toolCallOf({ params }: Request, sessions: Sessions): JsonObject | null {
  const said = own(params, 'toolCall')
  if (!isJsonObject(said)) return null
  const [session, id] = [own(params, 'sessionId'), own(said, 'toolCallId')]
  if (typeof session !== 'string' || typeof id !== 'string') return said
  const before = sessions.told(session, id)
  const fields = merged(before.fields, said)
  sessions.keep(session, id, { ...before, fields })
  return fields
}

function titleOf({ method, params }: Request): string {
  const about = own(params, 'command') ?? own(params, 'path')
  const args = own(params, 'args')
  const words = Array.isArray(args) ? args.filter((each) => typeof each === 'string') : []
  return [method === 'terminal/create' ? 'Run' : method === 'fs/read_text_file' ? 'Read' : 'Write', String(about), ...words]
    .join(' ')
    .slice(0, 300)
}

/** What never became a call is recorded as a denial. */
async function recorded({ bytes, params }: Request, { code, message }: Refused, { parts, side }: DecidingParts): Promise<Why> {
  const session = own(params, 'sessionId')
  const known = typeof session === 'string' ? `${side.prefix}${session}` : null
  return parts.gate.refuse({ code, message, digest: parts.bytesDigest(bytes), agent: side.principal.agent, session: known, cwd: side.cwd })
}

/** What the editor answered: a person's yes, or what the call returned. */
function settled({ request, calls, key, params, asked }: Sent, { result, value }: Response, { parts, sessions }: DecidingParts): void {
  const session = own(request.params, 'sessionId')
  const name = typeof session === 'string' ? session : ''
  if (request.method !== PERMISSION) {
    for (const call of calls) parts.keep(call, result ?? own(value, 'error') ?? null, result === undefined).kept.catch(() => {})
    return
  }
  const said = own(params, 'toolCall')
  const id = isJsonObject(said) ? own(said, 'toolCallId') : undefined
  if (!isAgreed(result, params)) return
  sessions.cover(name, key)
  if (asked) sessions.agree(name, key)
  if (typeof id === 'string') sessions.keep(name, id, { ...sessions.told(name, id), decided: key, calls, owing: false })
}
