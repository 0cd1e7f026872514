import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatPolicyError } from '../errors.ts'
import { PolicySource } from './source.ts'

describe('places', () => {
  const source = new PolicySource('ab\ncd\r\n\nef', 'p.yaml')
  for (const [offset, line, column] of [
    [0, 1, 1],
    [1, 1, 2],
    [2, 1, 3],
    [3, 2, 1],
    [6, 2, 4],
    [7, 3, 1],
    [8, 4, 1],
    [10, 4, 3],
    [99, 4, 3],
    [-5, 1, 1],
  ] as const) {
    test(`${offset} is ${line}:${column}`, () => expect(source.place(offset)).toEqual({ line, column }))
  }

  test('agree with counting by hand', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[ab\n]{0,40}$/), fc.nat(45), (text, offset) => {
        const bounded = Math.min(offset, text.length)
        const before = text.slice(0, bounded).split('\n')
        expect(new PolicySource(text, null).place(offset)).toEqual({ line: before.length, column: (before.at(-1)?.length ?? 0) + 1 })
      }),
      { seed: 14 },
    )
  })
})

describe('excerpts', () => {
  const shown = (text: string, start: number, end: number) =>
    new PolicySource(text, 'p.yaml').error({ code: 'policy.syntax', message: 'm', at: { start, end } }).excerpt
  for (const [title, text, start, end, expected] of [
    ['one word', 'a: bad', 3, 6, ['a: bad', '   ^^^']],
    ['an empty range', 'a: bad', 3, 3, ['a: bad', '   ^']],
    ['a range over lines stops at the line', 'a: b\nc: d', 3, 9, ['a: b', '   ^']],
    ['the end of the line', 'a:\nb', 2, 3, ['a:', '  ^']],
    ['an empty line', 'a:\n\nb', 3, 4, []],
    ['a tab', '\ta: 1', 1, 2, [' a: 1', ' ^']],
    ['CRLF', 'a: b\r\nc', 3, 4, ['a: b', '   ^']],
    ['escapes for the terminal', 'a: \u001b[2J\u202e', 3, 7, ['a: \ufffd[2J\ufffd', '   ^^^^']],
  ] as const) {
    test(title, () => expect(shown(text, start, end)).toEqual(expected))
  }

  test('a long line is shown around the fault', () => {
    const [line, carets] = shown(`${'x'.repeat(500)}bad${'y'.repeat(500)}`, 500, 503)
    expect(line).toHaveLength(120)
    expect(line?.slice(carets?.indexOf('^'), carets?.length)).toBe('bad')
  })
})

describe('an error as text', () => {
  const source = new PolicySource('version: 1\nmode: on\n', null)
  test('without path or help', () => {
    expect(formatPolicyError(source.error({ code: 'policy.wrong_value', message: 'no', at: { start: 17, end: 19 } }))).toBe(
      'policy.wrong_value: no\n --> policy:2:7\n2 | mode: on\n  |       ^^',
    )
  })

  test('no control character reaches the terminal', () => {
    const error = source.error({ code: 'policy.syntax', message: 'a\u001b[31mb', help: 'c\u0007', at: { start: 0, end: 1 } })
    expect(error).toMatchObject({ message: 'a\ufffd[31mb', help: 'c\ufffd' })
  })
})
