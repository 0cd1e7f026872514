/**
 * Recorded calls from files: sessions, labelled single calls, expected decisions, and our own audit export; plain or gzip, one
 * JSON value per line. docs/guide/replay.md describes them.
 */
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { createGunzip } from 'node:zlib'
import type { ToolCall, ToolDefinition } from '../core/call.ts'
import type { ViewAnswer } from '../core/decision.ts'
import { isJsonObject, type Json, type JsonObject, own } from '../core/json.ts'
import { readJson } from '../ingress/json.ts'
import { RowFault, recordingOf } from './rows.ts'

/** What the gate may see of one recorded call. */
export interface RecordedCall {
  readonly tool: string
  readonly args: JsonObject
  /** Fed back only after the call was let through. */
  readonly result: Json
  /** What the recording says of the tool; absent where it says nothing. */
  readonly definition?: ToolDefinition
  /** The call with all that it came with; absent where the recording has only the tool and its arguments. */
  readonly call?: ToolCall
  /** What of the world is different once the call ran. */
  readonly after?: Json
}

/** What only the score may see. */
export interface Label {
  readonly label: 'benign' | 'attack' | 'unknown'
  /** Every decision that passes, for labelled single calls; null for sessions. */
  readonly accept: readonly string[] | null
  /** Which kind of rule the call breaks, where the recording names one. */
  readonly violation?: string
  /** The call itself does harm; other attack calls prepare it. */
  readonly harm?: true
}

export interface Recording {
  /** Session id, or the number of the row for labelled single calls. */
  readonly session: string | number
  readonly source: string
  readonly role: string | null
  readonly task: string | null
  /** What the whole session is labelled as; only the score may see it. */
  readonly sessionLabel: string | null
  /** The world of the call as its `context` tells it, read leniently; null where the row has none. */
  readonly world: JsonObject | null
  /** Worlds as `world` describes them, of the file and of the row, each over the one before. */
  readonly described?: readonly Json[]
  /** What the View answered when the call was decided. */
  readonly answers?: readonly ViewAnswer[]
  /** The label depends on a world that the row does not describe. */
  readonly undescribed: boolean
  readonly calls: readonly RecordedCall[]
  readonly labels: readonly Label[]
  /** The decision that the log holds. */
  readonly recorded?: string
  /** The decision, and the code if any, that the row asks for. */
  readonly expected?: { readonly decision: string; readonly code: string | null }
  /** A result that the log holds: told to the session where its call was let through. */
  readonly returned?: { readonly call: ToolCall; readonly response: Json }
}

/** A recorded line may be as long as a session. */
const LIMITS = { maxBytes: 64 * 1024 * 1024, maxStringLength: 16 * 1024 * 1024 } as const

/** Every recording of a file, in order. Throws with the line number where one cannot be read. */
export async function* readRecordings(path: string): AsyncGenerator<Recording> {
  const raw = createReadStream(path)
  const input = path.endsWith('.gz') ? raw.pipe(createGunzip()) : raw
  const described: Json[] = []
  let row = 0
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (line.trim() === '') continue
    const value: Json = parseLine(line, path, row)
    if (!isJsonObject(value)) throw new Error(`${path}, line ${row + 1}: not a JSON object`)
    const world = own(value, 'world')
    if (world !== undefined && Object.keys(value).length === 1) described.push(world)
    else {
      const recording = attempt(() => recordingOf(value, row), { path, row })
      const worlds = world === undefined ? described : [...described, world]
      if (recording !== null) yield worlds.length === 0 ? recording : { ...recording, described: worlds }
    }
    row++
  }
}

function attempt<T>(work: () => T, { path, row }: { readonly path: string; readonly row: number }): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof RowFault) throw new Error(`${path}, line ${row + 1}: ${error.message}`)
    throw error
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
