/**
 * How the gate uses judges: as gates after the layers, where nothing denied yet, and as resolvers of asks that the policy lets
 * them settle. A judge never lowers a denial, never permits what is too large to be shown, and is recorded whatever it says.
 */
import { type Judgement, settle } from '../core/decide.ts'
import { createDigester } from '../core/digest.ts'
import type { Finding } from '../core/finding.ts'
import { compare } from '../core/verdict.ts'
import type { Facts } from '../facts/facts.ts'
import type { ResolveContext, Resolver, Review } from '../gate.ts'
import { consult } from '../judges/consult.ts'
import { shownContracts } from '../judges/contract-shown.ts'
import { isSampled } from '../judges/limits.ts'
import type { PayloadParts } from '../judges/payload.ts'
import type { Consulted, ConsultParts } from '../judges/question.ts'
import { shownOf } from '../judges/shown.ts'
import { judgeDigest } from '../policy/judge-evidence.ts'
import { JUDGE_DEFAULTS, type JudgeGate, type JudgePolicy } from '../policy/judges.ts'
import type { Policy } from '../policy/policy.ts'
import type { Spender } from './commit.ts'
import { cannotBeUndone, mayNotSettle } from './judge-ceiling.ts'
import { createJudgeMemory, type JudgeMemory, type JudgeStore } from './judge-memory.ts'
import { adviceOf, ceiling, findingOf, resolutionOf } from './judge-says.ts'

export interface JudgeGateParts {
  readonly consult: ConsultParts
  readonly payload: PayloadParts
  /** From 0 up to 1, for samples: always the same for one text, and nothing that an agent could foresee. */
  readonly draw: (text: string) => number
  /** Milliseconds that all judges of one call may take together; null: as long as the policy gives each of them. */
  readonly patienceMs: number | null
  /** Null: nothing is kept of judges, for looking only. */
  readonly kept: JudgeStore | null
}

export interface JudgeParts {
  readonly review: Review
  readonly resolver: Resolver
  /** Counts what was asked against the budgets, with the record. */
  readonly spender: Spender
}

interface Work {
  readonly parts: JudgeGateParts
  readonly memory: JudgeMemory
  /** By facts, which are made once per decision: of several asks of one call each judge is asked once, and about all of them. */
  readonly asked: WeakMap<Facts, Map<string, Promise<Consulted>>>
  readonly found: WeakMap<Facts, readonly Finding[]>
  /** When the first judge of a call was asked, by the judges' clock. */
  readonly begun: WeakMap<Facts, number>
}

export function createJudgeParts(parts: JudgeGateParts): JudgeParts {
  const memory = createJudgeMemory(parts.kept, parts.payload.sha256)
  const work: Work = { parts, memory, asked: new WeakMap(), found: new WeakMap(), begun: new WeakMap() }
  return {
    review: (judgement, context) => {
      const { gates, advisers } = context.policy.judges
      work.found.set(context.facts, judgement.findings)
      if (gates.length === 0 && advisers.length === 0) return judgement
      return review(judgement, context, work)
    },
    resolver: async (ask, context) => {
      const judge = resolverFor(ask.finding, context.policy)
      if (judge === null) return undefined
      const mayOnlyRaise = !ask.resolvers.includes('judge') || mayNotSettle(judge, context)
      const known = work.asked.get(context.facts) ?? new Map<string, Promise<Consulted>>()
      work.asked.set(context.facts, known)
      const found = work.found.get(context.facts) ?? []
      const findings = found.includes(ask.finding) ? found : [...found, ask.finding]
      const consulted = known.get(judge.name) ?? question({ judge, gate: null, findings }, context, work)
      known.set(judge.name, consulted)
      return mayOnlyRaise ? ceiling(judge, await consulted) : resolutionOf(judge, await consulted)
    },
    spender: memory.spender,
  }
}

async function review(judgement: Judgement, context: ResolveContext, work: Work): Promise<Judgement> {
  const { gates, advisers } = context.policy.judges
  if (compare(judgement.verdict, 'deny') >= 0) return judgement
  const { findings } = judgement
  const found: Finding[] = []
  if (gates.length > 0 && !isSkipped(context)) {
    for (const gate of gates) {
      const judge = judgeOf(gate, context.policy)
      if (!isDue(judge, context, work)) continue
      const finding = findingOf(judge, await question({ judge, gate, findings }, context, work))
      found.push(finding)
      // A question is no rejection: a judge that was kept from answering must not keep the next one from denying.
      if (compare(finding.verdict, 'deny') >= 0) break
    }
  }
  if (advisers.length > 0 && isForAdvice(judgement, context)) {
    for (const judge of advisers) found.push(adviceOf(judge, await question({ judge, gate: null, findings }, context, work)))
  }
  return found.length === 0 ? judgement : settle([...findings, ...found])
}

function isDue(judge: JudgePolicy, { call, callDigest }: ResolveContext, { parts }: Work): boolean {
  return isSampled(judge, call, () => parts.draw(`${judge.name}\n${callDigest}`))
}

/** Role OS's consult: where a contract knows the tool, and its floor has nothing to say against the call. */
function isForAdvice({ findings }: Judgement, { call, policy }: ResolveContext): boolean {
  const known = policy.contracts.forTool(call.tool.server, call.tool.name).length > 0
  return known && !findings.some(({ layer, verdict }) => layer === 'contract' && verdict !== 'abstain')
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
  price: null,
  maxCost: { perSession: null, perDay: null },
  headersEnv: new Map(),
  recentCalls: 0,
  calibration: null,
  tools: null,
  cache: null,
  stream: false,
  temperature: null,
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

/** Never rejects: what goes wrong before the judge is asked is no answer, and the record says so. */
async function question(asking: Asking, context: ResolveContext, work: Work): Promise<Consulted> {
  try {
    return await asked(asking, context, work)
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    const { name, provider, model } = asking.judge
    const evidence = { judge: name, provider, model, outcome: 'judge.unavailable', reasoning: message, asked: [] }
    return { ruling: null, failure: { code: 'judge.unavailable', message }, evidence }
  }
}

async function asked({ judge, gate, findings }: Asking, context: ResolveContext, work: Work): Promise<Consulted> {
  const { parts, memory } = work
  const { call, facts, policy } = context
  const shown = shownOf(
    {
      judge,
      gateCriteria: gate?.criteria ?? null,
      call,
      facts,
      findings,
      availableTools: [...policy.registry.tools.keys()],
      policyViolations: memory.denied(call),
      preview: context.preview?.shown ?? null,
      ...contractsFor(judge, gate, context),
    },
    parts.payload,
  )
  const { minScore, minConfidence, timeoutMs } = gate ?? { minScore: null, minConfidence: null, timeoutMs: null }
  const remembers = [judge, ...judge.members.map((name) => policy.judges.named.get(name))].some((each) => each?.cache != null)
  const answers = remembers ? memory.answers(context) : undefined
  return consult(
    {
      ...shown,
      judge,
      named: policy.judges.named,
      configOf: (each) => configDigest(each, policy, parts.payload),
      thresholds: { minScore: minScore ?? judge.minScore, minConfidence: minConfidence ?? judge.minConfidence, veto: judge.veto },
      timeoutMs: timeLeft(timeoutMs ?? judge.timeoutMs, facts, work),
      agent: call.principal.agent,
      spent: memory.spent(context),
      resting: memory.resting(context),
      ...(answers === undefined ? {} : { memory: whereSafe(answers, context) }),
      cwd: call.cwd,
    },
    parts.consult,
  )
}

/** An adviser of contracts sees what it is asked about: words, parameters and state (Role OS's evidence). */
function contractsFor(judge: JudgePolicy, gate: JudgeGate | null, { call, policy, state }: ResolveContext) {
  if (gate !== null || !judge.advises.has('contract')) return {}
  return { contracts: shownContracts(policy.contracts.forTool(call.tool.server, call.tool.name), state.tables) }
}

/** A host that waits no longer would let nobody hear the answer, and the log would not know of it. */
function timeLeft(wanted: number, facts: Facts, { parts: { patienceMs, consult: clock }, begun }: Work): number {
  if (patienceMs === null) return wanted
  const now = clock.now()
  const since = begun.get(facts) ?? now
  begun.set(facts, since)
  return Math.max(0, Math.min(wanted, Math.floor(patienceMs - (now - since))))
}

const CONFIGS = new WeakMap<JudgePolicy, string>()

/** Judges of a policy never change, so it is made once for each. */
function configDigest(judge: JudgePolicy, { judges }: Policy, { sha256 }: PayloadParts): string {
  const known = CONFIGS.get(judge) ?? judgeDigest(judge, judges.named, createDigester(sha256))
  CONFIGS.set(judge, known)
  return known
}

/** An answer is used again for what cannot be undone only where the policy says so. */
function whereSafe(answers: NonNullable<ReturnType<JudgeMemory['answers']>>, context: ResolveContext): typeof answers {
  const final = cannotBeUndone(context)
  const may = ({ cache }: JudgePolicy): boolean => cache !== null && (!final || cache.irreversible)
  return {
    recall: (judge, stance, payload) => (may(judge) ? answers.recall(judge, stance, payload) : null),
    keep: (judge, stance, kept) => {
      if (may(judge)) answers.keep(judge, stance, kept)
    },
  }
}

/** The first judge of the policy that may settle asks of this layer; one that only watches stands behind those that do. */
function resolverFor({ layer }: Finding, { judges }: Policy): JudgePolicy | null {
  let watching: JudgePolicy | null = null
  for (const judge of judges.named.values()) {
    if (!judge.resolves.has(layer)) continue
    if (judge.mode === 'enforce') return judge
    watching ??= judge
  }
  return watching
}
