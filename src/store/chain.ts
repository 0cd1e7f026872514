/**
 * The text under a record's keyed hash, and nothing else: pure, so that the store that writes and the verifier that
 * checks cannot disagree. A JSON array with a version tag is injective, where joined strings are not (A6).
 */
import { canonicalJson } from '../core/canonical.ts'
import type { Json } from '../core/json.ts'
import type { StoredRecord } from './store.ts'

/** `previous` of the first record. */
export const GENESIS = '0'.repeat(64)

/** A record before it has its hash. */
export type UnhashedRecord = Omit<StoredRecord, 'hash'>

/** The canonical text that the HMAC of a record is made over. `body` is the body's canonical text, where already known. */
export function recordText(record: UnhashedRecord, body: string = canonicalJson(record.body)): string {
  const { previous, sequence, id, key, kind, session, tenant, tool, decision, code, at } = record
  const fields = canonicalJson(['countersign/record/v1', previous, sequence, id, key, kind, session, tenant, tool, decision, code, at])
  return `${fields.slice(0, -1)},${body}]`
}

/** The canonical text that the HMAC of an anchor is made over. */
export function anchorText(anchor: { readonly size: number; readonly hash: string; readonly key: string; readonly at: number }): string {
  return canonicalJson(['countersign/anchor/v1', anchor.size, anchor.hash, anchor.key, anchor.at])
}

/** The canonical text that the keyed digest of an erased value is made over. */
export function valueText(value: Json): string {
  return canonicalJson(['countersign/value/v1', value])
}
