import { describe, expect, test } from 'vitest'
import { hashKeyOf, keyedHash } from './keyed-hash.ts'

/** Bytes 00 01 02 … as the reference vectors have them, two to a unit. */
function counting(bytes: number): string {
  let text = ''
  for (let i = 0; i < bytes; i += 2) text += String.fromCharCode(i | ((i + 1) << 8))
  return text
}

describe('the keyed hash', () => {
  const key = { low: 0x03020100, high: 0x07060504 }

  // vectors_hsip32 of the reference implementation, for messages of an even number of bytes.
  for (const [bytes, expected] of [
    [0, 0x5b9f35a9],
    [2, 0x03a662fa],
  ] as const) {
    test(`of ${bytes} bytes is that of the reference`, () => expect(keyedHash(key, counting(bytes))).toBe(expected))
  }

  test('another key, another hash; one more sign, another hash', () => {
    const text = 'alice@example.com'
    expect(keyedHash({ low: 1, high: 2 }, text)).not.toBe(keyedHash({ low: 2, high: 1 }, text))
    expect(new Set(['', 'a', 'ab', 'abc', 'abcd', 'a\0', 'ab\0'].map((each) => keyedHash(key, each))).size).toBe(7)
  })

  test('its key comes from digits that nobody can guess', () => {
    expect(hashKeyOf('00000001fffffffe99')).toEqual({ low: 1, high: -2 })
  })
})
