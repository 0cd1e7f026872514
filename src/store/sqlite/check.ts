/**
 * What is checked before a store is used: that the log is the one the anchor speaks of and that its last records hold.
 * Bounded, because hooks open the store for each call; `audit verify` checks everything.
 */
import { statSync } from 'node:fs'
import { GENESIS, recordText, type Signer } from '../chain.ts'
import { readAnchor } from './anchor.ts'
import type { Connection } from './connection.ts'
import { SqliteFault } from './driver.ts'
import { guard, storeError } from './faults.ts'
import { HASH_AT, LAST, recordOf, TIP, type Tip, tipOf } from './rows.ts'

const TAIL = 16
const SQL_ERROR = 1
const SMALL_BYTES = 512 * 1024

/** The head of a log that holds. Throws `StoreError` with `infra.store_corrupt` where anything does not. */
export function checkLog(connection: Connection, directory: string, ring: ReadonlyMap<string, Signer>): Tip {
  // The anchor is read before the head: other processes only ever make the log longer than an anchor already read.
  const reading = guard('reading its anchor', () => readAnchor(directory, ring))
  if (reading.state === 'missing') throw storeError('rolled_back', 'the log has lost its anchor, or was emptied')
  if (reading.state === 'invalid') throw storeError('corrupt', reading.detail)
  return guard('checking the log', () => {
    try {
      checkPages(connection)
      checkTail(connection, ring)
      const tip = tipOf(connection.get(TIP))
      checkAnchored(connection, tip, reading.anchor)
      return tip
    } catch (error) {
      // Our own SQL is right, so a table or a column must be gone.
      if (error instanceof SqliteFault && error.result === SQL_ERROR) throw storeError('corrupt', 'the tables are damaged', error)
      throw error
    }
  })
}

function checkAnchored(connection: Connection, tip: Tip, anchor: { readonly size: number; readonly hash: string }): void {
  if (tip.size < anchor.size) {
    throw storeError('rolled_back', `the log ends at record ${tip.size}, but had ${anchor.size} when it was last anchored`)
  }
  const hash = anchor.size === 0 ? GENESIS : connection.get(HASH_AT, [anchor.size])?.hash
  if (hash !== anchor.hash) throw storeError('rolled_back', `record ${anchor.size} is not the one that was anchored`)
}

/** SQLite's own check of its pages, where that costs a millisecond or less. */
function checkPages(connection: Connection): void {
  if (statSync(connection.path).size > SMALL_BYTES) return
  const answer = connection.get('SELECT quick_check FROM pragma_quick_check LIMIT 1')
  if (answer?.quick_check !== 'ok') throw storeError('corrupt', `the store is damaged (${String(answer?.quick_check)})`)
}

function checkTail(connection: Connection, ring: ReadonlyMap<string, Signer>): void {
  const rows = connection.all(LAST, [TAIL])
  let next: { readonly previous: string; readonly sequence: number } | null = null
  for (const row of rows) {
    const record = recordOf(row)
    const signer = ring.get(record.key)
    if (signer === undefined) throw storeError('corrupt', `record ${record.sequence} is signed with the unknown key \`${record.key}\``)
    if (signer.mac(recordText(record)) !== record.hash) throw storeError('corrupt', `record ${record.sequence} was changed`)
    if (next !== null && (next.previous !== record.hash || next.sequence !== record.sequence + 1)) {
      throw storeError('corrupt', `record ${next.sequence} does not continue record ${record.sequence}`)
    }
    next = record
  }
}
