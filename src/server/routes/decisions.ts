/** `POST /v1/decisions` and `POST /v1/results`: calls that hosts send, and what they returned. */
import type { ToolCall } from '../../core/call.ts'
import type { Decision as Decided } from '../../core/decision.ts'
import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts'
import { toldDecision } from '../../core/wire.ts'
import type { Refused } from '../../gate/compose.ts'
import { callFromJson } from '../../ingress/call.ts'
import { readJson } from '../../ingress/json.ts'
import type { Refusal } from '../../ingress/refusal.ts'
import type { Caller } from '../auth/caller.ts'
import { claimed } from '../claims.ts'
import type { ServerParts } from '../parts.ts'
import { createReceipts, type Receipts } from '../receipts.ts'
import { type Answer, type Fault, ok, type Reply, refused, statusOfRefusal } from '../reply.ts'
import { type Detached, type Route, rawRoute } from '../route.ts'
import { Call, Decision, Note, ResultCall } from '../schemas.ts'

const MAX_BYTES = 10 * 1024 * 1024
/** Seconds after which an ask is worth another look. */
const RETRY_ASK = 2
const RETRY_RATE = 10

/** What deciding needs, wherever it is done. */
export type DecidingParts = Pick<ServerParts, 'gate' | 'hook' | 'digester' | 'policy' | 'base' | 'home' | 'now'>

export function decisionRoutes(parts: DecidingParts): readonly Route[] {
  const receipts = createReceipts(parts.home, parts.now)
  return [
    rawRoute({
      method: 'POST',
      path: '/v1/decisions',
      tag: 'agents',
      summary:
        'May this call run? Send it again with `Countersign-Approval` once a person agreed; `X-Countersign-Receipt: true` asks for a receipt',
      who: 'agent',
      mostBytes: MAX_BYTES,
      document: Call,
      answers: {
        200: { description: 'allow or flag: it may run', schema: Decision },
        202: { description: 'ask: it waits for a person', schema: Decision, headers: ['location', 'retry-after'] },
        403: { description: 'deny or halt', schema: Decision },
        503: { description: 'nothing can be recorded, so nothing is allowed', schema: Decision },
      },
      apart: { lost: async (incoming, error) => lost(error, await parts.gate.refuse(unread(incoming, error))) },
      handle: (incoming) => decide(incoming, parts, receipts),
    }),
    rawRoute({
      method: 'POST',
      path: '/v1/results',
      tag: 'agents',
      summary: 'What a call returned: the call as it was decided, and `result` beside it',
      who: 'agent',
      mostBytes: MAX_BYTES,
      document: ResultCall,
      answers: { 200: { description: 'kept', schema: Note } },
      apart: { lost: (_, error) => lost(error, null) },
      handle: (incoming) => keepResult(incoming, parts),
    }),
  ]
}

/** The denial of a call that nobody read to its end. */
function unread({ caller }: Detached, { message }: Error): Refused {
  return { code: 'infra.thread', message, digest: 'unknown', agent: agentOf(caller), session: null, cwd: null }
}

function lost({ message }: Error, denied: Decided | null): Reply {
  const headers = denied === null || denied.auditEntryId === null ? {} : { 'countersign-audit-entry': denied.auditEntryId }
  return refused(503, { code: 'infra.thread', message: `the call was given up: ${message}` }, headers)
}

async function decide({ bytes, caller, listener, header }: Detached, parts: DecidingParts, receipts: Receipts): Promise<Answer> {
  const started = performance.now()
  const rewrites = header('countersign-rewrites') ?? 'false'
  if (rewrites !== 'true' && rewrites !== 'false')
    return refused(400, { code: 'http.header', message: 'the header `Countersign-Rewrites` is `true` or `false`' })
  const parsed = readCall(bytes, header('countersign-approval'), parts)
  if ('fault' in parsed) {
    const { code, message } = parsed.fault
    await parts.gate.refuse({ code, message, digest: parts.hook.digest(bytes), agent: agentOf(caller), session: null, cwd: null })
    return refused(statusOfRefusal(code), parsed.fault)
  }
  const ingress = Math.round((performance.now() - started) * 1000)
  const call = claimed(parsed.call, { caller, listener })
  const decision = await parts.gate.decide(call, ingress, { attended: false, rewrites: rewrites === 'true' })
  const strict = parts.policy().policy?.server.body === 'strict' || (caller.kind === 'nobody' && listener !== 'socket')
  // Its host knows the session by its own name for it.
  const reply = replyTo({ ...decision, session: parsed.call.session }, { base: parts.base, strict })
  return header('x-countersign-receipt') === 'true' ? receipts.signed(reply, decision) : reply
}

/** The decision as an answer of HTTP. */
function replyTo(decision: Decided, { base, strict }: Pick<ServerParts, 'base'> & { readonly strict: boolean }): Reply {
  const path = decision.approval === null ? null : `/v1/approvals/${decision.approval.id}`
  const told = decision.approval === null ? decision : { ...decision, approval: { ...decision.approval, url: `${base() ?? ''}${path}` } }
  const status = statusOf(decision)
  return {
    status,
    body: strict ? strictBody(told, status) : toldDecision(told),
    headers: {
      ...(status === 202 && path !== null ? { location: path } : {}),
      ...(status === 202 ? { 'retry-after': String(RETRY_ASK) } : {}),
      ...(status === 429 ? { 'retry-after': String(RETRY_RATE) } : {}),
      ...(decision.auditEntryId === null ? {} : { 'countersign-audit-entry': decision.auditEntryId }),
    },
  }
}

/** Nothing that is for the operator: no reason, no findings, no pattern (SIG-36, T53). */
function strictBody(decision: Decided, status: number): JsonObject {
  const whole = toldDecision(decision)
  const outcome: JsonObject = status === 200 ? {} : status === 202 ? { status: 'escalated' } : { error: 'refused' }
  const kept = STRICT.flatMap((name): [string, Json][] => (whole[name] === undefined ? [] : [[name, whole[name]]]))
  return { ...outcome, ...Object.fromEntries(kept), correlation_id: whole.audit_entry_id ?? null }
}

/** What a host needs to go on, with the arguments that people changed. */
const STRICT = [
  'decision',
  'code',
  'agent_reason',
  'audit_entry_id',
  'session',
  'approval',
  'modified_arguments',
  'original_call_digest',
  'repeats',
]

/** 200 allow or flag · 202 ask · 403 deny or halt · 429 over a rate of the role · 503 where nothing can be recorded. */
function statusOf({ decision, code }: Decided): 200 | 202 | 403 | 429 | 503 {
  if (code === 'infra.audit_unavailable' || code === 'infra.store_corrupt') return 503
  switch (decision) {
    case 'allow':
    case 'flag':
      return 200
    case 'ask':
      return 202
    case 'deny':
    case 'halt':
      return code === 'roles.rate' || code === 'roles.concurrency' ? 429 : 403
  }
}

type ReadCall = { readonly call: ToolCall } | { readonly fault: Fault & { readonly code: Refusal['code'] } }

/** The token of an approval may come as a header, for hosts that send the call as it was; two different ones are a mistake. */
function readCall(bytes: Uint8Array, approval: string | null, { digester, hook }: DecidingParts): ReadCall {
  const read = readJson(bytes, hook.limits?.())
  if (!read.ok) return faultOf(read.refusal)
  const parsed = callFromJson(read.value, { digester })
  if (!parsed.ok) return faultOf(parsed.refusal)
  const { call } = parsed
  if (approval === null || call.approval === approval) return { call }
  if (call.approval === null && approval.length <= LONGEST_TOKEN) return { call: { ...call, approval } }
  const message = 'the header `Countersign-Approval` and the field `approval` do not name the same approval; send one of them'
  return { fault: { code: 'ingress.wrong_type', message, pointer: '/approval' } }
}

const LONGEST_TOKEN = 4_096

function faultOf({ code, message, pointer }: Refusal): ReadCall {
  return { fault: { code, message, pointer } }
}

async function keepResult({ bytes, caller, listener }: Detached, { digester, hook }: DecidingParts): Promise<Answer> {
  const read = readJson(bytes, hook.limits?.())
  if (!read.ok) return refused(statusOfRefusal(read.refusal.code), read.refusal)
  const { result, ...call } = isJsonObject(read.value) ? read.value : ({ result: undefined } as { readonly result: Json | undefined })
  if (result === undefined)
    return refused(422, { code: 'ingress.missing_field', message: 'the field `result` is missing', pointer: '/result' })
  const parsed = callFromJson(Object.assign(Object.create(null), call), { digester })
  if (!parsed.ok) return refused(statusOfRefusal(parsed.refusal.code), parsed.refusal)
  return ok({ note: await hook.result({ kind: 'result', call: claimed(parsed.call, { caller, listener }), response: result }) })
}

function agentOf(caller: Caller): string | null {
  return caller.kind === 'agent' ? caller.claims.agent : null
}
