import { describe, expect, test } from 'vitest'
import { describeContract, describeRelation } from './describe.ts'
import { contractOf } from './testing.ts'

describe('relations in words', () => {
  for (const [constraint, expected] of [
    ['kind: cmp, op: le, left: n, right: { len: xs }', 'n le len(xs)'],
    ['kind: sum, op: le, of: [a, b], vs: 10', 'sum(a + b) le 10'],
    ['kind: sum, of: xs, vs: { state: total }', 'sum(xs) eq state.total'],
    ['kind: present, fields: [a, b]', 'exactly 1 of [a, b] present'],
    ['kind: requires, when: { field: m, equals: x }, require: [a, b]', 'm="x" requires [a, b]'],
    ['kind: requires, when: { field: m, in: [x, y] }, require: [a]', 'm in ["x","y"] requires [a]'],
    ['kind: requires, when: { field: m }, require: [a]', 'm requires [a]'],
    ['kind: distinct, fields: [a, b]', '[a, b] distinct'],
    ['kind: member, field: a, in: { keys: { state: s, of: b, path: c } }', 'a in keys(state.s[b].c)'],
    ['kind: char_at, string: s, index: p, offset: -1, equals: { value: A }', 's[p + -1] is "A"'],
    ['kind: matches, field: a, pattern: "^x"', 'a matches ^x'],
    ['kind: subset, of: a, in: b', 'every one of a in b'],
    ['kind: unique, of: a', 'a is unique'],
    ['kind: known, of: { state: s }', 'state.s is known'],
    ['kind: unknown, of: { state: s }', 'state.s is unknown'],
    ['kind: any, relations: [{ kind: known, of: a }, { kind: known, of: b }]', 'a is known, or b is known'],
    ['kind: cel, holds: "args.a >\\n 1.0"', 'args.a > 1.0'],
    ['kind: cmp, op: le, left: { sub: [{ now: true }, { date: a }] }, right: { duration: 1d }', '(now - date(a)) le 86400000'],
    ['kind: cmp, op: le, left: { money: { amount: a, currency: { value: EUR } } }, right: 5', 'a EUR le 5'],
  ] as const) {
    test(expected, () =>
      expect(contractOf(`constraints: [{ ${constraint} }]`).constraints.map((each) => describeRelation(each.relation))).toEqual([expected]),
    )
  }
})

test('a whole contract', () => {
  const text = `enforcement: hard, closed: true,
    params: [{ name: a, type: string, required: true }, { name: n, min: 1, max: 5 }, { name: m, enum: [x] }, { name: z }],
    constraints: [{ kind: known, of: a, enforcement: soft, reason: why, if: has(args.a) }]`
  expect(describeContract(contractOf(text))).toEqual([
    't (hard), contracts.yaml:1',
    '  arguments (no others): a (string, required), n (at least 1, at most 5), m (one of ["x"]), z',
    '  known[0] (soft): a is known, under a condition: why',
  ])
  expect(describeContract(contractOf('constraints: []'))).toEqual(['t (advisory), contracts.yaml:1'])
})
