/** What a caller's work may do inside the transaction that also appends its record. */
import { canonicalJson } from '../../core/canonical.ts'
import type { CounterKey, CounterLife, ReadTransaction, SqlValue, Transaction } from '../store.ts'
import type { Connection } from './connection.ts'

const COUNT = 'SELECT value, expires_at FROM counters WHERE key = ?'
const EXPIRE = 'DELETE FROM counters WHERE expires_at <= ?'
const ADD = `INSERT INTO counters (key, value, expires_at) VALUES (?, ?, ?)
  ON CONFLICT (key) DO UPDATE SET value = value + excluded.value,
    expires_at = CASE WHEN expires_at IS NULL OR excluded.expires_at IS NULL THEN NULL ELSE max(expires_at, excluded.expires_at) END
  RETURNING value`

/** A transaction handle with its end: afterwards it refuses to be used. */
export interface OpenTransaction {
  readonly tx: Transaction
  /** Throws what a statement threw, even where the work swallowed it: SQLite may have undone everything by then. */
  readonly end: () => void
}

export function readTransaction(connection: Connection): ReadTransaction {
  return {
    get: (sql, ...values) => connection.get(sql, values),
    all: (sql, ...values) => connection.all(sql, values),
    count: (key, now) => countIn(connection, key, now),
    generation: (table) => connection.generation.of(table),
  }
}

/** `recordId`: the id of the record that will be appended, by its time. */
export function openTransaction(connection: Connection, recordId: Transaction['recordId']): OpenTransaction {
  let open = true
  let failure: { readonly error: unknown } | null = null
  const act = <T>(statement: () => T): T => {
    if (!open) throw new TypeError('the transaction is over; do not keep its handle')
    try {
      return statement()
    } catch (error) {
      failure ??= { error }
      throw error
    }
  }
  const read = readTransaction(connection)
  return {
    tx: {
      get: (sql, ...values) => act(() => read.get(sql, ...values)),
      all: (sql, ...values) => act(() => read.all(sql, ...values)),
      count: (key, now) => act(() => read.count(key, now)),
      generation: (table) => act(() => read.generation(table)),
      run: (sql: string, ...values: readonly SqlValue[]) => act(() => connection.run(sql, values)),
      recordId: (at) => act(() => recordId(at)),
      add: (key, by, life) => act(() => addTo(connection, key, { by, life })),
    },
    end: () => {
      open = false
      if (failure !== null) throw failure.error
    },
  }
}

interface Counted {
  readonly generation: number
  readonly counters: Map<string, { readonly value: number; readonly expiresAt: number | null }>
}

/** Counters that were read, for as long as nobody writes to their table: a decision asks for several, which are mostly not there. */
const COUNTED = new WeakMap<Connection, Counted>()
const MAX_COUNTED = 4_096

function countIn(connection: Connection, key: CounterKey, now: number): number {
  const generation = connection.generation.of('counters')
  let known = COUNTED.get(connection)
  if (known === undefined || known.generation !== generation || known.counters.size >= MAX_COUNTED) {
    known = { generation, counters: new Map() }
    COUNTED.set(connection, known)
  }
  const name = canonicalJson(key)
  let counter = known.counters.get(name)
  if (counter === undefined) {
    const row = connection.get(COUNT, [name])
    counter = { value: Number(row?.value ?? 0), expiresAt: row?.expires_at == null ? null : Number(row.expires_at) }
    known.counters.set(name, counter)
  }
  return counter.expiresAt === null || counter.expiresAt > now ? counter.value : 0
}

function addTo(connection: Connection, key: CounterKey, { by, life }: { by: number; life: CounterLife }): number {
  if (!Number.isSafeInteger(by)) throw new TypeError('a counter counts in whole numbers')
  connection.run(EXPIRE, [life.now])
  return Number(connection.get(ADD, [canonicalJson(key), by, life.expiresAt])?.value)
}
