import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { earliestUlid, isUlid, nextUlid } from './ulid.ts'

const zeros = new Uint8Array(16)
const ones = new Uint8Array(16).fill(255)

describe('ULIDs', () => {
  test('time stands before randomness, in the alphabet of the specification', () => {
    const cases: [number, Uint8Array, string][] = [
      [0, zeros, '00000000000000000000000000'],
      [0, ones, '0000000000ZZZZZZZZZZZZZZZZ'],
      // The example of https://github.com/ulid/spec
      [1_469_918_176_385, zeros, '01ARYZ6S410000000000000000'],
      [2 ** 48 - 1, ones, '7ZZZZZZZZZZZZZZZZZZZZZZZZZ'],
    ]
    for (const [at, random, expected] of cases) expect(nextUlid(at, random, null)).toBe(expected)
  })

  test('instants that do not fit are held at the ends', () => {
    expect(nextUlid(-5, zeros, null)).toBe('0'.repeat(26))
    expect(nextUlid(1e18, zeros, null)).toBe('7ZZZZZZZZZ0000000000000000')
    expect(nextUlid(1.9, zeros, null)).toBe('00000000010000000000000000')
  })

  test('every id of an instant, and of a later one, is at or after its earliest', () => {
    const at = 1_469_918_176_385
    expect(earliestUlid(at)).toBe(nextUlid(at, zeros, null))
    for (const random of [zeros, ones]) {
      expect(nextUlid(at, random, null) >= earliestUlid(at)).toBe(true)
      expect(nextUlid(at - 1, random, null) < earliestUlid(at)).toBe(true)
    }
    expect(earliestUlid(-5)).toBe('0'.repeat(26))
  })

  test('where the clock stands still or goes back, the id before is counted up', () => {
    const cases: [string, string][] = [
      ['00000000010000000000000000', '00000000010000000000000001'],
      ['0000000001000000000000000Z', '00000000010000000000000010'],
      ['0000000001ZZZZZZZZZZZZZZZZ', '00000000020000000000000000'],
      ['7ZZZZZZZZZZZZZZZZZZZZZZZZY', '7ZZZZZZZZZZZZZZZZZZZZZZZZZ'],
    ]
    for (const [last, next] of cases) expect(nextUlid(0, zeros, last)).toBe(next)
    expect(() => nextUlid(0, zeros, 'Z'.repeat(26))).toThrow(RangeError)
  })

  test('ids of a log rise, whatever the clock and the dice say', () => {
    const draw = fc.tuple(fc.integer({ min: 0, max: 2 ** 41 }), fc.uint8Array({ minLength: 16, maxLength: 16 }))
    fc.assert(
      fc.property(fc.array(draw, { maxLength: 30 }), (draws) => {
        let last: string | null = null
        for (const [at, random] of draws) {
          const id: string = nextUlid(at, random, last)
          expect(isUlid(id)).toBe(true)
          if (last !== null) expect(id > last).toBe(true)
          last = id
        }
      }),
    )
  })

  test('what is no ULID', () => {
    for (const text of [
      '',
      '0'.repeat(25),
      '0'.repeat(27),
      '8'.padEnd(26, '0'),
      'I'.padStart(26, '0'),
      'a'.padStart(26, '0'),
      `${'0'.repeat(26)}\n`,
    ]) {
      expect([text, isUlid(text)]).toEqual([text, false])
    }
  })
})
