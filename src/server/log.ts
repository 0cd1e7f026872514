/** Reading the log for people: pages of records, newest first, of one tenant or of all. */
import type { Json, JsonObject } from '../core/json.ts'
import { isJsonObject, own } from '../core/json.ts'
import type { GateStore } from '../open.ts'
import type { RecordQuery, StoredRecord } from '../store/store.ts'
import { partsOf } from './slices.ts'

type Readable = Pick<GateStore, 'read' | 'query'>

export function recordsOf(store: Readable, query: RecordQuery): Iterable<StoredRecord> {
  const records = store.read(query)
  if (Symbol.iterator in records) return records
  throw new Error('the server reads embedded stores only')
}

/** Sequence of the newest record; 0 in an empty log. */
export function headOf(store: Readable): number {
  return Number(store.query((tx) => tx.get('SELECT max(sequence) AS head FROM records'))?.head ?? 0)
}

export interface Page {
  readonly records: readonly StoredRecord[]
  /** Hand in as `before` for the next page; null where there is none. */
  readonly before: number | null
}

/** A page, looked for a part of the log at a time: a word that is nowhere is looked for in every record. */
export async function pageOf(store: Readable, query: RecordQuery & { readonly limit: number }): Promise<Page> {
  const found: StoredRecord[] = []
  for await (const { after, before } of partsOf({ after: query.after ?? 0, before: query.before ?? headOf(store) + 1 })) {
    const limit = query.limit + 1 - found.length
    found.push(...recordsOf(store, { ...query, after, before, limit, newestFirst: true }))
    if (found.length > query.limit) break
  }
  const records = found.slice(0, query.limit)
  return { records, before: found.length > query.limit ? (records.at(-1)?.sequence ?? null) : null }
}

/** One record by its id; null where the tenant has no such record. */
export function recordById(store: Readable, id: string, tenant: string | null): StoredRecord | null {
  const row = store.query((tx) => tx.get('SELECT sequence FROM records WHERE id = ?', id))
  if (row === undefined) return null
  for (const record of recordsOf(store, { after: Number(row.sequence) - 1, limit: 1 }))
    return record.id === id && (tenant === null || record.tenant === tenant) ? record : null
  return null
}

/** A value deep in a record's body; null where it is not there. */
export function at(record: Pick<StoredRecord, 'body'>, ...path: readonly string[]): Json {
  let value: Json = record.body
  for (const key of path) value = isJsonObject(value) ? (own(value, key) ?? null) : null
  return value
}

export function recordToJson(record: StoredRecord): JsonObject {
  const { at: time, ...rest } = record
  return { ...rest, at: new Date(time).toISOString() }
}
