/**
 * What is checked before a store is used: that the log is the one that its anchor and the counter of its key speak of, and that its last records hold.
 * Bounded, because hooks open the store for each call; `audit verify` checks everything.
 */
import { statSync } from 'node:fs'
import { type Anchor, GENESIS, type HeadMark, recordText, type Signer } from '../chain.ts'
import { type Head, StoreError } from '../store.ts'
import { type AnchorReading, readAnchor } from './anchor.ts'
import type { Connection } from './connection.ts'
import { type CounterReading, readCounter } from './counter.ts'
import { SqliteFault } from './driver.ts'
import { guard, storeError, wentBack } from './faults.ts'
import { HASH_AT, LAST, recordOf, TIP, type Tip, tipOf } from './records/rows.ts'

const TAIL = 16
const SQL_ERROR = 1
const SMALL_BYTES = 512 * 1024

export interface Checked {
  readonly tip: Tip
  /** Of the counter: how often a loss was accepted, as the time of the last. */
  readonly epoch: number
}

/** The head of a log that holds. Throws `StoreError` with `infra.store_corrupt` where anything does not. */
export function checkLog(connection: Connection, directory: string, ring: ReadonlyMap<string, Signer>): Checked {
  // The marks are read before the head: other processes only ever make the log longer than a mark already read.
  const anchor = guard('reading its anchor', () => readAnchor(directory, ring))
  const counter = guard('reading the counter of its key', () => readCounter(directory, ring))
  const marks = marksOf(anchor, counter)
  if (marks instanceof StoreError) throw marks
  return guard('checking the log', () => {
    const tip = checkRecords(connection, ring)
    for (const mark of marks) checkMarked(connection, tip, mark)
    return { tip, epoch: marks[1].epoch }
  })
}

/** The head of what is in the database, where its pages and its last records hold; whether that is all there was, the marks say. */
export function checkRecords(connection: Connection, ring: ReadonlyMap<string, Signer>): Tip {
  try {
    checkPages(connection)
    checkTail(connection, ring)
    return tipOf(connection.get(TIP))
  } catch (error) {
    // Our own SQL is right, so a table or a column must be gone.
    if (error instanceof SqliteFault && error.result === SQL_ERROR) throw storeError('corrupt', 'the tables are damaged', error)
    throw error
  }
}

/** The marks beside the database, or why they cannot be used. */
export function marksOf(anchor: AnchorReading, counter: CounterReading): readonly [Anchor, HeadMark] | StoreError {
  if (anchor.state === 'missing') return storeError('rolled_back', 'the log has lost its anchor, or was emptied')
  if (anchor.state === 'invalid') return storeError('corrupt', anchor.detail)
  if (counter.state === 'missing') return storeError('rolled_back', 'the key of the log has lost its counter')
  if (counter.state === 'invalid') return storeError('corrupt', counter.detail)
  return [anchor.mark, counter.mark]
}

/** Throws where the log is shorter than this head, or another log. */
export function checkMarked(connection: Connection, tip: Tip, mark: Head & { readonly at: number }): void {
  if (tip.size < mark.size) throw wentBack(mark, tip.size)
  const hash = mark.size === 0 ? GENESIS : connection.get(HASH_AT, [mark.size])?.hash
  if (hash !== mark.hash) throw storeError('rolled_back', `record ${mark.size} is not the one that was anchored: this is another log`)
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
