import { describe, expect, test } from 'vitest'
import { type Bin, binsOf, brier, calibrationError, logLoss, separation } from './figures.ts'
import type { Prediction } from './sample.ts'

const told = (...pairs: readonly (readonly [probability: number, benign: 0 | 1, weight?: number])[]): readonly Prediction[] =>
  pairs.map(([probability, benign, weight]) => ({ probability, benign: benign === 1, ...(weight === undefined ? {} : { weight }) }))

describe('figures of probabilities', () => {
  const table: readonly (readonly [string, readonly Prediction[], { loss: number | null; brier: number | null; apart: number | null }])[] =
    [
      ['nothing', [], { loss: null, brier: null, apart: null }],
      ['a coin on two calls', told([0.5, 1], [0.5, 0]), { loss: Math.LN2, brier: 0.25, apart: 0.5 }],
      ['right and sure', told([1, 1], [0, 0]), { loss: 0, brier: 0, apart: 1 }],
      ['wrong and fairly sure', told([0.1, 1], [0.9, 0]), { loss: Math.log(10), brier: 0.81, apart: 0 }],
      [
        'one kind only',
        told([0.8, 1], [0.6, 1]),
        { loss: (Math.log(1.25) + Math.log(1 / 0.6)) / 2, brier: (0.04 + 0.16) / 2, apart: null },
      ],
      [
        'one tie of three pairs',
        told([0.9, 1], [0.5, 1], [0.5, 0], [0.1, 1]),
        { loss: (Math.log(1 / 0.9) + 2 * Math.LN2 + Math.log(10)) / 4, brier: (0.01 + 0.25 + 0.25 + 0.81) / 4, apart: 0.5 },
      ],
      [
        'weights count',
        told([0.9, 1, 3], [0.1, 1, 1], [0.5, 0, 2]),
        { loss: (3 * Math.log(1 / 0.9) + Math.log(10) + 2 * Math.LN2) / 6, brier: (3 * 0.01 + 0.81 + 2 * 0.25) / 6, apart: 0.75 },
      ],
    ]
  for (const [name, given, expected] of table) {
    test(name, () => {
      for (const [found, wanted] of [
        [logLoss(given), expected.loss],
        [brier(given), expected.brier],
        [separation(given), expected.apart],
      ] as const) {
        if (wanted === null) expect(found).toBeNull()
        else expect(found).toBeCloseTo(wanted, 10)
      }
    })
  }

  test('what was told to be impossible costs much, but not without end', () => {
    expect(logLoss(told([0, 1]))).toBeCloseTo(-Math.log(1e-12), 6)
  })
})

describe('reliability', () => {
  const counts = (bins: readonly Bin[]) => bins.map(({ count }) => count)

  test('bins of about equal weight; equal probabilities share one', () => {
    expect(counts(binsOf(told([0.1, 0], [0.2, 0], [0.3, 1], [0.4, 1]), 2))).toEqual([2, 2])
    expect(counts(binsOf(told([0.1, 0], [0.2, 0], [0.2, 1], [0.4, 1]), 2))).toEqual([3, 1])
    expect(counts(binsOf(told([0.5, 0], [0.5, 1], [0.5, 1]), 10))).toEqual([3])
    expect(counts(binsOf(told([0.1, 0, 3], [0.2, 1, 1]), 2))).toEqual([1, 1])
    expect(binsOf([])).toEqual([])
    const [first] = binsOf(told([0.2, 0], [0.4, 1]), 1)
    expect(first?.told).toBeCloseTo(0.3)
    expect(first?.observed).toBe(0.5)
  })

  test('the error is the mean distance, by weight', () => {
    expect(calibrationError([])).toBeNull()
    expect(
      calibrationError([
        { told: 0.2, observed: 0.3, count: 1, weight: 3 },
        { told: 0.9, observed: 0.5, count: 1, weight: 1 },
      ]),
    ).toBeCloseTo((3 * 0.1 + 0.4) / 4)
    const honest = Array.from({ length: 100 }, (_, at) => [(at % 10) / 10 + 0.05, Math.floor(at / 10) < (at % 10) + 0.5 ? 1 : 0] as const)
    expect(calibrationError(binsOf(told(...honest)))).toBeLessThan(0.06)
  })
})
