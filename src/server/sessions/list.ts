/** Sessions of the newest part of the log, counted in the database. */
import type { JsonObject } from '../../core/json.ts'
import { readSessionName } from '../../core/session-name.ts'
import { lockedSessions } from '../../gate/session-lock.ts'
import type { GateStore } from '../../open.ts'
import type { SqlRow } from '../../store/store.ts'
import { at, headOf, recordsOf } from '../log.ts'
import { type Part, partsOf } from '../slices.ts'

/** So many of the newest records are looked at: an old log answers as fast as a new one. */
export const WINDOW = 200_000

export interface SessionQuery {
  readonly tenant: string | null
  readonly limit: number
  /** Milliseconds since the epoch; default the wall clock's. */
  readonly now?: number
}

interface Counted {
  readonly session: string
  readonly tenant: string | null
  calls: number
  first: number
  last: number
  newest: number
  readonly byDecision: Map<string, number>
}

export async function sessionsOf(
  store: Pick<GateStore, 'query' | 'read'>,
  { tenant, limit, now = Date.now() }: SessionQuery,
): Promise<readonly JsonObject[]> {
  const counted = new Map<string, Counted>()
  const head = headOf(store)
  for await (const part of partsOf({ after: Math.max(0, head - WINDOW), before: head + 1 })) {
    for (const row of countsOf(store, part, tenant)) add(counted, row)
  }
  const newest = [...counted.values()].toSorted((a, b) => b.newest - a.newest).slice(0, limit)
  const stopped = new Set(store.query((tx) => lockedSessions(tx, now)).map((key) => JSON.stringify([key.tenant, key.session])))
  return newest.map((each) => ({
    session: each.session,
    tenant: each.tenant,
    owner: readSessionName(each.session).owner,
    locked: stopped.has(JSON.stringify([each.tenant, each.session])),
    ...whoOf(store, each.newest),
    first_at: new Date(each.first).toISOString(),
    last_at: new Date(each.last).toISOString(),
    calls: each.calls,
    by_decision: Object.fromEntries(each.byDecision),
  }))
}

/** The index holds all that is counted: the records themselves are not read. */
const COUNTS = `SELECT session, tenant, decision, count(*) AS calls, min(at) AS first, max(at) AS last, max(sequence) AS newest
  FROM records INDEXED BY records_listed WHERE sequence > ? AND sequence < ? AND kind = 'decision' AND session IS NOT NULL`

function countsOf(store: Pick<GateStore, 'query'>, { after, before }: Part, tenant: string | null): readonly SqlRow[] {
  const [own, values] = tenant === null ? ['', []] : [' AND tenant = ?', [tenant]]
  return store.query((tx) => tx.all(`${COUNTS}${own} GROUP BY session, tenant, decision`, after, before, ...values))
}

function add(counted: Map<string, Counted>, row: SqlRow): void {
  const [session, tenant, decision] = [String(row.session), typeof row.tenant === 'string' ? row.tenant : null, String(row.decision)]
  const [calls, first, last, newest] = [Number(row.calls), Number(row.first), Number(row.last), Number(row.newest)]
  const key = JSON.stringify([session, tenant])
  const known = counted.get(key) ?? { session, tenant, calls: 0, first, last, newest, byDecision: new Map() }
  known.calls += calls
  known.first = Math.min(known.first, first)
  known.last = Math.max(known.last, last)
  known.newest = Math.max(known.newest, newest)
  known.byDecision.set(decision, (known.byDecision.get(decision) ?? 0) + calls)
  counted.set(key, known)
}

function whoOf(store: Pick<GateStore, 'query' | 'read'>, sequence: number): JsonObject {
  for (const record of recordsOf(store, { after: sequence - 1, limit: 1 })) {
    const name = (field: string) => {
      const value = at(record, 'call', 'principal', field)
      return typeof value === 'string' ? value : null
    }
    return { agent: name('agent'), role: name('role'), user: name('user') }
  }
  return { agent: null, role: null, user: null }
}
