/** An open database file with its settings, and the promise that the file we write is still the file others will read. */
import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isMainThread } from 'node:worker_threads'
import type { SqlRow, SqlValue } from '../store.ts'
import { type Database, type EngineName, SqliteFault, type Statement } from './driver.ts'
import { openDatabase } from './engines.ts'
import { guard, storeError } from './faults.ts'
import { errno, syncDirectory } from './files.ts'
import { createGeneration, type Generation } from './generation.ts'

const FILE = 'countersign.db'
const HEADER = 'SQLite format 3\0'
const BUSY = 5

export interface Connection {
  readonly path: string
  readonly engine: EngineName
  /** True where commits go to a write-ahead log, as they do on every file system that can have one. */
  readonly journaled: boolean
  readonly exec: (sql: string) => void
  readonly run: (sql: string, values: readonly SqlValue[]) => number
  readonly get: (sql: string, values?: readonly SqlValue[]) => SqlRow | undefined
  readonly all: (sql: string, values?: readonly SqlValue[]) => readonly SqlRow[]
  /** Tells whether what was read is still so. */
  readonly generation: Pick<Generation, 'of' | 'others' | 'wrote'>
  /** Takes the lock for writing: false where another process has it. `wait`: waits for it, and stops everything else meanwhile. */
  readonly tryBegin: (wait: boolean) => boolean
  /** Throws `StoreError` where the file was removed or replaced while it was open: what we wrote would be lost. */
  readonly assertSameFile: () => void
  /** Undoes the open transaction; where SQLite already did (disk full, I/O errors), there is nothing left to do. */
  readonly rollBack: () => void
  /** Undoes what was done since the savepoint. */
  readonly rollBackTo: (savepoint: string) => void
  /** Copies all of the write-ahead log into the file and syncs both. False where something kept it from all of it. */
  readonly checkpoint: () => boolean
  /**
   * The same once most of it was copied, with the lock: so nothing is committed meanwhile, and the next commit begins at the start of the
   * log. Waits a moment for the lock; without it copies what it can.
   */
  readonly finishCheckpoint: () => void
  readonly close: () => void
}

export interface ConnectionOptions {
  readonly engine?: EngineName | undefined
  /** How long a statement waits for another process's lock. */
  readonly busyMilliseconds: number
}

export function databasePath(directory: string): string {
  return join(directory, FILE)
}

/** Creates the empty file with mode 0600 where there is none; SQLite gives its companions the same mode. */
export function createDatabaseFile(path: string): void {
  guard('creating its file', () => {
    try {
      closeSync(openSync(path, 'wx', 0o600))
      syncDirectory(dirname(path))
    } catch (error) {
      if (errno(error) !== 'EEXIST') throw error
    }
  })
}

/** Opens an existing file. Throws `StoreError`: corrupt where it is no database, missing, locked, engine. */
export function connect(path: string, options: ConnectionOptions): Connection {
  guard('reading its header', () => assertHeader(path))
  const database = guard('opening', () => openDatabase(path, options.engine))
  if (database === null) throw storeError('engine', 'this Node has no SQLite')
  try {
    const journaled = guard('opening', () => configure(database, options.busyMilliseconds))
    return connectionOf(database, path, { ...options, journaled })
  } catch (error) {
    database.close()
    throw error
  }
}

interface Configured extends ConnectionOptions {
  readonly journaled: boolean
}

function connectionOf(database: Database, path: string, { busyMilliseconds, journaled }: Configured): Connection {
  const statements = new Map<string, Statement>()
  const prepared = (sql: string) => {
    const known = statements.get(sql)
    if (known !== undefined) return known
    const statement = database.prepare(sql)
    statements.set(sql, statement)
    return statement
  }
  const generation = createGeneration(() => Number(prepared('PRAGMA data_version').get([])?.data_version))
  const waiting = createWaiting(database, busyMilliseconds)
  const ran = <T>(sql: string, act: (statement: Statement) => T): T => {
    generation.runs(sql)
    return waiting.long(() => act(prepared(sql)))
  }
  return {
    path,
    engine: database.engine,
    journaled,
    exec: (sql) => waiting.long(() => database.exec(sql)),
    run: (sql, values) => ran(sql, (statement) => statement.run(values)),
    get: (sql, values = []) => ran(sql, (statement) => statement.get(values)),
    all: (sql, values = []) => ran(sql, (statement) => statement.all(values)),
    generation,
    tryBegin: (wait) => {
      const begin = (): boolean => {
        database.exec('BEGIN IMMEDIATE')
        return true
      }
      const begun = wait ? waiting.long(begin) : waiting.never(begin)
      generation.begun()
      return begun !== BUSY
    },
    assertSameFile: watchFiles(path),
    rollBack: () => {
      generation.takenBack()
      try {
        database.exec('ROLLBACK')
      } catch (error) {
        if (!(error instanceof SqliteFault)) throw error
      }
    },
    rollBackTo: (savepoint) => {
      generation.takenBack()
      database.exec(`ROLLBACK TO ${savepoint}`)
    },
    checkpoint: () => {
      const { busy, log, checkpointed } = prepared('PRAGMA wal_checkpoint(PASSIVE)').get([]) ?? {}
      return busy === 0 && log === checkpointed
    },
    finishCheckpoint: () => waiting.briefly(() => void prepared('PRAGMA wal_checkpoint(FULL)').get([])),
    close: () => database.close(),
  }
}

interface Waiting {
  /** Does this, and waits for the lock of another process where there is one. */
  readonly long: <T>(act: () => T) => T
  /** Does this, or says that another process has the lock. */
  readonly never: <T>(act: () => T) => T | typeof BUSY
  /** Does this, which waits for a moment at most and says by itself that it found somebody. */
  readonly briefly: (act: () => void) => void
}

/** Milliseconds: others wait for whoever waits with the lock. */
const BRIEF_MS = 5

/**
 * SQLite waits inside of a statement for as long as it was told last. It is told only when that has to change: between two commits
 * there is next to nobody to wait for, and what finds somebody is done again, with the wait.
 */
function createWaiting(database: Database, milliseconds: number): Waiting {
  const longest = Math.trunc(milliseconds)
  let waits = longest
  const setTo = (wait: number): void => {
    if (waits !== wait) database.exec(`PRAGMA busy_timeout = ${wait}`)
    waits = wait
  }
  const isBusy = (error: unknown): boolean => error instanceof SqliteFault && error.result === BUSY
  return {
    long: (act) => {
      try {
        return act()
      } catch (error) {
        if (waits === longest || !isBusy(error)) throw error
        setTo(longest)
        return act()
      }
    },
    never: (act) => {
      setTo(0)
      try {
        return act()
      } catch (error) {
        if (isBusy(error)) return BUSY
        throw error
      }
    },
    briefly: (act) => {
      setTo(Math.min(BRIEF_MS, longest))
      act()
    },
  }
}

/**
 * FULL: a commit returns when its bytes are synced (P5). A schema that an attacker wrote must not call functions, and
 * damaged cells must be noticed rather than read.
 */
function configure(database: Database, busyMilliseconds: number): boolean {
  database.exec(`PRAGMA busy_timeout = ${Math.trunc(busyMilliseconds)}`)
  const mode = switchToWal(database, Date.now() + busyMilliseconds)
  database.exec(`
    PRAGMA synchronous = FULL;
    PRAGMA fullfsync = ON;
    PRAGMA checkpoint_fullfsync = ON;
    PRAGMA foreign_keys = ON;
    PRAGMA trusted_schema = OFF;
    PRAGMA cell_size_check = ON;`)
  return mode === 'wal'
}

/** SQLite does not wait for locks while it changes the journal mode, so processes that start together must. */
function switchToWal(database: Database, until: number): unknown {
  const pause = new Int32Array(new SharedArrayBuffer(4))
  for (;;) {
    try {
      return database.prepare('PRAGMA journal_mode = WAL').get([])?.journal_mode
    } catch (error) {
      if (!(error instanceof SqliteFault) || error.result !== BUSY || Date.now() >= until) throw error
      Atomics.wait(pause, 0, 0, 5)
    }
  }
}

/** An empty file is a new database; SQLite would treat some damaged ones as new, too, so the header is read here. */
function assertHeader(path: string): void {
  const { descriptor, close } = descriptorOf(path)
  try {
    const bytes = new Uint8Array(HEADER.length)
    const read = readSync(descriptor, bytes, 0, bytes.length, 0)
    if (read > 0 && Buffer.from(bytes.buffer, 0, read).toString('latin1') !== HEADER) {
      throw storeError('corrupt', `\`${path}\` is no database`)
    }
  } finally {
    close()
  }
}

/** Files that this process has opened, and the descriptor of those that it opened again. */
const known = new Map<string, number | null>()

/**
 * INVARIANT: no descriptor of a file is closed while a connection of this process may have it open, for the system then drops
 * the locks of all of them: another process would take itself for the last one, and remove a journal that is written to.
 * Only the first descriptor of a file is closed, before there is a connection; a later one stays for good, one for each file and
 * thread. Another thread cannot know what the first one opened, and closes none.
 */
function descriptorOf(path: string): { readonly descriptor: number; readonly close: () => void } {
  const stays = () => {}
  const file = inode(path)
  const kept = file === null ? undefined : known.get(file)
  if (kept != null) return { descriptor: kept, close: stays }
  const descriptor = openSync(path, 'r')
  const { dev, ino } = fstatSync(descriptor)
  const opened = `${dev}:${ino}`
  if (isMainThread && !known.has(opened)) {
    known.set(opened, null)
    return { descriptor, close: () => closeSync(descriptor) }
  }
  known.set(opened, descriptor)
  return { descriptor, close: stays }
}

/** Removing the file or its write-ahead log would drop what is committed. The log appears with the first read or write. */
function watchFiles(path: string): () => void {
  const file = inode(path)
  let log: string | null = null
  return () => {
    const logNow = inode(`${path}-wal`)
    if (inode(path) !== file || (log !== null && log !== logNow)) {
      throw storeError('rolled_back', `the store \`${path}\` was removed or replaced while it was open`)
    }
    log = logNow
  }
}

/** Device and inode; null where there is no file. */
function inode(path: string): string | null {
  const status = statSync(path, { throwIfNoEntry: false })
  return status === undefined ? null : `${status.dev}:${status.ino}`
}
