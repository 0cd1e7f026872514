import type { ToolDefinition } from './call.ts'
import type { Decision, FlowEdge } from './decision.ts'
import type { Effect } from './effect.ts'
import type { Finding } from './finding.ts'
import type { Json, JsonObject } from './json.ts'

/** The JSON that leaves the house: `snake_case`, as fixed by the outer contract. */
export function decisionToJson(decision: Decision): JsonObject {
  return {
    decision: decision.decision,
    ...(decision.would === decision.decision ? {} : { would: decision.would }),
    code: decision.code,
    reason: decision.reason,
    agent_reason: decision.agentReason,
    audit_entry_id: decision.auditEntryId,
    call_digest: decision.callDigest,
    policy_digest: decision.policyDigest,
    policy: sourceToJson(decision.policySource),
    session: decision.session,
    mode: decision.mode,
    findings: decision.findings.map(findingToJson),
    determining: decision.determining,
    resolutions: decision.resolutions.map((r) => ({ by: r.by, id: r.id, verdict: r.verdict, reason: r.reason, evidence: r.evidence })),
    effects: decision.effects.map(effectToJson),
    risk: { level: decision.risk.level, score: decision.risk.score },
    approval: decision.approval === null ? null : approvalToJson(decision.approval),
    ...(decision.flows === undefined ? {} : { flows: decision.flows.map(flowToJson) }),
    ...modifiedToJson(decision),
    ...(decision.repeats === true ? { repeats: true } : {}),
    ...(decision.undo === undefined ? {} : { undo: decision.undo }),
    ...(decision.outcome === undefined ? {} : { outcome: decision.outcome }),
    view: decision.view.map((answer) => ({ question: answer.question, subject: answer.subject, answer: answer.answer })),
    timings_us: { ...decision.timings },
  }
}

function sourceToJson({ path, degraded, scopes = [], unread = [] }: Decision['policySource']): JsonObject {
  return {
    path,
    degraded,
    ...(scopes.length === 0
      ? {}
      : { scopes: scopes.map(({ scope, path: at, digest, governs, trusted }) => ({ scope, path: at, digest, governs, trusted })) }),
    ...(unread.length === 0 ? {} : { unread: unread.map(({ path: at, problem }) => ({ path: at, problem })) }),
  }
}

/** What whoever asked is told: not what was looked at for it, for that holds files which they may not read themselves. */
export function toldDecision(decision: Decision): JsonObject {
  const { view: _view, undo: _undo, outcome: _outcome, ...told } = decisionToJson(decision)
  return told
}

/** What the host said of a tool, as it says it. */
export function definitionToJson(definition: ToolDefinition): JsonObject {
  const { description, inputSchema, annotations, title = null, outputSchema = null, origin = null } = definition
  return {
    description,
    input_schema: inputSchema,
    annotations,
    ...(title === null ? {} : { title }),
    ...(outputSchema === null ? {} : { output_schema: outputSchema }),
    ...(origin === null ? {} : { origin }),
  }
}

function flowToJson({ argument, role, origin, source, by }: FlowEdge): JsonObject {
  return { argument, role, origin, ...(source === null ? {} : { source: { ...source } }), ...(by === undefined ? {} : { by }) }
}

function modifiedToJson({ modified = null }: Decision): JsonObject {
  return modified === null ? {} : { modified_arguments: modified.arguments, original_call_digest: modified.originalDigest }
}

function approvalToJson(approval: NonNullable<Decision['approval']>): JsonObject {
  const { id, url, expiresAt, token } = approval
  return { id, url, expires_at: expiresAt, ...(token === null ? {} : { token }) }
}

export function findingToJson(finding: Finding): JsonObject {
  return {
    layer: finding.layer,
    rule: finding.rule,
    verdict: finding.verdict,
    code: finding.code,
    message: finding.message,
    ...(finding.advice === null ? {} : { advice: finding.advice }),
    evidence: finding.evidence,
    resolvers: finding.resolvers,
    ...(finding.scope === undefined ? {} : { scope: { ...finding.scope } }),
  }
}

/** Fields without information are left out: an effect is read by people, too. */
export function effectToJson(effect: Effect): JsonObject {
  const { target } = effect
  const json: Record<string, Json> = {
    verb: effect.verb,
    action: effect.action,
    target: {
      kind: target.kind,
      value: target.value,
      ...(target.real === null || target.real === target.value ? {} : { real: target.real }),
      ...(target.scope === 'unknown' ? {} : { scope: target.scope }),
      ...(target.classes.length === 0 ? {} : { classes: target.classes }),
    },
    reversible: effect.reversible,
    certainty: effect.certainty,
  }
  if (effect.span !== null) json.span = { pointer: effect.span.pointer, start: effect.span.start, end: effect.span.end }
  if (effect.reason !== null) json.reason = effect.reason
  if (typeof effect.directory === 'string') json.directory = effect.directory
  if (Object.keys(effect.attributes).length > 0) json.attributes = effect.attributes
  return json
}
