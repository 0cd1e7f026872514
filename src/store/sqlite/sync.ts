/**
 * Puts commits on the disk. SQLite would wait for the disk in each commit, and the event loop with it; here the journal is synced by
 * a thread of Node's own, and a commit is told of after that.
 */
import { closeSync, fdatasync, fdatasyncSync, fstatSync, ftruncateSync, openSync } from 'node:fs'
import type { Connection } from './connection.ts'
import { asStoreError, storeError } from './faults.ts'

export interface Syncing {
  /** Everything that was committed until now, beside the event loop; `done` is told null, or why it failed. */
  readonly beside: (done: (error: unknown) => void) => void
  /** The same for what no commit waits for; any number at a time. Rejects where it fails. */
  readonly ahead: () => Promise<void>
  /** The same while everything waits. Throws where it fails. */
  readonly now: () => void
  /** Throws where an earlier sync failed and nothing has made up for it: the system may take unwritten pages for written ones. */
  readonly usable: () => void
  /**
   * Makes the journal as long as it will get: the disk takes longer for a sync that makes a file longer. What lies behind its last commit
   * says nothing to SQLite. Where another process has the lock, it stays as it is.
   */
  readonly reserve: (bytes: number) => void
  readonly close: () => void
}

const NOTHING_TO_SYNC = { ahead: async () => {}, now: () => {}, usable: () => {}, reserve: () => {}, close: () => {} }

/** From now on SQLite does not sync commits by itself. */
export function createSyncing(connection: Connection): Syncing {
  if (!connection.journaled) return { ...NOTHING_TO_SYNC, beside: (done) => setImmediate(done, null) }
  connection.exec('PRAGMA synchronous = NORMAL')
  const journal = journalOf(`${connection.path}-wal`)
  let failed = false
  const failure = (error: unknown): unknown => {
    failed = true
    return asStoreError(error, 'syncing')
  }
  const beside = (done: (error: unknown) => void): void => {
    journal.used()
    const ended = (error: unknown): void => {
      journal.unused()
      done(error === null ? null : failure(error))
    }
    try {
      fdatasync(journal.number(), ended)
    } catch (error) {
      setImmediate(ended, error)
    }
  }
  return {
    beside,
    ahead: () => new Promise((resolve, reject) => beside((error) => (error === null ? resolve() : reject(error)))),
    now: () => {
      try {
        fdatasyncSync(journal.number())
      } catch (error) {
        throw failure(error)
      }
    },
    usable: () => {
      if (failed && !connection.checkpoint()) throw storeError('io', 'the journal could not be synced')
      failed = false
    },
    reserve: (bytes) => {
      // With the lock nobody else writes to the journal, nor cuts it.
      if (!connection.tryBegin(false)) return
      try {
        if (fstatSync(journal.number()).size < bytes) ftruncateSync(journal.number(), bytes)
      } finally {
        connection.rollBack()
      }
    },
    close: journal.close,
  }
}

interface JournalFile {
  /** Opens it where it is not open. Throws once it was closed. */
  readonly number: () => number
  readonly used: () => void
  readonly unused: () => void
  /** Once nothing uses it: the system may hand its number to another file. */
  readonly close: () => void
}

function journalOf(path: string): JournalFile {
  let file: number | null = null
  let users = 0
  let closed = false
  const letGo = (): void => {
    if (!closed || users > 0 || file === null) return
    closeSync(file)
    file = null
  }
  return {
    number: () => {
      // A draft may be under way still, and ask for its number.
      if (closed) throw storeError('closed', 'the store is closed')
      file ??= openSync(path, 'r+')
      return file
    },
    used: () => {
      users += 1
    },
    unused: () => {
      users -= 1
      letGo()
    },
    close: () => {
      closed = true
      letGo()
    },
  }
}
