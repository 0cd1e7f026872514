/**
 * What contracts know of a session, written down in signed pieces, so that a restart does not read every result again. A piece is made from
 * the log alone, goes on where the one before it ends, and names the record that it ends with. It is believed where its signature, its place
 * and that record are right; otherwise everything is read from the log, as if nothing had been written down.
 */
import { canonicalJson } from '../../core/canonical.ts'
import type { Signer } from '../../store/chain.ts'
import type { ReadTransaction, SqlRow, Store, Transaction } from '../../store/store.ts'

export interface KeptSource {
  readonly store: Pick<Store, 'query'>
  readonly keys: () => { readonly current: Signer; readonly ring: ReadonlyMap<string, Signer> }
}

/** Whose tables, by which policy. */
export type TablesName = readonly [tenant: string, session: string, policy: string]

/** How far the pieces go, written or not. */
export interface Kept {
  readonly pieces: number
  /** Sequence of the last record that is in them. */
  readonly upto: number
  readonly entries: number
  /** Bytes of their texts; UTF-16 units of those that this process wrote. */
  readonly length: number
}

export const NOTHING_KEPT: Kept = { pieces: 0, upto: 0, entries: 0, length: 0 }

interface Place {
  /** From 0. The first one takes the place of whatever there is. */
  readonly number: number
  readonly start: number
  readonly upto: number
  /** Of the record `upto`. */
  readonly hash: string
  readonly entries: number
}

export interface Piece extends Place {
  readonly body: string
}

/** How long a piece is kept, in milliseconds: 30 days. A session that goes on for longer is read from the log once more. */
const LIFE_MS = 30 * 24 * 60 * 60 * 1000

const WHERE = 'WHERE tenant = ? AND session = ? AND policy = ?'
/** The text as bytes: most of it is signed and never looked at. */
const NEXT = `SELECT number, start, upto, hash, entries, CAST(body AS BLOB) AS body, key, mac FROM session_tables ${WHERE} AND number = ?`
const LAST = `SELECT number, upto FROM session_tables ${WHERE} ORDER BY number DESC LIMIT 1`
const RECORD = 'SELECT hash FROM records WHERE sequence = ?'
const CLEAR = `DELETE FROM session_tables ${WHERE}`
const FORGET = 'DELETE FROM session_tables WHERE at < ?'
const ADD = `INSERT INTO session_tables (tenant, session, policy, number, start, upto, hash, entries, at, body, key, mac)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`

/**
 * Hands over the text of each piece, one a turn. Null in the end: what is written down is not to be believed.
 * @param take false: it is no such text.
 */
export function* piecesOf(
  { store, keys }: KeptSource,
  name: TablesName,
  take: (text: Uint8Array) => boolean,
): Generator<undefined, Kept | null> {
  const { ring } = keys()
  let kept = NOTHING_KEPT
  let hash = ''
  for (;;) {
    const row = store.query((tx) => tx.get(NEXT, ...name, kept.pieces))
    if (row === undefined) break
    const place = placeIn(row)
    const body = row.body instanceof Uint8Array ? row.body : NO_BYTES
    const follows = place.number === kept.pieces && place.start === kept.upto && place.upto > place.start
    if (!follows || ring.get(String(row.key))?.mac(headOf(name, place), body) !== row.mac || !take(body)) return null
    hash = place.hash
    kept = withPiece(kept, place, body.length)
    yield
  }
  const ends = kept.pieces === 0 || store.query((tx) => tx.get(RECORD, kept.upto))?.hash === hash
  return ends ? kept : null
}

const NO_BYTES = new Uint8Array()

/** @param bytes how long its text is. */
export function withPiece({ pieces, entries, length }: Kept, piece: Place, bytes: number): Kept {
  return { pieces: pieces + 1, upto: piece.upto, entries: entries + piece.entries, length: length + bytes }
}

/** What is to be done with a piece, by what the table holds when it could be written. */
export function placeOf(tx: ReadTransaction, name: TablesName, piece: Piece): 'is there' | 'goes here' | 'has no place' {
  const last = tx.get(LAST, ...name)
  if (last !== undefined && Number(last.number) === piece.number && Number(last.upto) === piece.upto) return 'is there'
  if (piece.number === 0) return 'goes here'
  const follows = last !== undefined && Number(last.number) === piece.number - 1 && Number(last.upto) === piece.start
  return follows ? 'goes here' : 'has no place'
}

export function writePiece(tx: Transaction, name: TablesName, { piece, at, signer }: Written): void {
  if (piece.number === 0) {
    tx.run(CLEAR, ...name)
    tx.run(FORGET, at - LIFE_MS)
  }
  const { number, start, upto, hash, entries, body } = piece
  tx.run(ADD, ...name, number, start, upto, hash, entries, at, body, signer.id, signer.mac(headOf(name, piece), body))
}

interface Written {
  readonly piece: Piece
  readonly at: number
  readonly signer: Signer
}

function placeIn({ number, start, upto, hash, entries }: SqlRow): Place {
  return { number: Number(number), start: Number(start), upto: Number(upto), hash: String(hash), entries: Number(entries) }
}

/** What is signed before the text of a piece. Version 1 had entries by line; what it wrote is read from the log once more. */
function headOf(name: TablesName, { number, start, upto, hash, entries }: Place): string {
  return `countersign/session-tables/v2\n${canonicalJson([...name, number, start, upto, hash, entries])}\n`
}
