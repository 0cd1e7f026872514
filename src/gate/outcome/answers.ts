/** Calls whose result nobody knows, for people: what they are, and what a person found out. */
import type { ReadTransaction, Transaction } from '../../store/store.ts'

export interface OpenAttempt {
  readonly record: string
  readonly tenant: string | null
  readonly session: string | null
  readonly verb: string
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly state: string
  readonly why: string | null
}

const OPEN =
  "SELECT record, tenant, session, verb, at, state, why FROM outcomes WHERE state IN ('open', 'unknown') ORDER BY record DESC LIMIT ?"
const SETTLE = "UPDATE outcomes SET state = ?, why = ? WHERE record = ? AND state IN ('open', 'unknown')"

/** Newest first. */
export function openAttempts(tx: ReadTransaction, limit: number): readonly OpenAttempt[] {
  return tx.all(OPEN, limit).map((row) => ({
    record: String(row.record),
    tenant: row.tenant === '' ? null : String(row.tenant),
    session: typeof row.session === 'string' ? row.session : null,
    verb: String(row.verb),
    at: Number(row.at),
    state: String(row.state),
    why: typeof row.why === 'string' ? row.why : null,
  }))
}

/** True where there was something to settle. */
export function settleAttempt(tx: Transaction, record: string, said: { readonly state: 'ran' | 'refused'; readonly why: string }): boolean {
  return tx.run(SETTLE, said.state, said.why, record) > 0
}
