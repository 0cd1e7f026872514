/** Sessions of the newest part of the log, counted in the database. */
import type { JsonObject } from '../core/json.ts'
import type { GateStore } from '../open.ts'
import { at, headOf, recordsOf } from './log.ts'

/** So many of the newest records are looked at: an old log answers as fast as a new one. */
export const WINDOW = 200_000

export interface SessionQuery {
  readonly tenant: string | null
  readonly limit: number
}

export function sessionsOf(store: Pick<GateStore, 'query' | 'read'>, { tenant, limit }: SessionQuery): readonly JsonObject[] {
  const where = `kind = 'decision' AND session IS NOT NULL AND sequence > ?${tenant === null ? '' : ' AND tenant = ?'}`
  const values = [headOf(store) - WINDOW, ...(tenant === null ? [] : [tenant])]
  const rows = store.query((tx) =>
    tx.all(
      `SELECT session, tenant, count(*) AS calls, min(at) AS first, max(at) AS last, max(sequence) AS newest FROM records WHERE ${where}
       GROUP BY session, tenant ORDER BY newest DESC LIMIT ?`,
      ...values,
      limit,
    ),
  )
  return rows.map(({ session, tenant: whose, calls, first, last, newest }) => {
    const counts = store.query((tx) =>
      tx.all(
        `SELECT decision, count(*) AS calls FROM records WHERE kind = 'decision' AND session = ? AND tenant IS ? AND sequence > ? GROUP BY decision`,
        session ?? null,
        whose ?? null,
        headOf(store) - WINDOW,
      ),
    )
    return {
      session: String(session),
      tenant: typeof whose === 'string' ? whose : null,
      ...whoOf(store, Number(newest)),
      first_at: new Date(Number(first)).toISOString(),
      last_at: new Date(Number(last)).toISOString(),
      calls: Number(calls),
      by_decision: Object.fromEntries(counts.map(({ decision, calls: count }) => [String(decision), Number(count)])),
    }
  })
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
