/**
 * Promptise's `AutoApprovalClassifier` over the gate, so that its examples port line by line: rules, a read-only permit, a
 * model, then a fallback. What is better here: the most severe rule wins, effects outweigh names, a predicate that throws
 * never opens, and every decision carries its own trace.
 */
import { randomUUID } from 'node:crypto'
import type { ApprovalHandler, HandlerRequest } from '../../approvals/handlers.ts'
import { redactJson } from '../../audit/redact.ts'
import type { ToolCall } from '../../core/call.ts'
import type { Resolution } from '../../core/decision.ts'
import type { Finding } from '../../core/finding.ts'
import { isJsonObject } from '../../core/json.ts'
import { toolIdentity } from '../../core/tool-name.ts'
import { runs } from '../../core/verdict.ts'
import type { Gate, Resolver } from '../../gate.ts'
import { type CodeRules, createCodeRules } from '../../layers/rules/code.ts'
import { digester, LAYERS, openGate } from '../../open.ts'
import { type ApprovalRequest, codeRules, inTime, policyOf, type RuleOptions } from './classifier-rules.ts'

export type TraceLayer =
  | 'deny_rule'
  | 'ask_rule'
  | 'allow_rule'
  | 'read_only'
  | 'llm_allow'
  | 'llm_deny'
  | 'llm_escalate_then_fallback'
  | 'fallback'
  | 'gate'
  | 'error'

export interface ApprovalDecision {
  readonly approved: boolean
  readonly reason: string
  readonly reviewerId: string
  /** For whoever uses the classifier as a handler: `classifier:` and the reviewer, who is no person. */
  readonly by: string
  readonly comment: string
  readonly trace: { readonly layer: TraceLayer; readonly ruleReason: string; readonly matchedRule: string | null }
}

export interface ClassifierStats {
  allowRuleHits: number
  denyRuleHits: number
  askRuleHits: number
  readOnlyAllows: number
  llmAllows: number
  llmDenies: number
  llmEscalations: number
  fallbackAllows: number
  fallbackDenies: number
  /** Denied by something that is no rule of the classifier: a dangerous effect, a canary, the gate itself. */
  gateDenies: number
  errors: number
  /** Milliseconds since the epoch; null before the first request. */
  lastUpdated: number | null
}

type Answered = { readonly approved: boolean; readonly reason?: string }

/** What the classifier is built from: rules by kind, prefixes of names that read, a model and a fallback. */
export interface ClassifierOptions extends RuleOptions {
  /** Anything but `allow` and `deny` escalates. */
  readonly llmClassifier?: (request: ApprovalRequest) => Promise<readonly [verdict: string, reason: string]>
  /** Milliseconds that the model may take; then it counts as one that failed. Default 30000. */
  readonly llmTimeoutMs?: number
  /** Asked where nothing else settles the call: a function, or a handler. A throw denies. */
  readonly fallback: ((request: ApprovalRequest) => boolean | Answered | Promise<boolean | Answered>) | ApprovalHandler
  /** Milliseconds that the fallback may take; then the call is denied. Default 300000. */
  readonly fallbackTimeoutMs?: number
  readonly reviewerId?: string
  /** State directory that keeps the log; default: nothing is kept. */
  readonly home?: string
}

interface Session {
  readonly request: ApprovalRequest
  llm: 'allow' | 'deny' | 'escalate' | null
  fallback: Answered | null
  errors: number
}

/** Promptise's classifier: rules, a read-only permit, a model, then a fallback, over the gate. It is a handler of approvals, too. */
export class AutoApprovalClassifier implements ApprovalHandler {
  private readonly gate: Gate
  private readonly code: CodeRules
  private readonly options: ClassifierOptions
  private readonly sessions = new WeakMap<ToolCall, Session>()
  private counters: ClassifierStats = zero()
  private last: ApprovalDecision['trace'] | null = null

  /** @throws {TypeError} where there is no fallback or a rule cannot be compiled. */
  constructor(options: ClassifierOptions) {
    if (typeof options.fallback !== 'function' && typeof options.fallback?.requestApproval !== 'function')
      throw new TypeError('a classifier needs a `fallback`, which is asked where no rule settles a call')
    this.options = options
    this.code = createCodeRules(codeRules(options))
    const policy = policyOf(options)
    this.gate = openGate({
      home: options.home ?? '/nonexistent',
      record: options.home !== undefined,
      policy: () => ({ policy, degraded: null }),
      // A classifier has no registry: what no rule settles goes on to the model and the fallback.
      layers: [...LAYERS.filter(({ name }) => name !== 'registry'), this.code.layer],
      resolvers: [this.model(), this.person()],
    }).gate
  }

  /** Classifies one request. Never rejects: an internal failure is a denial. */
  async requestApproval(asked: ApprovalRequest | HandlerRequest): Promise<ApprovalDecision> {
    const request = requestFrom(asked)
    const call = callOf(request)
    const session: Session = { request, llm: null, fallback: null, errors: 0 }
    this.sessions.set(call, session)
    await this.code.prepare(call)
    const decision = await this.gate.decide(call)
    const approved = runs(decision.decision)
    const trace = traceOf(decision.findings, decision.resolutions, session)
    this.count(trace.layer, { approved, session })
    this.last = trace
    const reviewerId = this.options.reviewerId ?? 'auto-classifier'
    const reason = trace.ruleReason || decision.reason
    return { approved, reason, reviewerId, by: `classifier:${reviewerId}`, comment: reason, trace }
  }

  /** Of the request that was decided last, whoever made it; each decision carries its own. Null before the first. */
  get lastTrace(): ApprovalDecision['trace'] | null {
    return this.last
  }

  /** Counters since the start or the last reset; they sum to the number of requests, errors apart. */
  get stats(): Readonly<ClassifierStats> {
    return { ...this.counters }
  }

  resetStats(): void {
    this.counters = zero()
  }

  /** Answers what no rule settled; an ask rule goes straight to the fallback. */
  private model(): Resolver {
    return async (ask, { call }) => {
      const session = this.sessions.get(call)
      const { llmClassifier } = this.options
      if (session === undefined || llmClassifier === undefined || !ask.resolvers.includes('judge')) return undefined
      try {
        const [verdict, reason] = await inTime(llmClassifier(session.request), this.options.llmTimeoutMs ?? 30_000)
        session.llm = verdict === 'allow' || verdict === 'deny' ? verdict : 'escalate'
        if (session.llm === 'escalate') return undefined
        return { by: 'judge', id: 'llm', verdict: session.llm, reason: reason || `llm classifier ${session.llm}`, evidence: {} }
      } catch {
        session.errors += 1
        return undefined
      }
    }
  }

  /** Asked once for each request, however many asks are open. */
  private person(): Resolver {
    return async (_ask, { call }) => {
      const session = this.sessions.get(call)
      if (session === undefined) return undefined
      session.fallback ??= await answered(this.options, session)
      const { approved, reason } = session.fallback
      const verdict = approved ? 'allow' : 'deny'
      return { by: 'human', id: 'fallback', verdict, reason: reason ?? `fallback ${verdict}`, evidence: {} }
    }
  }

  private count(layer: TraceLayer, { approved, session }: { readonly approved: boolean; readonly session: Session }): void {
    const { counters } = this
    counters.lastUpdated = Date.now()
    counters.errors += session.errors
    if (layer === 'fallback' || layer === 'llm_escalate_then_fallback' || layer === 'ask_rule') {
      if (layer === 'llm_escalate_then_fallback') counters.llmEscalations += 1
      if (layer === 'ask_rule') counters.askRuleHits += 1
      else if (approved) counters.fallbackAllows += 1
      else counters.fallbackDenies += 1
      return
    }
    const counter = COUNTERS[layer]
    if (counter !== null) counters[counter] += 1
  }
}

const COUNTERS = {
  deny_rule: 'denyRuleHits',
  allow_rule: 'allowRuleHits',
  read_only: 'readOnlyAllows',
  llm_allow: 'llmAllows',
  llm_deny: 'llmDenies',
  gate: 'gateDenies',
  error: null,
} as const

/** A handler's request as one of ours; what is no mapping has no arguments that a rule could match. */
function requestFrom(asked: ApprovalRequest | HandlerRequest): ApprovalRequest {
  if (!('requestId' in asked)) return asked
  const { toolName, arguments: args, agentId, callerUserId, session } = asked
  return { toolName, arguments: isJsonObject(args) ? args : {}, agentId, callerUserId, sessionId: session }
}

/** What a handler is shown: without secrets, and with who asked, who cannot say yes. */
function handlerRequest(
  { toolName, arguments: args, agentId, callerUserId, sessionId }: ApprovalRequest,
  timeoutMs: number,
): HandlerRequest {
  const now = Date.now()
  return {
    requestId: randomUUID(),
    digest: digester.digest('countersign/classifier/v1', [toolName, args]),
    toolName,
    server: null,
    arguments: redactJson(args).value,
    agentId: agentId ?? null,
    callerUserId: callerUserId ?? null,
    tenant: null,
    session: sessionId ?? null,
    code: null,
    reason: 'no rule settles this call',
    effects: [],
    excluded: agentId == null ? [] : [`agent:${agentId}`],
    createdAt: now,
    answerBy: now + timeoutMs,
  }
}

async function ask(fallback: ClassifierOptions['fallback'], request: ApprovalRequest, timeoutMs: number): Promise<boolean | Answered> {
  if (typeof fallback === 'function') return inTime(fallback(request), timeoutMs)
  const signal = AbortSignal.timeout(timeoutMs)
  const { approved, by, comment } = await inTime(fallback.requestApproval(handlerRequest(request, timeoutMs), { signal }), timeoutMs)
  return { approved, reason: comment === undefined || comment === '' ? `${approved ? 'approved' : 'denied'} by ${by}` : comment }
}

async function answered({ fallback, fallbackTimeoutMs = 300_000 }: ClassifierOptions, session: Session): Promise<Answered> {
  try {
    const answer = await ask(fallback, session.request, fallbackTimeoutMs)
    if (typeof answer === 'boolean') return { approved: answer }
    // A text such as "false" is no yes (PRO-W2).
    return { approved: answer.approved === true, ...(answer.reason === undefined ? {} : { reason: answer.reason }) }
  } catch {
    session.errors += 1
    return { approved: false, reason: 'the fallback failed, so the call is denied' }
  }
}

function traceOf(findings: readonly Finding[], resolutions: readonly Resolution[], session: Session): ApprovalDecision['trace'] {
  const rule = (verdict: string) => findings.find((each) => isRule(each) && each.verdict === verdict)
  const told = (layer: TraceLayer, found: Finding | undefined) => ({
    layer,
    ruleReason: found?.message ?? '',
    matchedRule: found?.rule ?? null,
  })
  const denied = rule('deny')
  if (denied !== undefined) return told('deny_rule', denied)
  const stopped = findings.find((each) => each.verdict === 'deny' || each.verdict === 'halt')
  if (stopped !== undefined) return told('gate', stopped)
  const asked = rule('ask')
  if (asked !== undefined) return told('ask_rule', asked)
  const last = resolutions.at(-1)
  if (last !== undefined) return { layer: answerLayer(last, session), ruleReason: last.reason, matchedRule: null }
  const allowed = rule('allow')
  return allowed === undefined
    ? told(
        'gate',
        findings.find((each) => each.verdict === 'ask'),
      )
    : told(allowLayer(allowed), allowed)
}

function isRule({ layer }: Finding): boolean {
  return layer === 'rules' || layer === 'code-rules'
}

function allowLayer({ code }: Finding): TraceLayer {
  return code === 'rules.read_only' ? 'read_only' : 'allow_rule'
}

function answerLayer({ by, verdict }: Resolution, session: Session): TraceLayer {
  if (by === 'judge') return verdict === 'allow' ? 'llm_allow' : 'llm_deny'
  return session.llm === 'escalate' ? 'llm_escalate_then_fallback' : 'fallback'
}

function callOf({ toolName, arguments: args, callerUserId, agentId, sessionId }: ApprovalRequest): ToolCall {
  return {
    tool: { ...toolIdentity(null, toolName), definition: null },
    args,
    principal: { agent: agentId ?? null, role: null, user: callerUserId ?? null, tenant: null, chain: [] },
    session: sessionId ?? null,
    cwd: null,
    context: { task: null, recent: [] },
    definition: null,
    approval: null,
    callId: null,
  }
}

function zero(): ClassifierStats {
  return {
    allowRuleHits: 0,
    denyRuleHits: 0,
    askRuleHits: 0,
    readOnlyAllows: 0,
    llmAllows: 0,
    llmDenies: 0,
    llmEscalations: 0,
    fallbackAllows: 0,
    fallbackDenies: 0,
    gateDenies: 0,
    errors: 0,
    lastUpdated: null,
  }
}
