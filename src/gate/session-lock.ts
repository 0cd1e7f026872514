/** What the memory of denials holds of a session, and how people make it forget: the way back for a session that was stopped. */
import { canonicalJson } from '../core/canonical.ts'
import { parseJson } from '../core/json.ts'
import type { CounterKey, ReadTransaction, SqlRow, Transaction } from '../store/store.ts'

export interface SessionKey {
  readonly tenant: string | null
  /** As the gate knows it. */
  readonly session: string
}

export interface Remembered {
  /** What was denied, such as `["named", "delete", "path", "/etc"]` or `["code", "rules.denied"]`. */
  readonly subject: readonly string[]
  readonly times: number
}

export interface Denials {
  /** True: every call of the session is answered with `halt`. */
  readonly locked: boolean
  readonly remembered: readonly Remembered[]
  /** When all of it is forgotten by itself, in milliseconds since the epoch; null where nothing is remembered. */
  readonly until: number | null
}

/** The name of what a session was denied; every policy counts by itself. */
export function denialCounter({ tenant, session }: SessionKey, policy: string, subject: readonly string[]): CounterKey {
  return [tenant ?? '', 'denials', session, policy, ...subject]
}

export const LOCK = ['lock'] as const
/** Any denial: what was never denied is told by one look. */
export const ANY = ['any'] as const

const OF_SESSION = 'SELECT key, value, expires_at FROM counters WHERE key >= ? AND key < ? AND (expires_at IS NULL OR expires_at > ?)'
const LOCKED = `SELECT key FROM counters WHERE key LIKE '%,"lock"]' AND (expires_at IS NULL OR expires_at > ?)`
const FORGET = 'DELETE FROM counters WHERE key >= ? AND key < ?'

export function denialsOf(tx: ReadTransaction, key: SessionKey, now: number): Denials {
  const rows = tx.all(OF_SESSION, ...rangeOf(key), now)
  const counted = rows.flatMap((row) => countedIn(row) ?? [])
  const ends = rows.map((row) => Number(row.expires_at ?? 0))
  return {
    locked: counted.some(({ subject }) => isEqual(subject, LOCK)),
    remembered: counted.filter(({ subject }) => !isEqual(subject, LOCK) && !isEqual(subject, ANY)),
    until: ends.length === 0 ? null : Math.max(...ends),
  }
}

/** Sessions that are stopped under any policy. */
export function lockedSessions(tx: ReadTransaction, now: number): readonly SessionKey[] {
  const found = tx.all(LOCKED, now).flatMap((row) => {
    const [tenant, kind, session, , ...subject] = partsOf(row)
    return kind === 'denials' && session !== undefined && isEqual(subject, LOCK)
      ? [{ tenant: tenant === '' ? null : (tenant ?? null), session }]
      : []
  })
  return [...new Map(found.map((key) => [JSON.stringify(key), key])).values()]
}

/** Forgets every denial of the session, under every policy: it starts anew. */
export function forgetDenials(tx: Transaction, key: SessionKey): void {
  tx.run(FORGET, ...rangeOf(key))
}

/** Every key that begins with these parts: JSON of a list that goes on behind a comma, which the next sign ends. */
function rangeOf({ tenant, session }: SessionKey): readonly [string, string] {
  const start = canonicalJson([tenant ?? '', 'denials', session]).slice(0, -1)
  return [`${start},`, `${start}-`]
}

function countedIn(row: SqlRow): Remembered | null {
  const [, , , , ...subject] = partsOf(row)
  return subject.length === 0 ? null : { subject, times: Number(row.value) }
}

function partsOf({ key }: SqlRow): readonly string[] {
  const parts = parseJson(String(key)) ?? null
  return Array.isArray(parts) ? parts.map(String) : []
}

function isEqual(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((part, index) => part === right[index])
}
