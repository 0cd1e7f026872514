/** Brings a file to the tables of this version; a new file also gets its key with its counter and its first anchor, all under one lock. */
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { GENESIS } from '../chain.ts'
import { anchorPath, createAnchorFile, readAnchor, signAnchor } from './anchor.ts'
import type { Connection } from './connection.ts'
import { counterPath, createCounter, readCounter, replaceCounter, signMark } from './counter.ts'
import { guard, storeError, wentBack } from './faults.ts'
import { createAuditKey, hasAuditKey, isCounted, loadKeys, markCounted } from './keys.ts'
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
      else if (from < WITH_COUNTER) beginCounter(directory)
      for (const migration of MIGRATIONS.slice(from)) connection.exec(migration)
      connection.exec(`PRAGMA user_version = ${MIGRATIONS.length}; COMMIT`)
    } catch (error) {
      connection.rollBack()
      throw error
    }
  })
}

/** An empty database beside a key that has signed records is no new store but an emptied one. */
function initialise(connection: Connection, directory: string, now: number): void {
  if (connection.get('SELECT name FROM sqlite_schema LIMIT 1') !== undefined) {
    throw storeError('corrupt', 'the store has tables but no version')
  }
  if (!hasAuditKey(directory)) createKeyWithCounter(directory, now)
  const { current, ring } = loadKeys(directory)
  const counter = readCounter(directory, ring)
  if (counter.state === 'invalid') throw storeError('corrupt', counter.detail)
  if (counter.state === 'missing') throw storeError('rolled_back', 'there is a key but neither a log nor the counter of the key')
  if (counter.mark.size > 0) throw wentBack(counter.mark, 0)
  const reading = readAnchor(directory, ring)
  if (reading.state === 'invalid') throw storeError('corrupt', reading.detail)
  if (reading.state === 'missing') createAnchorFile(directory, signAnchor(START, current, now))
  else if (reading.mark.size > 0) throw wentBack(reading.mark, 0)
}

const START = { size: 0, hash: GENESIS }

/** The counter is there before its key, so a key without one has lost it. */
function createKeyWithCounter(directory: string, now: number): void {
  for (const path of [anchorPath(directory), counterPath(directory)]) {
    const size = claimedSize(path)
    if (size > 0) throw storeError('corrupt', `the audit key is missing, and so is the log: \`${path}\` tells of ${size} records`)
  }
  rmSync(anchorPath(directory), { force: true })
  createAuditKey(directory, (signer) => {
    replaceCounter(directory, signMark('counter', { head: START, epoch: 0, at: now }, signer))
  })
}

/** The largest size that a file of marks names, whoever signed them. */
function claimedSize(path: string): number {
  const text = existsSync(path) ? readFileSync(path, 'latin1') : ''
  return Math.max(0, ...[...text.matchAll(/"size":(\d{1,15})\b/g)].map(([, size]) => Number(size)))
}

/** A key from before there were counters gets one, from where the log was anchored; one that had a counter gets no other. */
function beginCounter(directory: string): void {
  if (!hasAuditKey(directory) || isCounted(directory)) return
  const { current, ring } = loadKeys(directory)
  const anchor = readAnchor(directory, ring)
  if (anchor.state !== 'found') return
  createCounter(directory, signMark('counter', { head: anchor.mark, epoch: 0, at: anchor.mark.at }, current))
  markCounted(directory)
}

/** How many migrations a store has whose key has a counter. */
export const WITH_COUNTER = 11

export function version(connection: Connection): number {
  return Number(connection.get('PRAGMA user_version')?.user_version)
}
