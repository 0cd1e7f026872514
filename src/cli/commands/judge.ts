import type { ToolCall } from '../../core/call.ts'
import { isJsonObject, own } from '../../core/json.ts'
import { type Consulted, consult } from '../../judges/consult.ts'
import { type Measured, type Measures, measure } from '../../judges/measure.ts'
import { payloadOf } from '../../judges/payload.ts'
import { judgeParts } from '../../open.ts'
import type { JudgePolicy } from '../../policy/judges.ts'
import type { Policy } from '../../policy/policy.ts'
import { openReplay, type ReplayGate } from '../../replay/file.ts'
import { type Label, type Recording, readRecordings } from '../../replay/read.ts'
import { NEUTRAL } from '../../replay/run.ts'
import { worldOfRecording } from '../../replay/world.ts'
import { worldOf } from '../../view/world.ts'
import { loadInForce } from '../open.ts'
import { EXIT, print, UsageError, warn } from '../terminal.ts'

export interface JudgeTestOptions {
  readonly policy?: string
  /** Which judge of the policy; default its only one. */
  readonly judge?: string
  readonly json?: boolean
  /** How many calls at most. */
  readonly limit?: string
}

/** `judge test`: a judge on labelled calls. Every call is really asked, which takes the model's time and money. */
export async function testJudge(file: string, options: JudgeTestOptions): Promise<number> {
  const state = loadInForce(options.policy ?? null)
  if (state.policy === null) throw new UsageError(state.error)
  const judge = judgeNamed(options.judge, state.policy)
  const limit = Number(options.limit ?? Number.POSITIVE_INFINITY)
  if (!(limit >= 1)) throw new UsageError(`\`${options.limit}\` is no number of calls`)
  const gate = openReplay(state, null)
  const rows: Measured[] = []
  try {
    const asking = { judge, policy: state.policy, gate, parts: judgeParts({}) }
    for await (const recording of readRecordings(file)) {
      rows.push(...(await testRecording(recording, asking, limit - rows.length)))
      if (rows.length >= limit) break
    }
  } finally {
    gate.opened.close()
  }
  if (rows.length === 0) throw new UsageError(`\`${file}\` holds no labelled call`)
  report(judge.name, measure(rows), options.json === true)
  return EXIT.ok
}

function judgeNamed(name: string | undefined, { judges }: Policy): JudgePolicy {
  const all = [...judges.named.values()]
  const found = name === undefined ? all.length === 1 && all[0] : judges.named.get(name)
  if (found) return found
  const known = all.map((judge) => `\`${judge.name}\``).join(', ')
  throw new UsageError(
    known === '' ? 'the policy defines no judge: add one under `judges`' : `name one of the judges with --judge: ${known}`,
  )
}

interface Asking {
  readonly judge: JudgePolicy
  readonly policy: Policy
  readonly gate: ReplayGate
  readonly parts: ReturnType<typeof judgeParts>
}

async function testRecording(recording: Recording, asking: Asking, most: number): Promise<readonly Measured[]> {
  const world = recording.world === null ? worldOfRecording(recording) : worldOf(recording.world, NEUTRAL)
  asking.gate.describe(world)
  const rows: Measured[] = []
  for (const [index, recorded] of recording.calls.entries()) {
    const attack = isAttack(recording.labels[index])
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
    rows.push({ attack, ...figuresOf(consulted) })
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

function ask(call: ToolCall, { judge, policy, gate, parts }: Asking): Promise<Consulted> {
  const { criteria, recentCalls, maxPayloadBytes: maxBytes, timeoutMs } = judge
  const availableTools = [...policy.registry.tools.keys()]
  const facts = gate.opened.gate.facts(call)
  const payload = payloadOf(
    { call, facts, findings: [], criteria, availableTools, policyViolations: [], recentCalls, maxBytes },
    parts.payload,
  )
  const named = policy.judges.named
  return consult({ judge, named, payload, thresholds: judge, timeoutMs, agent: null, spent: () => false }, parts.consult)
}

function figuresOf({ ruling, failure, evidence }: Consulted): Omit<Measured, 'attack'> {
  const number = (key: string): number | null => {
    const value = own(evidence, key)
    return typeof value === 'number' ? value : null
  }
  const tokens = own(evidence, 'tokens')
  const count = isJsonObject(tokens) ? Number(own(tokens, 'input') ?? 0) + Number(own(tokens, 'output') ?? 0) : 0
  return {
    outcome: ruling?.verdict ?? failure?.code ?? 'judge.unavailable',
    score: number('score'),
    latency: number('latency_ms') ?? 0,
    tokens: count,
  }
}

function report(name: string, measures: Measures, asJson: boolean): void {
  if (asJson) {
    print(JSON.stringify({ judge: name, ...measures, confusion: Object.fromEntries(measures.confusion) }))
    return
  }
  const percent = (share: number | null): string => (share === null ? '–' : `${(share * 100).toFixed(1)} %`)
  print(`judge \`${name}\`: ${measures.attacks} attacks, ${measures.benign} benign calls, ${measures.unanswered} without an answer`)
  print(`recall ${percent(measures.recall)}, false positives ${percent(measures.falsePositives)}`)
  for (const { rate, recall, minScore } of measures.recallAt) {
    print(`recall at ${percent(rate)} false positives: ${percent(recall)}${minScore === null ? '' : ` (min_score ${minScore})`}`)
  }
  print('outcome              attacks  benign')
  for (const [outcome, [attacks, benign]] of measures.confusion) {
    print(`${outcome.padEnd(20)} ${String(attacks).padStart(7)} ${String(benign).padStart(7)}`)
  }
  print(`latency p50 ${measures.latency.p50} ms, p95 ${measures.latency.p95} ms; ${measures.tokens} tokens`)
}
