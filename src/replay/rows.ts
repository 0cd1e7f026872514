/** One line of a file of recorded calls as a recording, whichever of the four shapes it has. */
import type { ToolCall, ToolDefinition } from '../core/call.ts'
import type { ViewAnswer } from '../core/decision.ts'
import { isJsonObject, type Json, type JsonObject, own } from '../core/json.ts'
import type { Label, RecordedCall, Recording } from './read.ts'
import { recordedCallFrom } from './recorded-call.ts'

/** A line that is none of the shapes. */
export class RowFault extends Error {
  override readonly name = 'RowFault'
}

/** Null for a line of an export that holds no call. @throws {RowFault} */
export function recordingOf(value: JsonObject, row: number): Recording | null {
  const calls = own(value, 'calls')
  if (Array.isArray(calls)) return fromSession(value, calls)
  if (Array.isArray(own(value, 'accept'))) return fromLabelled(value, row)
  if (own(value, 'kind') !== undefined) return fromExport(value)
  if (isJsonObject(own(value, 'anchor'))) return null
  if (own(value, 'call') !== undefined) return fromExpected(value, row)
  throw new RowFault('neither a session, nor a labelled call, nor an expected decision, nor an audit record')
}

const NOTHING = { role: null, task: null, sessionLabel: null, world: null, undescribed: false } as const

function fromSession(value: JsonObject, calls: readonly Json[]): Recording {
  const context = own(value, 'context')
  const known = isJsonObject(context) ? context : {}
  const objects = calls.filter(isJsonObject)
  const definitions = definitionsOf(own(value, 'tools'))
  return {
    ...NOTHING,
    session: text(value, 'id') ?? '',
    source: text(value, 'source') ?? '',
    role: text(known, 'role'),
    task: text(known, 'task'),
    sessionLabel: text(value, 'session_label'),
    calls: objects.map((call) => callOfSession(call, definitions)),
    labels: objects.map((call) => {
      const violation = text(call, 'violation')
      const harm = own(call, 'harm') === true ? { harm: true as const } : {}
      return { label: labelOf(text(call, 'label')), accept: null, ...harm, ...(violation === null ? {} : { violation }) }
    }),
  }
}

function callOfSession(call: JsonObject, definitions: ReadonlyMap<string, ToolDefinition>): RecordedCall {
  const tool = text(call, 'tool') ?? ''
  const definition = definitions.get(tool)
  const after = own(call, 'after')
  return {
    tool,
    args: objectOf(own(call, 'args')),
    result: own(call, 'result') ?? null,
    ...(definition === undefined ? {} : { definition }),
    ...(after === undefined ? {} : { after }),
  }
}

/** Definitions of the session's tools, by name; of two with one name the first holds. */
function definitionsOf(tools: Json | undefined): ReadonlyMap<string, ToolDefinition> {
  const definitions = new Map<string, ToolDefinition>()
  for (const tool of Array.isArray(tools) ? tools.filter(isJsonObject) : []) {
    const name = text(tool, 'name')
    if (name === null || definitions.has(name)) continue
    const schema = own(tool, 'input_schema') ?? own(tool, 'inputSchema') ?? null
    const annotations = own(tool, 'annotations') ?? null
    definitions.set(name, {
      description: text(tool, 'description'),
      inputSchema: isJsonObject(schema) ? schema : null,
      annotations: isJsonObject(annotations) ? annotations : null,
    })
  }
  return definitions
}

function fromLabelled(value: JsonObject, row: number): Recording {
  const accept = own(value, 'accept')
  const world = own(value, 'context')
  return {
    ...NOTHING,
    session: row,
    source: text(value, 'source') ?? '',
    world: isJsonObject(world) ? world : null,
    undescribed: own(value, 'context_dependent') === true && !isJsonObject(world) && own(value, 'world') === undefined,
    calls: [{ tool: text(value, 'tool') ?? '', args: objectOf(own(value, 'input')), result: null }],
    labels: [{ label: 'unknown', accept: Array.isArray(accept) ? accept.filter((item): item is string => typeof item === 'string') : [] }],
  }
}

/** Calls of one session as they are sent to the gate, each with `result` and `after`, the last one in question. @throws {RowFault} */
export function recordingOfCalls(session: string, calls: readonly JsonObject[], described: readonly Json[]): Recording {
  const read = calls.map(({ result = null, after, ...call }) => recordedCall(wireCall({ ...call, session }), result, after))
  const last = read.at(-1)?.call
  return {
    ...NOTHING,
    session,
    source: 'tests',
    world: last === undefined ? {} : asWritten(last),
    role: last?.principal.role ?? null,
    task: last?.context.task ?? null,
    described,
    calls: read,
    labels: read.map(() => ({ label: 'unknown', accept: null })),
  }
}

/** `{call, expect, code?}`: a call as it is sent to the gate, and what is to come of it. */
function fromExpected(value: JsonObject, row: number): Recording {
  const call = wireCall(own(value, 'call') ?? null)
  const expect = text(value, 'expect')
  const accept = expect === null ? null : [ACCEPTED[expect] ?? expect]
  return {
    ...NOTHING,
    session: call.session ?? row,
    source: text(value, 'source') ?? '',
    world: asWritten(call),
    role: call.principal.role,
    task: call.context.task,
    calls: [recordedCall(call, own(value, 'result') ?? null, own(value, 'after'))],
    labels: [{ label: 'unknown', accept }],
    ...(expect === null ? {} : { expected: { decision: expect, code: text(value, 'code') } }),
  }
}

/** Whoever writes a call down to be judged says where it runs: nothing is guessed from its paths. */
function asWritten({ cwd }: ToolCall): JsonObject {
  return cwd === null ? {} : { cwd }
}

/** Labels know three answers. */
const ACCEPTED: Readonly<Record<string, string>> = { flag: 'allow', halt: 'deny' }

/** A record of our own log: the (redacted) call as it was judged, or what a call returned. */
function fromExport(value: JsonObject): Recording | null {
  const body = own(value, 'body')
  const kind = own(value, 'kind')
  if (!isJsonObject(body) || !isJsonObject(own(body, 'call'))) return null
  if (kind !== 'decision' && kind !== 'result') return null
  const call = wireCall(own(body, 'call') ?? null)
  const session = call.session ?? text(value, 'session') ?? text(value, 'id') ?? ''
  const base = { ...NOTHING, session, source: 'audit', role: call.principal.role, task: call.context.task }
  if (kind === 'result') return { ...base, calls: [], labels: [], returned: { call, response: own(body, 'response') ?? null } }
  const recorded = text(value, 'decision')
  const decision = own(body, 'decision')
  const answers = isJsonObject(decision) ? own(decision, 'view') : undefined
  return {
    ...base,
    calls: [recordedCall(call, null, undefined)],
    labels: [{ label: 'unknown', accept: null }],
    ...(recorded === null ? {} : { recorded }),
    ...(Array.isArray(answers) && answers.every(isAnswer) ? { answers: answers as unknown as readonly ViewAnswer[] } : {}),
  }
}

function isAnswer(value: Json): boolean {
  return isJsonObject(value) && typeof value.question === 'string' && typeof value.subject === 'string' && value.answer !== undefined
}

function recordedCall(call: ToolCall, result: Json, after: Json | undefined): RecordedCall {
  const { tool, args, definition } = call
  return { tool: tool.name, args, result, call, ...(definition === null ? {} : { definition }), ...(after === undefined ? {} : { after }) }
}

/** In wire form, as it is sent and as the log holds it. */
function wireCall(value: Json): ToolCall {
  const read = recordedCallFrom(value)
  if (!read.ok) throw new RowFault(`the call cannot be read: ${read.message}`)
  // The log says who vouched for the task; whoever writes a call down vouches for it.
  return { ...read.call, context: { ...read.call.context, vouched: read.vouched !== false } }
}

function labelOf(label: string | null): Label['label'] {
  return label === 'benign' || label === 'attack' ? label : 'unknown'
}

function objectOf(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {}
}

function text(object: JsonObject, key: string): string | null {
  const value = own(object, key)
  return typeof value === 'string' ? value : null
}
