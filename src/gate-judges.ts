/**
 * How the gate uses judges: as gates after the layers, where nothing denied yet, and as resolvers of asks that the policy lets
 * them settle. A judge never lowers a denial, never permits what is too large to be shown, and is recorded whatever it says.
 */
import type { ToolCall } from './core/call.ts'
import type { Code } from './core/codes.ts'
import { type Judgement, settle } from './core/decide.ts'
import type { Decision, Resolution } from './core/decision.ts'
import type { Effect, PathClass } from './core/effect.ts'
import type { Finding } from './core/finding.ts'
import { isJsonObject, type Json, own } from './core/json.ts'
import { compare, type Outcome } from './core/verdict.ts'
import type { Facts } from './facts/facts.ts'
import type { ResolveContext, Resolver, Review } from './gate.ts'
import type { Spender } from './gate-commit.ts'
import { accepts } from './judges/combine.ts'
import { type Consulted, type ConsultParts, consult } from './judges/consult.ts'
import { isSampled } from './judges/limits.ts'
import { type PayloadParts, payloadOf } from './judges/payload.ts'
import { JUDGE_DEFAULTS, type JudgeGate, type JudgePolicy } from './policy/judges.ts'
import type { Policy } from './policy/policy.ts'

export interface JudgeGateParts {
  readonly consult: ConsultParts
  readonly payload: PayloadParts
  /** From 0 up to 1, for samples. */
  readonly draw: () => number
}

export interface JudgeParts {
  readonly review: Review
  readonly resolver: Resolver
  /** Counts what was asked against the budgets, with the record. */
  readonly spender: Spender
}

interface Work {
  readonly parts: JudgeGateParts
  readonly denied: DeniedTools
}

export function createJudgeParts(parts: JudgeGateParts): JudgeParts {
  const work: Work = { parts, denied: new DeniedTools() }
  // By facts, which are made once per decision: of several asks of one call each judge is asked once.
  const asked = new WeakMap<Facts, Map<string, Promise<Consulted>>>()
  return {
    review: (judgement, context) => (context.policy.judges.gates.length === 0 ? judgement : review(judgement, context, work)),
    resolver: async (ask, context) => {
      const judge = resolverFor(ask.finding, context.policy)
      if (judge === null || !ask.resolvers.includes('judge')) return undefined
      if (mayNotSettle(judge, context)) return ceiling(judge)
      const known = asked.get(context.facts) ?? new Map<string, Promise<Consulted>>()
      asked.set(context.facts, known)
      const consulted = known.get(judge.name) ?? question({ judge, gate: null, findings: [ask.finding] }, context, work)
      known.set(judge.name, consulted)
      return resolutionOf(judge, await consulted)
    },
    spender: { wants: (decision) => askedIn(decision).length > 0, spend },
  }
}

async function review(judgement: Judgement, context: ResolveContext, work: Work): Promise<Judgement> {
  const { gates } = context.policy.judges
  if (compare(judgement.verdict, 'deny') >= 0) {
    work.denied.add(context.call)
    return judgement
  }
  if (isSkipped(context)) return judgement
  const found: Finding[] = []
  for (const gate of gates) {
    const judge = judgeOf(gate, context.policy)
    if (!isSampled(judge, context.call.tool, work.parts.draw())) continue
    const finding = findingOf(judge, await question({ judge, gate, findings: judgement.findings }, context, work))
    found.push(finding)
    if (finding.verdict !== 'abstain' && finding.verdict !== 'flag') break
  }
  if (found.some(({ verdict }) => compare(verdict, 'deny') >= 0)) work.denied.add(context.call)
  return settle([...judgement.findings, ...found])
}

/** One that the policy does not define is the host program's, with the defaults; where there is none, it gives no answer (AEG-W3). */
function judgeOf(gate: JudgeGate, { judges }: Policy): JudgePolicy {
  return judges.named.get(gate.judge) ?? { ...HOST_JUDGE, name: gate.judge }
}

const HOST_JUDGE: Omit<JudgePolicy, 'name'> = {
  ...JUDGE_DEFAULTS,
  provider: 'function',
  model: null,
  url: null,
  apiKeyEnv: null,
  command: [],
  members: [],
  criteria: '',
  onError: null,
  veto: new Map(),
  resolves: new Set(),
  permits: 'reversible',
  family: null,
  allowSameFamily: false,
  sample: 1,
  always: [],
  budget: { perSession: null, perDay: null },
  recentCalls: 0,
  calibration: null,
  tools: null,
  cache: null,
  stream: false,
  mode: 'enforce',
  advises: new Set(),
  module: null,
}

/** Only judges are skipped, and only where the call is known to just read, unless the policy says otherwise (AEG-W4). */
function isSkipped({ call, facts, policy }: ResolveContext): boolean {
  const reads = facts.coverage === 'full' && facts.effects.every(({ verb }) => verb === 'read')
  return policy.judges.skip.some((skip) => (reads || skip.changes) && skip.matches(call.tool.server, call.tool.name))
}

interface Asking {
  readonly judge: JudgePolicy
  readonly gate: JudgeGate | null
  readonly findings: readonly Finding[]
}

function question({ judge, gate, findings }: Asking, context: ResolveContext, { parts, denied }: Work): Promise<Consulted> {
  const { call, facts, policy, state } = context
  const payload = payloadOf(
    {
      call,
      facts,
      findings,
      criteria: [judge.criteria, gate?.criteria ?? ''].filter((text) => text !== '').join('\n'),
      availableTools: [...policy.registry.tools.keys()],
      policyViolations: denied.of(call),
      recentCalls: judge.recentCalls,
      maxBytes: judge.maxPayloadBytes,
    },
    parts.payload,
  )
  const { minScore, minConfidence, timeoutMs } = gate ?? { minScore: null, minConfidence: null, timeoutMs: null }
  return consult(
    {
      judge,
      named: policy.judges.named,
      payload,
      thresholds: { minScore: minScore ?? judge.minScore, minConfidence: minConfidence ?? judge.minConfidence, veto: judge.veto },
      timeoutMs: timeoutMs ?? judge.timeoutMs,
      agent: call.principal.agent,
      spent: ({ name, budget }) => {
        const { session, day } = countersOf(name, call, state.now)
        const over = (most: number | null, key: readonly [string, ...string[]]) => most !== null && state.count(key) >= most
        return over(budget.perSession, session) || over(budget.perDay, day)
      },
    },
    parts.consult,
  )
}

function findingOf(judge: JudgePolicy, { ruling, failure, evidence }: Consulted): Finding {
  const base = { layer: 'judge', rule: judge.name, advice: null, evidence }
  const made = (verdict: Finding['verdict'], code: Code, message: string): Finding => {
    return { ...base, verdict, code, message: `judge \`${judge.name}\`: ${message}`, resolvers: verdict === 'ask' ? ['human'] : [] }
  }
  if (ruling === null) return made(judge.onError ?? 'deny', failure?.code ?? 'judge.unavailable', failure?.message ?? 'no answer')
  if (ruling.verdict === 'ask') return made('ask', 'judge.split', ruling.reason)
  if (!accepts(ruling.verdict)) return made(isAdviser(judge) ? 'ask' : ruling.verdict, 'judge.rejected', ruling.reason)
  if (evidence.truncated === true) return made('ask', 'judge.truncated', 'it accepts the call, but was not shown all of it')
  // An acceptance permits nothing; it is here to be recorded (AEG-W11).
  return made(ruling.verdict === 'flag' ? 'flag' : 'abstain', 'judge.accepted', ruling.reason)
}

/** The first judge of the policy that may settle asks of this layer. */
function resolverFor({ layer }: Finding, { judges }: Policy): JudgePolicy | null {
  for (const judge of judges.named.values()) if (judge.resolves.has(layer)) return judge
  return null
}

/** Whatever `permits` says, a statistical model alone never accepts what cannot be undone or fully told. */
function mayNotSettle(judge: JudgePolicy, context: ResolveContext): boolean {
  return (judge.permits === 'reversible' || isAdviser(judge)) && cannotBeUndone(context)
}

/** It advises people and denies nothing by itself: what it rejects is a question. */
function isAdviser({ provider }: JudgePolicy): boolean {
  return provider === 'embedded'
}

function cannotBeUndone({ call, facts, policy }: ResolveContext): boolean {
  const { server, name } = call.tool
  const names = server === null ? [name] : [`${server}/${name}`, name]
  const hard = names.some((each) => {
    const tool = policy.registry.tools.get(each)
    return tool !== undefined && (tool.irreversible || tool.riskTier === 'critical')
  })
  return hard || facts.coverage !== 'full' || facts.effects.some((effect) => !effect.reversible || isGrave(effect))
}

/** What was read can be told, and what runs later has run: that a file can be restored takes neither back. */
const GRAVE: ReadonlySet<PathClass> = new Set<PathClass>([
  'credential',
  'personal',
  'other-user',
  'history',
  'gate',
  'agent-settings',
  'agent-instructions',
  'shell-startup',
  'scheduled',
  'ci',
  'boot',
  'device',
])

function isGrave({ verb, target }: Effect): boolean {
  return verb === 'persist' || target.scope === 'metadata' || target.classes.some((each) => GRAVE.has(each))
}

function ceiling(judge: JudgePolicy): Resolution {
  const reason = `judge \`${judge.name}\` may not settle what cannot be undone or fully told`
  return { by: 'judge', id: judge.name, verdict: 'ask', reason, evidence: { judge: judge.name, code: 'judge.ceiling', asked: [] } }
}

function resolutionOf(judge: JudgePolicy, { ruling, failure, evidence }: Consulted): Resolution {
  const made = (verdict: Outcome, code: Code, message: string): Resolution => {
    return { by: 'judge', id: judge.name, verdict, reason: `judge \`${judge.name}\`: ${message}`, evidence: { ...evidence, code } }
  }
  if (ruling === null) return made(judge.onError ?? 'ask', failure?.code ?? 'judge.unavailable', failure?.message ?? 'no answer')
  if (ruling.verdict === 'ask') return made('ask', 'judge.split', ruling.reason)
  if (!accepts(ruling.verdict)) return made(isAdviser(judge) ? 'ask' : ruling.verdict, 'judge.rejected', ruling.reason)
  if (evidence.truncated === true) return made('ask', 'judge.truncated', 'it accepts the call, but was not shown all of it')
  return made(ruling.verdict, 'judge.accepted', ruling.reason)
}

const DAY = 86_400_000

interface Counters {
  readonly session: readonly [string, ...string[]]
  readonly day: readonly [string, ...string[]]
}

function countersOf(judge: string, { principal, session }: ToolCall, now: number): Counters {
  const tenant = principal.tenant ?? ''
  return {
    session: [tenant, 'judge', judge, 'session', session ?? ''],
    day: [tenant, 'judge', judge, 'day', String(Math.floor(now / DAY))],
  }
}

const spend: Spender['spend'] = (tx, decision, { call, at }) => {
  for (const judge of askedIn(decision)) {
    const { session, day } = countersOf(judge, call, at)
    tx.add(session, 1, { now: at, expiresAt: at + 30 * DAY })
    tx.add(day, 1, { now: at, expiresAt: at + 2 * DAY })
  }
}

/** Every judge that was really asked, once per time; several asks may share one answer, and then it counts once. */
function askedIn({ findings, resolutions }: Decision): readonly string[] {
  const evidence = [
    ...findings.filter(({ layer }) => layer === 'judge').map((finding) => finding.evidence),
    ...new Map(resolutions.filter(({ by }) => by === 'judge').map((each) => [each.id, each.evidence])).values(),
  ]
  return evidence.flatMap((each) => {
    const names: Json | undefined = isJsonObject(each) ? own(each, 'asked') : undefined
    return Array.isArray(names) ? names.filter((name): name is string => typeof name === 'string') : []
  })
}

const MOST_SESSIONS = 1_024
const MOST_TOOLS = 16

/** Which tools of a session were denied lately: a judge is told (`policy_violations`). In memory, and bounded. */
class DeniedTools {
  readonly #bySession = new Map<string, readonly string[]>()

  of(call: ToolCall): readonly string[] {
    return this.#bySession.get(keyOf(call)) ?? []
  }

  add(call: ToolCall): void {
    const key = keyOf(call)
    const tools = [...this.of(call), call.tool.name].slice(-MOST_TOOLS)
    this.#bySession.delete(key)
    this.#bySession.set(key, tools)
    const [oldest] = this.#bySession.keys()
    if (this.#bySession.size > MOST_SESSIONS && oldest !== undefined) this.#bySession.delete(oldest)
  }
}

function keyOf({ principal, session }: ToolCall): string {
  return JSON.stringify([principal.tenant, session])
}
