/**
 * The memory of one session, reduced from its events: who asked for what, what came in from where, what is still running. The same
 * events in the same order make the same memory, whichever entry they came through. Bounded: it never grows with the session.
 */
import type { Outcome } from '../../core/verdict.ts'
import { type RiskStep, withoutQuestion, withStep } from '../risk/risk.ts'
import type { Declassified } from './declassified.ts'
import type { AskedFor, CallEvent, DeclassifiedEvent, GraphEvent, Holds, Reach, ResultEvent, Said, SessionEvent } from './events.ts'
import type { KeptGraph } from './graph.ts'
import { type Monitors, mark } from './monitors.ts'
import { MAX_NAME } from './names.ts'
import { MAX_SOURCE, ValueTable } from './values.ts'

/** Where values came from. */
export interface ValueSource {
  /** Number of the call, from 1. */
  readonly step: number
  readonly tool: string
  readonly field: string
  /** Hashes of what the user named and the call that returned it was aimed at. Absent: of nothing. */
  readonly places?: readonly number[]
}

/** A call that was let through and has not returned. */
export interface InFlight {
  readonly id: string
  readonly step: number
  readonly at: number
  readonly reach: Reach
  readonly holds: Holds | null
  /** What somebody at the host was asked about: that the call ran says that they agreed. Absent: nobody was. */
  readonly targets?: readonly number[]
}

/** Sources whose names are remembered, and how much of a name. */
const MAX_SOURCES = 128
const MAX_PLACES = 3
const MAX_GRAPHS = 2
const MAX_DECLASSIFIED = 16
const MAX_IN_FLIGHT = 32
const MAX_UNTRUSTED = 24
const MAX_APPROVED = 256
const MAX_SAID = 512
const MAX_SECRETS = 1024
const MAX_PRIVATES = 768
const MAX_SENT = 256
const MAX_FILES = 128
const MAX_REFUSED = 128
const MAX_TOPICS = 64
const MAX_ASKED = 32
/** Verdicts that are remembered one by one. */
export const MAX_RECENT = 20

export interface SessionMemory {
  /** Calls that were decided. */
  steps: number
  /** Oldest first. */
  inFlight: InFlight[]
  /** The last verdicts, oldest first. */
  recent: Outcome[]
  /** Tools that brought in what somebody else may have written, each with the number of the first such call. */
  readonly untrusted: Map<string, number>
  /** By number, from 1, newest last. */
  readonly sources: Map<number, ValueSource>
  nextSource: number
  readonly values: ValueTable
  /** Targets that people agreed to. */
  readonly approved: Set<number>
  /** Things and words that the user said, in this request or one before it. */
  readonly said: Set<number>
  /** What they asked for, sentence by sentence, oldest first. */
  asked: AskedFor[]
  /** Hash of the last request. */
  task: number | null
  /** What the texts ask for that the user handed the decision on to. */
  handedActs: number
  readonly handedTopics: Set<number>
  /** Numbers of the first calls that brought in what is private, and what is secret. */
  readonly held: Map<Holds, number>
  /** Hashes of runs of what is secret and private, and of the runs of secrets that went out. */
  readonly secrets: Set<number>
  readonly privates: Set<number>
  readonly sent: Set<number>
  /** Hashes of paths with what they hold: what came from the network, a copy of a secret. */
  readonly files: Set<number>
  /** Hashes of whom and what denied calls were aimed at. */
  readonly refused: Set<number>
  readonly monitors: Monitors
  /** What judges made of the user's requests, newest last. */
  graphs: KeptGraph[]
  /** What people vouched for, newest last. */
  declassified: Declassified[]
  /** What added to the risk of the run, oldest first. */
  risk: RiskStep[]
  /** When a person last let the session go on, in milliseconds since the epoch; 0: never. */
  lifted: number
  /** Something of before is not known: what is not found may have been there. */
  incomplete: boolean
}

export function emptyMemory(): SessionMemory {
  return {
    steps: 0,
    inFlight: [],
    recent: [],
    untrusted: new Map(),
    sources: new Map(),
    nextSource: 1,
    values: new ValueTable(),
    approved: new Set(),
    said: new Set(),
    asked: [],
    task: null,
    handedActs: 0,
    handedTopics: new Set(),
    held: new Map(),
    secrets: new Set(),
    privates: new Set(),
    sent: new Set(),
    files: new Set(),
    refused: new Set(),
    monitors: new Map(),
    graphs: [],
    declassified: [],
    risk: [],
    lifted: 0,
    incomplete: false,
  }
}

/** Adds an event to a memory that nobody else holds. */
export function apply(memory: SessionMemory, event: SessionEvent): void {
  if (event.kind === 'call') applyCall(memory, event)
  else if (event.kind === 'result') applyResult(memory, event)
  else if (event.kind === 'graph') applyGraph(memory, event)
  else memory.declassified = [...memory.declassified, withoutKind(event)].slice(-MAX_DECLASSIFIED)
}

function withoutKind({ values, from, tool, argument, until, by }: DeclassifiedEvent): Declassified {
  return { values, from, tool, argument, until, by }
}

function applyGraph(memory: SessionMemory, { task, by, permits }: GraphEvent): void {
  memory.graphs = [...memory.graphs.filter((graph) => graph.task !== task), { task, by, permits }].slice(-MAX_GRAPHS)
}

function applyCall(memory: SessionMemory, event: CallEvent): void {
  const { id, at, verdict, reach, holds, attended, targets, approved, said, marks, sent, files } = event
  forgetDenied(memory, event.lifted ?? 0)
  memory.steps += 1
  memory.recent.push(verdict)
  if (memory.recent.length > MAX_RECENT) memory.recent.shift()
  const asked = verdict === 'ask' && attended
  const goes = verdict === 'allow' || verdict === 'flag' || asked
  if (goes) {
    memory.inFlight.push({ id, step: memory.steps, at, reach, holds, ...(asked ? { targets } : {}) })
    if (memory.inFlight.length > MAX_IN_FLIGHT) memory.inFlight.shift()
    keepAll(memory.sent, sent, MAX_SENT)
    keepAll(memory.files, files, MAX_FILES)
  }
  const denied = verdict === 'deny' || verdict === 'halt'
  for (const each of marks.filter(({ always }) => goes || always)) mark(memory.monitors, each, { step: memory.steps, at, denied })
  if (denied) keepAll(memory.refused, targets, MAX_REFUSED)
  if (approved) keepAll(memory.approved, targets, MAX_APPROVED)
  addRisk(memory, event)
  if (said !== null) hear(memory, said)
}

/** A person let the session go on: what it was denied before is forgotten. */
function forgetDenied(memory: SessionMemory, lifted: number): void {
  if (lifted <= memory.lifted) return
  memory.lifted = lifted
  memory.refused.clear()
  for (const [id, { denied }] of memory.monitors) if (denied) memory.monitors.delete(id)
}

/** What people agreed to adds nothing, and takes its question back. */
function addRisk(memory: SessionMemory, { at, verdict, approved, because }: CallEvent): void {
  if (approved) memory.risk = withoutQuestion(memory.risk)
  if (verdict === 'allow' || approved || because === undefined) return
  memory.risk = withStep(memory.risk, { step: memory.steps, at, verdict, because })
}

function hear(memory: SessionMemory, { task, hashes, asked }: Said): void {
  memory.task = task
  memory.asked = [...memory.asked, ...asked].slice(-MAX_ASKED)
  keepAll(memory.said, hashes, MAX_SAID)
}

function applyResult(memory: SessionMemory, event: ResultEvent): void {
  const { id, tool, values, untrusted, handed, holds, secrets, privates } = event
  const index = memory.inFlight.findIndex((call) => call.id === id)
  const call = memory.inFlight[index]
  const step = call?.step ?? memory.steps
  keepAll(memory.approved, call?.targets ?? [], MAX_APPROVED)
  if (index >= 0) memory.inFlight.splice(index, 1)
  const base = addSources(memory, event, step)
  for (const { hash, source, flags } of values) memory.values.add({ hash, source: base + source, flags })
  if (untrusted) mistrust(memory, tool.slice(0, MAX_NAME), step)
  if (holds !== null && !memory.held.has(holds)) memory.held.set(holds, step)
  keepAll(memory.secrets, secrets, MAX_SECRETS)
  keepAll(memory.privates, privates, MAX_PRIVATES)
  if (handed === null) return
  memory.handedActs |= handed.acts
  for (const topic of handed.topics) if (memory.handedTopics.size < MAX_TOPICS) memory.handedTopics.add(topic)
}

/** The number of the first source of the result. */
function addSources(memory: SessionMemory, { tool, fields, places = [] }: ResultEvent, step: number): number {
  if (memory.nextSource + fields.length > MAX_SOURCE) memory.nextSource = 1
  const base = memory.nextSource
  const aimed = places.length === 0 ? {} : { places: places.slice(0, MAX_PLACES) }
  for (const field of fields) {
    memory.sources.set(memory.nextSource, { step, tool: tool.slice(0, MAX_NAME), field: field.slice(0, MAX_NAME), ...aimed })
    memory.nextSource += 1
  }
  for (const number of memory.sources.keys()) {
    if (memory.sources.size <= MAX_SOURCES) break
    memory.sources.delete(number)
  }
  return base
}

/** A tool of no name stands for all that there was no room for. */
export function mistrust(memory: SessionMemory, tool: string, step: number): void {
  const name = memory.untrusted.has(tool) || memory.untrusted.size < MAX_UNTRUSTED ? tool : ''
  if (!memory.untrusted.has(name)) memory.untrusted.set(name, step)
}

/** The oldest go first. */
function keepAll(set: Set<number>, values: readonly number[], most: number): void {
  for (const value of values) {
    set.delete(value)
    set.add(value)
  }
  for (const oldest of set) {
    if (set.size <= most) break
    set.delete(oldest)
  }
}

/** A call that is in flight; null where no such call is known. */
export function flightOf(memory: SessionMemory, id: string): InFlight | null {
  return memory.inFlight.find((call) => call.id === id) ?? null
}
