/** The log as it lies on the disk, damaged or not: for `audit verify`, which must read what the store refuses to use. */
import { existsSync } from 'node:fs'
import type { Signer } from '../chain.ts'
import { StoreError } from '../store.ts'
import { type AnchorReading, readAnchor } from './anchor.ts'
import { type Connection, connect, databasePath } from './connection.ts'
import { type CounterReading, readCounter } from './counter.ts'
import type { EngineName } from './driver.ts'
import { asStoreError, guard, storeError } from './faults.ts'
import { isCounted, loadKeys } from './keys.ts'
import { BY_SEQUENCE, fieldsOf, pageOf } from './records/rows.ts'

const PAGE = 512
const SEQUENCES = 'SELECT sequence FROM records WHERE sequence > ? ORDER BY sequence LIMIT ?'

/** One row as loose fields, or why the log cannot be read from there on. */
export type RawRow = { readonly fields: Readonly<Record<string, unknown>> } | { readonly problem: string }

export interface RawLog {
  readonly rows: () => Iterable<RawRow>
  readonly ring: ReadonlyMap<string, Signer>
  readonly anchor: AnchorReading
  /** Null where the key is of a version that had none. */
  readonly counter: CounterReading | null
  readonly close: () => void
}

export interface RawLogOptions {
  readonly directory: string
  readonly busyMilliseconds?: number
  readonly engine?: EngineName
}

/**
 * Opens a log without judging it. The anchor is read first, so that records that other processes append meanwhile never
 * look like a lost tail. Throws `StoreError` where there is no log, no key, or no access to them.
 */
export function openRawLog(options: RawLogOptions): RawLog {
  const { directory, busyMilliseconds = 5_000, engine } = options
  const path = databasePath(directory)
  const { ring } = loadKeys(directory)
  const anchor = guard('reading its anchor', () => readAnchor(directory, ring))
  const read = guard('reading the counter of its key', () => readCounter(directory, ring))
  const counter = read.state === 'missing' && !isCounted(directory) ? null : read
  if (!existsSync(path)) {
    if (anchor.state === 'missing' && counter?.state !== 'found') throw storeError('missing', `there is no log in \`${directory}\``)
    return { rows: () => [], ring, anchor, counter, close: () => {} }
  }
  try {
    const connection = connect(path, { engine, busyMilliseconds })
    withPieces(connection)
    return { rows: () => rowsOf(connection), ring, anchor, counter, close: () => connection.close() }
  } catch (error) {
    if (!(error instanceof StoreError) || error.fault !== 'corrupt') throw error
    return { rows: () => [{ problem: error.message }], ring, anchor, counter, close: () => {} }
  }
}

/** A log from before long records were written in pieces has none, and no table for them. */
function withPieces(connection: Connection): void {
  const found = attempt(() => connection.get("SELECT 1 AS one FROM sqlite_schema WHERE name = 'record_pieces'"))
  if (found === undefined) connection.exec('CREATE TEMP TABLE record_pieces (name TEXT, piece INTEGER, text TEXT)')
}

function* rowsOf(connection: Connection): Iterable<RawRow> {
  for (let from = Number.MIN_SAFE_INTEGER; ; ) {
    const page = pageAfter(connection, from)
    if (typeof page === 'string') {
      yield { problem: page }
      return
    }
    yield* page.rows
    if (page.last === null) return
    from = page.last
  }
}

interface Page {
  readonly rows: readonly RawRow[]
  /** Null at the end of the log. */
  readonly last: number | null
}

/** The next rows, or what SQLite said. A damaged file may lack the table itself; a damaged text spoils only its row. */
function pageAfter(connection: Connection, from: number): Page | string {
  const sequences = attempt(() => connection.all(SEQUENCES, [from, PAGE]).map((row) => Number(row.sequence)))
  if (typeof sequences === 'string') return sequences
  const last = sequences.length < PAGE ? null : (sequences.at(-1) ?? null)
  const { sql, values } = pageOf({ after: from }, null, PAGE)
  const rows = attempt(() => connection.all(sql, values))
  if (typeof rows !== 'string') return { rows: rows.map((row) => ({ fields: fieldsOf(row) })), last }
  return { rows: sequences.map((sequence) => singleRow(connection, sequence)), last }
}

function singleRow(connection: Connection, sequence: number): RawRow {
  const row = attempt(() => connection.get(BY_SEQUENCE, [sequence]))
  if (typeof row === 'string') return { problem: `record ${sequence}: ${row}` }
  return row === undefined ? { problem: `record ${sequence} cannot be found again` } : { fields: fieldsOf(row) }
}

/** What was read, or why it could not be. Throws `StoreError` where that says nothing about the log. */
function attempt<T>(act: () => T): T | string {
  try {
    return act()
  } catch (error) {
    const failure = asStoreError(error, 'reading the log')
    if (failure instanceof StoreError && (failure.fault === 'locked' || failure.fault === 'read_only')) throw failure
    return failure instanceof Error ? failure.message : String(failure)
  }
}
