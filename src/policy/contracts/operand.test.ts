import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Json } from '../../core/json.ts'
import type { Operand } from './model.ts'
import { Money } from './money.ts'
import { equal, label, readsState, resolve, show, toNumber, type Value, whole } from './operand.ts'
import { contractOf } from './testing.ts'

/** The operand as it is written in a file. */
function operand(text: string): Operand {
  const [constraint] = contractOf(`constraints: [{ kind: known, of: ${text} }]`).constraints
  if (constraint?.relation.kind !== 'known') throw new Error('no operand')
  return constraint.relation.of
}

const ARGS = {
  n: 2,
  s: 'text',
  list: [3, 1, 2],
  object: { x: 1, y: '2' },
  prices: ['1 EUR', '2 EUR'],
  mixed: [1, 'x'],
  day: '2026-01-02',
  none: null,
}
const STATE = new Map<string, Json | ReadonlyMap<string, Json>>([
  ['one', { a: { b: 1 } }],
  [
    'table',
    new Map<string, Json>([
      ['k', { v: [1, 2] }],
      ['2', 'two'],
    ]),
  ],
])
const input = { args: ARGS, now: 1_000, state: (key: string) => STATE.get(key), failed: new Set<string>(), condition: () => ({}) }
const plain = (value: Value | undefined) => (value instanceof Money ? value.toString() : value)

describe('what an operand resolves to', () => {
  for (const [text, expected] of [
    ['n', 2],
    ['none', null],
    ['nothing', undefined],
    ['7', 7],
    ['true', true],
    ['[1, a]', [1, 'a']],
    ['{ value: n }', 'n'],
    ['{ value: null }', null],
    ['{ enum: [a, b] }', ['a', 'b']],
    ['{ field: s }', 'text'],
    ['object.x', 1],
    ['{ len: list }', 3],
    ['{ len: object }', 2],
    ['{ len: s }', undefined],
    ['{ len: nothing }', undefined],
    ['{ chars: s }', 4],
    ['{ chars: list }', undefined],
    ['{ sum: list }', 6],
    ['{ sum: object }', 3],
    ['{ sum: prices }', '3 EUR'],
    ['{ sum: mixed }', undefined],
    ['{ sum: s }', undefined],
    ['{ count: list }', 3],
    ['{ min: list }', 1],
    ['{ max: list }', 3],
    ['{ max: mixed }', undefined],
    ['{ keys: object }', ['x', 'y']],
    ['{ keys: list }', undefined],
    ['{ values: object }', [1, '2']],
    ['{ date: day }', Date.UTC(2026, 0, 2)],
    ['{ date: s }', undefined],
    ['{ date: n }', undefined],
    ['{ now: true }', 1_000],
    ['{ duration: 2s }', 2_000],
    ['{ add: [n, 1, n] }', 5],
    ['{ sub: [n, 1] }', 1],
    ['{ mul: [n, { len: list }] }', 6],
    ['{ add: [n, s] }', undefined],
    ['{ add: [n, nothing] }', undefined],
    ['{ money: { amount: n, currency: { value: eur } } }', '2 EUR'],
    ['{ money: { amount: s, currency: { value: eur } } }', undefined],
    ['{ add: [{ money: { amount: n, currency: { value: EUR } } }, { money: { amount: n, currency: { value: EUR } } }] }', '4 EUR'],
    ['{ mul: [{ money: { amount: n, currency: { value: EUR } } }, n] }', undefined],
    ['{ state: one }', { a: { b: 1 } }],
    ['{ state: one, path: a.b }', 1],
    ['{ state: one, of: { value: a } }', { b: 1 }],
    ['{ state: one, of: { value: a }, path: b }', 1],
    ['{ state: table, of: { value: k }, path: "v[*]" }', [1, 2]],
    ['{ state: table, of: n }', 'two'],
    [
      '{ state: table, of: [k, k], path: v }',
      [
        [1, 2],
        [1, 2],
      ],
    ],
    ['{ state: table, of: [k, z] }', undefined],
    ['{ state: table, of: none }', undefined],
    ['{ state: table, of: object }', undefined],
    ['{ state: missing }', undefined],
    ['{ keys: { state: table } }', ['2', 'k']],
  ] as const) {
    test(`${text}: ${JSON.stringify(expected)}`, () => expect(plain(resolve(operand(text), input))).toEqual(expected))
  }
})

describe('how it is called, and whether it is for the agent', () => {
  for (const [text, expected, secret] of [
    ['limit', 'limit', false],
    ['{ value: a }', '"a"', false],
    ['{ len: docs }', 'len(docs)', false],
    ['{ state: order, of: id, path: status }', 'state.order[id].status', true],
    ['{ keys: { state: order } }', 'keys(state.order)', true],
    ['{ add: [a, { state: b }] }', '(a + state.b)', true],
    ['{ mul: [a, 2] }', '(a * 2)', false],
    ['{ money: { amount: a, currency: { value: EUR } } }', 'a EUR', false],
    ['{ money: { amount: { state: a }, currency: c } }', 'state.a c', true],
    ['{ now: true }', 'now', false],
  ] as const) {
    test(`${text}: ${expected}`, () => expect([label(operand(text)), readsState(operand(text))]).toEqual([expected, secret]))
  }
})

describe('numbers', () => {
  for (const [value, expected] of [
    [1.5, 1.5],
    ['1.5', 1.5],
    [' 3 ', 3],
    ['1e3', 1_000],
    ['', Number.NaN],
    ['  ', Number.NaN],
    ['x', Number.NaN],
    ['1,5', Number.NaN],
    [true, Number.NaN],
    [null, Number.NaN],
    [[1], Number.NaN],
    [undefined, Number.NaN],
    ['9'.repeat(100), Number.NaN],
  ] as const) {
    test(`${JSON.stringify(value)}: ${expected}`, () => expect(toNumber(value)).toBe(expected))
  }
})

describe('equality', () => {
  test('is that of JSON values, whatever the order of keys', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
        const [x, y] = [a as Json, b as Json]
        expect(equal(x, JSON.parse(JSON.stringify(x)) as Json)).toBe(true)
        expect(equal(x, y)).toBe(equal(y, x))
      }),
      { seed: 1, numRuns: 200 },
    )
    expect(equal({ a: 1, b: [2] }, { b: [2], a: 1 })).toBe(true)
    expect(equal([1, 2], { 0: 1, 1: 2 })).toBe(false)
    expect(equal({ a: 1 }, { b: 1 })).toBe(false)
    expect(equal(JSON.parse('{"constructor": 1}') as Json, {})).toBe(false)
  })
})

test('a value in a message is JSON, and cut', () => {
  expect(show('x')).toBe('"x"')
  expect(show(undefined)).toBe('nothing')
  expect(show('x'.repeat(500))).toHaveLength(121)
})

test('a table as an object has no inherited keys', () => {
  const object = whole(new Map([['__proto__', 1]])) as object
  expect([Object.getPrototypeOf(object), Object.keys(object)]).toEqual([null, ['__proto__']])
})
