/** One daemon a state directory: whoever holds the lock. The system gives it back when the process ends, however it ends. */
import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { type Database, SqliteFault } from '../store/sqlite/driver.ts'
import { openDatabase } from '../store/sqlite/engines.ts'

/** Below the state directory; a database without content, since Node has no locks of files but SQLite's. */
const LOCK_FILE = 'run/daemon.lock'
const BUSY = 5
const TRY_EVERY_MS = 50

export interface Lock {
  readonly release: () => void
}

/** Null where another process has it still after `patience` milliseconds. Throws where the file cannot be used. */
export async function takeLock(home: string, patience = 0): Promise<Lock | null> {
  mkdirSync(join(home, 'run'), { recursive: true, mode: 0o700 })
  const path = join(home, LOCK_FILE)
  // A file that is there is not opened here: to close it would give back a lock that this process holds.
  if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600))
  const database = openDatabase(path)
  if (database === null) throw new Error('this Node has no SQLite')
  const until = performance.now() + patience
  while (!locks(database)) {
    if (performance.now() >= until) {
      database.close()
      return null
    }
    await new Promise((resolve) => setTimeout(resolve, TRY_EVERY_MS))
  }
  return {
    release: () => {
      database.exec('ROLLBACK')
      database.close()
    },
  }
}

function locks(database: Database): boolean {
  try {
    database.exec('PRAGMA busy_timeout = 0; BEGIN EXCLUSIVE')
    return true
  } catch (error) {
    if (error instanceof SqliteFault && error.result === BUSY) return false
    throw error
  }
}
