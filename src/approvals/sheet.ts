/** What a person reads before they answer: the call and why it is asked, redacted as in the log (P11, PIT-15). */
import { toRecord } from '../audit/record.ts'
import { redactJson } from '../audit/redact.ts'
import type { ToolCall } from '../core/call.ts'
import type { Decision } from '../core/decision.ts'
import { isJsonObject, type Json, type JsonObject, own } from '../core/json.ts'
import type { Preview } from '../core/preview.ts'
import { compensatorsOf, isFinal, wayBack } from '../undo/catalogue.ts'
import type { Ways } from '../undo/compensator.ts'

/**
 * `{ tool, call, digest, code, reason, asks, findings, effects, dryrun_supported, policy, preview?, undo?, no_way_back? }`;
 * `digest` is null where a secret was taken out of
 * the call, `preview` absent where there was none.
 */
export function approvalSheet(decision: Decision, call: ToolCall, { at, preview, keeps = null }: Showing): JsonObject {
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
    findings: findingsWithoutEvidence(own(told, 'findings')),
    effects: own(told, 'effects') ?? [],
    ...(call.inert === undefined ? {} : { not_bound: call.inert.filter((name) => own(call.args, name) !== undefined) }),
    dryrun_supported: dryRun(decision),
    policy: own(told, 'policy') ?? null,
    ...(preview === null ? {} : { preview: redactJson(preview.shown).value }),
    ...(keeps === null ? {} : waysBack(decision, keeps)),
  }
}

/**
 * `{ undo: [{ name, how, until, cannot, owner, exercised, helps? }], no_way_back: […] }`: what takes the acts back, and which nothing does. With `helps`
 * it takes nothing back: what is kept is of use to a person.
 */
function waysBack({ effects }: Decision, keeps: Ways): JsonObject {
  const ways = new Set(effects.flatMap((effect) => compensatorsOf(effect, keeps)))
  const none = new Set(
    effects.filter((effect) => isFinal(effect) && wayBack(effect, keeps) === null).map(({ verb, action }) => action ?? verb),
  )
  const told = [...ways].map(({ name, how, until, cannot, owner, exercised, helps }) => ({
    ...{ name, how, until, cannot, owner, exercised },
    ...(helps === true ? { helps } : {}),
  }))
  return { undo: told, no_way_back: [...none] }
}

/** Whether the registry knows that the tool can say what it would do; null where the registry did not ask. */
function dryRun({ findings }: Decision): boolean | null {
  const said = findings.map(({ evidence }) => own(evidence, 'dryrun_supported')).find((value) => typeof value === 'boolean')
  return said === undefined ? null : said === true
}

/** What each layer and judge said, without its evidence. */
function findingsWithoutEvidence(findings: Json | undefined): readonly JsonObject[] {
  return (Array.isArray(findings) ? findings : []).filter(isJsonObject).map((finding) => {
    const { layer = '', rule = '', verdict = '', code = '', message = '' } = finding
    const scope = own(finding, 'scope')
    return { layer, rule, verdict, code, message, ...(scope === undefined ? {} : { scope }) }
  })
}

export interface Showing {
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly preview: Preview | null
  /** The ways back of a policy that keeps what a call would change. Default: it does not, and nothing is said of them. */
  readonly keeps?: Ways | null
}
