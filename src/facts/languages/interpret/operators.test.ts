import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { LIMITS } from '../limits.ts'
import { braceFormat, joinPath, operate, percentFormat, spelled } from './operators.ts'
import { has, known, pieces } from './reading.ts'
import { CLEAN, either, FROM, flag, list, NONE, number, object, options, part, text, UNKNOWN, unknown, type Value } from './value.ts'

/** Operators and formats on constants, and what is kept of what is not constant. */

describe('numbers', () => {
  for (const [op, a, b, expected] of [
    ['+', 1, 2, '3'],
    ['-', 1, 2, '-1'],
    ['*', 3, 4, '12'],
    ['/', 7, 2, '3.5'],
    ['//', 7, 2, '3'],
    ['%', -7, 3, '2'],
    ['**', 2, 10, '1024'],
    ['^', 6, 3, '5'],
    ['&', 6, 3, '2'],
    ['|', 6, 3, '7'],
    ['<<', 1, 4, '16'],
    ['>>', 16, 2, '4'],
    ['+=', 1, 2, '3'],
    ['-=', 5, 2, '3'],
    ['**=', 2, 3, '8'],
    ['<', 1, 2, null],
    ['==', 1, 1, null],
    ['unknown', 1, 1, null],
  ] as const)
    test(`${a} ${op} ${b}`, () => expect(known(operate(op, number(a), number(b)))).toBe(expected))
})

describe('texts', () => {
  for (const [op, a, b, expected] of [
    ['+', text('a'), text('b'), ['ab']],
    ['.', text('a'), number(1), ['a1']],
    ['.', number(1), number(2), ['12']],
    ['..', text('a'), text('b'), ['ab']],
    ['+=', text('a'), text('b'), ['ab']],
    ['.=', text('a'), text('b'), ['ab']],
    ['<<', text('a'), text('b'), ['ab']],
    ['+', text('a'), UNKNOWN, ['a', null]],
    ['+', UNKNOWN, text('b'), [null, 'b']],
    ['.=', NONE, text('b'), ['b']],
    ['*', text('ab'), number(3), ['ababab']],
    ['*', number(2), text('x'), ['xx']],
    ['x', text('-'), number(4), ['----']],
    ['x', text('-'), number(-1), [null]],
    ['*', text('ab'), UNKNOWN, [null]],
    ['*', text('ab'), number(LIMITS.folded), [null]],
    ['%', text('%s-%d'), list([text('a'), number(1)]), ['a-1']],
    ['%', text('%s'), text('a'), ['a']],
    ['-', text('a'), text('b'), [null]],
    ['&&', text('a'), text('b'), [null]],
  ] as const)
    test(`${JSON.stringify(pieces(a))} ${op} ${JSON.stringify(pieces(b))}`, () => expect(pieces(operate(op, a, b))).toEqual(expected))
})

describe('lists', () => {
  const items = (value: Value) => (value.kind === 'list' ? [value.items.map((v) => known(v)), value.open] : null)
  for (const [op, a, b, expected] of [
    ['+', list([text('a')]), list([text('b')]), [['a', 'b'], false]],
    ['+=', list([text('a')]), list([text('b')], true), [['a', 'b'], true]],
    ['+', list([text('a')]), UNKNOWN, [['a'], true]],
    ['<<', list([text('a')]), text('b'), [['a', 'b'], false]],
    ['*', list([text('a')]), number(3), [['a'], true]],
  ] as const)
    test(`${op} ${b.kind}`, () => expect(items(operate(op, a, b))).toEqual(expected))
})

describe('one of several', () => {
  test('every pair', () => {
    const result = operate('+', either([text('a'), text('b')]), either([text('1'), text('2')]))
    expect(options(result).map((v) => known(v))).toEqual(['a1', 'a2', 'b1', 'b2'])
  })
  test('too many pairs are unknown', () => {
    const many = either(Array.from({ length: 16 }, (_, i) => text(`v${i}`)))
    expect(pieces(operate('+', many, many))).toEqual([null])
  })
})

describe('paths', () => {
  for (const [op, a, b, expected] of [
    ['/', object('path', { text: text('/a') }), text('b'), '/a/b'],
    ['+', object('path', { text: text('/a') }), text('b'), '/a/b'],
    ['/', object('path', { text: text('/a') }), text('/b'), '/b'],
  ] as const)
    test(`/a ${op} ${known(b)}`, () => expect(known(operate(op, a, b))).toBe(expected))

  for (const [parts, expected] of [
    [['a', 'b'], ['a/b']],
    [['a/', 'b'], ['a/b']],
    [['a', '/b', 'c'], ['/b/c']],
    [['/', 'x'], ['/x']],
    [
      ['/srv', null],
      ['/srv/', null],
    ],
    [
      [null, 'x'],
      [null, '/x'],
    ],
    [[], ['']],
  ] as const)
    test(JSON.stringify(parts), () => expect(pieces(joinPath(parts.map((p) => (p === null ? UNKNOWN : text(p)))))).toEqual(expected))
})

describe('percent formats', () => {
  for (const [format, values, expected] of [
    ['%s/%s', list([text('a'), text('b')]), ['a/b']],
    ['%05d|%-3s|%.2f', list([number(1), text('a'), number(2)]), ['1|a|2']],
    ['100%%', list([]), ['100%']],
    ['%c%c', list([number(97), number(98)]), ['ab']],
    ['%s %s', list([text('a')]), ['a ', null]],
    ['a%sb', UNKNOWN, ['a', null, 'b']],
    ['%(k)s', { kind: 'dict', entries: new Map([['k', text('v')]]), open: false, taint: CLEAN } as Value, ['v']],
    ['%(missing)s', { kind: 'dict', entries: new Map(), open: false, taint: CLEAN } as Value, [null]],
    ['no format', list([text('a')]), ['no format']],
    ['%', list([]), ['%']],
  ] as const)
    test(format, () => expect(pieces(percentFormat(text(format), values))).toEqual(expected))

  test('an unknown format keeps its beginning', () =>
    expect(pieces(percentFormat(part(['rm ', null], CLEAN), text('x')))).toEqual(['rm ', null]))
})

describe('brace formats', () => {
  const named = new Map<string, Value>([['k', text('v')]])
  for (const [format, args, expected] of [
    ['{}/{}', ['a', 'b'], ['a/b']],
    ['{1}{0}', ['a', 'b'], ['ba']],
    ['{k}', [], ['v']],
    ['{k!r:>10}', [], ['v']],
    ['{{}}', [], ['{}']],
    ['{}', [], [null]],
    ['{other}', [], [null]],
    ['plain', [], ['plain']],
  ] as const)
    test(format, () =>
      expect(
        pieces(
          braceFormat(
            format,
            args.map((a) => text(a)),
            named,
          ),
        ),
      ).toEqual(expected),
    )
})

describe('spelled out character by character', () => {
  const c = (s: string) => text(s, flag(FROM.spelled))
  for (const [name, values, expected] of [
    ['four characters from codes', [c('e'), c('v'), c('a'), c('l')], FROM.decoded],
    ['three are too few', [c('a'), c('b'), c('c')], 0],
    ['plain ones are no disguise', [text('e'), text('v'), text('a'), text('l')], 0],
    ['longer ones are no disguise', [c('ev'), c('al'), c('e'), c('v')], 0],
    ['nothing', [], 0],
  ] as const)
    test(name, () => expect(spelled(values)).toBe(expected))
})

test.each(['==', '!==', '<', 'in', 'not in', 'is not'])('%s answers yes or no: nothing of its sides is in that', (op) => {
  expect(has(operate(op, text('x'), unknown(flag(FROM.environment))), FROM.environment)).toBe(false)
})

test('where a part comes from is never lost', () => {
  const net = unknown(flag(FROM.network))
  fc.assert(
    fc.property(fc.constantFrom('+', '.', '..', '+=', '<<', '-', '&&', '%'), fc.string(), (op, s) => {
      expect(has(operate(op, text(s), net), FROM.network)).toBe(true)
    }),
  )
})
