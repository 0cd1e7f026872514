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
  let file: number | null = null
  let running = 0
  let closed = false
  let failed = false
  const journal = (): number => {
    file ??= openSync(`${connection.path}-wal`, 'r+')
    return file
  }
  const failure = (error: unknown): unknown => {
    failed = true
    return asStoreError(error, 'syncing')
  }
  const beside = (done: (error: unknown) => void): void => {
    running += 1
    const ended = (error: unknown): void => {
      running -= 1
      // Closed only once nothing uses it: the system may hand its number to another file.
      if (closed && running === 0 && file !== null) closeSync(file)
      done(error === null ? null : failure(error))
    }
    try {
      fdatasync(journal(), ended)
    } catch (error) {
      setImmediate(ended, error)
    }
  }
  return {
    beside,
    ahead: () => new Promise((resolve, reject) => beside((error) => (error === null ? resolve() : reject(error)))),
    now: () => {
      try {
        fdatasyncSync(journal())
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
        if (fstatSync(journal()).size < bytes) ftruncateSync(journal(), bytes)
      } finally {
        connection.rollBack()
      }
    },
    close: () => {
      closed = true
      if (running === 0 && file !== null) closeSync(file)
    },
  }
}
