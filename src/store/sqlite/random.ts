/** Random bytes for ids, fetched many at a time: each record needs a few, and asking the system for them is most of their price. */
import { randomFillSync } from 'node:crypto'

const BYTES = 16
const pool = new Uint8Array(256 * BYTES)
let at = pool.length

/** Sixteen fresh bytes, handed out once. The view is good until the next 256 are asked for. */
export function randomOf16(): Uint8Array {
  if (at >= pool.length) {
    randomFillSync(pool)
    at = 0
  }
  at += BYTES
  return pool.subarray(at - BYTES, at)
}
