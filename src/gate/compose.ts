/** Puts a decision together from what the gate's stages gave: codes, texts, risk, mode. No judging happens here. */
import { bareCall, type ToolCall } from '../core/call.ts'
import { CODES, type Code, isCode } from '../core/codes.ts'
import type { Judgement } from '../core/decide.ts'
import type { Decision, FlowEdge, Resolution, Timings, ViewAnswer } from '../core/decision.ts'
import type { Finding } from '../core/finding.ts'
import { compare, type Outcome, runs } from '../core/verdict.ts'
import type { ArgumentFlow, Facts } from '../facts/facts.ts'
import type { Policy } from '../policy/policy.ts'
import { type RunRisk, scoreWith } from '../session/risk/run.ts'
import { agentText, disclosed, RUNS } from './disclosure.ts'

/** Input that never became a call: why, and the digest of its bytes. */
export interface Refused {
  readonly code: Code
  readonly message: string
  readonly digest: string
  readonly agent: string | null
  readonly session: string | null
  readonly cwd: string | null
  /** The tool that it was about, where that much could be read. */
  readonly tool?: ToolCall['tool']
  /** `shadow`: recorded as what would have been denied. Default `enforce`. */
  readonly mode?: Policy['mode']
}

export interface Composition {
  readonly judgement: Judgement
  readonly verdict: Outcome
  readonly resolutions: readonly Resolution[]
  readonly facts: Facts
  readonly policy: Policy
  readonly call: ToolCall
  readonly callDigest: string
  readonly view: readonly ViewAnswer[]
  readonly degraded: string | null
  /** Risk of the session's run before this decision; null: the call names no session. */
  readonly run: RunRisk | null
  readonly timings: Timings
}

/** Which of several determining findings names the decision: the one nearest to harm. The verdict does not depend on it. */
const PRECEDENCE = [
  'session',
  'integrity',
  'approvals',
  'hazard',
  'flow',
  'sequences',
  'capability',
  'contract',
  'roles',
  'judge',
  'undo',
  'preview',
  'registry',
  'rules',
  'code-rules',
  'baseline',
  'risk',
  'policy',
]

export function compose(from: Composition): Decision {
  const { findings, determining } = from.judgement
  const carrying = determining.map((index) => findings[index]).filter(isFinding)
  if (carrying.length > 1) carrying.sort(byPrecedence)
  const [lead] = carrying
  const resolved =
    from.verdict !== from.judgement.verdict
      ? (from.resolutions.findLast(({ verdict }) => verdict === from.verdict) ?? from.resolutions.at(-1))
      : undefined
  const code = codeFor(from.verdict, resolved) ?? lead?.code ?? 'infra.internal'
  const reason = resolved?.reason ?? operatorText(carrying, code)
  return {
    decision: from.verdict,
    would: from.verdict,
    code,
    reason,
    agentReason: told({ code, lead, resolved, reason }, from),
    auditEntryId: null,
    callDigest: from.callDigest,
    policyDigest: from.policy.digest,
    session: from.call.session,
    mode: from.policy.mode,
    findings,
    determining,
    resolutions: from.resolutions,
    effects: from.facts.effects,
    risk: { level: RISK[from.verdict], score: scoreWith(from.run, from.verdict, code) },
    approval: null,
    ...flowsOf(from.facts),
    view: from.view,
    policySource: sourceOf(from),
    timings: from.timings,
  }
}

/** Only what the user did not name: the rest stands in their words. */
function flowsOf({ flow }: Facts): Pick<Decision, 'flows'> {
  const edges = (flow?.arguments ?? []).filter(({ origin }) => origin !== 'user')
  return edges.length === 0 ? {} : { flows: edges.map(edgeOf) }
}

function edgeOf({ name, role, origin, source, by }: ArgumentFlow): FlowEdge {
  return { argument: name, role, origin, source, ...(by === undefined ? {} : { by }) }
}

function sourceOf({ policy: { path, scopes }, degraded }: Composition): Decision['policySource'] {
  if (scopes === undefined) return { path, degraded }
  const unread = scopes.unread.map((file) => ({ path: file.path, problem: file.problem }))
  return { path, degraded, scopes: scopes.inForce, ...(unread.length === 0 ? {} : { unread }) }
}

/** The code of what resolved the ask; undefined where nothing did, or it has no code of its own. */
function codeFor(verdict: Outcome, resolved: Resolution | undefined): Code | undefined {
  if (resolved === undefined) return undefined
  if (runs(verdict)) return 'allow.permitted'
  const code = resolved.by === 'judge' && resolved.verdict === verdict ? resolved.evidence.code : undefined
  return typeof code === 'string' && isCode(code) ? code : undefined
}

/** A denial that no layer made: bad input, no policy, an internal failure. */
export function unjudged(code: Code, message: string, callDigest: string): Decision {
  const finding: Finding = {
    layer: code.slice(0, code.indexOf('.')),
    rule: 'gate',
    verdict: 'deny',
    code,
    message,
    advice: null,
    evidence: {},
    resolvers: [],
  }
  return {
    decision: 'deny',
    would: 'deny',
    code,
    reason: message,
    agentReason: agentText(code, null),
    auditEntryId: null,
    callDigest,
    policyDigest: 'none',
    session: null,
    mode: 'enforce',
    findings: [finding],
    determining: [0],
    resolutions: [],
    effects: [],
    risk: { level: 'high', score: 0 },
    approval: null,
    view: [],
    policySource: { path: null, degraded: null },
    timings: { ingress: 0, facts: 0, layers: 0, resolve: 0, record: 0 },
  }
}

export interface Overruling {
  readonly layer: string
  readonly rule: string
  readonly code: Code
  readonly message: string
}

/**
 * The decision after something at its end forbids it: what would have run or waited is denied, a denial keeps its own reason,
 * unless that is only that a layer failed: the end says why.
 */
export function overruled(decision: Decision, { layer, rule, code, message }: Overruling): Decision {
  const finding: Finding = { layer, rule, verdict: 'deny', code, message, advice: null, evidence: {}, resolvers: [] }
  const findings = [...decision.findings, finding]
  const stands = !runs(decision.decision) && decision.decision !== 'ask' && decision.code !== 'infra.layer_error'
  if (stands) return { ...decision, findings }
  return {
    ...decision,
    modified: null,
    decision: 'deny',
    code,
    reason: message,
    agentReason: agentText(code, null),
    findings,
    determining: [findings.length - 1],
    approval: null,
  }
}

/** Shadow mode records what would have happened and lets the call run, except where the gate protects itself. */
export function enforceMode(decision: Decision, mode: Policy['mode']): Decision {
  if (mode === 'enforce' || runs(decision.decision)) return decision
  // INVARIANT: not only where it carries the verdict, or whatever adds a graver finding would take the protection away.
  const structural = decision.findings.some((finding) => isStructural(finding) && compare(finding.verdict, 'ask') >= 0)
  return structural ? decision : { ...decision, decision: 'flag', agentReason: RUNS }
}

/** The denial of input that never became a call. */
export function refusal({ code, message, digest, mode = 'enforce' }: Refused): Decision {
  return enforceMode({ ...unjudged(code, message, digest), mode }, mode)
}

/** What protects the gate; what another policy of several adds is no part of it. */
function isStructural(finding: Finding): boolean {
  return finding.layer === 'integrity' && finding.scope === undefined
}

/** The empty call that stands for refused input in the record. */
export function callOf({ tool, agent, session, cwd }: Refused): ToolCall {
  return bareCall('', {}, { ...(tool === undefined ? {} : { tool }), principal: { agent }, session, cwd })
}

/** The decision with the id of its record and the microseconds that recording took. */
export function recorded(decision: Decision, auditEntryId: string, record: number): Decision {
  return { ...decision, auditEntryId, timings: { ...decision.timings, record } }
}

interface Telling {
  readonly code: Code
  readonly lead: Finding | undefined
  readonly resolved: Resolution | undefined
  readonly reason: string
}

/** Nothing is disclosed of what lets a call run. */
function told({ code, lead, resolved, reason }: Telling, { policy, verdict }: Composition): string {
  const advice = code === lead?.code ? lead.advice : null
  const level = runs(verdict) ? 'coarse' : policy.disclosure.toAgent
  return disclosed({ level, code, verdict, advice, reason, evidence: resolved?.evidence ?? lead?.evidence ?? null })
}

/** @param carrying in the order of their precedence. */
function operatorText(carrying: readonly Finding[], code: Code): string {
  const [only] = carrying
  if (only === undefined) return CODES[code].operator
  return carrying.length === 1 ? only.message : [...new Set(carrying.map((finding) => finding.message))].join('; ')
}

const RISK = { allow: 'low', flag: 'medium', ask: 'high', deny: 'high', halt: 'critical' } as const

function byPrecedence(a: Finding, b: Finding): number {
  return rank(a) - rank(b)
}

/** Who deletes a home does worse than to take the gate along: that finding stands behind the hazard. */
function rank({ layer, rule }: Finding): number {
  const index = PRECEDENCE.indexOf(layer)
  if (rule === 'gate-holder') return PRECEDENCE.indexOf('hazard') + 0.5
  return index === -1 ? PRECEDENCE.length : index
}

function isFinding(finding: Finding | undefined): finding is Finding {
  return finding !== undefined
}
