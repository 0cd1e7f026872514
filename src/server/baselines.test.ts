/** What people see of roles over HTTP: how much is known, what waits, what changed; and of another tenant nothing. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ask, startServer, type TestServer } from '../../test/support/server.ts'
import { changeBaseline, learnFrom } from '../open-baseline-changes.ts'

const POLICY = `tools: { get_x: { risk_tier: low }, get_it: { risk_tier: low }, wipe: { risk_tier: low } }
baseline: { warm_up: 5, flag_at: 4 }
`
const BY = { warmUp: 5, quarantineDays: 14 }

let server: TestServer
beforeAll(async () => {
  server = await startServer({ policy: POLICY })
  const decide = (tool: string, session: string) =>
    ask(`${server.url}/v1/decisions`, {
      body: { tool, args: {}, session, principal: { agent: 'a', role: 'ops', user: 'u' } },
      token: server.operator,
    })
  for (let n = 0; n < 8; n += 1) for (const tool of ['get_x', 'get_it']) await decide(tool, `s-${n}`)
  const at = { home: server.home, store: server.opened.store }
  await learnFrom(at, { by: BY, author: 'human:alice' })
  const change = { tenant: null, role: 'ops', by: 'human:alice', reason: 'reviewed' }
  await changeBaseline(at, { ...change, event: 'baseline_frozen', more: { version: 'v1' } }, BY)
  await decide('wipe', 's-odd')
  await learnFrom(at, { by: BY, author: 'human:alice' })
})
afterAll(() => server.stop())

const get = <T>(path: string, token = server.operator) => ask<T>(`${server.url}${path}`, { token })

describe('baselines', () => {
  test('every role in one row', async () => {
    const { status, body } = await get<{ learns: boolean; roles: object[] }>('/v1/baselines')
    expect([status, body.learns]).toEqual([200, true])
    expect(body.roles).toEqual([
      expect.objectContaining({ role: 'ops', tenant: null, sessions: 8, known: true, held: 'v1', versions: ['v1'] }),
    ])
  })

  test('one role: what is usual and what waits, in words', async () => {
    const { body } = await get<{ usual: { text: string }[]; waiting: { text: string; flagged: boolean }[]; since: string }>(
      '/v1/baselines/drift?role=ops',
    )
    expect(body.usual.map(({ text }) => text)).toContain('tool `get_x`')
    expect(body.waiting).toContainEqual(expect.objectContaining({ text: 'tool `wipe`', flagged: true }))
    expect(body.since).toBe('v1')
  })

  test('an unknown role is not found; who is confined to a tenant sees no other; agents see nothing', async () => {
    expect((await get('/v1/baselines/drift?role=nobody')).status).toBe(404)
    expect((await get('/v1/baselines/drift')).status).toBe(404)
    const agent = server.token({ name: 'agent-x', role: 'agent' })
    for (const path of ['/v1/baselines', '/v1/baselines/drift?role=ops']) expect([403, 401]).toContain((await get(path, agent)).status)
  })
})
