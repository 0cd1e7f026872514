/** The embedded store: one SQLite file, its key and its anchors in one private directory. */
import { accessSync, constants } from 'node:fs'
import type { Head, ReadTransaction, Recorded, RecordInput, RecordQuery, Running, Store, StoredRecord, Transaction } from '../store.ts'
import { checkLog } from './check.ts'
import { type ClockParts, createClock } from './clock.ts'
import { type Connection, connect, createDatabaseFile, databasePath } from './connection.ts'
import type { EngineName } from './driver.ts'
import { guard, storeError } from './faults.ts'
import { privateDirectory } from './files.ts'
import { loadKeys } from './keys.ts'
import { openMarks } from './marks.ts'
import { migrate } from './migrate.ts'
import { CommitQueue, type QueueParts } from './queue.ts'
import { BY_ID, pageOf, recordOf, TIP, type Tip, tipOf } from './records/rows.ts'
import { readTransaction } from './transaction.ts'

export interface StoreOptions {
  /** The state directory; made with mode 0700 where it does not exist. */
  readonly directory: string
  /** How long to wait for another process's lock. Default 5,000. */
  readonly busyMilliseconds?: number
  /** The head is anchored outside the database after so many commits, and at the end. Default 1. */
  readonly anchorEvery?: number
  /** For tests of one engine; the default is the best one this Node has. */
  readonly engine?: EngineName
  /** Wall clock in milliseconds since the epoch. */
  readonly now?: () => number
  /**
   * Told from time to time that the journal has grown: whoever is has it copied into the file by a store of `openReadStore` in
   * another thread. Absent: a commit does that, and whatever else this thread has to do waits.
   */
  readonly grown?: () => void
}

/** Reads without waiting: one file on this machine. */
export interface EmbeddedStore extends Store {
  read(query: RecordQuery): Iterable<StoredRecord>
}

const BUSY_MILLISECONDS = 5_000
/** 32 MiB: where another thread copies the journal, this is where a commit does what that one could not. */
const MAX_JOURNAL_PAGES = 8_192
/** Rows read at one go: records may be large. */
const PAGE = 64

/**
 * Opens the store, making it where there is none. Throws `StoreError`: `infra.store_corrupt` where the log is damaged, cut
 * or replaced (nothing is ever repaired by guessing), `infra.audit_unavailable` where it cannot be reached.
 */
export function openStore(options: StoreOptions): EmbeddedStore {
  const { directory, busyMilliseconds = BUSY_MILLISECONDS, now = () => Date.now() } = options
  guard('making its directory', () => {
    privateDirectory(directory)
    accessSync(directory, constants.W_OK | constants.X_OK)
  })
  const path = databasePath(directory)
  createDatabaseFile(path)
  const connection = connect(path, { engine: options.engine, busyMilliseconds })
  try {
    migrate(connection, directory, now())
    const keys = loadKeys(directory)
    const { tip, epoch } = checkLog(connection, directory, keys.ring)
    const marks = guard('opening its anchors', () => openMarks({ directory, signer: keys.current, epoch, now }))
    const { anchorEvery = 1, grown = null } = options
    if (grown !== null) connection.exec(`PRAGMA wal_autocheckpoint = ${MAX_JOURNAL_PAGES}`)
    return storeOf({ connection, keys, marks, anchorEvery, busyMilliseconds, now, grown }, tip)
  } catch (error) {
    connection.close()
    throw error
  }
}

/** What a store tells, for whoever only looks: another thread of a process that has it open. */
export type ReadStore = Pick<EmbeddedStore, 'query' | 'read' | 'get' | 'head' | 'now' | 'close'> & {
  /**
   * Copies what was committed into the file, so that whoever commits need not; at the end for a moment with the lock, so that the journal is
   * written from its start again. Where commits went on meanwhile it would grow and grow, and the disk takes twice as long for what makes
   * a file longer.
   */
  readonly checkpoint: () => void
}

/** Opens a store that somebody else keeps open; it was checked there. Nothing can be written by this. Throws `StoreError`. */
export function openReadStore(options: Pick<StoreOptions, 'directory' | 'busyMilliseconds' | 'engine'>): ReadStore {
  const { directory, busyMilliseconds = BUSY_MILLISECONDS, engine } = options
  const connection = connect(databasePath(directory), { engine, busyMilliseconds })
  guard('opening', () => connection.exec('PRAGMA query_only = ON'))
  let closed = false
  return {
    ...readingOf(connection, { closed: () => closed, seen: null, now: Date.now }),
    checkpoint: () =>
      guard('copying its journal', () => {
        connection.checkpoint()
        connection.finishCheckpoint()
      }),
    close: () => {
      closed = true
      guard('closing', () => connection.close())
    },
  }
}

function readingOf(connection: Connection, at: ClockParts & { readonly closed: () => boolean }) {
  const clock = createClock(connection, at)
  const reading = <T>(act: () => T): T => {
    if (at.closed()) throw storeError('closed', 'the store is closed')
    return guard('reading', act)
  }
  return {
    query: <T>(work: (tx: ReadTransaction) => T): T => reading(() => work(readTransaction(connection))),
    read: (query: RecordQuery) => read(query, (sql, values) => reading(() => connection.all(sql, values))),
    get: (id: string): StoredRecord | null =>
      reading(() => {
        const row = connection.get(BY_ID, [id])
        return row === undefined ? null : recordOf(row)
      }),
    head: (): Head => reading(() => headOf(connection)),
    now: () => reading(clock),
  }
}

function storeOf(parts: QueueParts, opened: Tip): EmbeddedStore {
  const { connection } = parts
  const log = new CommitQueue(parts, opened)
  return {
    append: async (record) => (await log.enqueue(null, () => record, { likely: record, patient: false })).receipt,
    run: async <T>(
      work: (tx: Transaction) => T,
      record: RecordInput | ((result: T) => RecordInput),
      { likely, patient = false }: Running = {},
    ): Promise<Recorded<T>> => {
      const made = typeof record === 'function' ? record : () => record
      const { result, receipt } = await log.enqueue(work, (value) => made(value as T), {
        likely: typeof record === 'function' ? (likely ?? null) : record,
        patient,
      })
      return { result: result as T, receipt }
    },
    ...readingOf(connection, { closed: () => log.closed, seen: () => log.seen, now: parts.now }),
    close: () => log.close(),
  }
}

function headOf(connection: Connection): Head {
  const { size, hash } = tipOf(connection.get(TIP))
  return { size, hash }
}

function* read(query: RecordQuery, all: (...page: Parameters<Connection['all']>) => ReturnType<Connection['all']>): Iterable<StoredRecord> {
  let left = query.limit ?? Number.POSITIVE_INFINITY
  let from: number | null = null
  while (left > 0) {
    const size = Math.min(PAGE, left)
    const { sql, values } = pageOf(query, from, size)
    const rows = all(sql, values)
    for (const row of rows) {
      const record = recordOf(row)
      from = record.sequence
      yield record
    }
    if (rows.length < size) return
    left -= rows.length
  }
}
