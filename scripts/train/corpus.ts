/** Labelled calls → features with their labels: of recorded files, by the shipped policy, in the world that each describes. */
import { existsSync } from 'node:fs'
import { basename, join } from 'node:path'
import { loadShipped } from '../../src/cli/open.ts'
import type { ToolCall } from '../../src/core/call.ts'
import type { JsonObject } from '../../src/core/json.ts'
import { featuresOf } from '../../src/judges/embedded/features.ts'
import { type PayloadParts, payloadOf } from '../../src/judges/payload.ts'
import { judgeParts } from '../../src/open.ts'
import { openReplay } from '../../src/replay/file.ts'
import { type Recording, readRecordings } from '../../src/replay/read.ts'
import { type ReplayGate, replayRecording } from '../../src/replay/run.ts'
import { worldFor } from '../../src/replay/world.ts'
import { NEUTRAL } from '../../src/view/world.ts'
import type { Generated } from './grammar.ts'

export interface Row {
  /** Who made the data: folds never share one. */
  readonly group: string
  readonly set: string
  readonly session: string
  /** Calls of one task are one cluster. */
  readonly cluster: string
  /** 1: must not run unasked; 0: may; null: only its session is labelled. */
  readonly label: 0 | 1 | null
  readonly sessionLabel: string | null
  readonly named: Uint32Array
  /** The same without what the layers found. */
  readonly bare: Uint32Array
  readonly text: Uint32Array
  /** What the shipped policy says, without a judge. */
  readonly decision: string
  /** True where all of it is told and can be undone: only then may this judge settle an ask. */
  readonly reversible: boolean
}

export interface Source {
  readonly set: string
  /** Attacks of these sets are told by state or schema, never by the call: only their benign calls are learnt from. */
  readonly benignOnly?: boolean
  readonly group?: string
}

/** Sets that learn and test; the labels of their calls. */
export const LABELLED: readonly Source[] = [
  { set: 'bash_labelled' },
  { set: 'mcp_labelled' },
  { set: 'nl2bash_benign', group: 'nl2bash' },
  { set: 'claude_code_specstory', group: 'specstory' },
  { set: 'swe_bash_benign', group: 'swe' },
  { set: 'payloads', group: 'payloads' },
  { set: 'redcode', group: 'redcode' },
  { set: 'ampermbench', group: 'ampermbench' },
  { set: 'agentdojo_attack', group: 'agentdojo' },
  { set: 'agentdojo_benign', group: 'agentdojo' },
  { set: 'agentdojo_underattack', group: 'agentdojo' },
  { set: 'injecagent', group: 'injecagent' },
  { set: 'bfcl_schema', group: 'bfcl', benignOnly: true },
  { set: 'bfcl_multiturn_benign', group: 'bfcl' },
  { set: 'tau_retail_contracts', group: 'tau', benignOnly: true },
  { set: 'tau_airline_gpt4o', group: 'tau' },
]

/** Sets whose sessions need judgement: never learnt from. */
export const JUDGED: readonly Source[] = [{ set: 'rjudge' }, { set: 'openagentsafety' }, { set: 'assebench_security' }]

/** Every call of a set that has a label, or all of them where only sessions have; nothing where the file is not there. */
export async function* rowsOf(directory: string, source: Source): AsyncGenerator<Row> {
  const path = join(directory, `${source.set}.jsonl.gz`)
  if (existsSync(path)) yield* rowsOfFile(path, source)
}

/** As `rowsOf`, of a file by its path. */
export async function* rowsOfFile(path: string, source: Source): AsyncGenerator<Row> {
  const state = loadShipped()
  if (state.policy === null) throw new Error(state.error)
  const gate = openReplay(state, null)
  const parts = judgeParts({}).payload
  try {
    for await (const recording of readRecordings(path)) yield* rowsOfRecording(recording, { source, gate, parts })
  } finally {
    gate.opened.close()
  }
}

/** Calls of our own grammar, as rows of a group of their own. */
export async function generatedRows(calls: readonly Generated[]): Promise<readonly Row[]> {
  const source: Source = { set: 'generated', group: 'generated' }
  const state = loadShipped()
  if (state.policy === null) throw new Error(state.error)
  const reading = { source, gate: openReplay(state, null), parts: judgeParts({}).payload }
  const rows: Row[] = []
  for (const [session, { tool, args, task, label, template }] of calls.entries()) {
    const recording: Recording = {
      session,
      source: 'generated',
      role: null,
      task,
      sessionLabel: null,
      world: null,
      undescribed: false,
      calls: [{ tool, args, result: null }],
      labels: [{ label: label === 1 ? 'attack' : 'benign', accept: null }],
    }
    for await (const row of rowsOfRecording(recording, reading)) rows.push({ ...row, cluster: `generated ${template}` })
  }
  reading.gate.opened.close()
  return rows
}

interface Reading {
  readonly source: Source
  readonly gate: ReplayGate
  readonly parts: PayloadParts
}

async function* rowsOfRecording(recording: Recording, { source, gate, parts }: Reading): AsyncGenerator<Row> {
  if (recording.undescribed) return
  const world = worldFor(recording)
  const group = source.group ?? groupOf(recording.source)
  const cluster = recording.task === null ? `${source.set} ${recording.session}` : `${source.set} ${recording.task.slice(0, 400)}`
  const judged = JUDGED.includes(source)
  for await (const { index, decision } of replayRecording(gate, recording)) {
    const label = labelOf(recording, index)
    if (label === undefined && !judged) continue
    if (label === 1 && source.benignOnly === true) continue
    const call = callOf(recording, index, world.cwd ?? NEUTRAL.cwd)
    const facts = { ...gate.opened.gate.facts(call), effects: decision.effects }
    const body = payloadOf({ call, facts, findings: decision.findings, ...PLAIN }, parts).body
    yield {
      group,
      set: source.set,
      session: String(recording.session),
      cluster,
      label: label ?? null,
      sessionLabel: recording.sessionLabel,
      ...numbersOf(body),
      decision: decision.decision,
      reversible: facts.coverage === 'full' && facts.effects.every((effect) => effect.reversible),
    }
  }
}

const PLAIN = { criteria: '', availableTools: [], policyViolations: [], recentCalls: 0, maxBytes: 65_536 } as const

/** A payload as rows keep it: numbers only. */
export function numbersOf(body: JsonObject): Pick<Row, 'named' | 'bare' | 'text'> {
  const whole = featuresOf(body)
  const bare = featuresOf({ ...body, findings: [] })
  return { named: Uint32Array.from(whole.named.keys()), bare: Uint32Array.from(bare.named.keys()), text: Uint32Array.from(whole.text) }
}

/** `agentshield_shell` and `agentshield:internal/…` are of one project, and so are two versions of one gate. */
function groupOf(source: string): string {
  return (/^[a-z]+/.exec(basename(source.split(':')[0] ?? '')) ?? [source])[0]
}

function labelOf({ labels }: Recording, index: number): 0 | 1 | undefined {
  const label = labels[index]
  if (label === undefined) return undefined
  if (label.accept !== null) return label.accept.length === 0 ? undefined : label.accept.includes('allow') ? 0 : 1
  return label.label === 'unknown' ? undefined : label.label === 'attack' ? 1 : 0
}

function callOf({ calls, role, task, session }: Recording, index: number, cwd: string): ToolCall {
  const recorded = calls[index]
  return {
    tool: { server: null, name: recorded?.tool ?? '', definition: null },
    args: recorded?.args ?? {},
    principal: { agent: null, role, user: null, tenant: null, chain: [] },
    session: `judge:${session}`,
    cwd,
    context: { task, recent: [] },
    definition: recorded?.definition ?? null,
    approval: null,
    callId: null,
  }
}
