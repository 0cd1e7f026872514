import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { calibrated } from '../../policy/judge-evidence.ts'
import { isotonicCalibration, type Point, pav } from './isotonic.ts'
import type { Sample } from './sample.ts'

const points = (...values: readonly (readonly [at: number, value: number, weight?: number])[]): readonly Point[] =>
  values.map(([at, value, weight = 1]) => ({ at, value, weight }))
const blocks = (of: readonly Point[]) => pav(of).map(({ from, to, value }) => [from, to, value])

/** The least sum of squares of any ascending sequence that is constant on runs: every way to cut the points into runs is tried. */
function bruteForce(sorted: readonly Point[]): number {
  let best = Number.POSITIVE_INFINITY
  for (let cuts = 0; cuts < 2 ** (sorted.length - 1); cuts++) {
    const runs: Point[][] = [[]]
    for (const [index, point] of sorted.entries()) {
      runs.at(-1)?.push(point)
      if ((cuts >> index) & 1) runs.push([])
    }
    const full = runs.filter((run) => run.length > 0)
    const means = full.map(meanOf)
    if (means.some((value, index) => index > 0 && value < (means[index - 1] ?? 0))) continue
    best = Math.min(best, squares(full, means))
  }
  return best
}

function meanOf(run: readonly Point[]): number {
  return run.reduce((sum, { value, weight }) => sum + value * weight, 0) / run.reduce((sum, { weight }) => sum + weight, 0)
}

function squares(runs: readonly (readonly Point[])[], means: readonly number[]): number {
  return runs.flatMap((run, at) => run.map(({ value, weight }) => weight * (value - (means[at] ?? 0)) ** 2)).reduce((a, b) => a + b, 0)
}

describe('pooling adjacent violators', () => {
  const table: readonly (readonly [string, readonly Point[], readonly (readonly number[])[]])[] = [
    ['nothing', [], []],
    ['one point', points([0.3, 1]), [[0.3, 0.3, 1]]],
    [
      'ascending already',
      points([1, 0], [2, 0.5], [3, 1]),
      [
        [1, 1, 0],
        [2, 2, 0.5],
        [3, 3, 1],
      ],
    ],
    ['one violation', points([1, 1], [2, 0]), [[1, 2, 0.5]]],
    [
      'two classes apart',
      points([1, 0], [2, 0], [3, 1], [4, 1]),
      [
        [1, 2, 0],
        [3, 4, 1],
      ],
    ],
    [
      'a violation in the middle',
      points([1, 0], [2, 1], [3, 0], [4, 1]),
      [
        [1, 1, 0],
        [2, 3, 0.5],
        [4, 4, 1],
      ],
    ],
    ['all descending is one block', points([1, 3], [2, 2], [3, 1]), [[1, 3, 2]]],
    ['weights pull', points([1, 1, 3], [2, 0, 1]), [[1, 2, 0.75]]],
    [
      'ties are one point',
      points([1, 0], [1, 1], [2, 1]),
      [
        [1, 1, 0.5],
        [2, 2, 1],
      ],
    ],
    ['pooling goes back as far as it must', points([1, 0.4], [2, 0.6], [3, 0.1]), [[1, 3, 1.1 / 3]]],
    [
      'the order they come in does not matter',
      points([4, 1], [1, 0], [3, 0], [2, 1]),
      [
        [1, 1, 0],
        [2, 3, 0.5],
        [4, 4, 1],
      ],
    ],
  ]
  for (const [name, given, expected] of table) {
    test(name, () => {
      const found = blocks(given)
      expect(found.map(([from, to]) => [from, to])).toEqual(expected.map(([from, to]) => [from, to]))
      for (const [at, [, , value]] of expected.entries()) expect(found[at]?.[2]).toBeCloseTo(value ?? 0, 12)
    })
  }

  const some = fc.array(fc.record({ at: fc.nat(8), value: fc.constantFrom(0, 1, 0.5), weight: fc.constantFrom(1, 2, 0.25) }), {
    minLength: 1,
    maxLength: 8,
  })

  test('ascends strictly, keeps the weight and the mean, whatever it is given', () => {
    fc.assert(
      fc.property(some, (given) => {
        const found = pav(given)
        const ascending = found.every(
          ({ from, value }, at) => at === 0 || (value > (found[at - 1]?.value ?? 0) && from > (found[at - 1]?.to ?? 0)),
        )
        const total = (of: readonly { readonly value: number; readonly weight: number }[]) =>
          of.reduce((sum, { value, weight }) => sum + value * weight, 0)
        return ascending && Math.abs(total(found) - total(given)) < 1e-9
      }),
    )
  })

  test('no ascending sequence is closer in the squares', () => {
    const distinct = fc.uniqueArray(fc.nat(20), { minLength: 1, maxLength: 7 })
    fc.assert(
      fc.property(distinct, fc.array(fc.constantFrom(0, 1, 0.3), { minLength: 7, maxLength: 7 }), (places, values) => {
        const given = places.toSorted((a, b) => a - b).map((at, index) => ({ at, value: values[index] ?? 0, weight: 1 }))
        const runs = pav(given).map(({ from, to }) => given.filter(({ at }) => at >= from && at <= to))
        return Math.abs(squares(runs, runs.map(meanOf)) - bruteForce(given)) < 1e-9
      }),
    )
  })
})

describe('isotonic calibration', () => {
  const samples = (...pairs: readonly (readonly [number, boolean])[]): readonly Sample[] =>
    pairs.map(([score, benign]) => ({ score, benign, confidence: 1, group: 'g' }))
  const line = { intercept: 0, slopes: [1, 0] as const, loss: 0 }

  test('flat on blocks, straight between them, never 0 or 1', () => {
    const { method, steps } = isotonicCalibration(samples([0.1, false], [0.2, false], [0.8, true], [0.9, true]), line)
    expect(method).toBe('isotonic')
    expect(steps).toEqual([
      [0.1, 1 / 6],
      [0.2, 1 / 6],
      [0.8, 5 / 6],
      [0.9, 5 / 6],
    ])
    const calibration = { method, steps, ...line }
    for (const [score, probability] of [
      [0, 1 / 6],
      [0.15, 1 / 6],
      [0.5, 0.5],
      [0.8, 5 / 6],
      [1, 5 / 6],
    ] as const) {
      expect(calibrated(calibration, score, 0)).toBeCloseTo(probability, 12)
    }
  })

  test('a better score is never a worse probability', () => {
    const cloud = fc.array(fc.record({ score: fc.double({ min: 0, max: 1, noNaN: true }), benign: fc.boolean() }), {
      minLength: 1,
      maxLength: 30,
    })
    fc.assert(
      fc.property(cloud, fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true }), (given, one, two) => {
        const calibration = isotonicCalibration(
          given.map((each) => ({ ...each, confidence: 1, group: 'g' })),
          line,
        )
        const [low, high] = one < two ? [one, two] : [two, one]
        const [a, b] = [calibrated(calibration, low, 1), calibrated(calibration, high, 1)]
        return a <= b + 1e-12 && a > 0 && b < 1
      }),
    )
  })
})
