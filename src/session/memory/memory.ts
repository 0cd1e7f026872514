/**
 * The memory of one session, reduced from its events: who asked for what, what came in from where, what is still running. The same
 * events in the same order make the same memory, whichever entry they came through. Bounded: it never grows with the session.
 */
import type { SessionEvent, CallEvent, ResultEvent } from './events.ts'
import { ValueTable } from './values.ts'

/** Where values came from. */
export interface ValueSource {
  /** Number of the call, from 1. */
  readonly step: number
  readonly tool: string
  readonly field: string
}

/** Sources whose names are remembered. */
const MAX_SOURCES = 256
const MAX_IN_FLIGHT = 64
const MAX_APPROVED = 512
const MAX_RECENT = 20

export interface InFlight {
  readonly id: string
  readonly step: number
  readonly at: number
}

export interface SessionMemory {
  /** Calls that were decided. */
  steps: number
  /** Calls that were let through and have not returned, oldest first. */
  inFlight: InFlight[]
  /** The last verdicts, oldest first. */
  recent: string[]
  /** Number of the first call that brought in what somebody else may have written; null: none has. */
  untrustedSince: number | null
  /** By number, from 1, newest last. */
  readonly sources: Map<number, ValueSource>
  nextSource: number
  readonly values: ValueTable
  readonly approved: Set<number>
  handedActs: number
  readonly handedTopics: Set<number>
}

export function emptyMemory(): SessionMemory {
  return {
    steps: 0,
    inFlight: [],
    recent: [],
    untrustedSince: null,
    sources: new Map(),
    nextSource: 1,
    values: new ValueTable(),
    approved: new Set(),
    handedActs: 0,
    handedTopics: new Set(),
  }
}

/** Adds an event to a memory that nobody else holds. */
export function apply(memory: SessionMemory, event: SessionEvent): void {
  if (event.kind === 'call') applyCall(memory, event)
  else applyResult(memory, event)
}

function applyCall(memory: SessionMemory, { id, at, verdict, approved }: CallEvent): void {
  memory.steps += 1
  memory.recent.push(verdict)
  if (memory.recent.length > MAX_RECENT) memory.recent.shift()
  if (verdict === 'allow' || verdict === 'flag') {
    memory.inFlight.push({ id, step: memory.steps, at })
    if (memory.inFlight.length > MAX_IN_FLIGHT) memory.inFlight.shift()
  }
  for (const hash of approved) keep(memory.approved, hash, MAX_APPROVED)
}

function applyResult(memory: SessionMemory, { id, tool, fields, values, untrusted, handed }: ResultEvent): void {
  const index = memory.inFlight.findIndex((call) => call.id === id)
  const step = memory.inFlight[index]?.step ?? memory.steps
  if (index >= 0) memory.inFlight.splice(index, 1)
  const base = memory.nextSource
  for (const field of fields) {
    memory.sources.set(memory.nextSource, { step, tool, field })
    memory.nextSource += 1
  }
  for (const number of memory.sources.keys()) {
    if (memory.sources.size <= MAX_SOURCES) break
    memory.sources.delete(number)
  }
  for (const { hash, source, flags } of values) memory.values.add({ hash, source: base + source, flags })
  if (untrusted) memory.untrustedSince ??= step
  if (handed !== null) {
    memory.handedActs |= handed.acts
    for (const topic of handed.topics) memory.handedTopics.add(topic)
  }
}

function keep(set: Set<number>, value: number, most: number): void {
  set.delete(value)
  set.add(value)
  for (const oldest of set) {
    if (set.size <= most) break
    set.delete(oldest)
  }
}
