/**
 * What sessions have learnt from results of their calls, for contracts that refer to it. In memory, rebuilt from the log when a
 * session is first seen, so that a restart of the gate forgets nothing that was recorded.
 */
import type { ToolCall } from '../core/call.ts'
import { isJsonObject, type Json, type JsonObject, own } from '../core/json.ts'
import { type Returned, remember } from '../policy/contracts/remember.ts'
import type { Policy } from '../policy/policy.ts'
import { ownDigest } from '../policy/scopes/model.ts'
import type { SessionState } from '../session/state.ts'
import type { StoredRecord } from '../store/store.ts'

type Tables = SessionState['tables']

export interface SessionTables {
  /** What is known when this call is judged. */
  readonly of: (call: ToolCall, policy: Policy) => Tables
  /** A call has run and returned this. */
  readonly observe: (call: ToolCall, result: Json, policy: Policy) => void
}

const NOTHING: Tables = new Map()
/** Sessions kept in memory; one that was dropped is read from the log again. */
const MOST_SESSIONS = 1_024

/** @param past the recorded results of a session, oldest first. */
export function createSessionTables(past: (session: string) => Iterable<StoredRecord>): SessionTables {
  const sessions = new Map<string, { tables: Tables }>()
  const entryOf = (call: ToolCall, policy: Policy) => {
    // Another policy may remember other things of the same results.
    const key = JSON.stringify([call.principal.tenant, call.session, ownDigest(policy)])
    const known = sessions.get(key)
    if (known !== undefined) return known
    const entry = { tables: rebuilt(call, policy, past) }
    sessions.set(key, entry)
    for (const oldest of sessions.keys()) {
      if (sessions.size <= MOST_SESSIONS) break
      sessions.delete(oldest)
    }
    return entry
  }
  const unused = (call: ToolCall, policy: Policy) => policy.contracts.tables.length === 0 || call.session === null
  return {
    of: (call, policy) => (unused(call, policy) ? NOTHING : entryOf(call, policy).tables),
    observe: (call, result, policy) => {
      if (unused(call, policy)) return
      const entry = entryOf(call, policy)
      const returned = { server: call.tool.server, tool: call.tool.name, args: call.args, result }
      entry.tables = remember(entry.tables, policy.contracts.tables, returned)
    },
  }
}

function rebuilt({ session, principal }: ToolCall, policy: Policy, past: (session: string) => Iterable<StoredRecord>): Tables {
  let tables = NOTHING
  for (const record of past(session ?? '')) {
    if (record.tenant !== principal.tenant) continue
    const returned = returnedOf(record.body)
    if (returned !== null) tables = remember(tables, policy.contracts.tables, returned)
  }
  return tables
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
