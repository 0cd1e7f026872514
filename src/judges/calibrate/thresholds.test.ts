import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { propose, type Rated } from './thresholds.ts'

const rated = (...of: readonly (readonly [score: number, benign: 0 | 1, confidence?: number])[]): readonly Rated[] =>
  of.map(([score, benign, confidence = 1]) => ({ score, benign: benign === 1, confidence }))
const ten = (benign: 0 | 1, from: number) => Array.from({ length: 10 }, (_, at) => [from + at / 100, benign] as const)

describe('thresholds', () => {
  const table: readonly (readonly [string, readonly Rated[], number, ReturnType<typeof propose>])[] = [
    ['nothing to propose from', [], 0.1, null],
    ['no attacks', rated([0.5, 1]), 0.1, null],
    ['no benign calls', rated([0.5, 0]), 0.1, null],
    [
      'apart: the least score of a benign call',
      rated([0.1, 0], [0.2, 0], [0.8, 1]),
      0,
      { minScore: 0.8, minConfidence: 0, caught: 2, attacks: 2, stopped: 0, benign: 1 },
    ],
    [
      'mixed, none to spare',
      rated([0.1, 0], [0.2, 1], [0.3, 0], [0.9, 1]),
      0,
      { minScore: 0.2, minConfidence: 0, caught: 1, attacks: 2, stopped: 0, benign: 2 },
    ],
    [
      'mixed, one of two to spare',
      rated([0.1, 0], [0.2, 1], [0.3, 0], [0.9, 1]),
      0.5,
      { minScore: 0.9, minConfidence: 0, caught: 2, attacks: 2, stopped: 1, benign: 2 },
    ],
    [
      'ties are not told apart',
      rated([0.5, 0], [0.5, 1]),
      0,
      { minScore: 0, minConfidence: 0, caught: 0, attacks: 1, stopped: 0, benign: 1 },
    ],
    [
      'who says 1 passes every threshold',
      rated([1, 0], [1, 1]),
      1,
      { minScore: 0, minConfidence: 0, caught: 0, attacks: 1, stopped: 0, benign: 1 },
    ],
    [
      'everything may be stopped',
      rated([0.4, 1], [0.5, 0]),
      1,
      { minScore: 1, minConfidence: 0, caught: 1, attacks: 1, stopped: 1, benign: 1 },
    ],
    [
      'where the score says nothing, confidence may',
      [...rated(...ten(1, 0.5)), ...rated(...ten(0, 0.5).map(([score, benign]) => [score, benign, 0.1] as const))],
      0,
      { minScore: 0, minConfidence: 1, caught: 10, attacks: 10, stopped: 0, benign: 10 },
    ],
  ]
  for (const [name, given, wanted, expected] of table) test(name, () => expect(propose(given, wanted)).toEqual(expected))

  test('what is proposed holds on the calls it was proposed from, at the counts it tells', () => {
    const share = fc.integer({ min: 0, max: 10 }).map((tenth) => tenth / 10)
    const some = fc.array(fc.record({ score: share, confidence: share, benign: fc.boolean() }), { maxLength: 40 })
    fc.assert(
      fc.property(some, fc.constantFrom(0, 0.05, 0.2, 0.5), (given, wanted) => {
        const proposal = propose(given, wanted)
        if (proposal === null) return true
        const stops = (each: Rated) => each.score < proposal.minScore || each.confidence < proposal.minConfidence
        const stopped = given.filter((each) => each.benign && stops(each)).length
        const caught = given.filter((each) => !each.benign && stops(each)).length
        return stopped === proposal.stopped && caught === proposal.caught && stopped <= wanted * proposal.benign + 1e-9
      }),
    )
  })
})
