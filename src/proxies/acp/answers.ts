/** Messages of our own between an editor and its agent, and messages of theirs as we change them. Pure. */
import type { Decision } from '../../core/decision.ts'
import { isJsonObject, type Json, type JsonObject, own } from '../../core/json.ts'
import { visibleText } from '../../facts/resources/text/visible.ts'
import { encode, type Id, type Request } from '../mcp/message.ts'

/** Outside of what JSON-RPC and the protocol reserve: the status that HTTP has for the same. */
const REFUSED = 403

export type Why = Pick<Decision, 'code' | 'agentReason'>

export function refusedAnswer(id: Id, why: Why): Uint8Array {
  return encode({ jsonrpc: '2.0', id, error: { code: REFUSED, message: textOf(why), data: { code: why.code } } })
}

function textOf({ code, agentReason }: Why): string {
  return `Countersign: ${agentReason} (${code})`
}

/** The answer that the person would give by rejecting; the agent stops its turn where the request offers no rejection. */
export function rejectedAnswer({ id, params }: Request, why: Why): Uint8Array {
  const reject =
    optionsOf(params).find(({ kind }) => kind === 'reject_once') ?? optionsOf(params).find(({ kind }) => kind === 'reject_always')
  const outcome: JsonObject = reject === undefined ? { outcome: 'cancelled' } : { outcome: 'selected', optionId: reject.id }
  return encode({ jsonrpc: '2.0', id, result: { outcome, _meta: { 'countersign/reason': textOf(why), 'countersign/code': why.code } } })
}

export function cancelledAnswer({ id, method }: Request): Uint8Array {
  if (method !== 'session/request_permission')
    return encode({ jsonrpc: '2.0', id, error: { code: REFUSED, message: 'Countersign: the turn was cancelled' } })
  return encode({ jsonrpc: '2.0', id, result: { outcome: { outcome: 'cancelled' } } })
}

interface Option {
  readonly id: Json
  readonly kind: Json
}

function optionsOf(params: JsonObject): readonly Option[] {
  const options = own(params, 'options')
  return (Array.isArray(options) ? options.filter(isJsonObject) : []).map((each) => ({
    id: own(each, 'optionId') ?? null,
    kind: own(each, 'kind') ?? null,
  }))
}

/** True where the person agreed, by the options that they were shown. */
export function isAgreed(result: Json | undefined, params: JsonObject): boolean {
  const outcome = isJsonObject(result) ? own(result, 'outcome') : undefined
  if (!isJsonObject(outcome) || own(outcome, 'outcome') !== 'selected') return false
  const chosen = own(outcome, 'optionId')
  const found = optionsOf(params).filter(({ id }) => id === chosen)
  return found.length > 0 && found.every(({ kind }) => kind === 'allow_once' || kind === 'allow_always')
}

/**
 * The question to the person without the answer that would end all questions: calls that are never asked about again are never decided
 * again. `why`: what the gate asks about, for the person. The bytes as they came where nothing is changed.
 */
export function askedRequest(
  { bytes, value, params }: Request,
  why: string | null,
): { readonly bytes: Uint8Array; readonly params: JsonObject } {
  const given = own(params, 'options')
  const options = Array.isArray(given) ? given.filter((each) => !isJsonObject(each) || own(each, 'kind') !== 'allow_always') : []
  if (why === null && Array.isArray(given) && options.length === given.length) return { bytes, params }
  const toolCall = own(params, 'toolCall')
  const call = isJsonObject(toolCall) ? toolCall : {}
  const content = own(call, 'content')
  const shown = why === null ? {} : { content: [...(Array.isArray(content) ? content : []), textContent(`Countersign asks: ${why}`)] }
  const asked = { ...params, toolCall: { ...call, ...shown }, options }
  return { bytes: encode({ ...value, params: asked }), params: asked }
}

function textContent(text: string): JsonObject {
  return { type: 'content', content: { type: 'text', text: visibleText(text) } }
}

const ALLOW = 'countersign-allow'

/** A question of our own, about something that the agent has the editor do. */
export function question(about: {
  readonly session: Json
  readonly title: string
  readonly input: JsonObject
  readonly why: string
}): JsonObject {
  return {
    sessionId: about.session,
    toolCall: {
      toolCallId: `countersign-${crypto.randomUUID()}`,
      title: visibleText(about.title),
      kind: 'other',
      status: 'pending',
      rawInput: about.input,
      content: [textContent(`Countersign asks: ${about.why}`)],
    },
    options: [
      { optionId: ALLOW, name: 'Let it run, once', kind: 'allow_once' },
      { optionId: 'countersign-reject', name: 'Reject', kind: 'reject_once' },
    ],
  }
}

/** Ends the turn of an agent that ran what it may not. */
export function cancelNotice(session: string): Uint8Array {
  return encode({ jsonrpc: '2.0', method: 'session/cancel', params: { sessionId: session } })
}

/** A line for the person, in the conversation. */
export function saidNotice(session: Json, text: string): Uint8Array {
  const update = { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: `\nCountersign: ${visibleText(text)}\n` } }
  return encode({ jsonrpc: '2.0', method: 'session/update', params: { sessionId: session, update } })
}
