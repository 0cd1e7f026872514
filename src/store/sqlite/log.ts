/** The log as it lies on the disk, damaged or not: for `audit verify`, which must read what the store refuses to use. */
import { existsSync } from 'node:fs'
import type { Signer } from '../chain.ts'
import type { SqlRow } from '../store.ts'
import { StoreError } from '../store.ts'
import { type AnchorReading, readAnchor } from './anchor.ts'
import { type Connection, connect, databasePath } from './connection.ts'
import type { EngineName } from './driver.ts'
import { asStoreError, guard, storeError } from './faults.ts'
import { loadKeys } from './keys.ts'
import { fieldsOf } from './rows.ts'

const PAGE = 512
const FIRST = 'SELECT * FROM records ORDER BY sequence LIMIT ?'
const NEXT = 'SELECT * FROM records WHERE sequence > ? ORDER BY sequence LIMIT ?'

/** One row as loose fields, or why the log cannot be read from there on. */
export type RawRow = { readonly fields: Readonly<Record<string, unknown>> } | { readonly problem: string }

export interface RawLog {
  readonly rows: () => Iterable<RawRow>
  readonly ring: ReadonlyMap<string, Signer>
  readonly anchor: AnchorReading
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
  if (!existsSync(path)) {
    if (anchor.state === 'missing') throw storeError('missing', `there is no log in \`${directory}\``)
    return { rows: () => [], ring, anchor, close: () => {} }
  }
  try {
    const connection = connect(path, { engine, busyMilliseconds })
    return { rows: () => rowsOf(connection), ring, anchor, close: () => connection.close() }
  } catch (error) {
    if (!(error instanceof StoreError) || error.fault !== 'corrupt') throw error
    return { rows: () => [{ problem: error.message }], ring, anchor, close: () => {} }
  }
}

function* rowsOf(connection: Connection): Iterable<RawRow> {
  let from: number | null = null
  for (;;) {
    const page = pageAfter(connection, from)
    if (typeof page === 'string') {
      yield { problem: page }
      return
    }
    for (const row of page) yield { fields: fieldsOf(row) }
    const last = page.at(-1)?.sequence
    if (page.length < PAGE || typeof last !== 'number') return
    from = last
  }
}

/** The rows, or what SQLite said of them. A damaged file may lack the table itself. */
function pageAfter(connection: Connection, from: number | null): readonly SqlRow[] | string {
  try {
    return from === null ? connection.all(FIRST, [PAGE]) : connection.all(NEXT, [from, PAGE])
  } catch (error) {
    const failure = asStoreError(error, 'reading the log')
    if (failure instanceof StoreError && (failure.fault === 'locked' || failure.fault === 'read_only')) throw failure
    return failure instanceof Error ? failure.message : String(failure)
  }
}
