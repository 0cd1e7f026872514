/**
 * Goes on with a log that is shorter than it was, because the operator said so. The acceptance is itself the next record, and
 * begins a new epoch of the counter. Nothing is repaired: records that do not hold stay refused.
 */
import { randomBytes } from 'node:crypto'
import type { JsonObject } from '../../core/json.ts'
import type { HeadMark } from '../chain.ts'
import { type Head, type Receipt, StoreError, type Transaction } from '../store.ts'
import { readAnchor, replaceAnchorFile, signAnchor } from './anchor.ts'
import { checkMarked, checkRecords, marksOf } from './check.ts'
import { type Connection, connect, createDatabaseFile, databasePath } from './connection.ts'
import { compareMarks, readCounter, replaceCounter, signMark } from './counter.ts'
import type { EngineName } from './driver.ts'
import { guard } from './faults.ts'
import { isCounted, type Keys, loadKeys, markCounted } from './keys.ts'
import { version } from './migrate.ts'
import { MIGRATIONS } from './migrations/index.ts'
import { seal, type Tip } from './records/rows.ts'
import { openTransaction } from './transaction.ts'

export interface AcceptLossOptions {
  readonly directory: string
  readonly reason: string
  /** Who accepts it, such as `human:ada`. */
  readonly by: string
  /** Milliseconds since the epoch. */
  readonly now: number
  /** Heads that were kept elsewhere, their signatures already checked. */
  readonly copies?: readonly HeadMark[]
  /** What is wrong with heads that no key at hand signed; absent: nothing. */
  readonly copyProblem?: string | undefined
  /** Takes back what may have been used up in the lost part, and says what that was. */
  readonly withdraw: (tx: Transaction, keys: Keys) => JsonObject
  readonly engine?: EngineName
}

export interface AcceptedLoss {
  /** What was found wrong. */
  readonly problem: string
  /** Records that the log had when it was last known; null where nothing tells. */
  readonly had: number | null
  readonly has: number
  readonly withdrawn: JsonObject
  readonly receipt: Receipt
}

/** Null where nothing is lost. Throws `StoreError` where the key is missing, or what is left of the log does not hold. */
export function acceptLoss(options: AcceptLossOptions): AcceptedLoss | null {
  const { directory, engine } = options
  const keys = loadKeys(directory)
  createDatabaseFile(databasePath(directory))
  const connection = connect(databasePath(directory), { engine, busyMilliseconds: 5_000 })
  try {
    return guard('accepting the loss', () => acceptIn(connection, keys, options))
  } finally {
    connection.close()
  }
}

function acceptIn(connection: Connection, keys: Keys, options: AcceptLossOptions): AcceptedLoss | null {
  connection.exec('BEGIN IMMEDIATE')
  try {
    const lost = lossOf(connection, keys, options)
    if (lost === null) {
      connection.rollBack()
      return null
    }
    const { tx, end } = openTransaction(connection, () => '')
    const withdrawn = options.withdraw(tx, keys)
    end()
    const body = {
      event: 'loss_accepted',
      by: options.by,
      reason: options.reason,
      problem: lost.problem,
      had: lost.had,
      has: lost.tip.size,
      withdrawn,
    }
    const record = {
      kind: 'note',
      session: null,
      tenant: null,
      tool: null,
      decision: null,
      code: 'infra.store_corrupt',
      at: options.now,
      body,
    } as const
    const sealed = seal(record, lost.tip, { signer: keys.current, random: randomBytes(16), wall: options.now })
    connection.run(sealed.insert, sealed.values)
    connection.exec('COMMIT')
    begin(sealed.tip, lost.epoch, options)
    const { id, size, hash } = sealed.tip
    return { problem: lost.problem, had: lost.had, has: lost.tip.size, withdrawn, receipt: { id, sequence: size, hash } }
  } catch (error) {
    connection.rollBack()
    throw error
  }
}

interface Loss {
  readonly problem: string
  readonly had: number | null
  readonly tip: Tip
  /** Of the furthest mark there is. */
  readonly epoch: number
}

/** What is lost, after the tables were made that the database lacks; null where nothing is. */
function lossOf(connection: Connection, keys: Keys, { directory, copies = [], copyProblem }: AcceptLossOptions): Loss | null {
  const from = version(connection)
  for (const migration of MIGRATIONS.slice(from)) connection.exec(migration)
  connection.exec(`PRAGMA user_version = ${Math.max(from, MIGRATIONS.length)}`)
  const tip = checkRecords(connection, keys.ring)
  const anchor = readAnchor(directory, keys.ring)
  const counter = readCounter(directory, keys.ring)
  const read = marksOf(anchor, counter)
  const counted = counter.state === 'found' ? [counter.mark] : []
  const furthest = [...counted, ...copies].toSorted(compareMarks).at(-1)
  // Heads of earlier epochs were superseded when the last loss was accepted.
  const current = [...counted, ...copies].filter(({ epoch }) => epoch >= (counted[0]?.epoch ?? 0))
  const known = [...(anchor.state === 'found' ? [anchor.mark] : []), ...current]
  const problem = (read instanceof StoreError ? read : firstProblem(connection, tip, known))?.message ?? copyProblem
  if (problem === undefined) return null
  const had = known.length === 0 ? null : Math.max(...known.map(({ size }) => size))
  return { problem, had, tip, epoch: furthest?.epoch ?? 0 }
}

function firstProblem(connection: Connection, tip: Tip, marks: readonly (Head & { readonly at: number })[]): StoreError | null {
  for (const mark of marks) {
    try {
      checkMarked(connection, tip, mark)
    } catch (error) {
      if (error instanceof StoreError) return error
      throw error
    }
  }
  return null
}

/** Killed before this, the log is as refused as it was, and the loss is accepted again. */
function begin(tip: Tip, epoch: number, { directory, now }: AcceptLossOptions): void {
  const { current } = loadKeys(directory)
  const head = { size: tip.size, hash: tip.hash }
  if (!isCounted(directory)) markCounted(directory)
  replaceAnchorFile(directory, signAnchor(head, current, now))
  replaceCounter(directory, signMark('counter', { head, epoch: Math.max(epoch + 1, now), at: now }, current))
}
