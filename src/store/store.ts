import type { JsonObject } from '../core/json.ts'

/**
 * Everything durable. Two engines, one conformance suite. A store never interprets what it keeps.
 * Every method throws `StoreError` with a code of `infra.*`; a caller turns that into a denial (P5).
 */
export interface Store {
  /** Appends in one transaction and returns once durable (fsync). Concurrent callers may share one commit. */
  append(record: RecordInput): Promise<Receipt>
  /** Records in order of `sequence`, from `after` (exclusive). */
  read(query: RecordQuery): AsyncIterable<StoredRecord> | Iterable<StoredRecord>
  /** One record by its id; null where there is none. */
  get(id: string): StoredRecord | null
  /** Number of records and the hash of the last one. */
  head(): { readonly size: number; readonly hash: string }
  close(): void
}

/** What a caller hands in, already redacted (P11). */
export interface RecordInput {
  readonly kind: 'decision' | 'result' | 'policy' | 'approval' | 'grant' | 'session' | 'note'
  readonly session: string | null
  readonly tenant: string | null
  readonly tool: string | null
  readonly decision: string | null
  readonly code: string | null
  /** Milliseconds since the epoch, by the wall clock. */
  readonly at: number
  readonly body: JsonObject
}

export interface Receipt {
  /** ULID of the record. */
  readonly id: string
  /** 1 for the first record. */
  readonly sequence: number
  /** Keyed hash that links this record to all before it. */
  readonly hash: string
}

export interface StoredRecord extends RecordInput, Receipt {
  readonly previous: string
}

export interface RecordQuery {
  readonly after?: number
  readonly limit?: number
  readonly kind?: RecordInput['kind']
  readonly session?: string
  readonly tool?: string
  readonly decision?: string
  /** Words that all occur in the body's text. */
  readonly text?: string
  readonly newestFirst?: boolean
}
