import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { proves } from '../../../test/proves.ts'
import type { Json, JsonObject } from '../../core/json.ts'
import { prepareSchema } from './schema.ts'

const check = (schema: JsonObject, args: JsonObject, closed = true) => prepareSchema(schema, { closed })?.check(args)

const USER: JsonObject = {
  type: 'object',
  required: ['id'],
  properties: {
    id: { type: 'string', minLength: 1 },
    age: { type: 'integer', minimum: 0, maximum: 150 },
    role: { enum: ['admin', 'user'] },
    tags: { type: 'array', items: { type: 'string' }, maxItems: 3, uniqueItems: true },
    address: {
      type: 'object',
      required: ['zip'],
      properties: { zip: { type: 'string', pattern: '^[0-9]{5}$' } },
      additionalProperties: false,
    },
  },
}

describe('drafts 7 and 2020-12', () => {
  for (const [args, expected] of [
    [{ id: 'a' }, []],
    [{ id: 'a', age: 3, role: 'user', tags: ['x'], address: { zip: '12345' } }, []],
    [{}, ["missing required 'id'"]],
    [{ id: 1 }, ["'id' should be string"]],
    [{ id: null }, ["'id' should be string"]],
    [{ id: { $ne: null } }, ["'id' should be string"]],
    [{ id: '' }, ["'id' must not have fewer than 1 characters"]],
    [{ id: 'a', age: 1.5 }, ["'age' should be integer"]],
    [{ id: 'a', age: -1 }, ["'age' must be >= 0"]],
    [{ id: 'a', age: 'not-a-number' }, ["'age' should be integer"]],
    [{ id: 'a', role: 'root' }, ['\'role\' not in enum ["admin","user"]']],
    [{ id: 'a', tags: ['x', 1] }, ["'tags.1' should be string"]],
    [{ id: 'a', tags: ['x', 'x'] }, ["'tags' must not have duplicate items"]],
    [{ id: 'a', address: {} }, ["missing required 'address.zip'"]],
    [{ id: 'a', address: { zip: '1234' } }, ["'address.zip' must match its pattern"]],
    [{ id: 'a', address: { zip: '12345', lat: 1 } }, ["'address.lat' is not an argument of this tool"]],
    [{ id: 'a', extra: 1 }, ["'extra' is not an argument of this tool"]],
  ] as const) {
    proves('T04', `${JSON.stringify(args)}: ${expected.join('; ') || 'nothing'}`, () => expect(check(USER, args)).toEqual(expected))
  }

  for (const [title, schema, args, expected] of [
    [
      'tuples of draft 7',
      { properties: { p: { items: [{ type: 'number' }, { type: 'string' }], additionalItems: false } } },
      { p: [1, 'a', 2] },
      false,
    ],
    ['tuples of 2020-12', { properties: { p: { prefixItems: [{ type: 'number' }], items: { type: 'string' } } } }, { p: [1, 'a'] }, true],
    [
      'definitions of draft 7',
      { definitions: { id: { type: 'string' } }, properties: { a: { $ref: '#/definitions/id' } } },
      { a: 1 },
      false,
    ],
    ['$defs of 2020-12', { $defs: { id: { type: 'string' } }, properties: { a: { $ref: '#/$defs/id' } } }, { a: 'x' }, true],
    ['a pointer with escapes', { $defs: { 'a/b': { type: 'string' } }, properties: { a: { $ref: '#/$defs/a~1b' } } }, { a: 1 }, false],
    ['dependencies of draft 7', { dependencies: { a: ['b'] } }, { a: 1 }, false],
    ['dependentRequired', { dependentRequired: { a: ['b'] } }, { a: 1, b: 2 }, true],
    [
      'if, then, else',
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      { if: { properties: { mode: { const: 'x' } }, required: ['mode'] }, then: { required: ['key'] } },
      { mode: 'x' },
      false,
    ],
    ['anyOf', { anyOf: [{ required: ['a'] }, { required: ['b'] }] }, { c: 1 }, false],
    ['oneOf', { oneOf: [{ required: ['a'] }, { required: ['b'] }] }, { a: 1, b: 1 }, false],
    ['not', { not: { required: ['a'] } }, { a: 1 }, false],
    ['const', { properties: { a: { const: { x: [1] } } } }, { a: { x: [1] } }, true],
    ['contains', { properties: { a: { contains: { const: 1 }, minContains: 2 } } }, { a: [1, 2] }, false],
    ['multipleOf', { properties: { a: { multipleOf: 0.01 } } }, { a: 0.07 }, true],
    ['several types', { properties: { a: { type: ['string', 'null'] } } }, { a: null }, true],
    ['unevaluatedProperties', { allOf: [{ properties: { a: {} } }], unevaluatedProperties: false }, { a: 1, b: 2 }, false],
    ['plain patterns over names', { patternProperties: { '^x-': { type: 'string' } }, additionalProperties: false }, { 'x-a': 'v' }, true],
    ['plain patterns over names', { patternProperties: { '^x-': { type: 'string' } }, additionalProperties: false }, { y: 'v' }, false],
  ] as const) {
    test(`${title}: ${JSON.stringify(args)} ${expected ? 'fits' : 'does not fit'}`, () => {
      const wrong = check(schema, args)
      expect(Array.isArray(wrong) && wrong.length === 0).toBe(expected)
    })
  }
})

describe('arguments that the schema does not name', () => {
  for (const [title, schema, expected] of [
    ['are wrong where it lists some', { properties: { a: {} } }, 1],
    ['are its own business where it says so', { properties: { a: {} }, additionalProperties: true }, 0],
    ['are judged by it where it says how', { properties: { a: {} }, additionalProperties: { type: 'number' } }, 0],
    ['may come from elsewhere where it is composed', { properties: { a: {} }, allOf: [{ properties: { b: {} } }] }, 0],
    ['are anything where it lists none', { type: 'object' }, 0],
  ] as const) {
    test(title, () => expect(check(schema, { b: 1 })).toHaveLength(expected))
  }

  test('are left alone where the policy says so', () => expect(check({ properties: { a: {} } }, { b: 1 }, false)).toEqual([]))

  test('are found under the names that every object has', () => {
    for (const name of ['constructor', '__proto__', 'toString']) {
      const args = JSON.parse(`{"${name}": 1}`) as JsonObject
      expect(check({ properties: { a: {} } }, args)).toEqual([`'${name}' is not an argument of this tool`])
      expect(check({ required: [name] }, {})).toEqual([`missing required '${name}'`])
    }
  })
})

describe('what is only said for people proves nothing', () => {
  for (const [title, schema, args] of [
    ['a format', { properties: { a: { format: 'email' } } }, { a: 'no mail' }],
    ['one of two formats', { properties: { a: { oneOf: [{ format: 'ipv4' }, { format: 'ipv6' }] } } }, { a: '::1' }],
    ['not a format', { properties: { a: { not: { format: 'email' } } } }, { a: 'x' }],
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    ['if a format', { if: { properties: { a: { format: 'email' } } }, then: { required: ['b'] } }, { a: 'x' }],
    ['a pattern that no linear matcher has', { properties: { a: { pattern: '^(?!x)' } } }, { a: 'x' }],
    ['not such a pattern', { properties: { a: { not: { pattern: '(a)\\1' } } } }, { a: 'x' }],
    ['null for nullable', { properties: { a: { type: 'string', nullable: true, enum: ['x'] } } }, { a: null }],
    ['null as its own default', { properties: { a: { type: 'string', default: null } } }, { a: null }],
  ] as const) {
    test(title, () => expect(check(schema, args)).toEqual([]))
  }
})

/** A schema of `depth` levels, each of which refers twice to the next. */
function doubling(depth: number): JsonObject {
  const $defs: Record<string, Json> = { d0: { type: 'string' } }
  for (let level = 1; level <= depth; level++)
    $defs[`d${level}`] = { allOf: [{ $ref: `#/$defs/d${level - 1}` }, { $ref: `#/$defs/d${level - 1}` }] }
  return { $defs, properties: { a: { $ref: `#/$defs/d${depth}` } } }
}

function nested(depth: number, wrap: (inner: JsonObject) => JsonObject): JsonObject {
  let schema: JsonObject = { type: 'string' }
  for (let level = 0; level < depth; level++) schema = wrap(schema)
  return { properties: { a: schema } }
}

describe('a schema is data of whoever offers the tool', () => {
  for (const [title, schema] of [
    ['references that double', doubling(40)],
    ['a reference to nowhere', { properties: { a: { $ref: '#/$defs/missing' } } }],
    ['a reference outward', { properties: { a: { $ref: 'https://evil.example/schema.json' } } }],
    ['a reference to an anchor', { $defs: { x: { $anchor: 'x' } }, properties: { a: { $ref: '#x' } } }],
    ['another base', { $id: 'https://evil.example/', properties: { a: { $ref: '#/properties/b' }, b: {} } }],
    ['references by the way that led there', { $dynamicRef: '#x' }],
    ['a hundred levels', nested(100, (inner) => ({ properties: { a: inner } }))],
    ['contains in contains', nested(12, (contains) => ({ contains }))],
    ['a pattern over names that could backtrack', { patternProperties: { '(a+)+$': {} } }],
    ['a broken escape', { properties: { a: { $ref: '#/%zz' } } }],
  ] as const) {
    proves('T05', `${title}: not used`, () => expect(prepareSchema(schema, { closed: true })).toBeNull())
  }

  proves('T05', 'patterns are linear', () => {
    const args = { a: `${'a'.repeat(50_000)}!` }
    expect(check({ properties: { a: { pattern: '^(a+)+$' } } }, args)).toEqual(["'a' must match its pattern"])
  })

  proves('T05', 'a schema that leads back to itself without end is not used', () => {
    expect(check({ properties: { a: { $ref: '#/properties/a' } } }, { a: 1 })).toBeNull()
  })

  proves('T05', 'recursion is followed as far as there is data for it, and not beyond the budget', () => {
    const tree: JsonObject = {
      $defs: { node: { type: 'object', properties: { l: { $ref: '#/$defs/node' }, r: { $ref: '#/$defs/node' } } } },
      $ref: '#/$defs/node',
    }
    expect(check(tree, { l: { r: { l: {} } } })).toEqual([])
    expect(check(tree, { l: { r: { l: 1 } } })).not.toEqual([])
    let deep: JsonObject = {}
    for (let level = 0; level < 60; level++) deep = { l: deep }
    expect(check(tree, deep)).toBeNull()
  })

  proves('T05', 'no schema and no argument makes it throw', () => {
    const schema = fc.dictionary(
      fc.constantFrom(
        'type',
        'properties',
        'items',
        'anyOf',
        'oneOf',
        'not',
        '$ref',
        'enum',
        'pattern',
        'required',
        'if',
        'then',
        'contains',
        'format',
      ),
      fc.oneof(
        fc.jsonValue(),
        fc.constantFrom<Json>('#', '#/properties', 'string', 'object', ['a'], { a: { $ref: '#' } }, [{ $ref: '#' }]),
      ),
    )
    fc.assert(
      fc.property(schema, fc.dictionary(fc.string(), fc.jsonValue()), (written, args) => {
        const wrong = check(written as JsonObject, args as JsonObject)
        expect(wrong == null || Array.isArray(wrong)).toBe(true)
      }),
      { numRuns: 300 },
    )
  })
})
