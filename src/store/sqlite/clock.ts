/**
 * The time by which ends are judged. Ids of records never go back, in any process, and are under the hash: the newest one tells
 * the latest time that the log has seen, durable with its record.
 */

import { timeOf } from '../ulid.ts'
import type { SeenTip } from './commit.ts'
import type { Connection } from './connection.ts'
import { TIP, tipOf } from './records/rows.ts'

/** `seen`: the head as whoever writes here knows it, where somebody does. Anything else is read again only once others wrote. */
export function createClock(connection: Connection, { seen, now }: ClockParts): () => number {
  let read: SeenTip | null = null
  const newest = (): SeenTip => {
    const others = connection.generation.others()
    const known = seen?.() ?? read
    if (known !== null && known.others === others) return known
    if (read === null || read.others !== others) read = { ...tipOf(connection.get(TIP)), others }
    return read
  }
  return () => {
    const { id, at } = newest()
    return judgedTime(id === null ? null : { latest: timeOf(id), at }, now())
  }
}

export interface ClockParts {
  readonly seen: (() => SeenTip) | null
  /** Wall clock in milliseconds since the epoch. */
  readonly now: () => number
}

interface Newest {
  /** Milliseconds since the epoch: what the id tells, and what the wall clock said. */
  readonly latest: number
  readonly at: number
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
