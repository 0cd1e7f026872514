/** Messages that the proxy itself sends: results that say why a call did not run, errors, progress. */
import type { Decision } from '../../core/decision.ts'
import { isJsonObject, type Json, type JsonObject, own } from '../../core/json.ts'
import { encode, type Id, type Request } from './message.ts'

/** Under this name a result says what the gate decided of its call. */
const DECISION_META = 'countersign/decision'

/** The version that the request names, as the stateless protocol has it; null in a session. */
export function statelessVersion({ params }: Pick<Request, 'params'>): string | null {
  const version = metaOf(params)['io.modelcontextprotocol/protocolVersion']
  return typeof version === 'string' ? version : null
}

export function metaOf(params: JsonObject): JsonObject {
  const meta = own(params, '_meta')
  return isJsonObject(meta) ? meta : {}
}

/** A client that asked for a task expects one, or an error. */
function asksForTask({ params }: Pick<Request, 'params'>): boolean {
  return isJsonObject(own(params, 'task'))
}

/** Errors of the gate lie outside of what JSON-RPC and MCP reserve; they are the statuses that HTTP has for the same. */
const REFUSED = 403
const WAITS = 202

/** The call did not run: a result that the model reads, with what the agent may know. */
export function stoppedAnswer(request: Request, decision: Decision): Uint8Array {
  const text = `Countersign: ${decision.agentReason} (${decision.code})`
  const told = decisionMeta(decision)
  if (asksForTask(request)) {
    const error = { code: decision.decision === 'ask' ? WAITS : REFUSED, message: text, data: { [DECISION_META]: told } }
    return encode({ jsonrpc: '2.0', id: request.id, error })
  }
  return failedResult(request, text, { [DECISION_META]: told })
}

/** A result of a tool that says that it failed. */
export function failedResult(request: Pick<Request, 'id' | 'params'>, text: string, meta: JsonObject): Uint8Array {
  const result: JsonObject = {
    ...(statelessVersion(request) === null ? {} : { resultType: 'complete' }),
    content: [{ type: 'text', text }],
    isError: true,
    _meta: meta,
  }
  return encode({ jsonrpc: '2.0', id: request.id, result })
}

function decisionMeta({ decision, code, auditEntryId, approval }: Decision): JsonObject {
  return {
    decision,
    code,
    audit_entry_id: auditEntryId,
    ...(approval === null ? {} : { approval: { id: approval.id, expires_at: approval.expiresAt } }),
  }
}

/** JSON-RPC's own errors. */
export const PARSE_ERROR = -32700
export const INVALID_REQUEST = -32600
export const INVALID_PARAMS = -32602
export const INTERNAL_ERROR = -32603
/** MCP 2026-07-28: headers and body do not say the same. */
export const HEADER_MISMATCH = -32020
export const UNSUPPORTED_VERSION = -32022

export function errorAnswer(id: Id | null, code: number, message: string): Uint8Array {
  return encode({ jsonrpc: '2.0', id, error: { code, message: `Countersign: ${message}` } })
}

/** As the stateless protocol refuses a version; `supported`: those that the server named. */
export function unsupportedVersion(id: Id, requested: string, supported: readonly string[]): Uint8Array {
  const error = { code: UNSUPPORTED_VERSION, message: 'Countersign: the server does not have this version of the protocol' }
  return encode({ jsonrpc: '2.0', id, error: { ...error, data: { supported, requested } } })
}

export function progressMessage(token: Id, progress: number, message: string): Uint8Array {
  return encode({ jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: token, progress, message } })
}

/** The message of a result with notes behind its content, for the agent; what is no result of a tool is left as it is. */
export function withNotes(message: JsonObject, notes: readonly string[]): JsonObject | null {
  const result = own(message, 'result')
  if (!isJsonObject(result)) return null
  const content: Json = own(result, 'content') ?? []
  if (!Array.isArray(content)) return null
  const added = notes.map((text) => ({ type: 'text', text: `Countersign: ${text}` }))
  return { ...message, result: { ...result, content: [...content, ...added] } }
}
