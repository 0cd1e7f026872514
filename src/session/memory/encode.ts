/** The memory of a session as text that fits into 64 KiB, and back. Pure. */
import { isJsonObject, type Json, type JsonObject, parseJson } from '../../core/json.ts'
import { type Outcome, VERDICTS } from '../../core/verdict.ts'
import type { RiskStep } from '../risk/risk.ts'
import type { Declassified } from './declassified.ts'
import type { AskedFor, Holds, SessionEvent } from './events.ts'
import type { KeptGraph } from './graph.ts'
import { emptyMemory, type InFlight, type SessionMemory, type ValueSource } from './memory.ts'
import { monitorsFromJson, monitorsToJson } from './monitors.ts'
import { VALUE_SLOTS, ValueTable } from './values.ts'

/** Raised where the shape changes: what another version wrote is not read. */
const VERSION = 3

const HASHES = ['approved', 'said', 'secrets', 'privates', 'sent', 'files', 'refused'] as const

/** UTF-16 units of the text of a memory; it holds nothing but ASCII where names do. */
export const MAX_STATE = 64 * 1024

/** What stays of sources and values where the rest takes much room: what is forgotten makes no call look better. */
const ROOM = [
  { sources: 128, values: VALUE_SLOTS },
  { sources: 48, values: VALUE_SLOTS },
  { sources: 24, values: VALUE_SLOTS / 2 },
  { sources: 8, values: VALUE_SLOTS / 8 },
] as const

export function encodeMemory(memory: SessionMemory): string {
  let text = ''
  for (const room of ROOM) {
    text = encodeWithin(memory, room)
    if (text.length <= MAX_STATE) break
  }
  return text
}

function encodeWithin(memory: SessionMemory, room: { readonly sources: number; readonly values: number }): string {
  return JSON.stringify({
    v: VERSION,
    steps: memory.steps,
    flying: memory.inFlight.map(({ targets, ...call }) => (targets === undefined ? call : { ...call, targets: packed(targets) })),
    recent: memory.recent,
    untrusted: [...memory.untrusted],
    sources: [...memory.sources]
      .slice(-room.sources)
      .map(([number, { step, tool, field, places }]) => [number, step, tool, field, ...(places ?? [])]),
    next: memory.nextSource,
    values: base64(memory.values.bytes(room.values)),
    forgot: memory.values.forgot || memory.values.size > room.values,
    approved: packed(memory.approved),
    said: packed(memory.said),
    asked: memory.asked,
    task: memory.task,
    handed: memory.handedActs,
    handedTopics: [...memory.handedTopics],
    held: [...memory.held],
    secrets: packed(memory.secrets),
    privates: packed(memory.privates),
    sent: packed(memory.sent),
    files: packed(memory.files),
    refused: packed(memory.refused),
    monitors: monitorsToJson(memory.monitors),
    ...(memory.graphs.length === 0 ? {} : { graphs: memory.graphs }),
    ...(memory.lifted === 0 ? {} : { lifted: memory.lifted }),
    ...(memory.declassified.length === 0 ? {} : { declassified: memory.declassified }),
    risk: memory.risk,
    incomplete: memory.incomplete,
  })
}

/** Null for what this version did not write. */
export function decodeMemory(text: string): SessionMemory | null {
  const json = parseJson(text)
  if (!isJsonObject(json) || json.v !== VERSION) return null
  const memory = emptyMemory()
  const values = new ValueTable(bytesOf(String(json.values)))
  values.forgot = json.forgot === true
  for (const entry of list(json.sources)) {
    const [number, step, tool, field, ...places] = list(entry)
    const aimed = places.length === 0 ? {} : { places: places.map(Number) }
    memory.sources.set(Number(number), { step: Number(step), tool: String(tool), field: String(field), ...aimed } satisfies ValueSource)
  }
  for (const entry of list(json.untrusted)) {
    const [tool, step] = list(entry)
    memory.untrusted.set(String(tool), Number(step))
  }
  for (const name of HASHES) for (const hash of unpacked(json[name])) memory[name].add(hash)
  for (const entry of list(json.held)) {
    const [holds, step] = list(entry)
    memory.held.set(holds as Holds, Number(step))
  }
  for (const topic of list(json.handedTopics)) memory.handedTopics.add(Number(topic))
  return {
    ...memory,
    values,
    steps: Number(json.steps),
    inFlight: list(json.flying).flatMap(flightFrom),
    recent: list(json.recent).filter(isOutcome),
    nextSource: Number(json.next),
    asked: list(json.asked) as unknown as AskedFor[],
    task: typeof json.task === 'number' ? json.task : null,
    handedActs: Number(json.handed),
    monitors: monitorsFromJson(json.monitors),
    graphs: list(json.graphs) as unknown as KeptGraph[],
    lifted: Number(json.lifted ?? 0),
    declassified: list(json.declassified) as unknown as Declassified[],
    risk: list(json.risk) as unknown as RiskStep[],
    incomplete: json.incomplete === true,
  }
}

/** Values go as one list of numbers, three each. */
export function encodeEvent(event: SessionEvent): string {
  if (event.kind !== 'result') return JSON.stringify(event)
  return JSON.stringify({ ...event, values: event.values.flatMap(({ hash, source, flags }) => [hash, source, flags]) })
}

/** Null for what is no event. */
export function decodeEvent(text: string): SessionEvent | null {
  const json = parseJson(text)
  if (!isJsonObject(json)) return null
  if (json.kind === 'call' || json.kind === 'graph' || json.kind === 'declassified') return json as unknown as SessionEvent
  return json.kind === 'result' ? ({ ...json, values: triples(json) } as unknown as SessionEvent) : null
}

function triples(json: JsonObject): readonly { hash: number; source: number; flags: number }[] {
  const flat = list(json.values).map(Number)
  const values: { hash: number; source: number; flags: number }[] = []
  for (let i = 0; i + 2 < flat.length; i += 3) values.push({ hash: flat[i] ?? 0, source: flat[i + 1] ?? 0, flags: flat[i + 2] ?? 0 })
  return values
}

/** Targets are packed; a state of before has them as a list. */
function flightFrom(value: Json): InFlight[] {
  if (!isJsonObject(value)) return []
  const { targets, ...call } = value
  if (targets === undefined) return [call as unknown as InFlight]
  return [{ ...(call as unknown as InFlight), targets: Array.isArray(targets) ? targets.map(Number) : [...unpacked(targets)] }]
}

function isOutcome(value: Json): value is Outcome {
  return value !== 'abstain' && VERDICTS.some((verdict) => verdict === value)
}

function list(value: Json | undefined): Json[] {
  return Array.isArray(value) ? [...value] : []
}

function packed(hashes: Iterable<number>): string {
  return base64(new Uint8Array(Uint32Array.from(hashes).buffer))
}

function unpacked(value: Json | undefined): Uint32Array {
  const bytes = new Uint8Array(bytesOf(String(value ?? '')))
  return new Uint32Array(bytes.buffer, 0, bytes.length >> 2)
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')
}

function bytesOf(text: string): Uint8Array {
  return Buffer.from(text, 'base64')
}
