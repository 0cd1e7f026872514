/** Recorded calls from files: sessions, labelled single calls, and our own audit export; plain or gzip, one JSON value per line. */
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { createGunzip } from 'node:zlib'
import type { ToolDefinition } from '../core/call.ts'
import { isJsonObject, type Json, type JsonObject, own } from '../core/json.ts'
import { readJson } from '../ingress/json.ts'

/** What the gate may see of one recorded call. */
export interface RecordedCall {
  readonly tool: string
  readonly args: JsonObject
  /** Fed back only after the call was let through. */
  readonly result: Json
  /** What the recording says of the tool; absent where it says nothing. */
  readonly definition?: ToolDefinition
}

/** What only the score may see. */
export interface Label {
  readonly label: 'benign' | 'attack' | 'unknown'
  /** Every decision that passes, for labelled single calls; null for sessions. */
  readonly accept: readonly string[] | null
  /** Which kind of rule the call breaks, where the recording names one. */
  readonly violation?: string
}

export interface Recording {
  /** Session id, or the number of the row for labelled single calls. */
  readonly session: string | number
  readonly source: string
  readonly role: string | null
  readonly task: string | null
  /** What the whole session is labelled as; only the score may see it. */
  readonly sessionLabel: string | null
  /** The described world of the call, where the row has one. */
  readonly world: JsonObject | null
  /** The label depends on a world that the row does not describe. */
  readonly undescribed: boolean
  readonly calls: readonly RecordedCall[]
  readonly labels: readonly Label[]
}

/** A recorded line may be as long as a session. */
const LIMITS = { maxBytes: 64 * 1024 * 1024, maxStringLength: 16 * 1024 * 1024 } as const

/** Every recording of a file, in order. Throws with the line number where one cannot be read. */
export async function* readRecordings(path: string): AsyncGenerator<Recording> {
  const raw = createReadStream(path)
  const input = path.endsWith('.gz') ? raw.pipe(createGunzip()) : raw
  let row = 0
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (line.trim() === '') continue
    const value: Json = parseLine(line, path, row)
    if (!isJsonObject(value)) throw new Error(`${path}, line ${row + 1}: not a JSON object`)
    const recording = toRecording(value, row)
    if (recording !== null) yield recording
    row++
  }
}

function parseLine(line: string, path: string, row: number): Json {
  const read = readJson(line, LIMITS)
  if (read.ok) return read.value
  // Recorded data is read as leniently as it was written (lone surrogates, large integers); the calls in it are still judged.
  try {
    return JSON.parse(line) as Json
  } catch {
    throw new Error(`${path}, line ${row + 1}: ${read.refusal.message}`)
  }
}

function toRecording(value: JsonObject, row: number): Recording | null {
  const calls = own(value, 'calls')
  if (Array.isArray(calls)) return fromSession(value, calls)
  if (Array.isArray(own(value, 'accept'))) return fromLabelled(value, row)
  if (own(value, 'kind') !== undefined) return fromExport(value)
  throw new Error(`line ${row + 1} is neither a session, nor a labelled call, nor an audit record`)
}

function fromSession(value: JsonObject, calls: readonly Json[]): Recording {
  const context = own(value, 'context')
  const known = isJsonObject(context) ? context : {}
  const objects = calls.filter(isJsonObject)
  const definitions = definitionsOf(own(value, 'tools'))
  return {
    session: text(value, 'id') ?? '',
    source: text(value, 'source') ?? '',
    role: text(known, 'role'),
    task: text(known, 'task'),
    sessionLabel: text(value, 'session_label'),
    world: null,
    undescribed: false,
    calls: objects.map((call) => {
      const tool = text(call, 'tool') ?? ''
      const definition = definitions.get(tool)
      const recorded = { tool, args: objectOf(own(call, 'args')), result: own(call, 'result') ?? null }
      return definition === undefined ? recorded : { ...recorded, definition }
    }),
    labels: objects.map((call) => {
      const violation = text(call, 'violation')
      return { label: labelOf(text(call, 'label')), accept: null, ...(violation === null ? {} : { violation }) }
    }),
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
    session: row,
    source: text(value, 'source') ?? '',
    role: null,
    task: null,
    sessionLabel: null,
    world: isJsonObject(world) ? world : null,
    undescribed: own(value, 'context_dependent') === true && !isJsonObject(world),
    calls: [{ tool: text(value, 'tool') ?? '', args: objectOf(own(value, 'input')), result: null }],
    labels: [{ label: 'unknown', accept: Array.isArray(accept) ? accept.filter((item): item is string => typeof item === 'string') : [] }],
  }
}

/** A decision record of our own log: the (redacted) call as it was judged. */
function fromExport(value: JsonObject): Recording | null {
  const body = own(value, 'body')
  if (own(value, 'kind') !== 'decision' || !isJsonObject(body)) return null
  const call = own(body, 'call')
  if (!isJsonObject(call)) return null
  return {
    session: text(value, 'session') ?? text(value, 'id') ?? '',
    source: 'audit',
    role: null,
    task: null,
    sessionLabel: null,
    world: null,
    undescribed: false,
    calls: [{ tool: text(call, 'tool') ?? '', args: objectOf(own(call, 'args')), result: null }],
    labels: [{ label: 'unknown', accept: null }],
  }
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
