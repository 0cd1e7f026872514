/**
 * Puts commits on the disk. SQLite would wait for the disk in each commit, and the event loop with it; here the journal is synced by
 * a thread of Node's own, and a commit is told of after that.
 */
import { closeSync, fdatasync, fdatasyncSync, openSync } from 'node:fs'
import type { Connection } from './connection.ts'
import { asStoreError, storeError } from './faults.ts'

export interface Syncing {
  /** Everything that was committed until now, beside the event loop; `done` is told null, or why it failed. One at a time. */
  readonly beside: (done: (error: unknown) => void) => void
  /** The same while everything waits. Throws where it fails. */
  readonly now: () => void
  /** Throws where an earlier sync failed and nothing has made up for it: the system may take unwritten pages for written ones. */
  readonly usable: () => void
  readonly close: () => void
}

/** From now on SQLite does not sync commits by itself. */
export function createSyncing(connection: Connection): Syncing {
  if (!connection.journaled) return { beside: (done) => setImmediate(done, null), now: () => {}, usable: () => {}, close: () => {} }
  connection.exec('PRAGMA synchronous = NORMAL')
  let file: number | null = null
  let running = false
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
  return {
    beside: (done) => {
      running = true
      const ended = (error: unknown): void => {
        running = false
        // Closed only once nothing uses it: the system may hand its number to another file.
        if (closed && file !== null) closeSync(file)
        done(error === null ? null : failure(error))
      }
      try {
        fdatasync(journal(), ended)
      } catch (error) {
        setImmediate(ended, error)
      }
    },
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
    close: () => {
      closed = true
      if (!running && file !== null) closeSync(file)
    },
  }
}
