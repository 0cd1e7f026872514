/** What people look at, read by the thread of the daemon: the same answers as without it, and no harm where it is lost. */
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { proves } from '../../../test/proves.ts'
import { bundled } from '../../../test/support/program.ts'
import { ask, asking, startServer, type TestServer } from '../../../test/support/server.ts'
import { openThread } from '../../thread/thread.ts'
import { createFeed } from '../feed.ts'
import type { Heard } from '../sse-events.ts'
import { HEARD } from './message.ts'

const LOOKS = pathToFileURL(bundled(new URL('../../cli/threads/looks.ts', import.meta.url)))
const DYING = pathToFileURL(bundled(new URL('../../../test/fault/programs/thread.ts', import.meta.url)))

async function filled(server: TestServer): Promise<TestServer> {
  const decide = (body: unknown) => ask(`${server.url}/v1/decisions`, { body })
  for (let i = 0; i < 5; i += 1)
    await decide({ tool: 'get_x', args: { n: i }, session: `s-${i % 2}`, principal: { tenant: i < 2 ? 't' : null } })
  await decide({ tool: 'never', args: { why: 'x' }, session: 's-2' })
  await decide(asking({ session: 's-2' }))
  return server
}

let server: TestServer
beforeAll(async () => {
  server = await filled(await startServer({ threads: (home) => ({ looks: openThread({ file: LOOKS, data: { home } }), calls: null }) }))
})
afterAll(() => server.stop())

describe('looking by a thread', () => {
  for (const path of [
    '/v1/decisions?limit=3',
    '/v1/decisions?decision=deny',
    '/v1/decisions?q=never',
    '/v1/audit/search?q=tool:get_x',
    '/v1/audit/search?q=kind:nothing',
    '/v1/sessions',
    '/v1/stats?hours=1',
    '/v1/stats/rules?hours=1',
    '/v1/approvals?status=open',
    '/v1/decisions/01ARZ3NDEKTSV4RRFFQ69G5FAV',
    '/v1/decisions?limit=x',
  ]) {
    proves('SIG-45', `${path} is answered as it is without one`, async () => {
      const apart = await ask(`${server.url}${path}`, { token: server.operator })
      const routes = server.app.routes.filter((route) => route.apart?.by === 'looks')
      const here = await inPlace(path)
      expect([apart.status, apart.body]).toEqual([here.status, here.body])
      expect(apart.headers.get('content-type')).toBe('application/json; charset=utf-8')
      expect(apart.headers.get('cache-control')).toBe('no-store')
      expect(apart.headers.get('content-security-policy')).toContain("default-src 'self'")
      expect(routes.length).toBeGreaterThan(5)
    })
  }

  /** By the handlers themselves, over the store of this thread. */
  async function inPlace(path: string): Promise<{ readonly status: number; readonly body: unknown }> {
    const { pathname, searchParams } = new URL(path, server.url)
    const parts = pathname.split('/')
    const route = server.app.routes.find(
      ({ method, path: own }) =>
        method === 'GET' &&
        own.split('/').length === parts.length &&
        own.split('/').every((part, at) => part.startsWith('{') || part === parts[at]),
    )
    if (searchParams.get('limit') === 'x') return ask(`${server.url}${path}`, { token: server.operator })
    const caller = { kind: 'person', name: 'human:x', role: 'admin', tenant: null, session: null } as const
    const answer = await route?.handle({
      caller,
      listener: 'loopback',
      param: () => parts.at(-1) ?? '',
      header: () => null,
      query: Object.fromEntries(searchParams),
      body: undefined,
      bytes: new Uint8Array(),
      context: undefined as never,
      stands: () => true,
    })
    if (answer === undefined || answer instanceof Response || 'text' in answer) throw new Error(`${path} is not answered in JSON`)
    return { status: answer.status, body: JSON.parse(JSON.stringify(answer.body)) as unknown }
  }

  proves('T64', 'whoever sees one tenant sees no other by it', async () => {
    const viewer = server.token({ name: 'human:v', role: 'viewer', tenant: 't' })
    const { body } = await ask<{ readonly decisions: readonly unknown[] }>(`${server.url}/v1/decisions`, { token: viewer })
    expect(body.decisions).toHaveLength(2)
    expect((await ask(`${server.url}/v1/audit/verify`, { token: viewer })).status).toBe(403)
  })

  test('the log is verified by it, with what the copies of the head say', async () => {
    const { body } = await ask(`${server.url}/v1/audit/verify`, { token: server.operator })
    expect(body).toMatchObject({ ok: true, breaks: [] })
  })

  test('what a listener missed is read by it, and then what comes', async () => {
    const thread = openThread({ file: LOOKS, data: { home: server.home } })
    const head = () => Number(server.opened.store.query((tx) => tx.get('SELECT max(sequence) AS head FROM records'))?.head)
    const feed = createFeed({ read: (query) => thread.ask<readonly Heard[]>(HEARD, query), head, interval: 5 })
    const heard: Heard[] = []
    const before = head()
    const listening = feed.listen({ after: 0, heard: (record) => heard.push(record), ended: () => {} })
    await ask(`${server.url}/v1/decisions`, { body: { tool: 'get_x', args: {}, session: 'late' } })
    while (heard.at(-1)?.session !== 'late') await new Promise((resolve) => setTimeout(resolve, 5))
    expect(heard.map(({ sequence }) => sequence)).toEqual(Array.from({ length: before + 1 }, (_, index) => index + 1))
    expect(heard.flatMap(({ approvals }) => approvals)).toHaveLength(1)
    listening.stop()
    feed.close()
    thread.close()
  })
})

proves(['P4', 'T23'], 'a thread that is lost costs the looks that waited for it, and no decision', async () => {
  const dying = (home: string) => ({
    looks: openThread({ file: DYING, data: { home } }),
    calls: openThread({ file: DYING, data: { home } }),
  })
  const other = await filled(await startServer({ threads: dying }))
  try {
    const looked = await ask(`${other.url}/v1/sessions`, { token: other.operator })
    expect([looked.status, looked.body.error]).toEqual([503, 'infra.thread'])
    const agent = other.token({ name: 'a', role: 'agent' })
    const small = await ask(`${other.url}/v1/decisions`, { token: agent, body: { tool: 'get_x', args: {}, session: 's' } })
    expect(small.status).toBe(200)
    const large = { tool: 'get_x', args: { text: 'x'.repeat(200_000) }, session: 's' }
    const lost = await ask(`${other.url}/v1/decisions`, { token: agent, body: large })
    expect([lost.status, lost.body.error]).toEqual([503, 'infra.thread'])
    const recorded = [
      ...(other.opened.store.read({ newestFirst: true, limit: 1 }) as Iterable<{ readonly id: string; readonly code: string | null }>),
    ]
    expect(recorded.map(({ id, code }) => [id, code])).toEqual([[lost.headers.get('countersign-audit-entry'), 'infra.thread']])
    const hooked = await ask(`${other.url}/v1/hooks/claude-code`, {
      token: agent,
      body: { hook_event_name: 'PreToolUse', session_id: 's', cwd: '/tmp', tool_name: 'Write', tool_input: large.args, tool_use_id: 't' },
    })
    expect(hooked.body).toMatchObject({ hookSpecificOutput: { permissionDecision: 'deny' } })
    expect((await ask(`${other.url}/v1/results`, { token: agent, body: { ...large, result: 1 } })).status).toBe(503)
    const metrics = await ask<{ readonly text: string }>(`${other.url}/metrics`, { token: other.operator })
    expect(metrics.body.text).toContain('countersign_decisions_total{decision="deny"} 3')
  } finally {
    await other.stop()
  }
})
