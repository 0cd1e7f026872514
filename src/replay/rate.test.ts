import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { rateOf, type Tally } from './rate.ts'

const tallies = (...pairs: readonly (readonly [number, number])[]): readonly Tally[] => pairs.map(([hits, of]) => ({ hits, of }))
const repeat = (count: number, hits: number, of: number): readonly Tally[] => Array.from({ length: count }, () => ({ hits, of }))
const rounded = (value: number): number => Math.round(value * 10_000) / 10_000

describe('rates', () => {
  const table: readonly (readonly [string, readonly Tally[], { hits: number; of: number; clusters: number; low: number; high: number }])[] =
    [
      ['nothing observed says nothing', [], { hits: 0, of: 0, clusters: 0, low: 0, high: 1 }],
      ['one of two independent calls', tallies([1, 1], [0, 1]), { hits: 1, of: 2, clusters: 2, low: 0.0945, high: 0.9055 }],
      ['none of ten', repeat(10, 0, 1), { hits: 0, of: 10, clusters: 10, low: 0, high: 0.2775 }],
      ['all of ten', repeat(10, 1, 1), { hits: 10, of: 10, clusters: 10, low: 0.7225, high: 1 }],
      ['none of a hundred calls of ten tasks is worth ten', repeat(10, 0, 10), { hits: 0, of: 100, clusters: 10, low: 0, high: 0.2775 }],
      ['one task, half of its calls: worth one observation', tallies([5, 10]), { hits: 5, of: 10, clusters: 1, low: 0.0546, high: 0.9454 }],
      [
        'half of every task: no wider than independent calls',
        repeat(50, 1, 2),
        { hits: 50, of: 100, clusters: 50, low: 0.4038, high: 0.5962 },
      ],
    ]
  for (const [name, clusters, expected] of table) {
    test(name, () => {
      const { hits, of, clusters: n, low, high } = rateOf('r', clusters)
      expect({ hits, of, clusters: n, low: rounded(low), high: rounded(high) }).toEqual(expected)
    })
  }

  test('tasks that are all or nothing widen the interval', () => {
    const mixed = rateOf('r', repeat(20, 5, 10))
    const extreme = rateOf('r', [...repeat(10, 10, 10), ...repeat(10, 0, 10)])
    expect(extreme.hits / extreme.of).toBe(mixed.hits / mixed.of)
    expect(extreme.high - extreme.low).toBeGreaterThan(2 * (mixed.high - mixed.low))
  })

  test('the interval always holds the share and stays within 0 and 1', () => {
    const cluster = fc.tuple(fc.nat(20), fc.nat(20)).map(([a, b]) => ({ hits: Math.min(a, b), of: Math.max(a, b) }))
    fc.assert(
      fc.property(fc.array(cluster, { maxLength: 30 }), (clusters) => {
        const { hits, of, low, high } = rateOf('r', clusters)
        const share = of === 0 ? 0 : hits / of
        return low >= 0 && high <= 1 && low <= share && share <= high
      }),
    )
  })
})
