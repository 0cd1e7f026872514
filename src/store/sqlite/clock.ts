/**
 * The time by which ends are judged. Ids of records never go back, in any process, and are under the hash: the newest one tells
 * the latest time that the log has seen, durable with its record.
 */
import type { Connection } from './connection.ts'
import { timeOf } from './ulid.ts'

const NEWEST = 'SELECT id, at FROM records ORDER BY sequence DESC LIMIT 1'

/**
 * `wall`, or, while that is behind the log, the latest time seen, which then goes on at half the clock's speed: what has ended stays
 * ended, what is opened meanwhile still ends (after twice its time at most), and the clock catches up some day.
 */
export function judgedTime(connection: Connection, wall: number): number {
  const newest = connection.get(NEWEST)
  if (newest === undefined) return wall
  const latest = timeOf(String(newest.id))
  return wall >= latest ? wall : Math.min(latest + Math.floor(Math.max(0, wall - Number(newest.at)) / 2), MOST)
}

/** What an id can hold. */
const MOST = 2 ** 48 - 1
