import type { Json, JsonObject } from '../core/json.ts'

/**
 * Everything durable. Two engines, one conformance suite. A store never interprets what it keeps.
 * Every method throws `StoreError` with a code of `infra.*`; a caller turns that into a denial (P5).
 */
export interface Store {
  /** Appends in one transaction and returns once durable (fsync). Concurrent callers may share one commit. */
  append(record: RecordInput): Promise<Receipt>
  /**
   * Does `work` and appends the record in one transaction: both become durable, or neither (P5 and P7 together).
   * A throw of `work` undoes what it did, appends nothing and rejects with that same error. `work` may be run again
   * after a failed commit, so it must change nothing but the transaction. Records that depend on what `work` found
   * (consumed, or already spent) are made by a function of its result.
   */
  run<T>(work: (tx: Transaction) => T, record: RecordInput | ((result: T) => RecordInput), how?: Running): Promise<Recorded<T>>
  /** Reads tables outside of any writing transaction; `work` must not write. */
  query<T>(work: (tx: ReadTransaction) => T): T
  /** Records in order of `sequence`, from `after` (exclusive). */
  read(query: RecordQuery): AsyncIterable<StoredRecord> | Iterable<StoredRecord>
  /** One record by its id; null where there is none. */
  get(id: string): StoredRecord | null
  /** Number of records and the hash of the last one. */
  head(): Head
  /**
   * The time by which every end is judged, in milliseconds since the epoch: the wall clock's, but never before the latest time that
   * a record of any process was made at. What has ended stays ended where the clock goes back.
   */
  now(): number
  /** Commits what is still waiting, then lets go of the file. Later calls throw. */
  close(): void
}

export interface Head {
  readonly size: number
  readonly hash: string
}

/** What a caller hands in, already redacted (P11). */
export interface RecordInput {
  readonly kind: 'decision' | 'result' | 'policy' | 'approval' | 'grant' | 'session' | 'note'
  readonly session: string | null
  readonly tenant: string | null
  readonly tool: string | null
  readonly decision: string | null
  readonly code: string | null
  /** Milliseconds since the epoch, by `Store.now` or the wall clock. The record keeps what the wall clock says, its id this. */
  readonly at: number
  readonly body: JsonObject
  /** What redaction took out of the body: the store keeps keyed digests of it in `body.erased`, never the values. */
  readonly erased?: readonly ErasedValue[]
}

/** Lives in memory only. */
export interface ErasedValue {
  /** JSON pointer (RFC 6901) into the body. */
  readonly pointer: string
  /** Null where it is not known any more: then there is no digest. */
  readonly value: Json
}

export const RECORD_KINDS: readonly RecordInput['kind'][] = ['decision', 'result', 'policy', 'approval', 'grant', 'session', 'note']

export interface Receipt {
  /** ULID of the record; ids rise with the sequence, across processes too. */
  readonly id: string
  /** 1 for the first record. */
  readonly sequence: number
  /** Keyed hash that links this record to all before it. */
  readonly hash: string
}

export interface Recorded<T> {
  readonly result: T
  readonly receipt: Receipt
}

export interface StoredRecord extends Omit<RecordInput, 'erased'>, Receipt {
  readonly previous: string
  /** Id of the key the hash was made with; the id is under the hash, too. */
  readonly key: string
}

export interface RecordQuery {
  readonly after?: number
  /** Only records with a smaller sequence: the way to the next page with `newestFirst`. */
  readonly before?: number
  readonly limit?: number
  readonly kind?: RecordInput['kind']
  readonly session?: string
  readonly tenant?: string
  readonly tool?: string
  readonly decision?: string
  /** What would have been decided, of calls that shadow mode let run. */
  readonly would?: string
  readonly code?: string
  /** Milliseconds since the epoch, inclusive. */
  readonly since?: number
  /** Milliseconds since the epoch, exclusive. */
  readonly until?: number
  /** Words that all occur in the body's text. */
  readonly text?: string
  readonly newestFirst?: boolean
}

/** What a column can hold. Text survives exactly, NUL and lone surrogates included. */
export type SqlValue = string | number | null | Uint8Array
export type SqlRow = Readonly<Record<string, SqlValue>>

export interface Running {
  /** What the function will mostly answer: put into its final form before the transaction, which keeps others waiting. */
  readonly likely?: RecordInput
  /** Nobody waits for it: for a few milliseconds it waits for others, to share their commit. Whoever comes later is still recorded after it. */
  readonly patient?: boolean
}

/** Values are always bound (`?`), never written into the SQL. */
export interface ReadTransaction {
  get(sql: string, ...values: readonly SqlValue[]): SqlRow | undefined
  all(sql: string, ...values: readonly SqlValue[]): readonly SqlRow[]
  /** The counter's value; 0 where there is none or it expired at or before `now`. */
  count(key: CounterKey, now: number): number
  /** Rises whenever the table, or `SESSION_RECORDS`, may hold something else than before: while it stays, what was read is still so. */
  generation(table: string): number
}

/** Records of the kind `session`, as `generation` knows them: every decision writes to the table of records, and hardly any writes one of these. */
export const SESSION_RECORDS = 'session records'

/** Tables come from `sqlite/migrations`; `records` is only ever written by the store. */
export interface Transaction extends ReadTransaction {
  /** Rows changed. */
  run(sql: string, ...values: readonly SqlValue[]): number
  /** The id that the record of this transaction will have, where that record is of this time (milliseconds since the epoch). */
  recordId(at: number): string
  /** Adds to a counter and returns its new value; one that expired starts again from 0. */
  add(key: CounterKey, by: number, life: CounterLife): number
}

/** Parts of a counter's name, tenant first. A list, so that no separator can be forged (A6, T64). */
export type CounterKey = readonly [string, ...string[]]

export interface CounterLife {
  /** Milliseconds since the epoch. */
  readonly now: number
  /** When the counter stops counting; the latest one given holds. Null: never. */
  readonly expiresAt: number | null
}

export type StoreErrorCode = 'infra.audit_unavailable' | 'infra.store_corrupt'

/** Why a store failed, for the operator's next step. */
export type StoreFault =
  | 'disk_full'
  | 'read_only'
  | 'locked'
  | 'missing'
  | 'io'
  | 'corrupt'
  | 'rolled_back'
  | 'copy'
  | 'closed'
  | 'record'
  | 'version'
  | 'engine'

/** The one error of a store. `cause` holds what the layer below said. */
export class StoreError extends Error {
  readonly code: StoreErrorCode
  readonly fault: StoreFault

  constructor(fault: StoreFault, message: string, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause })
    this.name = 'StoreError'
    this.fault = fault
    this.code = fault === 'corrupt' || fault === 'rolled_back' ? 'infra.store_corrupt' : 'infra.audit_unavailable'
  }
}
