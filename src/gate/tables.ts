/**
 * What sessions have learnt from results of their calls, for contracts that refer to it. In memory, rebuilt from the log when a
 * session is first seen, so that a restart of the gate forgets nothing that was recorded.
 */
import type { ToolCall } from '../core/call.ts'
import { isJsonObject, type Json, type JsonObject, own } from '../core/json.ts'
import { splitToolName } from '../core/tool-name.ts'
import { type Returned, remember, rememberer } from '../policy/contracts/remember.ts'
import type { Policy } from '../policy/policy.ts'
import { ownDigest } from '../policy/scopes/model.ts'
import type { SessionState } from '../session/state.ts'
import type { StoredRecord } from '../store/store.ts'

type Tables = SessionState['tables']

export interface SessionTables {
  /** Resolves once the past of the session is read, in slices that hold up no other call; null: it is read already, or not needed. */
  readonly ready: (call: ToolCall, policy: Policy) => Promise<void> | null
  /** What is known when this call is judged. */
  readonly of: (call: ToolCall, policy: Policy) => Tables
  /** A call has run and returned this. */
  readonly observe: (call: ToolCall, result: Json, policy: Policy) => void
}

/** Of the record of a result. */
type PastResult = Pick<StoredRecord, 'tenant' | 'body'>

interface Entry {
  tables: Tables
}

/** A past that is being read. What returns in the meantime is taken in at the end. */
interface Reading {
  readonly done: Promise<void>
  readonly later: Returned[]
}

const NOTHING: Tables = new Map()
/** Sessions kept in memory; one that was dropped is read from the log again. */
const MAX_SESSIONS = 1_024
/** Results that are read at a time. */
const SLICE = 50

/** What was recorded of a session, oldest first. Results of other tools than these bare names may be left out. */
export type PastResults = (session: string, tools: ReadonlySet<string>) => Iterable<PastResult>

/**
 * @param pause lets others go first, between two slices of a past.
 */
export function createSessionTables(results: PastResults, pause: () => Promise<void>): SessionTables {
  const sessions = new Map<string, Entry>()
  const reading = new Map<string, Reading>()
  // Another policy may remember other things of the same results.
  const keyOf = (call: ToolCall, policy: Policy) => JSON.stringify([call.principal.tenant, call.session, ownDigest(policy)])
  const keep = (key: string, entry: Entry): Entry => {
    sessions.set(key, entry)
    for (const oldest of sessions.keys()) {
      if (sessions.size <= MAX_SESSIONS) break
      sessions.delete(oldest)
    }
    return entry
  }
  const entryOf = (call: ToolCall, policy: Policy): Entry => {
    const key = keyOf(call, policy)
    return sessions.get(key) ?? keep(key, { tables: rebuilt(call, policy, results) })
  }
  const read = async (call: ToolCall, policy: Policy, later: readonly Returned[]): Promise<void> => {
    const { tables, add } = rememberer(policy.contracts.tables)
    let count = 0
    for (const returned of returnedIn(results(call.session ?? '', toolsOf(policy)), call.principal.tenant)) {
      add(returned)
      count += 1
      if (count % SLICE === 0) await pause()
    }
    for (const returned of later) add(returned)
    const key = keyOf(call, policy)
    if (!sessions.has(key)) keep(key, { tables })
  }
  const unused = (call: ToolCall, policy: Policy) => policy.contracts.tables.length === 0 || call.session === null
  return {
    ready: (call, policy) => {
      if (unused(call, policy)) return null
      const key = keyOf(call, policy)
      if (sessions.has(key)) return null
      const known = reading.get(key)
      if (known !== undefined) return known.done
      const later: Returned[] = []
      const done = read(call, policy, later).finally(() => reading.delete(key))
      reading.set(key, { done, later })
      return done
    },
    of: (call, policy) => (unused(call, policy) ? NOTHING : entryOf(call, policy).tables),
    observe: (call, result, policy) => {
      if (unused(call, policy)) return
      const returned = { server: call.tool.server, tool: call.tool.name, args: call.args, result }
      const before = reading.get(keyOf(call, policy))
      if (before !== undefined) before.later.push(returned)
      const entry = before === undefined ? entryOf(call, policy) : sessions.get(keyOf(call, policy))
      if (entry !== undefined) entry.tables = remember(entry.tables, policy.contracts.tables, returned)
    },
  }
}

function rebuilt({ session, principal }: ToolCall, policy: Policy, results: PastResults): Tables {
  const { tables, add } = rememberer(policy.contracts.tables)
  for (const returned of returnedIn(results(session ?? '', toolsOf(policy)), principal.tenant)) add(returned)
  return tables
}

/** Bare names of the tools whose results fill a table. */
function toolsOf({ contracts }: Policy): ReadonlySet<string> {
  const written = contracts.tables.flatMap(({ sources }) => sources.flatMap(({ tools }) => [...tools]))
  return new Set(written.flatMap((name) => [name, splitToolName(name)?.name ?? name]))
}

function* returnedIn(records: Iterable<PastResult>, tenant: string | null): Generator<Returned> {
  for (const record of records) {
    const returned = record.tenant === tenant ? returnedOf(record.body) : null
    if (returned !== null) yield returned
  }
}

/** Null where redaction or length took something out: half a value would prove what is not so. */
function returnedOf(body: JsonObject): Returned | null {
  const call = own(body, 'call')
  const erased = own(body, 'erased')
  const whole = (erased === undefined || (Array.isArray(erased) && erased.length === 0)) && own(body, 'response_cut') !== true
  if (!whole || !isJsonObject(call)) return null
  const [server, tool, args] = [own(call, 'server'), own(call, 'tool'), own(call, 'args')]
  if (typeof tool !== 'string' || !isJsonObject(args)) return null
  return { server: typeof server === 'string' ? server : null, tool, args, result: own(body, 'response') ?? null }
}
