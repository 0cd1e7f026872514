/** Rows of the table `records`: how they are made, written, found and turned back into records. */
import { canonicalJson } from '../../../core/canonical.ts'
import { type JsonObject, parseJson } from '../../../core/json.ts'
import { GENESIS, recordParts, type Signer, valueDigest } from '../../chain.ts'
import { parseRecord } from '../../parse.ts'
import type { Head, RecordInput, RecordQuery, SqlRow, SqlValue, StoredRecord } from '../../store.ts'
import { nextUlid } from '../../ulid.ts'
import { storeError } from '../faults.ts'
import { BODY, PIECE_BYTES } from './pieces.ts'

export interface Tip extends Head {
  /** Id of the last record; null in an empty log. */
  readonly id: string | null
  /** What the wall clock said when it was made, in milliseconds since the epoch; 0 in an empty log. */
  readonly at: number
}

export const EMPTY: Tip = { size: 0, hash: GENESIS, id: null, at: 0 }

export const TIP = 'SELECT sequence, hash, id, at FROM records ORDER BY sequence DESC LIMIT 1'
export const HASH_AT = 'SELECT hash FROM records WHERE sequence = ?'
const WITHOUT_BODY = 'sequence, id, previous, hash, key, kind, session, tenant, tool, decision, code, at'
const COLUMNS = `${WITHOUT_BODY}, ${BODY} AS body`
export const BY_ID = `SELECT ${COLUMNS} FROM records WHERE id = ?`
export const BY_SEQUENCE = `SELECT ${COLUMNS} FROM records WHERE sequence = ?`
export const LAST = `SELECT ${COLUMNS} FROM records ORDER BY sequence DESC LIMIT ?`
const INSERT = `INSERT INTO records (${WITHOUT_BODY}, body)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`
/** The same with the body as the bytes of its text. Canonical JSON of an object needs no `encodeValue`: it begins with `{`, without NUL. */
const INSERT_BYTES = INSERT.replace(/\?\)$/, 'CAST(? AS TEXT))')

/** A record in its place in the chain, with what puts it into its table. */
export interface Sealed extends Pick<RecordInput, 'kind'> {
  readonly tip: Tip & { readonly id: string }
  readonly insert: string
  readonly values: readonly SqlValue[]
  /** Of the pieces that its text was written in ahead; null: the row has it whole. */
  readonly pieces: string | null
}

export interface SealedBy {
  readonly signer: Signer
  readonly random: Uint8Array
  /** Milliseconds since the epoch, by the wall clock. */
  readonly wall: number
}

/** Bodies in their final form, by the record that they are of: what can be done before a record has its place is done then. */
const READY = new WeakMap<RecordInput, Ready>()

interface Ready {
  readonly body: JsonObject
  /** Its canonical text; a long one as bytes, for other processes wait while it is hashed and written. */
  readonly text: string | Uint8Array
  /** Pieces that it was written in ahead, and the store that has them. */
  pieces: { readonly of: Signer; readonly name: string } | null
}

const LONG = 64 * 1024

/**
 * Puts the body into its final form; a record that is no JSON is left for `seal` to refuse. Where the text is to be written ahead, that is
 * what is answered, and `written` is told the name of its pieces.
 */
export function makeReady(input: RecordInput, signer: Signer): Ahead | null {
  try {
    const body = bodyOf(input, signer)
    const text = canonicalJson(body)
    const ready: Ready = { body, text: text.length > LONG ? Buffer.from(text) : text, pieces: null }
    READY.set(input, ready)
    if (typeof ready.text === 'string' || ready.text.length <= PIECE_BYTES) return null
    const written = (name: string): void => {
      ready.pieces = { of: signer, name }
    }
    return { text: ready.text, written }
  } catch {
    // Said where the record is sealed.
    return null
  }
}

export interface Ahead {
  readonly text: Uint8Array
  readonly written: (name: string) => void
}

/** Gives a record its place: id, link and keyed hash. Throws `StoreError` on a record that is no JSON. */
export function seal(input: RecordInput, tip: Tip, by: SealedBy): Sealed {
  const { kind, session, tenant, tool, decision, code } = input
  // Times that ends are judged by may be ahead of the wall clock; the log tells when something happened.
  const at = Math.min(input.at, by.wall)
  const sequence = tip.size + 1
  const id = nextUlid(input.at, by.random, tip.id)
  const key = by.signer.id
  const previous = tip.hash
  try {
    const ready = READY.get(input)
    const body = ready?.body ?? bodyOf(input, by.signer)
    const text = ready?.text ?? canonicalJson(body)
    const unhashed = { sequence, id, previous, key, kind, session, tenant, tool, decision, code, at, body }
    const hash = by.signer.mac(...recordParts(unhashed, text))
    const checked = parseRecord({ ...unhashed, hash })
    if ('problem' in checked) throw new TypeError(checked.problem)
    const pieces = ready?.pieces?.of === by.signer ? ready.pieces.name : null
    const kept = pieces ?? text
    return {
      kind,
      tip: { size: sequence, hash, id, at },
      insert: typeof kept === 'string' ? INSERT : INSERT_BYTES,
      values: [sequence, id, previous, hash, key, kind, session, tenant, tool, decision, code, at, kept],
      pieces,
    }
  } catch (error) {
    throw storeError('record', `the record cannot be kept (${error instanceof Error ? error.message : String(error)})`, error)
  }
}

/** The body with digests in place of what was erased from it. */
function bodyOf({ body, erased }: RecordInput, signer: Signer): JsonObject {
  if (erased === undefined) return body
  return { ...body, erased: erased.map(({ pointer, value }) => ({ pointer, digest: value === null ? null : valueDigest(signer, value) })) }
}

export function tipOf(row: SqlRow | undefined): Tip {
  if (row === undefined) return EMPTY
  const { sequence, hash, id, at } = row
  if (typeof sequence !== 'number' || typeof hash !== 'string' || typeof id !== 'string') throw damaged('the last record')
  if (typeof at !== 'number') throw damaged('the last record')
  return { size: sequence, hash, id, at }
}

/** Throws `StoreError` with `infra.store_corrupt` on a row that is no record. */
export function recordOf(row: SqlRow): StoredRecord {
  const parsed = parseRecord(fieldsOf(row))
  if ('problem' in parsed) throw damaged(`record ${String(row.sequence)}`)
  return parsed.record
}

/** The row's columns with the body as JSON; a body that is none becomes null, which no record has. */
export function fieldsOf(row: SqlRow): Readonly<Record<string, unknown>> {
  return { ...row, body: parseBody(row.body) }
}

function parseBody(body: SqlValue | undefined): unknown {
  return typeof body === 'string' ? (parseJson(body) ?? null) : null
}

function damaged(what: string) {
  return storeError('corrupt', `${what} of the log is damaged`)
}

/** One page of a query: SQL and its values. `from` is the sequence where the page before ended, exclusive. */
export function pageOf(query: RecordQuery, from: number | null, rows: number): { readonly sql: string; readonly values: SqlValue[] } {
  const { kind, ...ofAnyKind } = query
  const ofSession = kind === 'session' && query.session !== undefined
  const { condition, values } = conditionOf(ofSession ? ofAnyKind : query, from)
  const order = `ORDER BY sequence ${query.newestFirst ? 'DESC' : 'ASC'}`
  const plain = `${condition} ${order} LIMIT ?`
  values.push(rows)
  if (ofSession) {
    // The kind stands in the text: SQLite compiles a statement anew for each value that decides whether a partial index holds all rows.
    const ofKind = `${condition} AND kind = 'session' ${order} LIMIT ?`
    return { sql: `SELECT ${COLUMNS} FROM records INDEXED BY records_of_session ${ofKind}`, values }
  }
  if (!isListed(query)) return { sql: `SELECT ${COLUMNS} FROM records ${plain}`, values }
  const found = `SELECT sequence FROM records INDEXED BY records_listed ${plain}`
  return { sql: `SELECT ${COLUMNS} FROM records WHERE sequence IN (${found}) ${order}`, values }
}

/** True where an index tells which records are meant, so that the bodies of others are not read. A session has an index of its own. */
function isListed({ session, text, would, ...query }: RecordQuery): boolean {
  if (session !== undefined || text !== undefined || would !== undefined) return false
  return LISTED.some((column) => query[column] !== undefined)
}

const LISTED = ['kind', 'tenant', 'tool', 'decision', 'code', 'since', 'until'] as const

function conditionOf(query: RecordQuery, from: number | null): { readonly condition: string; readonly values: SqlValue[] } {
  const where: string[] = []
  const values: SqlValue[] = []
  const add = (condition: string, value: SqlValue | undefined) => {
    if (value === undefined) return
    where.push(condition)
    values.push(value)
  }
  add('sequence > ?', query.after)
  add('sequence < ?', query.before)
  add(query.newestFirst ? 'sequence < ?' : 'sequence > ?', from ?? undefined)
  add('kind = ?', query.kind)
  add('session = ?', query.session)
  add('tenant = ?', query.tenant)
  add('tool = ?', query.tool)
  add('decision = ?', query.decision)
  add(`decision = 'flag' AND json_extract(${BODY}, '$.decision.would') = ?`, query.would)
  add('code = ?', query.code)
  add('at >= ?', query.since)
  add('at < ?', query.until)
  for (const word of wordsOf(query.text)) add(`instr(lower(${BODY}), lower(?)) > 0`, word)
  return { condition: where.length === 0 ? '' : `WHERE ${where.join(' AND ')}`, values }
}

/** As they stand in JSON text: a quote, a backslash or a control character is escaped there. */
function wordsOf(text: string | undefined): string[] {
  if (text === undefined) return []
  return text
    .split(/\s+/u)
    .filter((word) => word !== '')
    .map((word) => JSON.stringify(word).slice(1, -1))
}
