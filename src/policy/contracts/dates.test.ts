import { describe, expect, test } from 'vitest'
import { isDay, isInstant, readDate, readDuration } from './dates.ts'

const iso = (text: string) => {
  const at = readDate(text)
  return at === undefined ? undefined : new Date(at).toISOString()
}

describe('dates', () => {
  for (const [text, expected] of [
    ['2026-07-01', '2026-07-01T00:00:00.000Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
    ['2026-02-29', undefined],
    ['2026-06-31', undefined],
    ['2026-13-01', undefined],
    ['2026-00-10', undefined],
    ['0001-01-01', '0001-01-01T00:00:00.000Z'],
    ['2026-07-01T12:30:00Z', '2026-07-01T12:30:00.000Z'],
    ['2026-07-01 12:30', '2026-07-01T12:30:00.000Z'],
    ['2026-07-01T12:30:00.5+02:00', '2026-07-01T10:30:00.500Z'],
    ['2026-07-01T00:30:00-0730', '2026-07-01T08:00:00.000Z'],
    ['2026-07-01T24:00:00Z', undefined],
    ['2026-07-01T10:60:00Z', undefined],
    ['2026-06-31T10:00:00Z', undefined],
    ['01/07/2026', undefined],
    ['soon', undefined],
    ['2026-7-1', undefined],
    ['', undefined],
    [`2026-07-01T12:30:00Z${' '.repeat(64)}`, undefined],
  ] as const) {
    test(`${text}: ${expected}`, () => expect(iso(text)).toBe(expected))
  }

  for (const [text, day, instant] of [
    ['2026-07-01', true, false],
    ['2026-07-01T12:30:00Z', false, true],
    ['2026-07-01T12:30:00', false, false],
    ['2026-07-01T12:30Z', false, false],
    ['2026-07-01T12:30:00+02:00', false, true],
    ['2026-06-31T12:30:00Z', false, false],
  ] as const) {
    test(`${text} is ${day ? 'a day' : instant ? 'an instant' : 'neither'}`, () =>
      expect([isDay(text), isInstant(text)]).toEqual([day, instant]))
  }
})

describe('durations', () => {
  for (const [text, expected] of [
    ['30d', 2_592_000_000],
    ['12h', 43_200_000],
    ['15m', 900_000],
    ['90s', 90_000],
    ['250ms', 250],
    ['2w', 1_209_600_000],
    ['1.5h', undefined],
    ['-1d', undefined],
    ['d', undefined],
    ['1 day', undefined],
    ['1y', undefined],
    ['12345678901d', undefined],
  ] as const) {
    test(`${text}: ${expected}`, () => expect(readDuration(text)).toBe(expected))
  }
})
