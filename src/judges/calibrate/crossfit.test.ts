import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { calibrated } from '../../policy/judge-evidence.ts'
import { crossfit, foldsOf } from './crossfit.ts'
import type { Sample } from './sample.ts'

const cloud = (count: number, of: (at: number) => Omit<Sample, 'group'>): readonly Sample[] =>
  Array.from({ length: count }, (_, at) => ({ ...of(at), group: `g${at % 10}` }))

describe('folds', () => {
  const table: readonly (readonly [string, readonly string[], number | undefined, readonly number[]])[] = [
    ['nothing', [], undefined, []],
    ['one group is one fold', ['a', 'a'], undefined, [0, 0]],
    ['two groups are two', ['a', 'b', 'b'], undefined, [1, 0, 0]],
    ['the largest alone, the small ones together', ['a', 'a', 'a', 'b', 'c', 'd'], 2, [0, 0, 0, 1, 1, 1]],
    ['equal sizes in the order of their names', ['c', 'b', 'a'], 3, [2, 1, 0]],
  ]
  for (const [name, groups, most, expected] of table) test(name, () => expect(foldsOf(groups, most)).toEqual(expected))

  test('no group is in two folds, and no fold is empty', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g'), { minLength: 1, maxLength: 60 }), (groups) => {
        const folds = foldsOf(groups)
        const pairs = new Set(groups.map((group, at) => `${group} ${folds[at]}`))
        return pairs.size === new Set(groups).size && new Set(folds).size === Math.min(5, new Set(groups).size)
      }),
    )
  })
})

describe('calibration on unseen calls', () => {
  test('a judge whose scores are probabilities already is left nearly as it is', () => {
    const { calibration, losses, told, folds } = crossfit(
      cloud(2_000, (at) => ({ score: (at % 20) / 20 + 0.025, confidence: 1, benign: Math.floor(at / 20) % 20 < (at % 20) + 0.5 })),
    )
    expect(folds).toBe(5)
    expect(told).toHaveLength(2_000)
    for (const score of [0.1, 0.3, 0.5, 0.7, 0.9]) expect(Math.abs(calibrated(calibration, score, 1) - score)).toBeLessThan(0.1)
    expect(Math.min(losses.platt, losses.isotonic)).toBeLessThan(losses.raw + 0.02)
  })

  test('one that is far too sure is brought down, by the method that does it better', () => {
    // Scores of 0.99 for calls that are benign in seven of ten cases, 0.01 where three of ten are.
    const found = crossfit(
      cloud(1_000, (at) => ({
        score: at % 2 === 0 ? 0.99 : 0.01,
        confidence: 1,
        benign: Math.floor(at / 2) % 10 < (at % 2 === 0 ? 7 : 3),
      })),
    )
    expect(calibrated(found.calibration, 0.99, 1)).toBeCloseTo(0.7, 1)
    expect(calibrated(found.calibration, 0.01, 1)).toBeCloseTo(0.3, 1)
    expect(Math.min(found.losses.platt, found.losses.isotonic)).toBeLessThan(found.losses.raw / 2)
  })

  test('steps that no curve of Platt has are isotonic', () => {
    const share = (score: number) => (score < 0.3 ? 0.05 : score < 0.7 ? 0.5 : 0.55)
    const found = crossfit(
      cloud(4_000, (at) => {
        const score = (at % 40) / 40
        return { score, confidence: 1, benign: (Math.floor(at / 40) % 20) / 20 < share(score) }
      }),
    )
    expect(found.calibration.method).toBe('isotonic')
    expect(found.losses.isotonic).toBeLessThan(found.losses.platt)
    expect(
      crossfit(
        cloud(400, (at) => ({ score: (at % 40) / 40, confidence: 1, benign: at % 3 === 0 })),
        'platt',
      ).calibration.method,
    ).toBe('platt')
  })

  test('what cannot be judged on unseen calls is refused', () => {
    const one: Sample = { score: 0.5, confidence: 1, benign: true, group: 'a' }
    for (const samples of [[], [one], [one, { ...one, group: 'b' }], [one, { ...one, benign: false }]]) {
      expect(() => crossfit(samples)).toThrow(/at least two/)
    }
  })
})
