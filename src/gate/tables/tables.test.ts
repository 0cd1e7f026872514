import { describe, expect, test } from 'vitest'
import type { ToolCall } from '../../core/call.ts'
import type { Json, JsonObject } from '../../core/json.ts'
import { call, policy } from '../../policy/testing/compiled.ts'
import type { StoredRecord } from '../../store/store.ts'
import { createSessionTables } from './tables.ts'

const RULES = policy('contracts: { state: { user: [{ tools: [login], value: result.id }], seen: [{ tools: [get], key: args.id }] } }')
const OTHER = policy('contracts: { state: { user: [{ tools: [login], value: result.name }] } }')
const NONE = policy('mode: enforce')
const pause = () => new Promise<void>((resolve) => setImmediate(resolve))

const of = (session: string | null, tenant: string | null = null, tool = 'login', args: JsonObject = {}): ToolCall => {
  const made = call(tool, { args })
  return { ...made, session, principal: { ...made.principal, tenant } }
}

/** A recorded result, as the log keeps it. */
function record(tool: string, response: Json, more: { tenant?: string; body?: JsonObject; args?: JsonObject } = {}): StoredRecord {
  const body = { call: { tool, server: null, args: more.args ?? {} }, response, ...more.body }
  const columns = { session: 's', tenant: more.tenant ?? null, tool, decision: null, code: null, at: 0 }
  return { kind: 'result', ...columns, body, id: '', sequence: 0, hash: '', previous: '', key: '' }
}

describe('what sessions know', () => {
  test('is kept apart by session and by tenant', () => {
    const tables = createSessionTables({ results: () => [] }, pause)
    tables.observe(of('a'), { id: 'u1' }, RULES)
    tables.observe(of('a', 't'), { id: 'u2' }, RULES)
    const user = (asked: ToolCall) => tables.of(asked, RULES).get('user')
    expect([user(of('a')), user(of('a', 't')), user(of('b')), user(of(null)), user(of('a","t'))]).toEqual([
      'u1',
      'u2',
      undefined,
      undefined,
      undefined,
    ])
  })

  test('asks for results of the tools that fill a table, by their bare names', () => {
    const asked: string[][] = []
    const tables = createSessionTables(
      {
        results: ({ tools: names }) => {
          asked.push([...names].sort())
          return []
        },
      },
      pause,
    )
    const rules = policy(
      'contracts: { state: { user: [{ tools: [crm/login, mcp__crm__whoami, ping], value: result.id }], seen: [{ tools: [get], key: args.id }] } }',
    )
    tables.of(of('a'), rules)
    expect(asked).toHaveLength(1)
    for (const name of ['login', 'whoami', 'ping', 'get']) expect([name, asked[0]?.includes(name)]).toEqual([name, true])
  })

  test('costs nothing where no contract asks for it', () => {
    const read: string[] = []
    const tables = createSessionTables(
      {
        results: ({ session }) => {
          read.push(session)
          return []
        },
      },
      pause,
    )
    tables.observe(of('a'), { id: 'u1' }, NONE)
    expect([tables.of(of('a'), NONE).size, tables.of(of(null), RULES).size, read]).toEqual([0, 0, []])
  })

  for (const [title, past, expected] of [
    ['in the order of the log', [record('login', { id: 1 }), record('login', { id: 2 })], 2],
    ['of the same tenant', [record('login', { id: 1 }), record('login', { id: 2 }, { tenant: 't' })], 1],
    ['that are whole', [record('login', { id: 1 }), record('login', { id: 2 }, { body: { response_cut: true } })], 1],
    [
      'of which nothing was erased',
      [record('login', { id: 1 }), record('login', { id: 2 }, { body: { erased: [{ pointer: '/response/x' }] } })],
      1,
    ],
    ['of which nothing was erased', [record('login', { id: 1 }, { body: { erased: [] } })], 1],
    [
      'that can be read',
      [
        record('login', { id: 1 }),
        record('login', { id: 2 }, { body: { call: null } }),
        record('login', { id: 3 }, { body: { call: { tool: 7, args: {} } } }),
      ],
      1,
    ],
    ['of the tools that count', [record('logout', { id: 1 })], undefined],
  ] as const) {
    test(`is rebuilt from results ${title}`, () =>
      expect(
        createSessionTables({ results: () => past }, pause)
          .of(of('s'), RULES)
          .get('user'),
      ).toBe(expected))
  }

  test('is read from the log once, and once more for another policy', () => {
    let reads = 0
    const tables = createSessionTables(
      {
        results: () => {
          reads++
          return [record('login', { id: 'u1', name: 'Ada' })]
        },
      },
      pause,
    )
    for (let again = 0; again < 3; again++) expect(tables.of(of('s'), RULES).get('user')).toBe('u1')
    for (let again = 0; again < 3; again++) expect(tables.of(of('s'), OTHER).get('user')).toBe('Ada')
    expect(reads).toBe(2)
  })

  test('is bounded: sessions that were dropped are read again', () => {
    const tables = createSessionTables({ results: () => [] }, pause)
    tables.observe(of('first'), { id: 'u1' }, RULES)
    for (let index = 0; index < 1_100; index++) tables.observe(of(`s${index}`), { id: index }, RULES)
    expect([tables.of(of('first'), RULES).get('user'), tables.of(of('s1099'), RULES).get('user')]).toEqual([undefined, 1_099])
  })

  test('fills tables by key', () => {
    const tables = createSessionTables({ results: () => [record('get', 'x', { args: { id: 'a' } })] }, pause)
    tables.observe(of('s', null, 'get', { id: 'b' }), 'y', RULES)
    expect(new Map(tables.of(of('s'), RULES).get('seen') as Map<string, Json>)).toEqual(
      new Map([
        ['a', 'x'],
        ['b', 'y'],
      ]),
    )
  })

  test('is read in slices, between which others go first; what returns meanwhile is not lost', async () => {
    const past = Array.from({ length: 500 }, (_, i) => record('get', i, { args: { id: `a${i}` } }))
    const order: string[] = []
    const tables = createSessionTables({ results: () => past }, () => {
      order.push('pause')
      return pause()
    })
    const ready = tables.ready(of('s'), RULES)
    expect(tables.ready(of('s'), RULES)).toBe(ready)
    tables.observe(of('s', null, 'get', { id: 'new' }), 'x', RULES)
    await ready
    expect([order.length, tables.ready(of('s'), RULES)]).toEqual([10, null])
    const seen = tables.of(of('s'), RULES).get('seen') as Map<string, Json>
    expect([seen.size, seen.get('a499'), seen.get('new')]).toEqual([501, 499, 'x'])
  })

  test('is not waited for where nothing asks for it, and a past that cannot be read is told', async () => {
    const tables = createSessionTables(
      {
        results: () => {
          throw new Error('no log')
        },
      },
      pause,
    )
    expect([tables.ready(of('s'), NONE), tables.ready(of(null), RULES)]).toEqual([null, null])
    await expect(tables.ready(of('s'), RULES)).rejects.toThrow('no log')
  })
})
