import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { visibleText } from '../../../src/facts/resources/text/visible.ts'
import { cutAt, pieces } from './marks.ts'

describe('pieces of a text', () => {
  for (const [text, marks, expected] of [
    ['', [], []],
    ['abc', [], ['abc']],
    ['abcdef', [[0, 2, 4]], ['ab', 'cd:0', 'ef']],
    ['abcdef', [[0, 0, 6]], ['abcdef:0']],
    [
      'abcdef',
      [
        [0, 0, 3],
        [1, 3, 6],
      ],
      ['abc:0', 'def:1'],
    ],
    [
      'abcdef',
      [
        [0, 0, 4],
        [1, 2, 6],
      ],
      ['ab:0', 'cd:0,1', 'ef:1'],
    ],
    ['abc', [[0, 1, 99]], ['a', 'bc:0']],
    ['abc', [[0, 9, 12]], ['abc']],
    ['a\nb', [[0, 0, 3]], ['a:0', '⟨LF⟩:0', 'b:0']],
    ['a\nb', [[0, 2, 3]], ['a', '⟨LF⟩', 'b:0']],
    ['a\u202eb', [[3, 1, 2]], ['a', '⟨U+202E⟩:3', 'b']],
    ['a\n\n\n\nb', [[0, 2, 3]], ['a', '⟨LF×4⟩', 'b']],
    ['日本語', [[0, 1, 2]], ['日', '本:0', '語']],
    ['👍👍', [[0, 1, 2]], ['👍', '👍']],
    ['👍👍', [[0, 2, 4]], ['👍', '👍:0']],
  ] as const) {
    test(`${JSON.stringify(text)} with ${JSON.stringify(marks)}`, () => {
      const found = pieces(
        text,
        marks.map(([id, start, end]) => ({ id, start, end })),
      )
      expect(found.map((piece) => (piece.marks.length === 0 ? piece.text : `${piece.text}:${piece.marks.join(',')}`))).toEqual(expected)
    })
  }

  for (const [text, breaks] of [
    ['a\nb', [false, true, false]],
    ['a\tb', [false, false, false]],
    ['\n\n\n\n', [true]],
    ['\r\n', [false, true]],
    ['⟨LF⟩', [false, false, false]],
  ] as const) {
    test(`${JSON.stringify(text)} breaks after ${breaks.filter(Boolean).length} pieces`, () => {
      expect(pieces(text).map((piece) => piece.breaks)).toEqual(breaks)
    })
  }

  test('marks never change what is shown', () => {
    const mark = fc.record({ id: fc.nat(9), start: fc.nat(30), end: fc.nat(40) })
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 30 }), fc.array(mark, { maxLength: 5 }), (text, marks) => {
        expect(
          pieces(text, marks)
            .map((piece) => piece.text)
            .join(''),
        ).toBe(visibleText(text))
      }),
      { numRuns: 1_000 },
    )
  })
})

describe('where a long text is cut', () => {
  for (const [text, limit, at] of [
    ['abc', 5, 3],
    ['abc', 3, 3],
    ['abcd', 3, 3],
    ['ab👍', 3, 2],
    ['ab👍', 4, 4],
    ['', 0, 0],
  ] as const) {
    test(`${JSON.stringify(text)} at ${limit}`, () => expect(cutAt(text, limit)).toBe(at))
  }
})
