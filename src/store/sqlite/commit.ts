/**
 * Group commit: everything that waits becomes one transaction and one sync. The head of the chain is read inside
 * `BEGIN IMMEDIATE`, so any number of processes can append to one chain (T34, SIG-W9).
 */
import type { Signer } from '../chain.ts'
import { type Receipt, type RecordInput, SESSION_RECORDS, type Transaction } from '../store.ts'
import { nextUlid, randomBytes16 } from '../ulid.ts'
import type { Connection } from './connection.ts'
import { asStoreError, storeError } from './faults.ts'
import { keepPieces } from './records/pieces.ts'
import { HASH_AT, seal, TIP, type Tip, tipOf } from './records/rows.ts'
import { openTransaction } from './transaction.ts'

/** One caller that waits. `work` is null for a plain append. */
export interface Item {
  readonly work: ((tx: Transaction) => unknown) | null
  readonly record: (result: unknown) => RecordInput
}

export type Outcome = { readonly result: unknown; readonly receipt: Receipt } | { readonly error: unknown }

export interface Batch {
  readonly outcomes: readonly Outcome[]
  /** Head after the commit; the head before where nothing was appended. */
  readonly tip: SeenTip
}

/** A head as it was read or written, and how often others had changed the file by then. */
export interface SeenTip extends Tip {
  readonly others: number
}

export interface Writer {
  readonly connection: Connection
  readonly signer: Signer
  /** Wall clock in milliseconds since the epoch. */
  readonly now: () => number
}

/** Thrown to give up a batch before any of its items is at fault. */
class BatchFailure extends Error {
  readonly retryable: boolean

  constructor(cause: unknown, retryable: boolean) {
    super('the batch failed', { cause })
    this.retryable = retryable
  }
}

/** Another process has the lock: nothing was done, and the same batch can be committed later. */
export const BUSY = Symbol('busy')

/** Commits the items in order, or says that another process has the lock; `wait`: waits for it, as everything else in this process must. */
export function tryCommit(
  writer: Writer,
  items: readonly Item[],
  { seen, wait }: { readonly seen: SeenTip; readonly wait: boolean },
): Batch | typeof BUSY {
  try {
    if (!begin(writer.connection, wait)) return BUSY
  } catch (error) {
    return failed(items, asStoreError(error, 'appending'), seen)
  }
  return commitBatch(writer, items, { seen, begun: true })
}

/**
 * Commits the items in order. Work hardly ever fails, so it is done without savepoints; where some does, all of it is done again with
 * them. If the batch fails as a whole, each item gets a transaction of its own, so that one bad item harms no other.
 */
function commitBatch(writer: Writer, items: readonly Item[], { seen, begun }: { readonly seen: SeenTip; readonly begun: boolean }): Batch {
  try {
    if (!begun) attempt(() => begin(writer.connection, true), false)
    const committed = commitOnce(writer, items, { seen, savepoints: false })
    if (committed !== ITEM_FAILED) return committed
    attempt(() => begin(writer.connection, true), false)
    const again = commitOnce(writer, items, { seen, savepoints: true })
    if (again !== ITEM_FAILED) return again
    throw new TypeError('with savepoints an item fails alone')
  } catch (error) {
    if (!(error instanceof BatchFailure)) throw error
    if (!error.retryable || items.length === 1) return failed(items, error.cause, seen)
  }
  let tip = seen
  const outcomes = items.flatMap((item) => {
    const single = commitBatch(writer, [item], { seen: tip, begun: false })
    tip = single.tip
    return single.outcomes
  })
  return { outcomes, tip }
}

interface Once {
  readonly seen: SeenTip
  /** False: work that fails fails the transaction. */
  readonly savepoints: boolean
}

/** Everything was taken back, because the work of one item failed. */
const ITEM_FAILED = Symbol('an item failed')

function commitOnce(writer: Writer, items: readonly Item[], { seen, savepoints }: Once): Batch | typeof ITEM_FAILED {
  const { connection } = writer
  try {
    let tip = attempt(() => currentTip(connection, seen), false)
    const outcomes: Outcome[] = []
    for (const item of items) {
      const outcome = appendOne(writer, item, { tip, savepoints })
      if ('tip' in outcome) tip = { ...outcome.tip, others: tip.others }
      else if (!savepoints && item.work !== null) {
        connection.rollBack()
        return ITEM_FAILED
      }
      outcomes.push(outcome)
    }
    attempt(() => connection.exec('COMMIT'), true)
    return { outcomes, tip }
  } catch (error) {
    connection.rollBack()
    throw error
  }
}

function begin(connection: Connection, wait: boolean): boolean {
  connection.assertSameFile()
  return connection.tryBegin(wait)
}

/** The head, after making sure that it continues what this process already saw: a log never shrinks and never changes. */
function currentTip(connection: Connection, seen: SeenTip): SeenTip {
  const others = connection.generation.others()
  if (others === seen.others) return seen
  const tip = { ...tipOf(connection.get(TIP)), others }
  const known = tip.size === seen.size ? tip.hash : seen.size === 0 ? seen.hash : connection.get(HASH_AT, [seen.size])?.hash
  if (tip.size < seen.size || known !== seen.hash) {
    throw storeError('rolled_back', `the log went back from ${seen.size} records to ${tip.size}, or was changed, while it was open`)
  }
  return tip
}

interface Place {
  readonly tip: Tip
  readonly savepoints: boolean
}

type Appended = { readonly result: unknown; readonly receipt: Receipt; readonly tip: Tip } | { readonly error: unknown }

function appendOne(writer: Writer, item: Item, { tip, savepoints }: Place): Appended {
  const { connection, signer } = writer
  const by = { signer, random: randomBytes16(), wall: writer.now() }
  const work = item.work
  if (work === null) return keep(() => insert(connection, seal(item.record(undefined), tip, by), undefined))
  if (savepoints) attempt(() => connection.run('SAVEPOINT item', []), true)
  const outcome = keep(() => {
    let promised: string | null = null
    const result = perform(connection, work, (at) => {
      promised = nextUlid(at, by.random, tip.id)
      return promised
    })
    const sealed = seal(item.record(result), tip, by)
    if (promised !== null && promised !== sealed.tip.id) throw new TypeError('the record is of another time than its id was asked for')
    return insert(connection, sealed, result)
  })
  if (!savepoints) return outcome
  if (!('receipt' in outcome)) attempt(() => connection.rollBackTo('item'), true)
  attempt(() => connection.run('RELEASE item', []), true)
  return outcome
}

function perform(connection: Connection, work: (tx: Transaction) => unknown, recordId: Transaction['recordId']): unknown {
  const { tx, end } = openTransaction(connection, recordId)
  let result: unknown
  try {
    result = work(tx)
  } finally {
    end()
  }
  if (result instanceof Promise) throw new TypeError('the work of a transaction must not be asynchronous')
  return result
}

function insert(connection: Connection, { kind, tip, insert: sql, values, pieces }: ReturnType<typeof seal>, result: unknown): Appended {
  attempt(() => connection.run(sql, values), true)
  if (pieces !== null) attempt(() => keepPieces(connection, pieces), true)
  if (kind === 'session') connection.generation.wrote(SESSION_RECORDS)
  return { result, receipt: { id: tip.id, sequence: tip.size, hash: tip.hash }, tip }
}

/** An item's own failure stays its own; a failure of the batch passes through. */
function keep(act: () => Appended): Appended {
  try {
    return act()
  } catch (error) {
    if (error instanceof BatchFailure) throw error
    return { error: asStoreError(error, 'doing the work of a transaction') }
  }
}

function attempt<T>(act: () => T, retryable: boolean): T {
  try {
    return act()
  } catch (error) {
    throw new BatchFailure(asStoreError(error, 'appending'), retryable)
  }
}

function failed(items: readonly Item[], error: unknown, tip: SeenTip): Batch {
  return { outcomes: items.map(() => ({ error })), tip }
}
