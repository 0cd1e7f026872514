/** ULIDs that rise with every record of a log, whatever the clock does. https://github.com/ulid/spec */
import { randomFillSync } from 'node:crypto'

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const LENGTH = 26
const TIME_DIGITS = 10

/** True for 26 characters of Crockford's base 32 within 128 bits. */
export function isUlid(text: string): boolean {
  return /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/.test(text)
}

/** The ULID of this instant, or the successor of `last` where that is not greater (same millisecond, clock set back). */
export function nextUlid(at: number, random: Uint8Array, last: string | null): string {
  const fresh = encodeTime(at) + encodeRandom(random)
  return last !== null && fresh <= last ? successor(last) : fresh
}

/** Milliseconds since the epoch that the id was made at, or the last id before it. */
export function timeOf(id: string): number {
  return [...id.slice(0, TIME_DIGITS)].reduce((time, digit) => time * 32 + ALPHABET.indexOf(digit), 0)
}

/** No id of this instant or a later one is less. */
export function earliestUlid(at: number): string {
  return encodeTime(at).padEnd(LENGTH, '0')
}

function encodeTime(at: number): string {
  let rest = Math.min(Math.max(Math.trunc(at), 0), 2 ** 48 - 1)
  let text = ''
  for (let digit = 0; digit < TIME_DIGITS; digit += 1) {
    text = ALPHABET.charAt(rest % 32) + text
    rest = Math.floor(rest / 32)
  }
  return text
}

/** 16 bytes, 5 bits of each used: 80 bits. */
function encodeRandom(random: Uint8Array): string {
  let text = ''
  for (const byte of random.subarray(0, LENGTH - TIME_DIGITS)) text += ALPHABET.charAt(byte & 31)
  return text
}

function successor(id: string): string {
  const digits = [...id]
  for (let index = LENGTH - 1; index >= 0; index -= 1) {
    const value = ALPHABET.indexOf(digits[index] ?? '')
    if (value < 31) {
      digits[index] = ALPHABET.charAt(value + 1)
      return digits.join('')
    }
    digits[index] = '0'
  }
  throw new RangeError('there is no ULID after the last one')
}

const pool = new Uint8Array(256 * 16)
let used = pool.length

/** Sixteen random bytes, handed out once and fetched many at a time. The view is good until the next 256 are asked for. */
export function randomBytes16(): Uint8Array {
  if (used >= pool.length) {
    randomFillSync(pool)
    used = 0
  }
  used += 16
  return pool.subarray(used - 16, used)
}
