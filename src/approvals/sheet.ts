/** What a person reads before they answer: the call and why it is asked, redacted as in the log (P11, PIT-15). */
import { toRecord } from '../audit/record.ts'
import type { ToolCall } from '../core/call.ts'
import type { Decision } from '../core/decision.ts'
import { isJsonObject, type JsonObject, own } from '../core/json.ts'

/** `{ tool, call, digest, code, reason, asks, effects }`; `digest` is null where a secret was taken out of the call. */
export function approvalSheet(decision: Decision, call: ToolCall, at: number): JsonObject {
  const { body, tool } = toRecord({ ...decision, view: [] }, call, at)
  const judged = own(body, 'decision')
  const told = isJsonObject(judged) ? judged : {}
  return {
    tool,
    call: own(body, 'call') ?? null,
    digest: own(told, 'call_digest') ?? null,
    code: decision.code,
    reason: own(told, 'reason') ?? null,
    asks: decision.findings.flatMap(({ verdict, layer, rule, code }) => (verdict === 'ask' ? [{ layer, rule, code }] : [])),
    effects: own(told, 'effects') ?? [],
  }
}
