/** The embedded store: one SQLite file, its key and its anchors in one private directory. */
import { accessSync, constants } from 'node:fs'
import type { Head, ReadTransaction, Receipt, Recorded, RecordInput, RecordQuery, Store, StoredRecord, Transaction } from '../store.ts'
import { checkLog } from './check.ts'
import { createClock } from './clock.ts'
import { BUSY, type Item, type Outcome, tryCommit } from './commit.ts'
import { type Connection, connect, createDatabaseFile, databasePath } from './connection.ts'
import type { EngineName } from './driver.ts'
import { asStoreError, guard, storeError } from './faults.ts'
import { privateDirectory } from './files.ts'
import { type Keys, loadKeys } from './keys.ts'
import { type Marks, openMarks } from './marks.ts'
import { migrate } from './migrate.ts'
import { BY_ID, pageOf, recordOf, TIP, type Tip, tipOf } from './rows.ts'
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
}

/** Reads without waiting: one file on this machine. */
export interface EmbeddedStore extends Store {
  read(query: RecordQuery): Iterable<StoredRecord>
}

const BUSY_MILLISECONDS = 5_000
const LARGEST_BATCH = 256
const PAGE = 256

interface Waiting {
  readonly item: Item
  readonly settle: (outcome: Outcome) => void
  /** Of the monotonic clock, in milliseconds. */
  readonly since: number
}

interface Parts {
  readonly connection: Connection
  readonly keys: Keys
  readonly marks: Marks
  readonly anchorEvery: number
  readonly busyMilliseconds: number
  readonly now: () => number
}

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
    return storeOf({ connection, keys, marks, anchorEvery: options.anchorEvery ?? 1, busyMilliseconds, now }, tip)
  } catch (error) {
    connection.close()
    throw error
  }
}

function storeOf(parts: Parts, opened: Tip): EmbeddedStore {
  const { connection } = parts
  const log = createLog(parts, opened)
  const clock = createClock(connection, parts.now)
  const reading = <T>(act: () => T): T => {
    if (log.closed()) throw storeError('closed', 'the store is closed')
    return guard('reading', act)
  }
  return {
    append: async (record) => (await log.enqueue(null, () => record)).receipt,
    run: async <T>(work: (tx: Transaction) => T, record: RecordInput | ((result: T) => RecordInput)): Promise<Recorded<T>> => {
      const made = typeof record === 'function' ? record : () => record
      const { result, receipt } = await log.enqueue(work, (value) => made(value as T))
      return { result: result as T, receipt }
    },
    query: <T>(work: (tx: ReadTransaction) => T): T => reading(() => work(readTransaction(connection))),
    read: (query) => read(query, (sql, values) => reading(() => connection.all(sql, values))),
    get: (id): StoredRecord | null =>
      reading(() => {
        const row = connection.get(BY_ID, [id])
        return row === undefined ? null : recordOf(row)
      }),
    head: (): Head => reading(() => log.head()),
    now: () => reading(clock),
    close: () => log.close(),
  }
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

interface Log {
  readonly enqueue: (work: Item['work'], record: Item['record']) => Promise<{ readonly result: unknown; readonly receipt: Receipt }>
  readonly head: () => Head
  readonly close: () => void
  readonly closed: () => boolean
}

/**
 * The queue in front of the transaction. Callers of one turn of the event loop share a commit. Where another process has the
 * lock, the queue waits for it and the event loop does not.
 */
function createLog(parts: Parts, opened: Tip): Log {
  const waiting: Waiting[] = []
  const anchored = createAnchoring(parts)
  const commit = createCommitting(parts, { opened, anchored })
  let scheduled = false
  let closed = false
  let tries = 0
  const flush = (wait: boolean): void => {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, LARGEST_BATCH)
      const outcomes = commit(batch, wait)
      if (outcomes === BUSY) {
        giveUp(waiting, parts.busyMilliseconds)
        if (waiting.length === 0) break
        setTimeout(() => closed || flush(false), PAUSES[tries] ?? LONGEST_PAUSE)
        tries += 1
        return
      }
      waiting.splice(0, batch.length)
      tries = 0
      for (const [index, { settle }] of batch.entries()) settle(outcomes[index] ?? { error: new Error('the batch lost an item') })
    }
    scheduled = false
  }
  return {
    enqueue: (work, record) => {
      if (closed) return Promise.reject(storeError('closed', 'the store is closed'))
      return new Promise((resolve, reject) => {
        const settle = (outcome: Outcome) => ('error' in outcome ? reject(outcome.error) : resolve(outcome))
        waiting.push({ item: { work, record }, settle, since: performance.now() })
        if (scheduled) return
        scheduled = true
        setImmediate(() => closed || flush(false))
      })
    },
    head: () => headOf(parts.connection),
    close: () => {
      if (closed) return
      flush(true)
      closed = true
      guard('closing', () => {
        try {
          anchored.finish()
        } finally {
          parts.connection.close()
        }
      })
    },
    closed: () => closed,
  }
}

/** Commits a batch and keeps its head outside; whatever goes wrong is the outcome of each item. */
function createCommitting(parts: Parts, { opened, anchored }: { readonly opened: Tip; readonly anchored: Anchoring }) {
  let tip = opened
  return (batch: readonly Waiting[], wait: boolean): readonly Outcome[] | typeof BUSY => {
    try {
      const items = batch.map(({ item }) => item)
      const committed = tryCommit({ connection: parts.connection, signer: parts.keys.current, now: parts.now }, items, { seen: tip, wait })
      if (committed === BUSY) return BUSY
      const grown = committed.tip.size > tip.size
      tip = committed.tip
      if (grown) anchored.after(tip)
      return committed.outcomes
    } catch (error) {
      return batch.map(() => ({ error: asStoreError(error, 'appending') }))
    }
  }
}

/** Milliseconds between two tries for the lock, as SQLite would wait. */
const PAUSES = [1, 2, 5, 10, 15, 20, 25]
const LONGEST_PAUSE = 25

/** Whoever has waited for the lock for too long is told so; the others go on waiting. */
function giveUp(waiting: Waiting[], busyMilliseconds: number): void {
  const now = performance.now()
  const late = waiting.findIndex(({ since }) => now - since < busyMilliseconds)
  for (const { settle } of waiting.splice(0, late === -1 ? waiting.length : late)) {
    settle({ error: storeError('locked', `another process has held the lock of the store for ${busyMilliseconds} ms`) })
  }
}

function headOf(connection: Connection): Head {
  const { size, hash } = tipOf(connection.get(TIP))
  return { size, hash }
}

interface Anchoring {
  readonly after: (tip: Head) => void
  readonly finish: () => void
}

/** Keeps the head outside the database. Until that is done a commit is not acknowledged, so nothing acknowledged can be cut unseen. */
function createAnchoring({ marks, anchorEvery }: Parts): Anchoring {
  let commits = 0
  let pending: Head | null = null
  const write = (head: Head) => {
    marks.write(head)
    pending = null
  }
  return {
    after: (tip) => {
      commits += 1
      pending = tip
      if (commits % anchorEvery === 0) write(tip)
    },
    finish: () => {
      try {
        if (pending !== null) write(pending)
      } finally {
        marks.close()
      }
    },
  }
}
