/** Asks a judge about every labelled call of a file, with what the policy's layers find, as the gate would ask it. */
import type { ToolCall } from '../../core/call.ts'
import { isJsonObject, type JsonObject, own } from '../../core/json.ts'
import { toolIdentity } from '../../core/tool-name.ts'
import type { Outcome } from '../../core/verdict.ts'
import type { PolicyState } from '../../gate.ts'
import { accepts } from '../../judges/combine.ts'
import { consult } from '../../judges/consult.ts'
import type { Measured } from '../../judges/measure.ts'
import type { Consulted } from '../../judges/question.ts'
import { shownOf } from '../../judges/shown.ts'
import { judgeParts } from '../../open.ts'
import type { JudgePolicy } from '../../policy/judges.ts'
import type { Policy } from '../../policy/policy.ts'
import { openReplay } from '../../replay/file.ts'
import { type Label, type Recording, readRecordings } from '../../replay/read.ts'
import type { ReplayGate } from '../../replay/run.ts'
import { worldFor } from '../../replay/world.ts'
import { NEUTRAL } from '../../view/world.ts'
import { UsageError, warn } from '../terminal.ts'

/** The judge of that name, or the only one. */
export function judgeNamed(name: string | undefined, { judges }: Policy): JudgePolicy {
  const all = [...judges.named.values()]
  const found = name === undefined ? all.length === 1 && all[0] : judges.named.get(name)
  if (found) return found
  const known = all.map((judge) => `\`${judge.name}\``).join(', ')
  throw new UsageError(
    known === '' ? 'the policy defines no judge: add one under `judges`' : `name one of the judges with --judge: ${known}`,
  )
}

export interface RowsOptions {
  readonly judge: JudgePolicy
  readonly policy: Policy
  /** Calls at most. */
  readonly limit: number
}

/** Every call is really asked, which takes the judge's time and money. */
export async function measuredRows(file: string, { judge, policy, limit }: RowsOptions): Promise<readonly Measured[]> {
  const state: PolicyState = { policy: withoutJudges(policy), degraded: null }
  const gate = openReplay(state, null)
  const rows: Measured[] = []
  try {
    const asking = { judge, policy, gate, parts: judgeParts({}) }
    for await (const recording of readRecordings(file)) {
      rows.push(...(await rowsOf(recording, asking, limit - rows.length)))
      if (rows.length >= limit) break
    }
  } finally {
    gate.opened.close()
  }
  if (rows.length === 0) throw new UsageError(`\`${file}\` holds no labelled call`)
  return rows
}

/** What the layers find must not depend on what judges say of it. */
function withoutJudges(policy: Policy): Policy {
  return { ...policy, judges: { ...policy.judges, named: new Map(), gates: [], advisers: [] } }
}

interface Asking {
  readonly judge: JudgePolicy
  readonly policy: Policy
  readonly gate: ReplayGate
  readonly parts: ReturnType<typeof judgeParts>
}

async function rowsOf(recording: Recording, asking: Asking, most: number): Promise<readonly Measured[]> {
  const world = worldFor(recording)
  asking.gate.describe(world, recording.answers)
  const rows: Measured[] = []
  for (const [index, recorded] of recording.calls.entries()) {
    const label = recording.labels[index]
    const attack = isAttack(label)
    if (attack === null || rows.length >= most) continue
    const recent = recording.calls.slice(Math.max(0, index - MAX_RECENT), index).map(({ tool, args }) => ({ tool, args }))
    const call: ToolCall = {
      tool: { ...toolIdentity(null, recorded.tool), definition: null },
      args: recorded.args,
      principal: { agent: null, role: recording.role, user: null, tenant: null, chain: [] },
      session: `judge:${recording.session}`,
      cwd: world.cwd ?? NEUTRAL.cwd,
      context: { task: recording.task, vouched: true, recent },
      definition: recorded.definition ?? null,
      approval: null,
      callId: null,
    }
    const consulted = await ask(call, asking)
    const category = label?.violation ?? (recording.source.split(/[:+]/)[0] || recorded.tool)
    rows.push({ attack, session: String(recording.session), category, ...figuresOf(consulted) })
    if (consulted.failure !== null) warn(`${recorded.tool}: ${consulted.failure.code}: ${consulted.failure.message}`)
  }
  return rows
}

/** As many as a judge can be shown. */
const MAX_RECENT = 20

/** Null where the recording does not tell. */
function isAttack(label: Label | undefined): boolean | null {
  if (label === undefined) return null
  if (label.accept !== null) return label.accept.length === 0 ? null : !label.accept.includes('allow')
  return label.label === 'unknown' ? null : label.label === 'attack'
}

async function ask(call: ToolCall, { judge, policy, gate, parts }: Asking): Promise<Consulted> {
  const { findings } = await gate.opened.gate.decide(call)
  const facts = gate.opened.gate.facts(call)
  const availableTools = [...policy.registry.tools.keys()]
  const shown = shownOf({ judge, gateCriteria: null, call, facts, findings, availableTools, policyViolations: [] }, parts.payload)
  const asking = { ...shown, judge, named: policy.judges.named, thresholds: judge, timeoutMs: judge.timeoutMs }
  return consult({ ...asking, agent: null, spent: () => false, cwd: call.cwd }, parts.consult)
}

function figuresOf({ ruling, failure, evidence }: Consulted): Omit<Measured, 'attack' | 'session' | 'category'> {
  const score = numberIn(evidence, 'score')
  return {
    outcome: ruling === null ? (failure?.code ?? 'judge.unavailable') : inFull(ruling.verdict, evidence),
    score,
    rawScore: numberIn(evidence, 'raw_score') ?? score,
    confidence: numberIn(evidence, 'confidence'),
    latency: numberIn(evidence, 'latency_ms') ?? latestOf(evidence),
    tokens: { input: spentOn(evidence, 'input'), output: spentOn(evidence, 'output') },
    cost: spentOn(evidence, 'cost'),
  }
}

/** As the gate takes it: who accepts what it was not shown in full leaves it to a person. */
function inFull(verdict: Outcome, evidence: JsonObject): Outcome {
  return accepts(verdict) && own(evidence, 'truncated') === true ? 'ask' : verdict
}

function numberIn(evidence: JsonObject, key: string): number | null {
  const value = own(evidence, key)
  return typeof value === 'number' ? value : null
}

function membersOf(evidence: JsonObject): readonly JsonObject[] {
  const members = own(evidence, 'members')
  return Array.isArray(members) ? members.filter(isJsonObject) : []
}

/** Both judges of a tribunal are asked at once. */
function latestOf(evidence: JsonObject): number {
  return Math.max(0, ...membersOf(evidence).map((member) => numberIn(member, 'latency_ms') ?? 0))
}

/** Of a tribunal: what its judges spent. */
function spentOn(evidence: JsonObject, what: 'input' | 'output' | 'cost'): number {
  const tokens = own(evidence, 'usage')
  const mine = what === 'cost' ? numberIn(evidence, what) : isJsonObject(tokens) ? numberIn(tokens, what) : null
  return membersOf(evidence).reduce((sum, member) => sum + spentOn(member, what), mine ?? 0)
}
