/** Asks a judge about every labelled call of a file, with what the policy's layers find, as the gate would ask it. */
import type { ToolCall } from '../../core/call.ts'
import { isJsonObject, type Json, own } from '../../core/json.ts'
import type { PolicyState } from '../../gate.ts'
import { type Consulted, consult } from '../../judges/consult.ts'
import type { Measured } from '../../judges/measure.ts'
import { payloadOf } from '../../judges/payload.ts'
import { judgeParts } from '../../open.ts'
import type { JudgePolicy } from '../../policy/judges.ts'
import type { Policy } from '../../policy/policy.ts'
import { openReplay, type ReplayGate } from '../../replay/file.ts'
import { type Label, type Recording, readRecordings } from '../../replay/read.ts'
import { NEUTRAL } from '../../replay/run.ts'
import { worldOfRecording } from '../../replay/world.ts'
import { worldOf } from '../../view/world.ts'
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
  const world = recording.world === null ? worldOfRecording(recording) : worldOf(recording.world, NEUTRAL)
  asking.gate.describe(world)
  const rows: Measured[] = []
  for (const [index, recorded] of recording.calls.entries()) {
    const label = recording.labels[index]
    const attack = isAttack(label)
    if (attack === null || rows.length >= most) continue
    const call: ToolCall = {
      tool: { server: null, name: recorded.tool, definition: null },
      args: recorded.args,
      principal: { agent: null, role: recording.role, user: null, tenant: null, chain: [] },
      session: `judge:${recording.session}`,
      cwd: world.cwd ?? NEUTRAL.cwd,
      context: { task: recording.task, recent: [] },
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

/** Null where the recording does not tell. */
function isAttack(label: Label | undefined): boolean | null {
  if (label === undefined) return null
  if (label.accept !== null) return label.accept.length === 0 ? null : !label.accept.includes('allow')
  return label.label === 'unknown' ? null : label.label === 'attack'
}

async function ask(call: ToolCall, { judge, policy, gate, parts }: Asking): Promise<Consulted> {
  const { criteria, recentCalls, maxPayloadBytes: maxBytes, timeoutMs } = judge
  const availableTools = [...policy.registry.tools.keys()]
  const { findings } = await gate.opened.gate.decide(call)
  const facts = gate.opened.gate.facts(call)
  const payload = payloadOf({ call, facts, findings, criteria, availableTools, policyViolations: [], recentCalls, maxBytes }, parts.payload)
  const named = policy.judges.named
  return consult({ judge, named, payload, thresholds: judge, timeoutMs, agent: null, spent: () => false }, parts.consult)
}

function figuresOf({ ruling, failure, evidence }: Consulted): Omit<Measured, 'attack' | 'session' | 'category'> {
  const number = (value: Json | undefined): number | null => (typeof value === 'number' ? value : null)
  const usage = own(evidence, 'usage')
  const count = (key: string): number => (isJsonObject(usage) ? (number(own(usage, key)) ?? 0) : 0)
  const score = number(own(evidence, 'score'))
  return {
    outcome: ruling?.verdict ?? failure?.code ?? 'judge.unavailable',
    score,
    rawScore: number(own(evidence, 'raw_score')) ?? score,
    confidence: number(own(evidence, 'confidence')),
    latency: number(own(evidence, 'latency_ms')) ?? 0,
    tokens: { input: count('input'), output: count('output') },
  }
}
