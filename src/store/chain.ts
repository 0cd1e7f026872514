/**
 * The text under a record's keyed hash, and nothing else: pure, so that the store that writes and the verifier that
 * checks cannot disagree. A JSON array with a version tag is injective, where joined strings are not (A6).
 */
import { canonicalJson } from '../core/canonical.ts'
import { isJsonObject, type Json, parseJson } from '../core/json.ts'
import type { StoredRecord } from './store.ts'

/** `previous` of the first record. */
export const GENESIS = '0'.repeat(64)

/** 64 lower-case hexadecimal digits. */
export const HASH = /^[0-9a-f]{64}$/

/** One key: HMAC-SHA256 over UTF-8 text, as 64 hexadecimal digits. Handed in, so that checking stays pure. */
export interface Signer {
  readonly id: string
  /** Over the text that the parts make together; bytes are text that is UTF-8 already. */
  readonly mac: (...parts: readonly (string | Uint8Array)[]) => string
}

/** A record before it has its hash. */
export type UnhashedRecord = Omit<StoredRecord, 'hash'>

/** The canonical text that the HMAC of a record is made over. `body` is the body's canonical text, where already known. */
export function recordText(record: UnhashedRecord, body: string = canonicalJson(record.body)): string {
  return recordParts(record, body).join('')
}

/** The same text in parts, so that a body of megabytes is neither copied nor encoded again. */
export function recordParts<Body extends string | Uint8Array>(
  record: Omit<UnhashedRecord, 'body'>,
  body: Body,
): readonly [string, Body, string] {
  const { previous, sequence, id, key, kind, session, tenant, tool, decision, code, at } = record
  const fields = canonicalJson(['countersign/record/v1', previous, sequence, id, key, kind, session, tenant, tool, decision, code, at])
  return [`${fields.slice(0, -1)},`, body, ']']
}

/** What an anchor says under its signature: the log had this size and ended in this hash. */
export interface Anchor {
  readonly size: number
  readonly hash: string
  /** Id of the key that signed it. */
  readonly key: string
  /** Milliseconds since the epoch. */
  readonly at: number
  /** HMAC-SHA256 over `anchorText`, hexadecimal. */
  readonly mac: string
}

/** The canonical text that the HMAC of an anchor is made over. */
export function anchorText(anchor: Omit<Anchor, 'mac'>): string {
  return canonicalJson(['countersign/anchor/v1', anchor.size, anchor.hash, anchor.key, anchor.at])
}

/** An anchor from its JSON, unchecked as to its signature; null where it is none. */
export function parseAnchor(text: string): Anchor | null {
  const value = parseJson(text)
  if (!isJsonObject(value)) return null
  const { size, hash, key, at, mac } = value
  if (!isCount(size) || !isCount(at)) return null
  if (typeof hash !== 'string' || typeof key !== 'string' || typeof mac !== 'string') return null
  return HASH.test(hash) ? { size, hash, key, at, mac } : null
}

/** What is signed for different readers never passes for one another. */
export type MarkPurpose = 'counter' | 'head'

/** A head in its epoch: what the counter of the key and kept copies of the head say under their signature. */
export interface HeadMark extends Anchor {
  /** 0, or when the operator accepted the last loss (milliseconds since the epoch). */
  readonly epoch: number
}

/** The canonical text that the HMAC of a mark is made over. */
export function markText(purpose: MarkPurpose, mark: Omit<HeadMark, 'mac'>): string {
  return canonicalJson([`countersign/${purpose}/v1`, mark.epoch, mark.size, mark.hash, mark.key, mark.at])
}

/** A mark from its JSON, unchecked as to its signature; null where it is none. */
export function parseMark(text: string): HeadMark | null {
  const value = parseJson(text)
  const anchor = parseAnchor(text)
  if (anchor === null || !isJsonObject(value)) return null
  const { epoch } = value
  return isCount(epoch) ? { epoch, ...anchor } : null
}

/** Keyed digest of a value: `hmac-sha256:<key id>:<hex>`. Equal values can be told by who holds the key, and guessed by nobody else (T60). */
export function valueDigest(signer: Signer, value: Json): string {
  return `hmac-sha256:${signer.id}:${signer.mac(canonicalJson(['countersign/value/v1', value]))}`
}

/** True where `guess` is the value that the digest was made of. False where the digest's key is not at hand. */
export function matchesDigest(digest: string, guess: Json, ring: ReadonlyMap<string, Signer>): boolean {
  const signer = ring.get(digest.split(':')[1] ?? '')
  return signer !== undefined && valueDigest(signer, guess) === digest
}

/** A whole number that is exact and not negative. */
export function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}
