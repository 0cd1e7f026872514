/**
 * The time by which ends are judged. Ids of records never go back, in any process, and are under the hash: the newest one tells
 * the latest time that the log has seen, durable with its record.
 */
import type { Connection } from './connection.ts'
import { timeOf } from './ulid.ts'

const NEWEST = 'SELECT id, at FROM records ORDER BY sequence DESC LIMIT 1'

/** Reads the newest record at most once in a turn of the event loop: a decision asks for the time more than once. */
export function createClock(connection: Connection, now: () => number): () => number {
  let known: { readonly newest: Newest | null } | null = null
  const newest = (): Newest | null => {
    if (known === null) {
      known = { newest: newestOf(connection) }
      setImmediate(() => {
        known = null
      })
    }
    return known.newest
  }
  return () => judgedTime(newest(), now())
}

interface Newest {
  /** Milliseconds since the epoch: what the id tells, and what the wall clock said. */
  readonly latest: number
  readonly at: number
}

function newestOf(connection: Connection): Newest | null {
  const row = connection.get(NEWEST)
  return row === undefined ? null : { latest: timeOf(String(row.id)), at: Number(row.at) }
}

/**
 * `wall`, or, while that is behind the log, the latest time seen, which then goes on at half the clock's speed: what has ended stays
 * ended, what is opened meanwhile still ends (after twice its time at most), and the clock catches up some day.
 */
function judgedTime(newest: Newest | null, wall: number): number {
  if (newest === null || wall >= newest.latest) return wall
  return Math.min(newest.latest + Math.floor(Math.max(0, wall - newest.at) / 2), MOST)
}

/** What an id can hold. */
const MOST = 2 ** 48 - 1
