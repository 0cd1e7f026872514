/** Tells apart why SQLite or the file system failed, so that the operator gets a way out and the gate a code. */
import { StoreError, type StoreFault } from '../store.ts'
import { SqliteFault } from './driver.ts'

/** Primary result codes, https://www.sqlite.org/rescode.html */
const BY_RESULT: ReadonlyMap<number, StoreFault> = new Map([
  [5, 'locked'], // SQLITE_BUSY
  [6, 'locked'], // SQLITE_LOCKED
  [8, 'read_only'], // SQLITE_READONLY
  [10, 'io'], // SQLITE_IOERR
  [11, 'corrupt'], // SQLITE_CORRUPT
  [13, 'disk_full'], // SQLITE_FULL
  [14, 'missing'], // SQLITE_CANTOPEN
  [26, 'corrupt'], // SQLITE_NOTADB
])

const BY_ERRNO: ReadonlyMap<string, StoreFault> = new Map([
  ['ENOSPC', 'disk_full'],
  ['EDQUOT', 'disk_full'],
  ['EFBIG', 'disk_full'],
  ['EROFS', 'read_only'],
  ['EACCES', 'read_only'],
  ['EPERM', 'read_only'],
  ['ENOENT', 'missing'],
  ['ENOTDIR', 'missing'],
  ['EEXIST', 'missing'],
])

const WAY_OUT: Readonly<Record<StoreFault, string>> = {
  disk_full: 'free space on its disk or raise the quota; no record is ever deleted to make room',
  read_only: 'make its directory writable for this user',
  locked: 'another process holds the store for too long; look for it and try again',
  missing: 'check that the directory exists and belongs to this user',
  io: 'check the disk',
  corrupt: 'keep a copy, run `countersign audit verify` and restore a backup',
  rolled_back: [
    'keep a copy, run `countersign audit verify` and restore the newest copy;',
    'if there is none, accept the loss with `countersign audit accept-loss --reason "…"`',
  ].join(' '),
  copy: 'make it reachable, or take `required` from it in `audit.head_copies`',
  closed: 'open it again',
  record: 'this is a bug; report it with the call that led to it',
  version: 'use the version of countersign that wrote it, or a newer one',
  engine: 'use Node 22.13 or newer, or install `libsql`',
}

export function storeError(fault: StoreFault, what: string, cause?: unknown): StoreError {
  return new StoreError(fault, `${what}: ${WAY_OUT[fault]}`, cause)
}

/** The log is shorter than it once was. Says from where to where, when it was last known to be longer, and who tells, where that is a copy. */
export function wentBack(had: { readonly size: number; readonly at: number }, size: number, teller = ''): StoreError {
  const missing = had.size - size
  const when = new Date(had.at).toISOString()
  return storeError(
    'rolled_back',
    `the log went back from ${had.size} records (at ${when}) to ${size}: ${missing === 1 ? 'one record is' : `${missing} records are`} missing${teller}`,
  )
}

/** A failure of SQLite or the file system as a `StoreError`; anything else is returned as it came. */
export function asStoreError(error: unknown, doing: string): unknown {
  if (error instanceof StoreError) return error
  if (error instanceof SqliteFault) {
    return storeError(BY_RESULT.get(error.result) ?? 'io', `the store failed while ${doing} (${error.message})`, error)
  }
  const errno = error instanceof Error && 'code' in error && 'syscall' in error && typeof error.code === 'string' ? error.code : null
  if (errno === null) return error
  return storeError(BY_ERRNO.get(errno) ?? 'io', `the store failed while ${doing} (${errno})`, error)
}

/** Runs `act`; failures of SQLite and the file system leave as `StoreError`. */
export function guard<T>(doing: string, act: () => T): T {
  try {
    return act()
  } catch (error) {
    throw asStoreError(error, doing)
  }
}
