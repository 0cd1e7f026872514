import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../core/json.ts'
import { MAX_VIOLATIONS, schemaFloor } from './floor.ts'
import { contractOf } from './testing.ts'

/** `rung: text` of every violation of the parameters. */
const floor = (params: string, args: JsonObject, more = '') => {
  const contract = contractOf(`params: [${params}]${more}`)
  return schemaFloor(args, contract.params, contract.closed).map(({ rung, text }) => `${rung}: ${text}`)
}

describe('types', () => {
  for (const [type, value, fits] of [
    ['string', 'x', true],
    ['string', 1, false],
    ['string', null, false],
    ['integer', 1, true],
    ['integer', 1.5, false],
    ['integer', '1', false],
    ['number', 1.5, true],
    ['number', '1.5', false],
    ['boolean', false, true],
    ['boolean', 'false', false],
    ['boolean', 0, false],
    ['array', [], true],
    ['array', {}, false],
    ['object', {}, true],
    ['object', [], false],
    ['object', null, false],
    ['null', null, true],
    ['null', 0, false],
    ['[string, "null"]', null, true],
    ['[string, integer]', 1, true],
    ['[string, integer]', 1.5, false],
    // A type that the grammar does not have is ignored, and the linter says so.
    ['decimal', {}, true],
  ] as const) {
    test(`${type}: ${JSON.stringify(value)} ${fits ? 'fits' : 'does not fit'}`, () =>
      expect(floor(`{ name: a, type: ${type.replace(/^null$/, '"null"')} }`, { a: value }).length === 0).toBe(fits))
  }
})

describe('presence, values and bounds', () => {
  for (const [param, args, expected] of [
    ['name: a, required: true', {}, ["L2: missing required 'a'"]],
    ['name: a, required: true', { a: null }, []],
    ['name: a, required: true, type: string', { a: null }, ["L1: 'a' should be string"]],
    ['name: a', {}, []],
    ['name: a, enum: [x, 1, null]', { a: 'x' }, []],
    ['name: a, enum: [x, 1, null]', { a: null }, []],
    ['name: a, enum: [x, 1, null]', { a: '1' }, ['L3: \'a\' not in enum ["x",1,null]']],
    ['name: a, enum: [{ k: [1] }]', { a: { k: [1] } }, []],
    ['name: a, max: 5', { a: 6 }, ["L3: 'a' exceeds max 5"]],
    ['name: a, max: 5', { a: 5 }, []],
    ['name: a, max: 5', { a: '6' }, []],
    ['name: a, min: 0', { a: -0.1 }, ["L3: 'a' is below min 0"]],
    ['name: a, min_length: 2, max_length: 3', { a: 'é' }, ["L3: 'a' length is below min 2"]],
    ['name: a, min_length: 2, max_length: 3', { a: '😀😀😀' }, []],
    ['name: a, min_length: 2, max_length: 3', { a: 'abcd' }, ["L3: 'a' length exceeds max 3"]],
    ['name: a, min_items: 1', { a: [] }, ["L3: 'a' number of items is below min 1"]],
    ['name: a, max_items: 1', { a: [1, 2] }, ["L3: 'a' number of items exceeds max 1"]],
    ['name: a, pattern: "^[a-z]+$"', { a: 'abc' }, []],
    ['name: a, pattern: "^[a-z]+$"', { a: 'aBc' }, ["L3: 'a' does not match ^[a-z]+$"]],
    ['name: a, pattern: "b"', { a: 'abc' }, []],
    ['name: a, format: date', { a: '2026-02-30' }, ["L3: 'a' is not a date"]],
    ['name: a, format: date', { a: '2026-02-28' }, []],
    ['name: a, format: date-time', { a: '2026-02-28T10:00:00' }, ["L3: 'a' is not a date-time"]],
    ['name: a, format: date-time', { a: '2026-02-28T10:00:00Z' }, []],
    ['name: a, format: currency', { a: 'EUR' }, []],
    ['name: a, format: currency', { a: 'euro' }, ["L3: 'a' is not a currency"]],
    ['name: a, type: string, enum: [x]', { a: 1 }, ["L1: 'a' should be string"]],
    ['name: a.b, required: true', { a: { b: 1 } }, ["L2: missing required 'a.b'"]],
    ['name: a.b, required: true', { 'a.b': 1 }, []],
  ] as const) {
    test(`{ ${param} } on ${JSON.stringify(args)}`, () => expect(floor(`{ ${param} }`, args)).toEqual(expected))
  }
})

describe('nested fields', () => {
  const ORDER =
    '{ name: order, type: object, fields: [{ name: id, required: true, type: string }, { name: lines, type: array, items: { type: object, fields: [{ name: price, required: true, type: number, min: 0 }] } }] }'
  for (const [order, expected] of [
    [{ id: 'a' }, []],
    [{ id: 'a', lines: [{ price: 1 }, { price: 0 }] }, []],
    [{}, ["L2: missing required 'order.id'"]],
    [{ id: 'a', lines: [{ price: 1 }, {}] }, ["L2: missing required 'order.lines[1].price'"]],
    [{ id: 'a', lines: [{ price: -1 }] }, ["L3: 'order.lines[0].price' is below min 0"]],
    [{ id: 'a', lines: ['x'] }, ["L1: 'order.lines[0]' should be object"]],
    [{ id: 1, lines: {} }, ["L1: 'order.id' should be string", "L1: 'order.lines' should be array"]],
  ] as const) {
    test(JSON.stringify(order), () => expect(floor(ORDER, { order })).toEqual(expected))
  }
})

test('a closed contract knows its arguments', () => {
  expect(floor('{ name: a }', { a: 1, b: 2 }, ', closed: true')).toEqual(["L2: 'b' is not an argument of this tool"])
  expect(floor('{ name: a }', { a: 1, b: 2 })).toEqual([])
})

test('a call that is wrong all over is reported in bounds', () => {
  const lines = Array.from({ length: 10_000 }, () => 'x')
  expect(floor('{ name: a, type: array, items: { type: number } }', { a: lines })).toHaveLength(MAX_VIOLATIONS)
})
