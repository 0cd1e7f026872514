/** Contracts against a second reading of their grammar, and against JSON Schema where both can say the same. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Json, JsonObject } from '../../src/core/json.ts'
import { readCatalogue } from '../../src/policy/contracts/catalogue.ts'
import { evaluateContract } from '../../src/policy/contracts/evaluate.ts'
import { inputOf } from '../../src/policy/contracts/input.ts'
import { mintContracts } from '../../src/policy/contracts/mint/mint.ts'
import type { Contract } from '../../src/policy/contracts/model.ts'
import { prepareSchema } from '../../src/policy/contracts/schema.ts'
import { proves } from '../proves.ts'
import { referenceViolates } from '../reference/contracts.ts'

/** The drawn cases are the same on every run; a longer hunt needs another number and another seed. */
const RUNS = 1_500
const NAMES = ['a', 'b', 'c', 'constructor'] as const
const name = fc.constantFrom(...NAMES)
const names = fc.uniqueArray(name, { minLength: 1, maxLength: 3 })
const scalar = fc.oneof(
  fc.integer({ min: -2, max: 3 }),
  fc.constantFrom<Json>(0.1, 0.2, 0.3, 0.30000000000000004, '1', '2.0', ' 3 ', '', 'x', 'ACGT', true, null),
)
const value: fc.Arbitrary<Json> = fc.oneof(
  scalar,
  fc.array(scalar, { maxLength: 3 }),
  fc.dictionary(fc.constantFrom('x', 'y'), scalar, { maxKeys: 2 }),
)
const args = fc.dictionary(name, value, { maxKeys: 4 })
const operand: fc.Arbitrary<Json> = fc.oneof(
  name,
  fc.integer({ min: -2, max: 3 }),
  fc.array(scalar, { maxLength: 3 }),
  value.map((each) => ({ value: each })),
  name.map((each) => ({ field: each })),
  name.map((each) => ({ len: each })),
  fc.constantFrom('free', 'limit', 'none').map((each) => ({ state: each })),
  fc.array(scalar, { maxLength: 3 }).map((each) => ({ enum: each })),
)
const op = fc.constantFrom('lt', 'le', 'gt', 'ge', 'eq', 'ne')
const when = fc.oneof(
  fc.record({ field: name }),
  fc.record({ field: name, equals: value }),
  fc.record({ field: name, in: fc.array(scalar, { maxLength: 3 }) }),
)
const constraint: fc.Arbitrary<JsonObject> = fc.oneof(
  fc.record({ kind: fc.constant('cmp'), op, left: operand, right: operand }),
  fc.record({ kind: fc.constant('sum'), op, of: fc.oneof(name, names), vs: operand }),
  fc.record({ kind: fc.constant('sum'), of: name, vs: operand }),
  fc.record({ kind: fc.constant('present'), fields: names, count: fc.integer({ min: 0, max: 3 }) }),
  fc.record({ kind: fc.constant('requires'), when, require: names }),
  fc.record({ kind: fc.constant('distinct'), fields: names }),
  fc.record({ kind: fc.constant('member'), field: name, in: operand }),
  fc.record({
    kind: fc.constant('char_at'),
    string: name,
    index: operand,
    equals: fc.constantFrom('a', { value: 'C' }, { value: 'GT' }),
    offset: fc.integer({ min: -2, max: 2 }),
  }),
) as fc.Arbitrary<JsonObject>

const STATE: JsonObject = { free: ['1', 2, 'x'], limit: 2 }

function compiled(draft: JsonObject): Contract {
  const { contracts, errors } = readCatalogue(JSON.stringify({ t: draft }), 'drawn.json', 'advisory')
  const [contract] = contracts
  if (contract === undefined || errors.length > 0)
    throw new Error(`${JSON.stringify(draft)}: ${errors.map((error) => error.message).join('; ')}`)
  return contract
}

const violations = (draft: JsonObject, given: JsonObject) => {
  const contract = compiled(draft)
  return evaluateContract(contract, inputOf({ args: given, contract })).violations
}

describe('the seven relations', () => {
  proves(
    ['ROS-12', 'ROS-13', 'ROS-14', 'ROS-15', 'ROS-16', 'ROS-17', 'ROS-18', 'ROS-19', 'ROS-20', 'ROS-21', 'ROS-22', 'ROS-23'],
    'prove what a second reading of their description proves, and nothing else',
    () => {
      fc.assert(
        fc.property(constraint, args, (drawn, given) => {
          const found = violations({ constraints: [drawn], state: STATE }, given as JsonObject).length > 0
          expect(found).toBe(referenceViolates(drawn, given, STATE))
        }),
        { numRuns: RUNS, seed: 1 },
      )
    },
  )

  test('say the same of many constraints as of each alone, in any order', () => {
    fc.assert(
      fc.property(fc.array(constraint, { maxLength: 6 }), args, (drawn, given) => {
        const texts = (constraints: readonly JsonObject[]) =>
          violations({ constraints, state: STATE }, given as JsonObject)
            .map((violation) => violation.text)
            .toSorted()
        expect(texts(drawn)).toEqual(drawn.flatMap((each) => texts([each])).toSorted())
        expect(texts(drawn.toReversed())).toEqual(texts(drawn))
      }),
      { numRuns: 200, seed: 2 },
    )
  })

  test('hear nothing of arguments that they do not name', () => {
    fc.assert(
      fc.property(constraint, args, value, (drawn, given, extra) => {
        const of = (more: JsonObject) => violations({ constraints: [drawn], state: STATE }, { ...(given as JsonObject), ...more }).length
        expect(of({ other: extra })).toBe(of({}))
      }),
      { numRuns: 200, seed: 2 },
    )
  })
})

const leaf: fc.Arbitrary<JsonObject> = fc.oneof(
  fc.constant({ type: 'string' }),
  fc.constant({ type: 'boolean' }),
  fc.record({ type: fc.constant('string'), minLength: fc.integer({ min: 0, max: 1 }), maxLength: fc.integer({ min: 1, max: 4 }) }),
  fc.record({
    type: fc.constantFrom('integer', 'number'),
    minimum: fc.integer({ min: -2, max: 1 }),
    maximum: fc.integer({ min: 1, max: 3 }),
  }),
  fc.record({ enum: fc.array(scalar, { minLength: 1, maxLength: 4 }) }),
  fc.record({ type: fc.constant(['string', 'null']) }),
  fc.record({ type: fc.constant('string'), pattern: fc.constantFrom('^A', 'T$', '^[0-9]+$') }),
) as fc.Arbitrary<JsonObject>
const property: fc.Arbitrary<JsonObject> = fc.oneof(
  leaf,
  fc.record({
    type: fc.constant('array'),
    items: leaf,
    minItems: fc.integer({ min: 0, max: 1 }),
    maxItems: fc.integer({ min: 1, max: 3 }),
  }),
  fc.record({
    type: fc.constant('object'),
    properties: fc.dictionary(fc.constantFrom('x', 'y'), leaf),
    required: fc.constantFrom<Json>([], ['x']),
  }),
) as fc.Arbitrary<JsonObject>
const schema = fc.record({
  type: fc.constant('object'),
  properties: fc.dictionary(name, property, { maxKeys: 4 }),
  required: fc.subarray([...NAMES]),
})

/** Both sides read a schema's requirement only where it lists the property. */
function listed(drawn: JsonObject): JsonObject {
  const properties = drawn.properties as JsonObject
  return { ...drawn, required: (drawn.required as readonly string[]).filter((each) => Object.hasOwn(properties, each)) }
}

function wellFormed(drawn: JsonObject): JsonObject {
  const properties: Record<string, Json> = Object.create(null)
  for (const [key, each] of Object.entries(drawn.properties as JsonObject)) {
    const inner = (each as JsonObject).properties === undefined ? (each as JsonObject) : listed(each as JsonObject)
    properties[key] = inner
  }
  return listed({ ...drawn, properties })
}

describe('the schema floor', () => {
  proves('T04', 'finds with minted parameters what the schema itself finds', () => {
    fc.assert(
      fc.property(schema, args, (drawn, given) => {
        // The floor takes numbers within 1e-9 for equal, JSON Schema does not.
        fc.pre(!JSON.stringify([drawn, given]).includes('0.30000000000000004'))
        const written = wellFormed(drawn as JsonObject)
        const { catalogue } = mintContracts([{ tool: 't', description: null, schema: written, examples: [] }])
        const bySchema = prepareSchema(written, { closed: false })?.check(given as JsonObject)
        const byFloor = catalogue.t === undefined ? [] : violations(catalogue.t as JsonObject, given as JsonObject)
        expect(byFloor.length > 0).toBe(bySchema !== null && bySchema !== undefined && bySchema.length > 0)
      }),
      { numRuns: 300, seed: 3 },
    )
  })
})
