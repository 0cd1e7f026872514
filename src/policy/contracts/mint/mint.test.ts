import { describe, expect, test } from 'vitest'
import { proves } from '../../../../test/proves.ts'
import type { JsonObject } from '../../../core/json.ts'
import { readCatalogue } from '../catalogue.ts'
import { evaluateContract } from '../evaluate.ts'
import { inputOf } from '../input.ts'
import { type Evidence, mintContracts } from './mint.ts'

const evidence = (examples: readonly JsonObject[], schema: JsonObject | null = null): Evidence => ({
  tool: 't',
  description: null,
  schema,
  examples,
})
const times = (count: number, make: (index: number) => JsonObject) => Array.from({ length: count }, (_, index) => make(index))

/** Parameters and constraints of the proposal, and what was dropped. */
function mint(examples: readonly JsonObject[], schema: JsonObject | null = null) {
  const { catalogue, dropped } = mintContracts([evidence(examples, schema)])
  const draft = (catalogue.t ?? { params: [], constraints: [] }) as { params: JsonObject[]; constraints: JsonObject[] }
  return { ...draft, dropped: dropped.map(({ what, why }) => `${what}: ${why}`) }
}

describe('parameters', () => {
  for (const [title, schema, examples, expected] of [
    ['required ones', { required: ['a'], properties: { a: { type: 'string' } } }, [], [{ name: 'a', required: true, type: 'string' }]],
    ['bounds', { properties: { a: { type: 'integer', minimum: 1, maximum: 9 } } }, [], [{ name: 'a', type: 'integer', min: 1, max: 9 }]],
    [
      'texts',
      { properties: { a: { minLength: 1, maxLength: 9, pattern: '^x' } } },
      [],
      [{ name: 'a', min_length: 1, max_length: 9, pattern: '^x' }],
    ],
    [
      'nullable ones',
      { properties: { a: { type: 'string', nullable: true, enum: ['x'] } } },
      [],
      [{ name: 'a', type: ['string', 'null'], enum: ['x', null] }],
    ],
    [
      'lists',
      { properties: { a: { type: 'array', minItems: 1, items: { type: 'string' } } } },
      [],
      [{ name: 'a', type: 'array', min_items: 1, items: { type: 'string' } }],
    ],
    [
      'objects',
      { properties: { a: { type: 'object', required: ['b'], properties: { b: {} } } } },
      [],
      [{ name: 'a', type: 'object', fields: [{ name: 'b', required: true }] }],
    ],
    [
      'combinations are left to the schema',
      { properties: { a: { anyOf: [{ type: 'string' }, { type: 'number' }] } } },
      [],
      [{ name: 'a' }],
    ],
    ['a pattern that cannot be compiled', { properties: { a: { pattern: '(?=x)' } } }, [], [{ name: 'a' }]],
    [
      'none of what flags a right call',
      { properties: { a: { type: 'string', enum: ['x'] } } },
      [{ a: 'X' }],
      [{ name: 'a', type: 'string' }],
    ],
    ['none of what few calls have', null, times(3, () => ({ a: 1 })), []],
    [
      'what every call has',
      null,
      times(9, (index) => (index === 0 ? { a: 'x' } : { a: 'x', b: index })),
      [
        { name: 'a', required: true, type: 'string' },
        { name: 'b', type: 'number' },
      ],
    ],
  ] as const) {
    test(`${title}: ${JSON.stringify(expected)}`, () => expect(mint(examples, schema).params).toEqual(expected))
  }
})

describe('relations', () => {
  for (const [title, examples, expected] of [
    [
      'pairs of lists',
      times(10, (i) => ({ ids: Array(i).fill('a'), names: Array(i).fill('b') })),
      [{ kind: 'cmp', op: 'eq', left: { len: 'ids' }, right: { len: 'names' } }],
    ],
    [
      'pairs of lists of one length prove nothing',
      times(10, () => ({ ids: ['a'], names: ['b'] })).map((args) => ({ ...args, ids: [] })),
      [{ kind: 'cmp', op: 'ge', left: { len: 'names' }, right: 1 }],
    ],
    ['what counts', times(10, (i) => ({ limit: i })), [{ kind: 'cmp', op: 'ge', left: 'limit', right: 0 }]],
    ['what counts from one', times(10, (i) => ({ page_size: i + 1 })), [{ kind: 'cmp', op: 'ge', left: 'page_size', right: 1 }]],
    ['what may be negative', times(10, (i) => ({ offset: i - 5 })), []],
    ['what does not count', times(10, (i) => ({ temperature: i })), []],
    [
      'order of numbers',
      times(10, (i) => ({ min_price: i, max_price: i + 5 })),
      [{ kind: 'cmp', op: 'le', left: 'min_price', right: 'max_price' }],
    ],
    [
      'order of days',
      times(10, (i) => ({ startDate: `2026-01-0${(i % 9) + 1}`, endDate: '2026-02-01' })),
      [{ kind: 'cmp', op: 'le', left: { date: 'startDate' }, right: { date: 'endDate' } }],
    ],
    ['order of what is no date', times(10, (i) => ({ start: `day ${i}`, end: 'later' })), []],
    [
      'what differs',
      times(10, (i) => ({ source_account: `a${i}`, target_account: `b${i}` })),
      [{ kind: 'distinct', fields: ['source_account', 'target_account'] }],
    ],
    [
      'one of two',
      times(20, (i) => (i % 2 === 0 ? { url: 'u' } : { file: 'f' })),
      [{ kind: 'present', fields: ['url', 'file'], count: 1 }],
    ],
    [
      'what a mode needs',
      times(30, (i) => (i % 3 === 0 ? { mode: 'tls', ca: '/ca' } : { mode: 'none' })),
      [{ kind: 'requires', when: { field: 'mode', equals: 'tls' }, require: ['ca'] }],
    ],
    ['nothing of too few calls', times(5, (i) => ({ min: i, max: i })), []],
  ] as const) {
    test(`${title}`, () => expect(mint(examples).constraints).toEqual(expected))
  }

  proves('ROS-W10', 'one right call is enough to drop a relation, and the report shows the call', () => {
    const examples = [...times(100, (i) => ({ from: `a${i}`, to: `b${i}` })), { from: 'x', to: 'x' }]
    const { constraints, dropped } = mint(examples)
    expect(constraints).toEqual([])
    expect(dropped).toContain('{"kind":"distinct","fields":["from","to"]}: it flags {"from":"x","to":"x"}')
  })
})

test('a proposal loads as it is, and flags none of the calls it was made from', () => {
  const schema: JsonObject = {
    properties: { mode: { type: 'string', enum: ['a', 'b'] }, limit: { type: 'integer', maximum: 50 } },
    required: ['mode'],
  }
  const examples = times(40, (i) => (i % 2 === 0 ? { mode: 'a', limit: i, key: 'k' } : { mode: 'b', limit: i + 20 }))
  const { catalogue } = mintContracts([evidence(examples, schema)])
  const { contracts, errors } = readCatalogue(JSON.stringify(catalogue), 'minted.json', 'hard')
  expect(errors).toEqual([])
  expect(contracts[0]?.constraints.length).toBeGreaterThan(0)
  for (const contract of contracts)
    for (const args of examples) expect(evaluateContract(contract, inputOf({ args, contract })).violations).toEqual([])
})

test('a tool of which nothing can be said is left out', () => {
  expect(mintContracts([evidence([])]).catalogue).toEqual({})
})
