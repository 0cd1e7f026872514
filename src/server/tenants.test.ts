/** Two tenants on one server: what one does neither changes nor reveals the other's (T64). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { proves } from '../../test/proves.ts'
import { ASKING, ask, asking, startServer, type TestServer, type Waiting } from '../../test/support/server.ts'

/** Names that a careless comparison takes for one another. */
const PAIRS = [
  ['acme', 'beta'],
  ['acme', 'ACME'],
  ['acme', 'acme '],
  ['acme', 'acme|beta'],
  ['caf\u00e9', 'cafe\u0301'],
  ['acme', 'acme%'],
  ['_', 'a'],
] as const

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.stop())

let next = 0

interface Side {
  readonly admin: string
  readonly agent: string
  readonly waiting: Waiting
  readonly entry: string
}

async function sideOf(tenant: string): Promise<Side> {
  const own = ++next
  const admin = server.token({ name: `human:admin${own}`, role: 'admin', tenant })
  const agent = server.token({ name: `bot${own}`, role: 'agent', tenant })
  const { body } = await ask<{ approval: Waiting; audit_entry_id: string }>(`${server.url}/v1/decisions`, {
    token: agent,
    body: asking({ session: `shared-${own - (own % 2)}` }),
  })
  return { admin, agent, waiting: body.approval, entry: body.audit_entry_id }
}

for (const [one, other] of PAIRS) {
  describe(`${JSON.stringify(one)} and ${JSON.stringify(other)}`, () => {
    let mine: Side
    let theirs: Side
    beforeAll(async () => {
      await server.stop()
      server = await startServer()
      mine = await sideOf(one)
      theirs = await sideOf(other)
    })

    proves('T64', 'the same call of both opens two approvals', () => expect(mine.waiting.id).not.toBe(theirs.waiting.id))

    for (const path of ['', '?wait=10ms', '/approve', '/deny', '/cancel']) {
      proves(['T64', 'AEG-20'], `GET or POST …/{id}${path} of the other is 404`, async () => {
        const post = path.startsWith('/') ? { body: {} } : {}
        for (const token of path.startsWith('/') ? [mine.admin] : [mine.admin, mine.agent]) {
          expect((await ask(`${server.url}/v1/approvals/${theirs.waiting.id}${path}`, { token, ...post })).status).toBe(404)
        }
        expect((await ask(`${server.url}/v1/approvals/${theirs.waiting.id}`, { token: theirs.admin })).body).toMatchObject({
          status: 'pending',
          version: 0,
        })
      })
    }

    proves('T64', 'a batch finds only what is its own', async () => {
      const { body } = await ask<{ results: { ok: boolean; error?: { error: string } }[] }>(`${server.url}/v1/approvals/batch`, {
        token: mine.admin,
        body: { ids: [theirs.waiting.id], verdict: 'approve' },
      })
      expect(body.results).toMatchObject([{ ok: false, error: { error: 'approval.unknown' } }])
    })

    for (const path of [
      '/v1/approvals',
      '/v1/decisions?limit=200',
      '/v1/audit/search?limit=200',
      '/v1/audit/search?q=tenant%3AOTHER',
      '/v1/sessions?limit=200',
      '/v1/decisions?q=send_it',
      '/v1/approvals?status=pending&limit=1000',
    ]) {
      proves('T64', `${path} holds nothing of the other`, async () => {
        const { status, body } = await ask(`${server.url}${path.replace('OTHER', encodeURIComponent(other))}`, { token: mine.admin })
        const text = JSON.stringify(body)
        expect([
          status,
          text.includes(theirs.waiting.id),
          text.includes(theirs.entry),
          text.includes(`"tenant":${JSON.stringify(other)}`),
        ]).toEqual([200, false, false, false])
      })
    }

    proves('T64', 'records of the other are not there', async () => {
      expect((await ask(`${server.url}/v1/decisions/${theirs.entry}`, { token: mine.admin })).status).toBe(404)
      expect((await ask(`${server.url}/v1/decisions/${mine.entry}`, { token: mine.admin })).status).toBe(200)
    })

    proves('T64', 'counters count its own', async () => {
      const { body } = await ask<{ counters: { by_decision: Record<string, number> }; approvals: { pending: number } }>(
        `${server.url}/v1/stats`,
        { token: mine.admin },
      )
      expect([body.counters.by_decision, body.approvals.pending]).toEqual([{ ask: 1 }, 1])
    })

    proves('T64', 'events are of its own', async () => {
      const text = await firstEvents(mine.admin)
      expect([text.includes(mine.waiting.id), text.includes(theirs.waiting.id), text.includes(theirs.entry)]).toEqual([true, false, false])
    })

    proves('T64', 'a token of the other does not let the call run', async () => {
      await ask(`${server.url}/v1/approvals/${theirs.waiting.id}/approve`, { token: theirs.admin, body: {} })
      const { status, body } = await ask(`${server.url}/v1/decisions`, {
        token: mine.agent,
        body: asking({ session: 'x', approval: theirs.waiting.token }),
      })
      expect([status, body.decision]).toEqual([202, 'ask'])
      expect((body.approval as { id: string }).id).not.toBe(theirs.waiting.id)
      expect((await ask(`${server.url}/v1/approvals/${theirs.waiting.id}`, { token: theirs.admin })).body.status).toBe('approved')
    })

    test('the operator of the machine sees both', async () => {
      const { body } = await ask(`${server.url}/v1/approvals?limit=1000`, { token: server.operator })
      const text = JSON.stringify(body)
      expect([text.includes(mine.waiting.id), text.includes(theirs.waiting.id)]).toEqual([true, true])
    })
  })
}

async function firstEvents(token: string): Promise<string> {
  const ending = new AbortController()
  const response = await fetch(`${server.url}/v1/events?after=0`, { headers: { authorization: `Bearer ${token}` }, signal: ending.signal })
  const reader = response.body?.getReader()
  let text = ''
  while (!text.includes('event: decision')) text += new TextDecoder().decode((await reader?.read())?.value)
  ending.abort()
  return text
}

describe('who sees every tenant', () => {
  for (const [path, status] of [
    ['/v1/audit/verify', 403],
    ['/v1/policy', 200],
    ['/v1/stats', 200],
  ] as const) {
    test(`${path} for one tenant: ${status}`, async () => {
      const token = server.token({ name: `human:v${++next}`, role: 'admin', tenant: 'acme' })
      expect((await ask(`${server.url}${path}`, { token })).status).toBe(status)
    })
  }

  proves('T64', 'a person of one tenant asks for calls of that tenant alone', async () => {
    const token = server.token({ name: `human:p${++next}`, role: 'viewer', tenant: 'acme' })
    const { body } = await ask<{ audit_entry_id: string }>(`${server.url}/v1/decisions`, {
      token,
      body: { tool: 'get_x', args: {}, principal: { tenant: 'beta' } },
    })
    const record = await ask<{ tenant: string }>(`${server.url}/v1/decisions/${body.audit_entry_id}`, { token: server.operator })
    expect(record.body.tenant).toBe('acme')
  })

  proves('T64', 'calls without a tenant are seen by the operator alone', async () => {
    const { body } = await ask<{ audit_entry_id: string }>(`${server.url}/v1/decisions`, { body: { tool: 'get_x', args: {} } })
    const empty = server.token({ name: `human:e${++next}`, role: 'admin', tenant: 'acme' })
    expect((await ask(`${server.url}/v1/decisions/${body.audit_entry_id}`, { token: empty })).status).toBe(404)
    expect((await ask(`${server.url}/v1/decisions/${body.audit_entry_id}`, { token: server.operator })).status).toBe(200)
  })
})

describe('every route that is described', () => {
  /** What a route takes, where it does not take the empty object; `ID` is an approval of the other tenant. */
  const bodies: Readonly<Record<string, object>> = {
    '/v1/decisions': asking({ session: 'canary-theirs', args: { to: 'me' } }),
    '/v1/results': { ...asking({ session: 'canary-theirs', args: { to: 'me' } }), result: 'x' },
    '/v1/approvals/batch': { ids: ['ID'], verdict: 'approve' },
    '/v1/policy/lint': { text: 'version: 1' },
    '/v1/policy/replay': { text: 'version: 1\nunregistered: allow\n', limit: 200 },
  }

  proves(['T64', 'AEG-20'], 'reveals nothing of another tenant to any of its people and agents, and changes nothing there', async () => {
    await server.stop()
    server = await startServer({ policy: `${ASKING}server: { rates: { logins: 10000 } }\n` })
    const [mine, theirs] = ['mine', 'theirs'].map((tenant) => ({
      admin: server.token({ name: `human:${tenant}-admin`, role: 'admin', tenant }),
      agent: server.token({ name: `${tenant}-bot`, role: 'agent', tenant }),
    })) as [Tokens, Tokens]
    const args = { to: 'canary-argument' }
    const { body } = await ask<{ approval: Waiting; audit_entry_id: string }>(`${server.url}/v1/decisions`, {
      token: theirs.agent,
      body: asking({ tool: 'canary_tool', session: 'canary-session', args }),
    })
    const { id, token: secret } = body.approval
    const known = [id, secret, body.audit_entry_id, 'canary_tool', 'canary-session', 'canary-argument', 'theirs-bot', 'theirs-admin']
    const { body: document } = await ask<{ paths: Record<string, Record<string, unknown>> }>(`${server.url}/openapi.json`)
    const routes = Object.entries(document.paths).flatMap(([path, methods]) => Object.keys(methods).map((method) => ({ path, method })))
    expect(routes.length).toBeGreaterThan(25)
    for (const { path, method } of routes) {
      for (const own of path.includes('{') ? [id, body.audit_entry_id, 'canary-session'] : ['']) {
        for (const token of [mine.admin, mine.agent]) {
          const real = path.replaceAll(/\{\w+\}/g, own)
          const given = JSON.parse(JSON.stringify(bodies[path] ?? {}).replaceAll('"ID"', JSON.stringify(id)))
          const answered = await answerOf(real, { token, ...(method === 'post' ? { body: given } : {}) })
          const told = known.filter((each) => answered.text.replaceAll(real, '').includes(each) && !JSON.stringify(given).includes(each))
          expect([method, path, told, answered.status < 500]).toEqual([method, path, [], true])
        }
      }
    }
    const after = await ask(`${server.url}/v1/approvals/${id}`, { token: theirs.admin })
    expect(after.body).toMatchObject({ status: 'pending', version: 0, answers: [] })
    const log = await ask<{ records: { id: string }[] }>(`${server.url}/v1/audit/search?limit=200`, { token: theirs.admin })
    expect(log.body.records.map((record) => record.id)).toEqual([body.audit_entry_id])
  })
})

interface Tokens {
  readonly admin: string
  readonly agent: string
}

/** All that is answered; of a stream, what there is of it at once. */
async function answerOf(
  path: string,
  options: { readonly token: string; readonly body?: unknown },
): Promise<{ status: number; text: string }> {
  if (path !== '/v1/events') {
    const { status, body, headers } = await ask(`${server.url}${path}`, options)
    return { status, text: `${JSON.stringify(body)} ${JSON.stringify([...headers])}` }
  }
  const response = await fetch(`${server.url}/v1/events?after=0`, { headers: { authorization: `Bearer ${options.token}` } })
  const reader = response.body?.getReader()
  const first = new TextDecoder().decode((await reader?.read())?.value)
  await reader?.cancel()
  return { status: response.status, text: first }
}
