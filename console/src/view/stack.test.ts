import { expect, test } from 'vitest'
import { OUTCOMES, stacked, top } from './stack.ts'

const zero = { allow: 0, flag: 0, ask: 0, deny: 0, halt: 0 }

for (const [title, series, layers, most] of [
  ['nothing', [], [[], [], [], [], []], 4],
  ['one of each', [{ at: '1970-01-01T00:00:10Z', allow: 1, flag: 1, ask: 1, deny: 1, halt: 1 }], [[5], [4], [3], [2], [1]], 5],
  ['only asks', [{ at: '1970-01-01T01:00:00Z', ...zero, ask: 4 }], [[4], [4], [4], [0], [0]], 4],
  [
    'two hours',
    [
      { at: '1970-01-01T00:00:00Z', ...zero, allow: 2 },
      { at: '1970-01-01T01:00:00Z', ...zero, halt: 3, allow: 1 },
    ],
    [
      [2, 4],
      [2, 1],
      [2, 1],
      [2, 1],
      [2, 1],
    ],
    4,
  ],
] as const) {
  test(`layers of ${title}`, () => {
    expect(stacked(series).map(({ counts }) => counts)).toEqual(layers)
    expect(stacked(series).map(({ outcome }) => outcome)).toEqual(OUTCOMES.toReversed())
    expect(top(series)).toBe(most)
  })
}
