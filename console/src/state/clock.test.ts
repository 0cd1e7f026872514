import { describe, expect, test } from 'vitest'
import { ago, instant, span } from './clock.ts'

describe('times in words', () => {
  for (const [milliseconds, words] of [
    [-1, '0s'],
    [0, '0s'],
    [999, '0s'],
    [1_000, '1s'],
    [59_999, '59s'],
    [60_000, '1m'],
    [61_000, '1m 1s'],
    [3_600_000, '1h'],
    [3_601_000, '1h'],
    [3_660_000, '1h 1m'],
    [90_061_000, '1d 1h'],
    [86_400_000 * 3, '3d'],
  ] as const) {
    test(`${milliseconds} ms is ${words}`, () => expect(span(milliseconds)).toBe(words))
  }

  const now = Date.parse('2026-01-02T00:00:00Z')
  for (const [at, words] of [
    ['2026-01-02T00:00:00Z', 'just now'],
    ['2026-01-01T23:59:56Z', 'just now'],
    ['2026-01-01T23:59:50Z', '10s ago'],
    ['2026-01-01T23:00:00Z', '1h ago'],
    ['2025-12-30T00:00:00Z', '3d ago'],
    ['no time', ''],
  ] as const) {
    test(`${at} was ${words}`, () => expect(ago(at, now)).toBe(words))
  }

  test('an instant is written with every digit; what is none stands as it is', () => {
    expect(instant('2026-01-02T03:04:05Z')).toMatch(/^2026-01-0[123] \d\d:\d\d:05$/)
    expect(instant('soon')).toBe('soon')
  })
})
