/** A proposed call as a `ToolCall`: what is judged is a copy, and holds nothing that JSON cannot say. */
import type { ToolCall, ToolDefinition } from '../../core/call.ts'
import type { Code } from '../../core/codes.ts'
import type { Json, JsonObject } from '../../core/json.ts'
import { parseCall } from '../../ingress/call.ts'
import type { JsonLimits } from '../../ingress/json.ts'
import { digester } from '../../open.ts'
import type { Caller, ProposedCall } from './gate.ts'

export type Read = { readonly ok: true; readonly call: ToolCall } | { readonly ok: false; readonly code: Code; readonly message: string }

/** Deeper than any limit that a policy may set. */
const DEEPEST = 600

class NotJson extends Error {}

/** Never throws, whatever a caller hands in. */
export function readProposed(given: ProposedCall, caller: Caller, limits: Partial<JsonLimits>): Read {
  try {
    const who = { ...caller, ...defined(given) }
    const { tool, args, server = null, principal = {}, session = null, cwd = null, task = null, approval = null, callId = null } = who
    const { definition, subagent = null } = who
    const wire = { tool, server, args, principal, session, subagent, cwd, approval, call_id: callId, context: { task } }
    const told = definition === undefined ? {} : { definition: wireDefinition(definition) }
    const parsed = parseCall(JSON.stringify(plain({ ...wire, ...told }, '', 0)), { digester, limits })
    if (!parsed.ok) return { ok: false, code: parsed.refusal.code, message: parsed.refusal.message }
    // Whoever embeds the gate answers for what it says of the user's task.
    return { ok: true, call: { ...parsed.call, context: { ...parsed.call.context, vouched: true } } }
  } catch (error) {
    const message = error instanceof NotJson ? error.message : 'the call cannot be read'
    return { ok: false, code: 'ingress.syntax', message }
  }
}

function defined(given: ProposedCall): ProposedCall {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as unknown as ProposedCall
}

function wireDefinition(given: Partial<ToolDefinition>): object {
  const { description = null, inputSchema = null, annotations = null, title = null, outputSchema = null, origin = null } = given
  return { description, input_schema: inputSchema, annotations, title, output_schema: outputSchema, origin }
}

/** A copy, each property read once. Undefined properties are left out, as in JSON. @throws {NotJson} */
function plain(value: unknown, path: string, depth: number): Json {
  if (depth > DEEPEST) throw new NotJson(`\`${path.slice(0, 80)}…\` is nested too deeply, or holds itself`)
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number' && Number.isFinite(value)) return value
  if (typeof value !== 'object') throw new NotJson(`\`${path}\` is ${nameOf(value)}, which JSON cannot say`)
  if (Array.isArray(value)) return Array.from(value, (each: unknown, at) => plain(each, `${path}[${at}]`, depth + 1))
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== null && prototype !== Object.prototype && Object.getPrototypeOf(prototype) !== null)
    throw new NotJson(`\`${path}\` is an object of a class, which JSON cannot say`)
  const copy: Record<string, Json> = Object.create(null)
  for (const [key, each] of Object.entries(value)) {
    if (each !== undefined) copy[key] = plain(each, path === '' ? key : `${path}.${key}`, depth + 1)
  }
  return copy
}

function nameOf(value: unknown): string {
  return typeof value === 'number' ? String(value) : `a ${typeof value}`
}

/** As the session is told of a result; what JSON cannot say is left out. */
export function asJson(value: unknown): Json {
  try {
    const text = JSON.stringify(value) as string | undefined
    return text === undefined ? null : (JSON.parse(text) as Json)
  } catch {
    return null
  }
}

/** A copy for a tool, which may change it. */
export function copyOf(args: JsonObject): JsonObject {
  return structuredClone(args)
}
