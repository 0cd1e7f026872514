import { describe, expect, test } from 'vitest'
import { proves } from '../../../test/proves.ts'
import type { JsonObject } from '../../core/json.ts'
import { costOf } from './schema-cost.ts'

const STRING: JsonObject = { type: 'string' }

describe('how much work a schema can be', () => {
  for (const [title, schema, expected] of [
    ['nothing', {}, { steps: 1, branching: 1 }],
    ['one property', { properties: { a: STRING } }, { steps: 2, branching: 1 }],
    ['several branches', { anyOf: [STRING, STRING, true] }, { steps: 4, branching: 1 }],
    ['items', { items: STRING }, { steps: 2, branching: 1 }],
    ['a tuple', { items: [STRING, STRING] }, { steps: 3, branching: 1 }],
    ['contains is evaluated for its bounds again', { contains: STRING }, { steps: 4, branching: 1 }],
    ['a reference costs what it leads to', { $defs: { a: { anyOf: [STRING, STRING] } }, $ref: '#/$defs/a' }, { steps: 4, branching: 1 }],
    ['definitions alone cost nothing', { $defs: { a: { anyOf: [STRING, STRING] } } }, { steps: 1, branching: 1 }],
    ['required dependencies are no schemas', { dependencies: { a: ['b'] } }, { steps: 2, branching: 1 }],
    ['a list that leads to itself', { properties: { next: { $ref: '#' } } }, { steps: 3, branching: 1 }],
    ['a tree that leads to itself', { properties: { l: { $ref: '#' }, r: { $ref: '#' } } }, { steps: 5, branching: 2 }],
  ] as const) {
    test(`${title}: ${JSON.stringify(expected)}`, () => expect(costOf(schema)).toEqual(expected))
  }

  for (const [title, schema] of [
    ['a pointer to a text', { $ref: '#/type', type: 'string' }],
    ['a pointer beyond a list', { anyOf: [STRING], $ref: '#/anyOf/7' }],
    ['a pointer to an inherited key', { $ref: '#/constructor' }],
    ['a relative reference', { $ref: 'other.json' }],
    ['a reference that is no text', { $ref: 7 }],
    ['a dynamic reference', { $dynamicRef: '#a' }],
    ['a recursive reference of 2019', { $recursiveRef: '#' }],
  ] as const) {
    proves('T05', `${title}: not used`, () => expect(costOf(schema)).toBeNull())
  }
})
