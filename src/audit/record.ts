/**
 * Decisions, results and other events as the records that are kept. Everything is redacted before it is hashed or written
 * (T60); the store keeps keyed digests of what was erased, so that a guess can be checked by who holds the key.
 */
import { alsoNamedToJson } from '../core/also-named.ts'
import type { ToolCall } from '../core/call.ts'
import { canonicalJson } from '../core/canonical.ts'
import type { Decision } from '../core/decision.ts'
import { atPointer, isJsonObject, type Json, type JsonObject, own } from '../core/json.ts'
import { decisionToJson, definitionToJson } from '../core/wire.ts'
import type { ErasedValue, RecordInput } from '../store/store.ts'
import { isUntouched, redactJson } from './redact.ts'

/** UTF-16 units of JSON text up to which a tool's response is kept whole. */
const RESPONSE_UNITS = 64 * 1024

/**
 * The record of a decision: body `{ call, decision }` in wire form. `at` is in milliseconds since the epoch. The approval
 * token is always erased. The call's digest is erased with the first secret: with the rest of the call in sight, an unkeyed
 * digest would let anyone check guesses of it.
 */
export function toRecord(decision: Decision, call: ToolCall, at: number): RecordInput {
  const { approval = null } = call
  const { body, erased, guessable } = redactedDecision(shownToJson(call), decisionToJson(withoutToken(decision)))
  const token = approval === null ? [] : [{ pointer: '/call/approval', value: approval }]
  return {
    ...columns(call),
    kind: 'decision',
    decision: decision.decision,
    code: decision.code,
    at,
    body,
    erased: [...erased, ...token, ...guessable],
  }
}

function withoutToken(decision: Decision): Decision {
  return decision.approval === null ? decision : { ...decision, approval: { ...decision.approval, token: null } }
}

function redactedDecision(call: JsonObject, decision: JsonObject): Redacted & { readonly guessable: readonly ErasedValue[] } {
  if (isUntouched(call) && isUntouched(decision, 'call_digest')) return { body: { call, decision }, erased: [], guessable: [] }
  const { call_digest: digest = null, ...judged } = decision
  const { body, erased } = redacted({ call, decision: judged })
  if (erased.length > 0) return { body, erased, guessable: [{ pointer: '/decision/call_digest', value: digest }] }
  const copied = own(body, 'decision')
  return { body: isJsonObject(copied) ? { ...body, decision: { ...copied, call_digest: digest } } : body, erased, guessable: [] }
}

/** The record of what a tool answered: body `{ call, response, response_units, response_cut }`. A long response keeps its beginning, as text. */
export function resultRecord(call: ToolCall, response: Json, at: number): RecordInput {
  const { body, erased } = redacted({ call: callToJson({ ...call, approval: null, definition: null }), response })
  const text = canonicalJson(body.response ?? null)
  const cut = text.length > RESPONSE_UNITS
  const kept = cut ? beginning(text) : (body.response ?? null)
  return {
    ...columns(call),
    kind: 'result',
    decision: null,
    code: null,
    at,
    body: { ...body, response: kept, response_units: text.length, response_cut: cut },
    erased,
  }
}

/** Any other event, redacted like the rest. */
export function eventRecord(event: Omit<RecordInput, 'erased'>): RecordInput {
  const { body, erased } = redacted(event.body)
  return { ...event, session: clean(event.session), tenant: clean(event.tenant), tool: clean(event.tool), body, erased }
}

/** What a person did to a session. */
export function sessionEvent(event: Pick<RecordInput, 'session' | 'tenant' | 'at' | 'body'>): RecordInput {
  return eventRecord({ ...event, kind: 'session', tool: null, decision: null, code: null })
}

/** A call in wire form, without its approval token. */
function shownToJson(call: ToolCall): JsonObject {
  const { tool, principal, context, definition, alsoNamed, subagent = null } = call
  return {
    tool: tool.name,
    server: tool.server,
    ...alsoNamedToJson(alsoNamed),
    definition_digest: tool.definition,
    args: call.args,
    principal: { agent: principal.agent, role: principal.role, user: principal.user, tenant: principal.tenant, chain: principal.chain },
    session: call.session,
    ...(subagent === null ? {} : { subagent }),
    cwd: call.cwd,
    context: contextToJson(context),
    definition: definition === null ? null : definitionToJson(definition),
    call_id: call.callId,
  }
}

/** A call in wire form, its approval token included. */
export function callToJson(call: ToolCall): JsonObject {
  return { ...shownToJson(call), approval: call.approval }
}

/** Whose word the task is stands beside it, wherever there is a task. */
function contextToJson({ task, vouched = false, recent }: ToolCall['context']): JsonObject {
  return { task, ...(task === null ? {} : { task_vouched: vouched }), recent }
}

/** Not ending in half a surrogate pair. */
function beginning(text: string): string {
  const last = text.charCodeAt(RESPONSE_UNITS - 1)
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? RESPONSE_UNITS - 1 : RESPONSE_UNITS)
}

interface Redacted {
  readonly body: JsonObject
  readonly erased: readonly ErasedValue[]
}

function redacted(original: JsonObject): Redacted {
  if (isUntouched(original)) return { body: original, erased: [] }
  const { value, erased } = redactJson(original)
  if (!isJsonObject(value)) throw new TypeError('redaction turned a record into something else')
  return { body: value, erased: erased.map((pointer) => ({ pointer, value: atPointer(original, pointer) ?? null })) }
}

/** Columns are what the log is searched by; they must not carry secrets either. */
function columns(call: ToolCall): Pick<RecordInput, 'session' | 'tenant' | 'tool'> {
  return { session: clean(call.session), tenant: clean(call.principal.tenant), tool: clean(call.tool.name) }
}

function clean(text: string | null): string | null {
  if (text === null || isUntouched(text)) return text
  const { value } = redactJson(text)
  return typeof value === 'string' ? value : '[redacted]'
}
