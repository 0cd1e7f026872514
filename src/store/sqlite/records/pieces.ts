/**
 * Long records. One that is inserted whole keeps the lock for some 5 ms a megabyte, and its sync keeps the disk: every other decision of the
 * store waits. So its text is written ahead in pieces, each with a commit and a sync of its own, and the record that is committed names them.
 * Whoever reads the log gets the whole text; the record's hash is over that, as of any other.
 */
import { randomBytes } from 'node:crypto'
import type { Connection } from '../connection.ts'

/** From here on a text is written in pieces: 256 KiB take half a millisecond of the lock. */
export const PIECE_BYTES = 256 * 1024
/** Milliseconds after which pieces without a record are taken for those of a process that ended. */
const DRAFT_MS = 86_400_000

/** The text of a record, in SQL over `records`. */
export const BODY = `CASE WHEN substr(body, 1, 1) = '{' THEN body ELSE
  (SELECT group_concat(text, '') FROM (SELECT text FROM record_pieces WHERE name = records.body ORDER BY piece)) END`

/** Times as long as a piece had the lock, nobody here takes it. */
const REST = 2

const DRAFT = 'INSERT INTO record_drafts (name, at) VALUES (?, ?)'
const PIECE = 'INSERT INTO record_pieces (name, piece, text) VALUES (?, ?, CAST(? AS TEXT))'
const KEPT = 'DELETE FROM record_drafts WHERE name = ?'
const SOME = 'SELECT 1 AS one FROM record_pieces WHERE name = ? LIMIT 1'
const LOST = 'SELECT name FROM record_drafts WHERE at < ? LIMIT 1'
const FORGET = 'DELETE FROM record_pieces WHERE name = ?'

export interface Drafting {
  readonly connection: Connection
  /** Wall clock in milliseconds since the epoch. */
  readonly now: () => number
  /** Puts what was committed on the disk, beside the event loop. Rejects where it cannot. */
  readonly sync: () => Promise<void>
  /** Resolves once the lock may be tried for again. Rejects where that took too long, or the store is closed. */
  readonly pause: (tries: number) => Promise<void>
}

/** Writes the text ahead of its record. Resolves to the name by which the record has it. */
export async function draft(text: Uint8Array, drafting: Drafting): Promise<string> {
  const { connection, now } = drafting
  const name = randomBytes(16).toString('hex')
  await committed(drafting, () => {
    const lost = connection.get(LOST, [now() - DRAFT_MS])?.name
    if (lost !== undefined) forget(connection, String(lost))
    connection.run(DRAFT, [name, now()])
  })
  let piece = 0
  for (let from = 0; from < text.length; piece += 1) {
    const end = endOfPiece(text, from)
    const bytes = text.subarray(from, end)
    await committed(drafting, () => connection.run(PIECE, [name, piece, bytes]))
    await drafting.sync()
    from = end
  }
  return name
}

/** Inside the transaction of the record that names them: from now on the pieces stay. */
export function keepPieces(connection: Connection, name: string): void {
  if (connection.run(KEPT, [name]) === 1) return
  // Two records of one input share their pieces.
  if (connection.get(SOME, [name]) === undefined) throw new TypeError('the pieces of a record are gone')
}

function forget(connection: Connection, name: string): void {
  connection.run(FORGET, [name])
  connection.run(KEPT, [name])
}

async function committed({ connection, pause }: Drafting, act: () => void): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    await pause(tries)
    connection.assertSameFile()
    if (!connection.tryBegin(false)) continue
    const since = performance.now()
    try {
      act()
      connection.exec('COMMIT')
      // Others try for the lock now and then: they must find it free more often than not, also where this thread is kept from running.
      await new Promise((resolve) => setTimeout(resolve, REST * (performance.now() - since)))
      return
    } catch (error) {
      connection.rollBack()
      throw error
    }
  }
}

/** No piece ends within a character. */
function endOfPiece(text: Uint8Array, from: number): number {
  let end = Math.min(from + PIECE_BYTES, text.length)
  while (end < text.length && ((text[end] ?? 0) & 0xc0) === 0x80) end -= 1
  return end
}
