/** Brings a file to the tables of this version; a new file also gets its key and its first anchor, all under one lock. */
import { GENESIS } from '../chain.ts'
import { createAnchorFile, readAnchor, signAnchor } from './anchor.ts'
import type { Connection } from './connection.ts'
import { guard, storeError } from './faults.ts'
import { ensureAuditKey, loadKeys } from './keys.ts'
import { MIGRATIONS } from './migrations/index.ts'

/** Throws `StoreError`: version where a newer countersign wrote the file, rolled_back where a log was emptied. */
export function migrate(connection: Connection, directory: string, now: number): void {
  guard('preparing its tables', () => {
    if (version(connection) === MIGRATIONS.length) return
    connection.exec('BEGIN IMMEDIATE')
    try {
      const from = version(connection)
      if (from > MIGRATIONS.length) {
        throw storeError('version', `the store has ${from} migrations, this version of countersign knows ${MIGRATIONS.length}`)
      }
      if (from === 0) initialise(connection, directory, now)
      for (const migration of MIGRATIONS.slice(from)) connection.exec(migration)
      connection.exec(`PRAGMA user_version = ${MIGRATIONS.length}; COMMIT`)
    } catch (error) {
      connection.rollBack()
      throw error
    }
  })
}

/** An empty database beside an anchor of a longer log is no new store but an emptied one. */
function initialise(connection: Connection, directory: string, now: number): void {
  if (connection.get('SELECT name FROM sqlite_schema LIMIT 1') !== undefined) {
    throw storeError('corrupt', 'the store has tables but no version')
  }
  ensureAuditKey(directory)
  const { current, ring } = loadKeys(directory)
  const reading = readAnchor(directory, ring)
  if (reading.state === 'invalid') throw storeError('corrupt', reading.detail)
  if (reading.state === 'missing') {
    createAnchorFile(directory, signAnchor({ size: 0, hash: GENESIS }, current, now))
  } else if (reading.anchor.size > 0) {
    throw storeError('rolled_back', `the log is empty, but had ${reading.anchor.size} records when it was last anchored`)
  }
}

function version(connection: Connection): number {
  return Number(connection.get('PRAGMA user_version')?.user_version)
}
