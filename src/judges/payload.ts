/**
 * What a judge is shown of a call: AEGIS's keys with our facts and findings, never the transcript (D20). Secrets are taken out.
 * Nothing is cut silently: what does not fit is marked, and marked calls are not for a judge alone (AEG-W1).
 */
import type { ToolCall } from '../core/call.ts'
import { canonicalJson } from '../core/canonical.ts'
import type { Sha256 } from '../core/digest.ts'
import type { Finding } from '../core/finding.ts'
import { isJsonObject, type Json, type JsonObject, own } from '../core/json.ts'
import { effectToJson } from '../core/wire.ts'
import type { Facts } from '../facts/facts.ts'

export interface PayloadInput {
  readonly call: ToolCall
  readonly facts: Facts
  readonly findings: readonly Finding[]
  readonly criteria: string
  readonly availableTools: readonly string[]
  /** Tools of the session that were denied before. */
  readonly policyViolations: readonly string[]
  /** Contracts of the tool with their state, where a judge is asked about them. Absent: it is not. */
  readonly contracts?: readonly JsonObject[]
  /** What the call would do, where it was tried out. Absent or null: nothing is known of it, and there is no `output`. */
  readonly preview?: JsonObject | null
  readonly recentCalls: number
  readonly maxBytes: number
}

export interface PayloadParts {
  readonly redact: (value: Json) => Json
  readonly sha256: Sha256
}

export interface Payload {
  readonly body: JsonObject
  /** True where not all of the call could be shown. */
  readonly truncated: boolean
  /** `sha256:…` of exactly what is shown. */
  readonly digest: string
}

export const VALIDATION_CONTEXT = 'semantic_judge_pre_execution_inner_loop'

/** Said in place of a preview that does not fit. */
const OMITTED: JsonObject = { omitted: true, note: 'The preview is too large to be shown. Judge by the arguments.' }

/** Bytes that a payload has at most where the call is not shown in full. */
const COMPACT_BYTES = 15_000

/**
 * `output` is what a preview shows, and absent without one: the call has not run (AEG-17). A preview that is too large goes before
 * anything of the call does.
 */
export function payloadOf(input: PayloadInput, parts: PayloadParts): Payload {
  const full = redacted(fullBody(input), parts)
  if (bytesOf(full) <= input.maxBytes) return finish(full, { truncated: false, parts })
  if (own(full, 'output') !== undefined) {
    const without = { ...full, output: OMITTED }
    if (bytesOf(without) <= input.maxBytes) return finish(without, { truncated: false, parts })
  }
  return finish(redacted(compactBody(full, input, parts), parts), { truncated: true, parts })
}

function fullBody(input: PayloadInput): JsonObject {
  const { call, facts, findings } = input
  return {
    ...around(input),
    proposed_tool_call: { ...identity(call), arguments: call.args },
    available_tools: input.availableTools,
    facts: factsJson(facts),
    effects: facts.effects.map(effectToJson),
    findings: findings.map(findingJson),
    ...(input.contracts === undefined ? {} : { contracts: input.contracts }),
    ...(input.preview == null ? {} : { output: { preview: true, ...input.preview } }),
    recent_calls: recentOf(call, input.recentCalls),
  }
}

function around({ call, criteria, policyViolations }: PayloadInput): JsonObject {
  return {
    ...taskOf(call),
    worker_mounts: call.cwd === null ? [] : [{ path: call.cwd, access: 'read-write' }],
    criteria,
    validation_context: VALIDATION_CONTEXT,
    policy_violations: policyViolations,
  }
}

/** Words that the host vouches for are the user's task. Any other are what the agent says of itself, and are shown as that. */
function taskOf({ context: { task, vouched } }: ToolCall): JsonObject {
  if (task === null || vouched === true) return { task }
  return { task: null, agent_claims: { task } }
}

function identity({ tool, definition }: ToolCall): JsonObject {
  return { name: tool.name, server: tool.server, description: definition?.description ?? null }
}

/** Messages are the operator's own; evidence may hold texts of the agent and stays out. */
function findingJson({ layer, rule, verdict, code, message }: Finding): JsonObject {
  return { layer, rule, verdict, code, message }
}

function factsJson({ tool, commands, coverage, hidden, scripts }: Facts): JsonObject {
  return {
    tool_family: tool.family,
    coverage,
    commands: commands.map(({ program, argv, wrappers }) => ({ program, argv, wrappers })),
    hidden_characters: hidden.map(({ kind, severity, count }) => ({ kind, severity, count })),
    scripts: scripts.map(({ path, digest }) => ({ path, digest })),
  }
}

/** Without what they returned: results are where others write (T51). */
function recentOf({ context }: ToolCall, most: number): readonly Json[] {
  if (most === 0) return []
  return context.recent.slice(-most).map((call) => {
    if (!isJsonObject(call)) return null
    return { tool: own(call, 'tool') ?? null, args: own(call, 'args') ?? null }
  })
}

const SHOWN_KEYS = 8
const SHOWN_PARTS = 16
const PREVIEW = 96

/**
 * Everything that has no bound of its own is bounded here, so that the whole stays below `COMPACT_BYTES` for any call. It is cut from
 * what was redacted as a whole: half of a secret would look like none.
 */
function compactBody(full: JsonObject, { call, facts, findings }: PayloadInput, { sha256 }: PayloadParts): JsonObject {
  const { proposed_tool_call: shown, policy_violations: denied, ...rest } = full
  const { arguments: args = null, ...identified } = isJsonObject(shown) ? shown : {}
  const text = canonicalJson(args)
  const keys = isJsonObject(args) ? Object.keys(args) : []
  const kept = pick(rest, [
    'task',
    ...(own(rest, 'agent_claims') === undefined ? [] : ['agent_claims']),
    'worker_mounts',
    'criteria',
    'validation_context',
  ])
  return {
    ...shortened({ ...kept, policy_violations: Array.isArray(denied) ? denied.slice(-SHOWN_PARTS) : [] }, 1_000),
    truncated: true,
    proposed_tool_call: {
      ...shortened(identified, PREVIEW),
      arguments: {
        kind: 'object',
        digest: `sha256:${sha256(text)}`,
        units: text.length,
        key_count: Object.keys(call.args).length,
        keys: keys.slice(0, SHOWN_KEYS).map((key) => preview(key, PREVIEW)),
        start: text.slice(0, 1_000),
        end: text.slice(-1_000),
      },
    },
    coverage: facts.coverage,
    effect_count: facts.effects.length,
    effects: listIn(rest, 'effects').slice(0, SHOWN_PARTS).map(shortEffect),
    findings: findings.slice(0, SHOWN_PARTS).map(({ layer, verdict, code }) => ({ layer, verdict, code })),
  }
}

function pick(object: JsonObject, keys: readonly string[]): JsonObject {
  return Object.fromEntries(keys.map((key) => [key, own(object, key) ?? null]))
}

function listIn(object: JsonObject, key: string): readonly JsonObject[] {
  const value = own(object, key)
  return Array.isArray(value) ? value.filter(isJsonObject) : []
}

function shortEffect(effect: JsonObject): JsonObject {
  const target = own(effect, 'target')
  const { kind = null, value = null, scope = 'unknown' } = isJsonObject(target) ? target : {}
  return { ...pick(effect, ['verb', 'action', 'reversible']), kind, value: short(value, PREVIEW), scope }
}

function shortened(object: JsonObject, most: number): JsonObject {
  const entries = Object.entries(object).map(([key, value]) => [key, short(value, most)] as const)
  return Object.fromEntries(entries)
}

function short(value: Json, most: number): Json {
  if (typeof value === 'string') return preview(value, most)
  if (Array.isArray(value)) return value.slice(0, SHOWN_PARTS).map((item: Json) => short(item, PREVIEW))
  return isJsonObject(value) ? shortened(value, PREVIEW) : value
}

function preview(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most)}…`
}

function redacted(body: JsonObject, { redact }: PayloadParts): JsonObject {
  const value = redact(body)
  if (!isJsonObject(value)) throw new TypeError('redaction turned a payload into something else')
  return value
}

function finish(body: JsonObject, { truncated, parts }: { truncated: boolean; parts: PayloadParts }): Payload {
  if (truncated && bytesOf(body) >= COMPACT_BYTES) {
    return finish(smallest(body), { truncated, parts })
  }
  return { body, truncated, digest: `sha256:${parts.sha256(printed(body))}` }
}

/** Characters of four bytes can fill what is left; then only names and digests stay. */
function smallest(body: JsonObject): JsonObject {
  const call = own(body, 'proposed_tool_call')
  const args = isJsonObject(call) ? own(call, 'arguments') : null
  const digest = isJsonObject(args) ? own(args, 'digest') : null
  const name = isJsonObject(call) ? own(call, 'name') : null
  return {
    truncated: true,
    validation_context: VALIDATION_CONTEXT,
    criteria: own(body, 'criteria') ?? null,
    proposed_tool_call: { name: name ?? null, arguments: { kind: 'object', digest: digest ?? null } },
  }
}

/** A payload as it is shown: half a surrogate pair, which a cut can leave, is replaced. */
export function printed(body: JsonObject): string {
  return JSON.stringify(body).toWellFormed()
}

function bytesOf(body: JsonObject): number {
  return new TextEncoder().encode(printed(body)).length
}
