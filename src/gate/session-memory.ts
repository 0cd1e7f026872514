/**
 * Keeps the memory of sessions: each decision and each result adds one event in the transaction of its record, and whoever decides next,
 * in whatever process, reads the events that it has not seen. A state is kept every so many events, so that a restart reads few of them.
 * What is not rightly signed, or is missing where the log knows the session, makes the memory incomplete: then values are from nowhere.
 */
import type { ToolCall } from '../core/call.ts'
import { canonicalJson } from '../core/canonical.ts'
import { taskOf } from '../flow/analyse.ts'
import { aimHash, type HashKey, hashKeyOf, keyedHash } from '../provenance/keyed-hash.ts'
import { comparedForms, fold } from '../provenance/text.ts'
import { decodeEvent, decodeMemory, encodeEvent, encodeMemory } from '../session/memory/encode.ts'
import type { CallEvent, DeclassifiedEvent, GraphEvent, Holds, Reach, ResultEvent, SessionEvent } from '../session/memory/events.ts'
import { apply, emptyMemory, flightOf, mistrust, type SessionMemory } from '../session/memory/memory.ts'
import { heard } from '../session/memory/observe.ts'
import { liftedAt } from '../session/risk/run.ts'
import type { Signer } from '../store/chain.ts'
import type { ReadTransaction, SqlRow, Store, Transaction } from '../store/store.ts'
import type { CommitContext, Spender } from './commit.ts'

export interface MemorySource {
  readonly store: Pick<Store, 'query'>
  /** Read when they are first needed, and again where a row was signed with another key. */
  readonly keys: () => { readonly current: Signer; readonly ring: ReadonlyMap<string, Signer> }
  /** Whether the log holds calls of the session: then a missing memory was lost. */
  readonly logged: (tenant: string, session: string) => boolean
  /** What is remembered of a call besides what was decided. */
  readonly noted: (context: CommitContext, decision: Decided, known: KnownMemory) => Noted
}

/** What a call leaves in the memory of its session. */
export interface Noted extends Pick<CallEvent, 'marks' | 'sent' | 'files'> {
  /** Whose words its result is. */
  readonly reach: Reach
  readonly holds: Holds | null
  /** Whom and what it is aimed at, where the user did not name it. */
  readonly aims: readonly string[]
}

/** A call that returned, as its session knows it: under which id and key, whose words its result is, and what it may hold. */
export interface Flight {
  readonly id: string
  readonly key: HashKey
  readonly reach: Reach
  readonly holds: Holds | null
}

/** A memory to look things up in; nobody but this file changes it. */
export interface KnownMemory {
  readonly memory: SessionMemory
  readonly key: HashKey
}

export interface MemoryParts {
  /** Null: the call names no session. */
  readonly of: (call: ToolCall) => KnownMemory | null
  readonly spender: Spender
  /** How the session knows a call that returned; null: the call names no session. */
  readonly flight: (call: ToolCall) => Flight | null
  /** Adds what a call returned, for this process at once. What is answered makes it durable, in the transaction of its record. */
  readonly result: (call: ToolCall, event: ResultEvent) => (tx: Transaction) => void
  /** Adds a graph of the user's request. `kept`: it counts once it is durable; otherwise at once, for this process alone. */
  readonly graph: (call: ToolCall, event: GraphEvent, kept: boolean) => (tx: Transaction) => void
  /** Adds what a person vouches for; `event` is told the key of the session's hashes. */
  readonly declassify: (session: SessionName, event: (key: HashKey) => DeclassifiedEvent) => (tx: Transaction) => void
}

export interface SessionName {
  readonly tenant: string | null
  readonly session: string
}

/** A state is kept after so many events. */
const STATE_EVERY = 32
/** How long a session is remembered after its last state: 30 days, in milliseconds. */
const LIFE = 30 * 24 * 60 * 60 * 1000
const MAX_SESSIONS = 256
const MAX_TARGETS = 24
/** Results of which the table may not know yet. One that was never recorded is remembered by this process alone. */
const MAX_AHEAD = 64

const EVENTS = 'session_events'
const STATE = 'SELECT seq, body, key, mac FROM session_states WHERE tenant = ? AND session = ?'
const SINCE = 'SELECT seq, body, key, mac FROM session_events WHERE tenant = ? AND session = ? AND seq >= ? ORDER BY seq'
const ADD = 'INSERT INTO session_events (tenant, session, seq, at, body, key, mac) VALUES (?, ?, ?, ?, ?, ?, ?)'
const PUT = 'INSERT OR REPLACE INTO session_states (tenant, session, seq, at, body, key, mac) VALUES (?, ?, ?, ?, ?, ?, ?)'
const DONE = 'DELETE FROM session_events WHERE tenant = ? AND session = ? AND seq < ?'
/**
 * The first event of a session, and the one that came with its state, tell its age: one of them is always there, and no other event needs
 * a place in an index.
 */
const MARKER = `(seq = 1 OR seq % ${STATE_EVERY} = 0)`
const FORGET = [
  `DELETE FROM session_events WHERE at < ?1 AND (tenant, session) IN (SELECT tenant, session FROM session_events WHERE ${MARKER} AND at < ?1)`,
  'DELETE FROM session_states WHERE at < ?1',
]

type Name = readonly [tenant: string, session: string]

/** A session as this process knows it. */
interface Held {
  memory: SessionMemory
  /** Number of the last event in it, 0: none, and its signature. */
  upto: number
  last: string
  /** Id of the signer that the key of the hashes is of, whoever signs now. */
  readonly keyId: string
  readonly key: HashKey
  /** Events that are in the memory and not in the table yet, as they will stand there. */
  readonly ahead: Set<string>
  /** What this cache has added since the table was read. */
  added: Added[]
  /** How often others had changed the table when it was read; see `SessionCache`. */
  changes: number
}

interface Added {
  readonly row: { readonly seq: number; readonly body: string; readonly mac: string }
  readonly event: SessionEvent
}

export function createMemoryParts(source: MemorySource): MemoryParts {
  const cache = new SessionCache(source)
  return {
    of: (call) => {
      const name = nameOf(call)
      return name === null ? null : source.store.query((tx) => cache.current(tx, name))
    },
    spender: {
      wants: (_decision, { call, basis }) => basis !== null && nameOf(call) !== null,
      spend: (tx, decision, context) => {
        const name = nameOf(context.call)
        if (name === null) return undefined
        const held = cache.current(tx, name)
        const lifted = liftedAt((key) => tx.count(key, context.at), context.call)
        const event = callEvent(decision, context, { held, noted: source.noted(context, decision, held), lifted })
        cache.add(tx, name, event)
        return undefined
      },
    },
    flight: (call) => {
      const name = nameOf(call)
      if (name === null) return null
      const { memory, key } = source.store.query((tx) => cache.current(tx, name))
      const id = callName(call, key)
      const { reach = 'tool', holds = null } = flightOf(memory, id) ?? {}
      return { id, key, reach, holds }
    },
    result: (call, event) => {
      const name = nameOf(call)
      if (name === null) return NOTHING_TO_DO
      // As it was read a moment ago, for `flight`: whatever others added since is read with the next call.
      cache.ahead(cache.known(name) ?? source.store.query((tx) => cache.current(tx, name)), event)
      return (tx) => cache.add(tx, name, event)
    },
    graph: (call, event, kept) => {
      const name = nameOf(call)
      if (name === null) return NOTHING_TO_DO
      if (!kept)
        cache.ahead(
          source.store.query((tx) => cache.current(tx, name)),
          event,
        )
      return (tx) => cache.add(tx, name, event)
    },
    declassify: ({ tenant, session }, event) => {
      const name: Name = [tenant ?? '', session]
      return (tx) => cache.add(tx, name, event(cache.current(tx, name).key))
    },
  }
}

const NOTHING_TO_DO = () => {}

function nameOf({ session, principal }: ToolCall): Name | null {
  return session === null ? null : [principal.tenant ?? '', session]
}

/** The host's own id, or what the call is. */
function callName({ callId, tool, args }: ToolCall, key: HashKey): string {
  return callId ?? String(keyedHash(key, canonicalJson([tool.server, tool.name, args])))
}

export type Decided = Parameters<Spender['spend']>[1]

interface Known {
  readonly held: Held
  readonly noted: Noted
  readonly lifted: number
}

function callEvent(decision: Decided, context: CommitContext, { held, noted, lifted }: Known): CallEvent {
  const { call, at, attended = false } = context
  const { key, memory } = held
  const task = taskOf(call)
  const words = call.context.task ?? ''
  const { aims, ...rest } = noted
  return {
    kind: 'call',
    at,
    id: callName(call, key),
    verdict: decision.decision,
    attended,
    targets: targetsOf(aims, call, key),
    ...(decision.decision === 'allow' ? {} : { because: decision.code }),
    ...(lifted === 0 ? {} : { lifted }),
    approved: decision.resolutions.some(({ by, verdict }) => by === 'human' && verdict === 'allow'),
    said: task.empty || memory.task === keyedHash(key, words) ? null : heard(words, task, key),
    ...rest,
  }
}

/** Each as it is, and as what this very tool was aimed at. */
function targetsOf(aims: readonly string[], { tool }: ToolCall, key: HashKey): readonly number[] {
  const forms = aims.flatMap((text) => comparedForms(fold(text)))
  return forms.flatMap((form) => [keyedHash(key, form), aimHash(key, tool, form)]).slice(0, MAX_TARGETS)
}

/** Rows are read once. They are read again where somebody else wrote to their table, or a transaction was taken back. */
class SessionCache {
  readonly #source: MemorySource
  readonly #held = new Map<string, Held>()
  #keys: ReturnType<MemorySource['keys']> | null = null
  /** Generation of the table, as this cache left it. */
  #generation = 0
  /** How often it was found to be another one. */
  #changes = 0

  constructor(source: MemorySource) {
    this.#source = source
  }

  /** The memory as it was when it was last read; undefined: it was not, or was given up. */
  known(name: Name): Held | undefined {
    return this.#held.get(name.join('\n'))
  }

  /** The memory with every event that is there. */
  current(tx: ReadTransaction, name: Name): Held {
    const known = this.#held.get(name.join('\n'))
    this.#look(tx)
    if (known?.changes === this.#changes && this.#follows(known)) {
      for (const { row, event } of known.added.splice(0)) learn(known, row, event)
      return known
    }
    const held = known ?? this.#load(tx, name)
    held.added = []
    const rows = tx.all(SINCE, ...name, held.upto)
    // The last event that is known stays: where it is another one, others went on from a later state, or it never became durable.
    if (known !== undefined && held.upto > 0 && (Number(rows[0]?.seq) !== held.upto || rows[0]?.mac !== held.last)) {
      this.#held.delete(name.join('\n'))
      return this.current(tx, name)
    }
    for (const row of rows) {
      if (Number(row.seq) > held.upto) this.#take(held, name, row)
      else held.last = String(row.mac)
    }
    held.changes = this.#changes
    return held
  }

  #look(tx: ReadTransaction): void {
    const generation = tx.generation(EVENTS)
    if (generation !== this.#generation) this.#changes += 1
    this.#generation = generation
  }

  /** Whether what was added goes on where the memory ends. */
  #follows({ added, upto }: Held): boolean {
    return added.every(({ row }, at) => row.seq === upto + at + 1)
  }

  /** The next call may come before the record of this result is durable. */
  ahead(held: Held, event: SessionEvent): void {
    apply(held.memory, event)
    held.ahead.add(encodeEvent(event))
    for (const oldest of held.ahead) {
      if (held.ahead.size <= MAX_AHEAD) break
      held.ahead.delete(oldest)
    }
  }

  /** Adds an event to the table. The memory learns of it when it is read next, once it is durable. */
  add(tx: Transaction, name: Name, event: SessionEvent): void {
    const { current } = this.#ring()
    const held = this.current(tx, name)
    const seq = held.upto + 1
    if (seq % STATE_EVERY === 0) this.#keepState(tx, name, event.at)
    this.#look(tx)
    const body = encodeEvent(event)
    const mac = current.mac(signedText(name, seq, body))
    tx.run(ADD, ...name, seq, event.at, body, current.id, mac)
    held.added.push({ row: { seq, body, mac }, event })
    this.#generation = tx.generation(EVENTS)
  }

  #keepState(tx: Transaction, name: Name, at: number): void {
    const { current } = this.#ring()
    const held = this.current(tx, name)
    if (held.upto === 0) return
    const body = `${held.keyId}\n${encodeMemory(held.memory)}`
    tx.run(PUT, ...name, held.upto, at, body, current.id, current.mac(signedText(name, held.upto, body)))
    tx.run(DONE, ...name, held.upto)
    for (const sql of FORGET) tx.run(sql, at - LIFE)
    this.#generation = tx.generation(EVENTS)
  }

  #load(tx: ReadTransaction, name: Name): Held {
    const row = tx.get(STATE, ...name)
    const [keyId = '', ...body] = row === undefined ? [] : String(row.body).split('\n')
    const first = row === undefined ? tx.all(SINCE, ...name, 0)[0] : undefined
    const signer = this.#signer(row === undefined ? String(first?.key ?? '') : keyId)
    const decoded = row === undefined || !this.#isSigned(name, row) ? null : decodeMemory(body.join('\n'))
    const memory = decoded ?? emptyMemory()
    const lost = row === undefined ? first === undefined && this.#source.logged(...name) : decoded === null
    if (lost) distrust(memory)
    const key = hashKeyOf(signer.mac('countersign/session-values/v1'))
    const held: Held = { memory, upto: Number(row?.seq ?? 0), last: '', keyId: signer.id, key, ahead: new Set(), added: [], changes: -1 }
    this.#held.set(name.join('\n'), held)
    for (const oldest of this.#held.keys()) {
      if (this.#held.size <= MAX_SESSIONS) break
      this.#held.delete(oldest)
    }
    return held
  }

  #take(held: Held, name: Name, row: SqlRow): void {
    learn(held, row, this.#isSigned(name, row) ? decodeEvent(String(row.body)) : null)
  }

  #isSigned(name: Name, { seq, body, key, mac }: SqlRow): boolean {
    return this.#signer(String(key)).mac(signedText(name, Number(seq), String(body))) === mac
  }

  /** The signer of a row, or, where there is none of that id, the one that signs now, which did not sign it. */
  #signer(id: string): Signer {
    const { ring, current } = this.#ring()
    const known = ring.get(id)
    if (known !== undefined || id === '') return known ?? current
    this.#keys = this.#source.keys()
    return this.#keys.ring.get(id) ?? this.#keys.current
  }

  #ring(): ReturnType<MemorySource['keys']> {
    this.#keys ??= this.#source.keys()
    return this.#keys
  }
}

/** `event`: null where the row is not rightly signed. */
function learn(held: Held, { seq, body, mac }: SqlRow, event: SessionEvent | null): void {
  if (event === null || Number(seq) !== held.upto + 1) distrust(held.memory)
  if (event !== null && !held.ahead.delete(String(body))) apply(held.memory, event)
  held.upto = Number(seq)
  held.last = String(mac)
}

/** Something of before is not known: whatever is not in the user's words may come from anybody. */
function distrust(memory: SessionMemory): void {
  memory.incomplete = true
  mistrust(memory, '', 0)
}

function signedText(name: Name, seq: number, body: string): string {
  return `countersign/session-memory/v1\n${canonicalJson([...name, seq])}\n${body}`
}
