/** What people see of the log, the sessions, the policy and the counters. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { proves } from '../../test/proves.ts'
import { ASKING, ask, asking, opened, startServer, type TestServer } from '../../test/support/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
  for (let i = 0; i < 5; i += 1)
    await decide({ tool: 'get_x', args: { n: i }, session: 'one', principal: { agent: 'a', role: 'r', user: 'u' } })
  await decide({ tool: 'never', args: { why: 'rm -rf "x"' }, session: 'two' })
  await decide(asking({ session: 'two' }))
})
afterAll(() => server.stop())

const decide = (body: unknown) => ask(`${server.url}/v1/decisions`, { body })
const get = <T>(path: string) => ask<T>(`${server.url}${path}`, { token: server.operator })

interface Rows {
  readonly decisions: readonly {
    readonly id: string
    readonly tool: string
    readonly decision: string
    readonly summary: string
    readonly reason: string
  }[]
  readonly before: number | null
}

describe('decisions', () => {
  for (const [query, expected] of [
    ['', ['ask', 'deny', 'allow', 'allow', 'allow', 'allow', 'allow']],
    ['?limit=2', ['ask', 'deny']],
    ['?decision=deny', ['deny']],
    ['?decision=halt', []],
    ['?session=two', ['ask', 'deny']],
    ['?session=none', []],
    ['?tool=get_x&limit=1', ['allow']],
    ['?tool=GET_X', []],
    ['?q=why', ['deny']],
    ['?q=rm%20-rf', ['deny']],
    ['?q=%22x%22', ['deny']],
    ["?q='%20OR%201=1", []],
    ['?q=%25', []],
    ['?session=one&q=never', []],
  ] as const) {
    test(`${query === '' ? 'all' : query}: ${expected.join(', ') || 'none'}`, async () => {
      const { status, body } = await get<Rows>(`/v1/decisions${query}`)
      expect([status, body.decisions.map(({ decision }) => decision)]).toEqual([200, expected])
    })
  }

  test('come page by page, each once, newest first', async () => {
    const seen: string[] = []
    let before: number | null = null
    do {
      const { body }: { body: Rows } = await get<Rows>(`/v1/decisions?limit=3${before === null ? '' : `&before=${before}`}`)
      seen.push(...body.decisions.map(({ id }) => id))
      before = body.before
    } while (before !== null)
    expect(seen).toHaveLength(7)
    expect(seen).toEqual([...new Set(seen)].toSorted().toReversed())
  })

  test('are cut short in a list, and whole by their id', async () => {
    const long = 'x'.repeat(500)
    await decide({ tool: 'get_x', args: { long: `${'😀'.repeat(119)}${long}`, path: '/a' }, session: 'long' })
    const { body } = await get<Rows>('/v1/decisions?session=long')
    const [row] = body.decisions
    expect([(row?.summary.length ?? 0) < 260, row?.summary.isWellFormed()]).toEqual([true, true])
    // A long text hides nothing that stands beside it.
    expect(row?.summary).toMatch(/…","path":"\/a"\}$/)
    const whole = await get<{ body: { call: { args: { long: string } } }; hash: string }>(`/v1/decisions/${row?.id}`)
    expect(whole.body.body.call.args.long.endsWith(long)).toBe(true)
  })

  proves('T60', 'hold no secret', async () => {
    const secret = `ghp_${'aB1'.repeat(12)}`
    await decide({ tool: 'get_x', args: { token: secret }, session: 'secret' })
    for (const path of ['/v1/decisions?session=secret', '/v1/audit/search?q=session%3Asecret', '/v1/sessions', '/v1/stats'])
      expect(JSON.stringify((await get(path)).body)).not.toContain(secret)
  })
})

describe('sessions', () => {
  test('are counted, with who was in them', async () => {
    const { body } = await get<{ sessions: { session: string }[] }>('/v1/sessions')
    expect(body.sessions.find(({ session }) => session === 'one')).toMatchObject({
      agent: 'a',
      role: 'r',
      user: 'u',
      calls: 5,
      by_decision: { allow: 5 },
    })
    expect(body.sessions.find(({ session }) => session === 'two')).toMatchObject({ agent: 'a', calls: 2, by_decision: { ask: 1, deny: 1 } })
  })

  test('the one with the newest call comes first', async () => {
    await decide({ tool: 'get_x', args: {}, session: 'newest' })
    const { body } = await get<{ sessions: { session: string }[] }>('/v1/sessions?limit=1')
    expect(body.sessions.map(({ session }) => session)).toEqual(['newest'])
  })
})

describe('the log', () => {
  for (const [q, kinds] of [
    ['session:two', ['decision', 'decision']],
    ['session:two decision:deny', ['decision']],
    ['kind:approval', []],
    ['tool:never since:1h', ['decision']],
    ['until:1h', []],
    ['"rm -rf"', ['decision']],
  ] as const) {
    test(`\`${q}\`: ${kinds.length}`, async () => {
      const { body } = await get<{ records: { kind: string }[] }>(`/v1/audit/search?q=${encodeURIComponent(q)}`)
      expect(body.records.map(({ kind }) => kind)).toEqual(kinds)
    })
  }

  proves('T62', 'is verified from its first record on', async () => {
    const { body } = await get<{ ok: boolean; total: number; breaks: unknown[] }>('/v1/audit/verify')
    expect([body.ok, body.total > 6, body.breaks]).toEqual([true, true, []])
  })

  test('the same question within seconds is not worked out again, and later it is', async () => {
    const own = await startServer()
    await ask(`${own.url}/v1/decisions`, { body: { tool: 'get_x', args: {} } })
    const report = async () => (await ask<{ ok: boolean; total: number }>(`${own.url}/v1/audit/verify`, { token: own.operator })).body
    expect(await report()).toMatchObject({ ok: true, total: 1 })
    await ask(`${own.url}/v1/decisions`, { body: { tool: 'get_x', args: {} } })
    expect(await report()).toMatchObject({ total: 1 })
    own.pass(5_000)
    expect(await report()).toMatchObject({ total: 2 })
    await own.stop()
  })

  test('keeps who logged in, and never how', async () => {
    await ask(`${server.url}/v1/login`, { body: { token: server.operator } })
    const { body } = await get<{ records: { kind: string; body: Record<string, unknown> }[] }>('/v1/audit/search?q=kind%3Anote&limit=1')
    expect(body.records[0]).toMatchObject({ kind: 'note', body: { event: 'login', role: 'admin' } })
    expect(JSON.stringify(body)).not.toContain(server.operator)
  })
})

describe('counters', () => {
  test('are of the log, by decision, code and layer, and by the hour', async () => {
    const own = await startServer()
    for (const tool of ['get_x', 'get_x', 'never']) await ask(`${own.url}/v1/decisions`, { body: { tool, args: {} } })
    const { id } = await opened(own)
    await ask(`${own.url}/v1/approvals/${id}/approve`, { token: own.operator, body: {} })
    const { body } = await ask<Stats>(`${own.url}/v1/stats?hours=3`, { token: own.operator })
    expect(body.counters.by_decision).toEqual({ allow: 2, deny: 1, ask: 1 })
    expect(body.counters.by_code).toEqual({ 'registry.permitted': 2, 'rules.denied': 1, 'registry.unregistered': 1 })
    expect(body.layers).toMatchObject({ registry: { allow: 2, ask: 1 }, rules: { deny: 1 } })
    expect(body.approvals).toEqual({ pending: 0, approved: 1, denied: 0, expired: 0, fast: 1 })
    expect(body.series).toHaveLength(3)
    expect(body.series.reduce((sum, { allow, ask: asks, deny }) => sum + allow + asks + deny, 0)).toBe(4)
    await own.stop()
  })

  test('under shadow, what would have been stopped is counted, found and shown as such, and the agent hears of no refusal', async () => {
    const own = await startServer({ policy: `${ASKING}\nmode: shadow\n` })
    const { body: told } = await ask<Record<string, unknown>>(`${own.url}/v1/decisions`, { body: { tool: 'never', args: {} } })
    await ask(`${own.url}/v1/decisions`, { body: { tool: 'get_x', args: {} } })
    expect([told.decision, told.would, told.agent_reason]).toEqual(['flag', 'deny', 'This call may run.'])
    const { body } = await ask<Stats>(`${own.url}/v1/stats`, { token: own.operator })
    expect([body.counters.by_decision, body.counters.by_would]).toEqual([{ allow: 1, flag: 1 }, { deny: 1 }])
    const found = await ask<{ records: readonly { tool: string }[] }>(`${own.url}/v1/audit/search?q=${encodeURIComponent('would:deny')}`, {
      token: own.operator,
    })
    expect(found.body.records.map(({ tool }) => tool)).toEqual(['never'])
    const rows = await ask<{ decisions: readonly { tool: string; would?: string }[] }>(`${own.url}/v1/decisions`, { token: own.operator })
    expect(rows.body.decisions.map(({ tool, would }) => [tool, would])).toEqual([
      ['get_x', undefined],
      ['never', 'deny'],
    ])
    await own.stop()
  })

  interface Stats {
    readonly counters: Readonly<Record<'by_decision' | 'by_code' | 'by_layer' | 'by_would', Record<string, number>>>
    readonly layers: Record<string, Record<string, number>>
    readonly approvals: Record<string, number>
    readonly series: readonly { readonly at: string; readonly allow: number; readonly ask: number; readonly deny: number }[]
  }

  for (const [hours, points] of [
    ['1', 1],
    ['24', 24],
    ['0', 1],
    ['99999', 744],
  ] as const) {
    test(`${hours} hours: ${points} points, an hour apart`, async () => {
      const { body } = await get<Stats>(`/v1/stats?hours=${hours}`)
      const times = body.series.map(({ at }) => Date.parse(at))
      expect(times).toHaveLength(points)
      expect(times.slice(1).every((time, index) => time - (times[index] ?? 0) === 3_600_000)).toBe(true)
    })
  }

  test('of tools with inherited names are counted like any other', async () => {
    await decide({ tool: 'constructor', args: {}, session: 'magic' })
    expect((await get('/v1/stats')).status).toBe(200)
  })
})

describe('the policy', () => {
  test('is shown with its digest and its text', async () => {
    const { body } = await get<Record<string, unknown>>('/v1/policy')
    expect(body).toMatchObject({ digest: expect.stringMatching(/^sha256:/), mode: 'enforce', degraded: null })
  })

  for (const [text, expected] of [
    ['version: 1\nunregistered: ask\ntools: { a: { risk_tier: low } }\n', []],
    ['version: 1\nunregistered: allow\n', ['warning lint.unregistered_allow']],
    ['version: 2\n', ['error']],
    ['', ['error']],
    ['version: 1\nruels: {}\n', ['error policy.unknown_field']],
    [': : :', ['error']],
  ] as const) {
    test(`${JSON.stringify(text)} has ${expected.join(', ') || 'nothing to say'}`, async () => {
      const { body } = await ask<{ findings: { level: string; code: string; line: number }[] }>(`${server.url}/v1/policy/lint`, {
        token: server.operator,
        body: { text },
      })
      expect(body.findings.length > 0).toBe(expected.length > 0)
      for (const each of expected)
        expect(body.findings.map(({ level, code }) => `${level} ${code}`).some((found) => found.startsWith(each))).toBe(true)
    })
  }

  test('a file that a text names is looked for beside the policy, and nowhere is read for its content', async () => {
    const text = 'version: 1\ncapabilities: { files: [/etc/passwd] }\n'
    const { body } = await ask(`${server.url}/v1/policy/lint`, { token: server.operator, body: { text } })
    expect(JSON.stringify(body)).not.toContain('root:x:0')
  })
})

describe('what a policy would have done', () => {
  interface Replayed {
    readonly compared: number
    readonly changed: readonly {
      readonly tool: string
      readonly before: string
      readonly after: string
      readonly codes: readonly string[]
    }[]
  }
  const replay = (own: TestServer, text: string, limit = 100) =>
    ask<Replayed>(`${own.url}/v1/policy/replay`, { token: own.operator, body: { text, limit } })

  test('the same policy changes nothing; a stricter one is told call by call; nothing is recorded', async () => {
    const own = await startServer()
    for (const tool of ['get_x', 'never', 'get_it']) await ask(`${own.url}/v1/decisions`, { body: { tool, args: {} } })
    const same = await replay(own, `version: 1\n${ASKING}`)
    expect(same.body).toEqual({ compared: 3, changed: [] })
    const strict = await replay(own, 'version: 1\nunregistered: deny\ntools: { get_it: { risk_tier: low } }\n')
    expect(strict.body.changed.map(({ tool, before, after }) => [tool, before, after])).toEqual([['get_x', 'allow', 'deny']])
    const { body } = await ask<Rows>(`${own.url}/v1/decisions`, { token: own.operator })
    expect(body.decisions).toHaveLength(3)
    await own.stop()
  })

  test('what people lowered then is compared as it was asked', async () => {
    const own = await startServer()
    const { id } = await opened(own)
    await ask(`${own.url}/v1/approvals/${id}/approve`, { token: own.operator, body: {} })
    await ask(`${own.url}/v1/decisions`, { body: asking() })
    expect((await replay(own, `version: 1\n${ASKING}`)).body.changed).toEqual([])
    await own.stop()
  })

  for (const [title, body] of [
    ['no policy', { text: 'nonsense' }],
    ['no number', { text: 'version: 1', limit: 'all' }],
    ['too many', { text: 'version: 1', limit: 1_000_000 }],
    ['none', { text: 'version: 1', limit: 0 }],
  ] as const) {
    test(`${title}: 422`, async () =>
      expect((await ask(`${server.url}/v1/policy/replay`, { token: server.operator, body })).status).toBe(422))
  }
})
