import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { effect, target } from '../../effect.ts'
import { LIMITS } from '../limits.ts'
import { concat, elementOf, has, itemsOf, known, pieces, tainted } from './reading.ts'
import {
  CLEAN,
  either,
  FROM,
  flag,
  joinTaint,
  list,
  NONE,
  number,
  object,
  options,
  part,
  taintOf,
  text,
  UNKNOWN,
  unknown,
  type Value,
} from './value.ts'

/** What values know of themselves: their text, their pieces, what they come from. */

const A = text('a')
const NET = flag(FROM.network, [effect('fetch', target('url', 'http://x.example/'))])
const FILE = flag(FROM.file, [effect('read', target('path', '/etc/passwd'))])
const dict = (entries: Record<string, Value>): Value => ({
  kind: 'dict',
  entries: new Map(Object.entries(entries)),
  open: false,
  taint: CLEAN,
})

describe('the text a value certainly is', () => {
  for (const [name, value, expected] of [
    ['a text', A, 'a'],
    ['a number', number(7), '7'],
    ['a path object', object('path', { text: text('/x') }), '/x'],
    ['an object without text', object('file'), null],
    ['a part', part(['a', null], CLEAN), null],
    ['a list', list([A]), null],
    ['nothing', undefined, null],
    ['null', NONE, null],
    ['a reference', { kind: 'ref', name: 'os.system' } as Value, null],
  ] as const)
    test(name, () => expect(known(value)).toBe(expected))
})

describe('pieces', () => {
  for (const [name, value, expected] of [
    ['a text is one', A, ['a']],
    ['a part has several', part(['a', null, 'b'], CLEAN), ['a', null, 'b']],
    ['a number is its digits', number(1.5), ['1.5']],
    ['an unknown one', UNKNOWN, [null]],
    ['a list is unknown', list([A]), [null]],
    ['an object speaks for its text', object('path', { text: part(['/x/', null], CLEAN) }), ['/x/', null]],
  ] as const)
    test(name, () => expect(pieces(value)).toEqual(expected))
})

describe('parts', () => {
  for (const [given, expected] of [
    [[], ['']],
    [['a', 'b'], ['ab']],
    [[null, null], [null]],
    [
      ['a', '', null],
      ['a', null],
    ],
    [
      ['a', null, null, 'b', 'c'],
      ['a', null, 'bc'],
    ],
  ] as const)
    test(JSON.stringify(given), () => expect(pieces(part(given, CLEAN))).toEqual(expected))

  test('many pieces end in an unknown one', () => {
    const many = pieces(
      part(
        Array.from({ length: 200 }, (_, i) => (i % 2 === 0 ? 'a' : null)),
        CLEAN,
      ),
    )
    expect(many.length).toBeLessThanOrEqual(65)
    expect(many.at(-1)).toBeNull()
  })

  test('a text that is too long keeps its beginning', () => {
    const long = text('x'.repeat(LIMITS.folded + 1))
    expect(known(long)).toBeNull()
    expect(pieces(long)[0]).toBe('x'.repeat(200))
  })
})

describe('one after the other', () => {
  for (const [name, values, expected] of [
    ['texts', [A, text('b')], ['ab']],
    ['a text and a number', [A, number(1)], ['a1']],
    ['an unknown in the middle', [A, UNKNOWN, text('b')], ['a', null, 'b']],
    ['nothing', [], ['']],
    ['one', [A], ['a']],
  ] as const)
    test(name, () => expect(pieces(concat(values))).toEqual(expected))

  test('what follows more pieces than are kept is unknown, and where it comes from stays', () => {
    const long = Array.from({ length: 100 }, (_, at) => (at % 2 === 0 ? text(`${at}`) : UNKNOWN)).reduce((left, right) =>
      concat([left, right]),
    )
    const longer = concat([long, text('x', FILE)])
    expect(pieces(long).at(-1)).toBeNull()
    expect(pieces(longer)).toBe(pieces(long))
    expect(has(longer, FROM.file)).toBe(true)
  })
  test('what any of them comes from stays', () => expect(has(concat([A, unknown(NET)]), FROM.network)).toBe(true))
  test('a glob stays a glob', () => {
    const glob: Value = { kind: 'text', text: '*.c', bytes: false, glob: true, taint: CLEAN }
    expect(concat([text('/x/'), glob])).toMatchObject({ kind: 'text', text: '/x/*.c', glob: true })
  })
})

describe('one of several', () => {
  for (const [name, values, count] of [
    ['nothing is unknown', [], 1],
    ['one is itself', [A], 1],
    ['the same twice is once', [A, text('a')], 1],
    ['two', [A, text('b')], 2],
    ['numbers', [number(1), number(1), number(2)], 2],
    ['constants', [NONE, NONE, { kind: 'constant', value: true } as Value], 2],
    ['references', [{ kind: 'ref', name: 'f' } as Value, { kind: 'ref', name: 'f' } as Value], 1],
    ['unknown ones', [UNKNOWN, UNKNOWN], 1],
    ['those of one inside another', [either([A, text('b')]), text('c')], 3],
  ] as const)
    test(name, () => expect(options(either(values))).toHaveLength(count))

  test('too many are one unknown that comes from all', () => {
    const many = either(Array.from({ length: 40 }, (_, i) => text(`v${i}`, i === 3 ? NET : CLEAN)))
    expect(many.kind).toBe('part')
    expect(has(many, FROM.network)).toBe(true)
  })
})

describe('items', () => {
  for (const [name, value, expected] of [
    ['of a list', list([A, number(1)]), ['a', '1']],
    ['of an open list', list([A], true), null],
    ['of a text', text('ab'), ['a', 'b']],
    ['of bytes', text('ab', CLEAN, true), ['97', '98']],
    ['of a dictionary', dict({ k: A }), ['k']],
    ['of an unknown', UNKNOWN, null],
    ['of a glob', { kind: 'text', text: '*', bytes: false, glob: true, taint: CLEAN } as Value, null],
    ['of a text that is too long', text('x'.repeat(LIMITS.items + 1)), null],
  ] as const)
    test(name, () => expect(itemsOf(value)?.map((v) => known(v)) ?? null).toEqual(expected))
})

describe('any item', () => {
  for (const [name, value, expected] of [
    ['of a list', list([A, text('b')]), [['a'], ['b']]],
    ['of an open list', list([A], true), [['a'], [null]]],
    ['of an object that says so', object('directory', { each: text('x/y') }), [['x/y']]],
    ['of an object that does not', object('file'), [[null]]],
    ['of an unknown', UNKNOWN, [[null]]],
    ['of one of several', either([list([A]), list([text('b')])]), [['a'], ['b']]],
  ] as const)
    test(name, () => expect(options(elementOf(value)).map((v) => pieces(v))).toEqual(expected))
})

describe('what a value comes from', () => {
  for (const [name, value, bits] of [
    ['nothing', A, 0],
    ['itself', unknown(NET), FROM.network],
    ['its items', list([A, unknown(FILE)]), FROM.file],
    ['its entries', dict({ k: unknown(NET) }), FROM.network],
    ['its fields', object('o', { f: unknown(FILE) }), FROM.file],
    ['any of its options', either([A, unknown(NET)]), FROM.network],
    ['the object of a method', { kind: 'method', self: unknown(NET), name: 'read' } as Value, FROM.network],
    ['two levels down', list([list([unknown(NET)])]), FROM.network],
    ['not three', list([list([list([unknown(NET)])])]), 0],
    ['a number comes from nowhere', number(1), 0],
    ['a reference comes from nowhere', { kind: 'ref', name: 'x' } as Value, 0],
  ] as const)
    test(name, () => expect(taintOf(value).bits).toBe(bits))

  test('joined, each source is named once and at most eight of them', () => {
    const many = Array.from({ length: 20 }, (_, i) => flag(FROM.file, [effect('read', target('path', `/f${i}`))]))
    expect(joinTaint(...many).from).toHaveLength(8)
    expect(joinTaint(NET, NET).from).toHaveLength(1)
    expect(joinTaint()).toBe(CLEAN)
    expect(joinTaint(CLEAN, CLEAN)).toBe(CLEAN)
  })

  for (const [name, value, changes] of [
    ['a text takes it on', A, true],
    ['a list takes it on', list([]), true],
    ['an object takes it on', object('o'), true],
    ['a number does not', number(1), false],
    ['a constant does not', NONE, false],
    ['a reference does not', { kind: 'ref', name: 'x' } as Value, false],
  ] as const)
    test(name, () => expect(has(tainted(value, NET), FROM.network)).toBe(changes))

  test('nothing to add changes nothing', () => expect(tainted(A, CLEAN)).toBe(A))
})

test('pieces joined are the text, whatever the pieces', () => {
  fc.assert(
    fc.property(fc.array(fc.string(), { maxLength: 20 }), (all) => {
      expect(known(part(all, CLEAN))).toBe(all.join(''))
    }),
  )
})
