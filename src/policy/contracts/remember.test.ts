import { describe, expect, test } from 'vitest'
import type { Json, JsonObject } from '../../core/json.ts'
import { errorsOf, policy } from '../testing/compiled.ts'
import type { StateValue } from './operand.ts'
import { type Returned, remember } from './remember.ts'

const tablesOf = (state: string) => policy(`contracts:\n  state:\n${state}`).contracts.tables
const returned = (tool: string, result: Json, args: JsonObject = {}, server: string | null = null): Returned => ({
  server,
  tool,
  args,
  result,
})
const NOTHING: ReadonlyMap<string, StateValue> = new Map()

/** What the tables hold after these results, as plain data. */
function learnt(state: string, ...results: readonly Returned[]): Readonly<Record<string, unknown>> {
  const tables = tablesOf(state)
  const known = results.reduce((before, each) => remember(before, tables, each), NOTHING)
  return Object.fromEntries([...known].map(([name, value]) => [name, value instanceof Map ? Object.fromEntries(value) : value]))
}

const ORDER = {
  id: 'o1',
  status: 'pending',
  items: [
    { id: 'a', product: 'p' },
    { id: 'b', product: 'q' },
  ],
}

describe('what is kept', () => {
  for (const [title, state, results, expected] of [
    ['the whole result', '    user: [{ tools: [find] }]', [returned('find', 'u1')], { user: 'u1' }],
    ['a part of it', '    who: [{ tools: [find], value: result.user.id }]', [returned('find', { user: { id: 7 } })], { who: 7 }],
    ['JSON in text', '    who: [{ tools: [find], value: result.id }]', [returned('find', '{"id": "x"}')], { who: 'x' }],
    ['broken JSON as text', '    who: [{ tools: [find] }]', [returned('find', '{"id": ')], { who: '{"id": ' }],
    [
      'the structured content of MCP',
      '    who: [{ tools: [find], value: result.id }]',
      [returned('find', { structuredContent: { id: 1 }, content: [] })],
      { who: 1 },
    ],
    [
      'the one text of MCP',
      '    who: [{ tools: [find], value: result.id }]',
      [returned('find', { content: [{ type: 'text', text: '{"id":2}' }] })],
      { who: 2 },
    ],
    [
      'content blocks alone',
      '    who: [{ tools: [find], value: result.id }]',
      [returned('find', [{ type: 'text', text: '{"id":3}' }])],
      { who: 3 },
    ],
    [
      'nothing of a failure',
      '    who: [{ tools: [find], value: result }]',
      [returned('find', { isError: true, content: [{ type: 'text', text: 'no' }] })],
      {},
    ],
    ['nothing of other tools', '    who: [{ tools: [find] }]', [returned('search', 'u1')], {}],
    ['nothing where the part is not there', '    who: [{ tools: [find], value: result.id }]', [returned('find', 'error')], {}],
    ['an argument', '    last: [{ tools: [open], value: args.path }]', [returned('open', null, { path: '/a' })], { last: '/a' }],
    [
      'what the policy says',
      '    done: [{ tools: [pay], key: args.id, value: { value: true } }]',
      [returned('pay', 'ok', { id: 'o1' })],
      { done: { o1: true } },
    ],
    ['text that matches', "    user: [{ tools: [find], matches: '^u' }]", [returned('find', 'Error: not found')], {}],
    ['text that matches', "    user: [{ tools: [find], matches: '^u' }]", [returned('find', 'u1')], { user: 'u1' }],
    ['only text where a pattern asks', "    user: [{ tools: [find], matches: '1' }]", [returned('find', 1)], {}],
    [
      'entries by key',
      '    order: [{ tools: [get], key: result.id, value: result.status }]',
      [returned('get', ORDER), returned('get', { id: 2, status: 'new' })],
      { order: { o1: 'pending', 2: 'new' } },
    ],
    [
      'the newest of a key',
      '    order: [{ tools: [get], key: args.id, value: result }]',
      [returned('get', 1, { id: 'x' }), returned('get', 2, { id: 'x' })],
      { order: { x: 2 } },
    ],
    [
      'no entry without a key',
      '    order: [{ tools: [get], key: args.id, value: result }]',
      [returned('get', 1, {}), returned('get', 1, { id: null })],
      {},
    ],
    [
      'every item of a list',
      '    product: [{ tools: [get], each: result.items, key: item.id, value: item.product }]',
      [returned('get', ORDER)],
      { product: { a: 'p', b: 'q' } },
    ],
    [
      'every value of an object',
      '    stock: [{ tools: [get], each: result.variants, key: item.id, value: result.name }]',
      [returned('get', { name: 'shirt', variants: { r: { id: 'r1' }, s: { id: 's1' } } })],
      { stock: { r1: 'shirt', s1: 'shirt' } },
    ],
    [
      'items at the end of a path',
      '    ids: [{ tools: [get], each: "result.groups[*].members[*]", key: item, value: { value: true } }]',
      [returned('get', { groups: [{ members: ['a'] }, { members: ['b'] }] })],
      { ids: { a: true, b: true } },
    ],
    [
      'what several tools say',
      '    status: [{ tools: [get], key: args.id, value: result.status }, { tools: [cancel], key: args.id, value: { value: cancelled } }]',
      [returned('get', ORDER, { id: 'o1' }), returned('cancel', 'ok', { id: 'o1' })],
      { status: { o1: 'cancelled' } },
    ],
    [
      'magic keys as keys',
      '    order: [{ tools: [get], key: args.id, value: result }]',
      [returned('get', 1, { id: 'constructor' })],
      { order: { constructor: 1 } },
    ],
  ] as const) {
    test(`${title}: ${JSON.stringify(expected)}`, () => expect(learnt(state, ...results)).toEqual(expected as object))
  }

  for (const [tools, server, expected] of [
    ['find', null, true],
    ['find', 'crm', true],
    ['crm/find', 'crm', true],
    ['mcp__crm__find', 'crm', true],
    ['crm/find', 'evil', false],
    ['crm/find', null, false],
    ['Find', null, false],
  ] as const) {
    test(`${tools} ${expected ? 'is' : 'is not'} ${server}'s find`, () =>
      expect(learnt(`    who: [{ tools: [${tools}] }]`, returned('find', 'x', {}, server))).toEqual(expected ? { who: 'x' } : {}))
  }

  test('what was known before is not changed', () => {
    const tables = tablesOf('    order: [{ tools: [get], key: args.id }]')
    const first = remember(NOTHING, tables, returned('get', 1, { id: 'a' }))
    const second = remember(first, tables, returned('get', 2, { id: 'b' }))
    expect([first, second].map((tables) => [...(tables.get('order') as ReadonlyMap<string, Json>)])).toEqual([
      [['a', 1]],
      [
        ['a', 1],
        ['b', 2],
      ],
    ])
    expect(remember(second, tables, returned('other', 1))).toBe(second)
  })

  test('a table is bounded; the oldest entries go', () => {
    const tables = tablesOf('    seen: [{ tools: [list], each: result, key: item, value: { value: true } }]')
    const ids = Array.from({ length: 5_000 }, (_, index) => `id-${index}`)
    const seen = remember(NOTHING, tables, returned('list', ids)).get('seen')
    const kept = seen instanceof Map ? [...seen.keys()] : []
    expect([kept.length, kept[0], kept.at(-1)]).toEqual([4_096, 'id-904', 'id-4999'])
  })
})

describe('what is wrong with a table', () => {
  for (const [state, message] of [
    ['{ a: [] }', 'policy.contract_state: nothing fills the table `a`'],
    ['{ a: [{ value: result }] }', 'policy.missing_field: the field `tools` is missing'],
    ['{ a: [{ tools: [t], key: args.id }, { tools: [u] }] }', 'policy.contract_state: `a` is a table by key and a single value at once'],
    ['{ a: [{ tools: [t], each: result.items }] }', 'policy.contract_state: `each` fills a table, which needs a `key`'],
    ['{ a: [{ tools: [t], key: item.id }] }', 'policy.contract_state: the path `item.id` starts nowhere'],
    ['{ a: [{ tools: [t], value: status }] }', 'policy.contract_state: the path `status` starts nowhere'],
    ['{ a: [{ tools: [t], value: { vale: 1 } }] }', 'policy.unknown_field: unknown field `vale`'],
    ['{ a: [{ tools: [t], matches: "(" }] }', 'policy.pattern: this pattern cannot be compiled'],
    ['{ a: [{ tools: [t], key: "a[" }] }', 'policy.contract_path: the bracket at character 2 of the path is not closed'],
  ] as const) {
    test(state, () => expect(errorsOf(`version: 1\ncontracts: { state: ${state} }`)).toContain(message))
  }
})
