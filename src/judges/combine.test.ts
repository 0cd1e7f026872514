import { describe, expect, test } from 'vitest'
import { proves } from '../../test/proves.ts'
import type { Ruling } from './accept.ts'
import { type Consensus, consensusOf, tribunalOf } from './combine.ts'

const ruling = (verdict: Ruling['verdict']): Ruling => ({ verdict, reason: verdict })

describe('a tribunal of two', () => {
  proves(['SIG-15', 'SIG-16', 'SIG-17', 'SIG-18', 'SIG-19'], 'agreement holds, a split asks, no answers are no acceptance', () => {
    const cases: readonly (readonly [Ruling['verdict'] | null, Ruling['verdict'] | null, string | null])[] = [
      ['allow', 'allow', 'allow'],
      ['deny', 'deny', 'deny'],
      ['allow', 'deny', 'ask'],
      ['deny', 'allow', 'ask'],
      ['flag', 'allow', 'flag'],
      ['allow', 'flag', 'flag'],
      ['halt', 'deny', 'halt'],
      ['deny', 'halt', 'halt'],
      ['halt', 'allow', 'ask'],
      ['allow', null, null],
      [null, 'flag', null],
      ['deny', null, 'deny'],
      [null, 'deny', 'deny'],
      [null, 'halt', 'halt'],
      [null, null, null],
    ]
    for (const [first, second, expected] of cases) {
      const combined = tribunalOf(first === null ? null : ruling(first), second === null ? null : ruling(second))
      expect(combined?.verdict ?? null, `${first} and ${second}`).toBe(expected)
    }
  })
})

describe('a consensus', () => {
  const figures = (...pairs: readonly (readonly [number, number])[]) => pairs.map(([score, confidence]) => ({ score, confidence }))

  test('is the arithmetic of AEGIS', () => {
    const cases: readonly (readonly [Consensus, readonly (readonly [number, number])[], number, number])[] = [
      [
        'weighted_average',
        [
          [1, 1],
          [1, 1],
        ],
        1,
        1,
      ],
      [
        'weighted_average',
        [
          [1, 1],
          [0, 1],
        ],
        0.5,
        0.3,
      ],
      ['weighted_average', [[0.8, 0.5]], 0.8, 0.85],
      [
        'majority',
        [
          [0.9, 1],
          [0.8, 1],
          [0.1, 1],
        ],
        1,
        0.7 / 3 + 0.3,
      ],
      [
        'majority',
        [
          [0.9, 1],
          [0.1, 1],
          [0.1, 1],
        ],
        0,
        0.7 / 3 + 0.3,
      ],
      [
        'majority',
        [
          [0.9, 1],
          [0.1, 1],
        ],
        0.5,
        0.3,
      ],
      ['majority', [[0.7, 0]], 1, 0.7],
      [
        'unanimous',
        [
          [0.9, 0.4],
          [0.7, 0.8],
        ],
        0.8,
        0.4,
      ],
      [
        'unanimous',
        [
          [0.9, 0.4],
          [0.6, 0.8],
        ],
        0,
        0.4,
      ],
      [
        'best_of_n',
        [
          [0.2, 1],
          [0.9, 0.9],
          [1, 0.1],
        ],
        0.9,
        0.9,
      ],
    ]
    for (const [consensus, pairs, score, confidence] of cases) {
      const combined = consensusOf(figures(...pairs), { consensus })
      expect(combined.score, `${consensus} ${JSON.stringify(pairs)}`).toBeCloseTo(score, 9)
      expect(combined.confidence, `${consensus} ${JSON.stringify(pairs)}`).toBeCloseTo(confidence, 9)
    }
    expect(consensusOf(figures([1, 1], [0, 1]), { consensus: 'weighted_average', weights: [3, 1] }).score).toBeCloseTo(0.75, 9)
    expect(consensusOf(figures([1, 1], [0.5, 1], [0, 1]), { consensus: 'best_of_n', n: 2 }).score).toBeCloseTo(0.75, 9)
  })

  test('needs answers and weights that fit', () => {
    expect(() => consensusOf([], { consensus: 'majority' })).toThrow(RangeError)
    for (const weights of [[1], [0, 0], [1, -1], [Number.NaN, 1]]) {
      expect(() => consensusOf(figures([1, 1], [1, 1]), { consensus: 'weighted_average', weights })).toThrow(RangeError)
    }
  })
})
