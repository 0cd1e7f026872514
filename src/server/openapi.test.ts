/** The description and what is really answered are the same thing: every answer of every route is held against it. */
import type { TSchema } from 'typebox'
import { Check, Errors } from 'typebox/value'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ASKING, ask, asking, opened, startServer, type TestServer } from '../../test/support/server.ts'
import { HOSTS } from '../hosts/all.ts'
import { answersOf } from './openapi.ts'

let server: TestServer
let id: string
let used: string
let entry: string
beforeAll(async () => {
  server = await startServer({ policy: `${ASKING}server: { rates: { logins: 10000 } }\n` })
  id = (await opened(server, { session: 'pending' })).id
  const call = asking({ session: 'used' })
  used = (await opened(server, call)).id
  await ask(`${server.url}/v1/approvals/${used}/approve`, { token: server.operator, body: { comment: 'yes' } })
  const { body } = await ask<{ audit_entry_id: string }>(`${server.url}/v1/decisions`, { body: call })
  entry = body.audit_entry_id
  await ask(`${server.url}/v1/decisions`, {
    body: { tool: 'never', args: { deep: [{ a: 1 }] }, session: 'x', principal: { agent: 'a', role: 'r', user: 'u', tenant: 't' } },
  })
})
afterAll(() => server.stop())

interface Document {
  readonly openapi: string
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}
interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly required: boolean }[]
  readonly responses: Readonly<
    Record<string, { readonly description: string; readonly content?: Readonly<Record<string, { readonly schema: TSchema }>> }>
  >
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: object }>> }
}

const described = async () => (await ask<Document>(`${server.url}/openapi.json`)).body

describe('the document', () => {
  test('is OpenAPI 3.1 with every route of the server, and no other', async () => {
    const { openapi, paths } = await described()
    expect(openapi).toBe('3.1.0')
    const written = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    )
    const served = server.app.routes
      .map(({ method, path }) => `${method} ${path}`)
      .filter((each) => !/ \/(?:assets\/\{name\})?$/.test(each))
    expect(written.toSorted()).toEqual(served.toSorted())
  })

  test('names each operation once, says what it is for, and declares every part of its path', async () => {
    const { paths } = await described()
    const ids = new Set<string>()
    for (const [path, methods] of Object.entries(paths)) {
      for (const { operationId, summary, parameters } of Object.values(methods)) {
        expect([path, ids.has(operationId), summary.length > 5]).toEqual([path, false, true])
        ids.add(operationId)
        const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
        expect(parameters.filter((each) => each.in === 'path').map(({ name }) => name)).toEqual(inPath)
      }
    }
  })

  test('holds plain JSON Schema: no function, no symbol, nothing undefined', async () => {
    const text = JSON.stringify(await described())
    for (const part of ['"~kind"', '"~optional"', 'undefined', '[object']) expect(text).not.toContain(part)
  })

  test('describes a body for every POST that takes one', async () => {
    const { paths } = await described()
    for (const { method, path, body } of server.app.routes) {
      if (method !== 'POST' || body === null) continue
      expect([path, paths[path]?.post?.requestBody !== undefined]).toEqual([path, true])
    }
  })
})

/** Requests that reach each answer of each route. `ID`, `USED` and `ENTRY` stand for what was made before. */
type Asked = readonly [
  status: number,
  method: 'GET' | 'POST',
  path: string,
  options?: { readonly body?: unknown; readonly nobody?: true; readonly type?: string },
]

const REQUESTS: readonly Asked[] = [
  [200, 'GET', '/healthz'],
  [200, 'GET', '/readyz'],
  [200, 'GET', '/metrics'],
  [200, 'GET', '/openapi.json'],
  [200, 'GET', '/v1/receipts/key'],
  [200, 'GET', '/v1/login'],
  [404, 'GET', '/v1/login/oidc'],
  [404, 'GET', '/v1/login/oidc/callback?code=a&state=b'],
  [200, 'POST', '/v1/decisions', { body: { tool: 'get_x', args: {} } }],
  [202, 'POST', '/v1/decisions', { body: asking({ session: 'fresh' }) }],
  [403, 'POST', '/v1/decisions', { body: { tool: 'never', args: {} } }],
  [400, 'POST', '/v1/decisions', { body: '{' }],
  [413, 'POST', '/v1/decisions', { body: `"${'x'.repeat(11_000_000)}"` }],
  [415, 'POST', '/v1/decisions', { body: '{}', type: 'text/plain' }],
  [422, 'POST', '/v1/decisions', { body: {} }],
  [200, 'POST', '/v1/results', { body: { tool: 'get_x', args: {}, result: [1] } }],
  [422, 'POST', '/v1/results', { body: { tool: 'get_x', args: {} } }],
  ...HOSTS.map(({ name }): Asked => [200, 'POST', `/v1/hooks/${name}`, { body: {} }]),
  [200, 'GET', '/v1/approvals'],
  [200, 'GET', '/v1/approvals?status=pending&limit=10'],
  [400, 'GET', '/v1/approvals?limit=x'],
  [401, 'GET', '/v1/approvals', { nobody: true }],
  [200, 'GET', '/v1/approvals/ID'],
  [200, 'GET', '/v1/approvals/USED'],
  [401, 'GET', '/v1/approvals/ID', { nobody: true }],
  [200, 'GET', '/v1/approvals/ID?wait=1ms'],
  [404, 'GET', '/v1/approvals/apr_none'],
  [404, 'POST', '/v1/approvals/apr_none/approve', { body: {} }],
  [409, 'POST', '/v1/approvals/USED/approve', { body: {} }],
  [409, 'POST', '/v1/approvals/USED/deny', { body: {} }],
  [409, 'POST', '/v1/approvals/USED/cancel', { body: {} }],
  [422, 'POST', '/v1/approvals/ID/approve', { body: { nonsense: 1 } }],
  [200, 'POST', '/v1/approvals/batch', { body: { ids: ['apr_none', 'apr_other'], verdict: 'deny' } }],
  [200, 'GET', '/v1/whoami'],
  [200, 'POST', '/v1/logout', { body: {} }],
  [200, 'POST', '/v1/login/codes', { body: {} }],
  [401, 'POST', '/v1/login', { body: { token: 'x' } }],
  [200, 'GET', '/v1/decisions'],
  [200, 'GET', '/v1/decisions?session=used&decision=allow&tool=send_it&q=somebody&limit=5&before=999'],
  [200, 'GET', '/v1/decisions/ENTRY'],
  [404, 'GET', '/v1/decisions/none'],
  [200, 'GET', '/v1/sessions'],
  [200, 'GET', '/v1/sessions/authorization?session=used'],
  [400, 'GET', '/v1/sessions/authorization'],
  [200, 'GET', '/v1/baselines'],
  [404, 'GET', '/v1/baselines/drift?role=nobody'],
  [404, 'POST', '/v1/sessions/unlock', { body: { session: 'none', reason: 'x' } }],
  [200, 'GET', '/v1/undo'],
  [200, 'GET', '/v1/undo?session=none'],
  [404, 'GET', '/v1/decisions/none/undo'],
  [404, 'POST', '/v1/decisions/none/undo', { body: { digest: 'x' } }],
  [200, 'GET', '/v1/audit/search'],
  [200, 'GET', '/v1/audit/search?q=decision%3Aask&limit=1'],
  [400, 'GET', '/v1/audit/search?q=kind%3Anone'],
  [200, 'GET', '/v1/audit/verify'],
  [200, 'GET', '/v1/policy'],
  [200, 'POST', '/v1/policy/lint', { body: { text: 'version: 1\nnonsense: 1\n' } }],
  [200, 'POST', '/v1/policy/replay', { body: { text: 'version: 1\nunregistered: allow\n', limit: 10 } }],
  [422, 'POST', '/v1/policy/replay', { body: { text: 'nonsense' } }],
  [200, 'GET', '/v1/stats'],
  [200, 'GET', '/v1/stats/rules'],
  [200, 'GET', '/v1/stats?hours=48'],
]

function routeFor(method: string, path: string) {
  const bare = path.split('?')[0] ?? ''
  return server.app.routes.find((each) => each.method === method && new RegExp(`^${each.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(bare))
}

describe('what is answered is what is described', () => {
  for (const [status, method, path, { body, nobody, type } = {}] of REQUESTS) {
    const name = body === undefined ? '' : ` ${JSON.stringify(body).slice(0, 40)}`
    test(`${method} ${path}${name}: ${status}${nobody === true ? ', for nobody' : ''}`, async () => {
      const real = path.replace('ID', id).replace('USED', used).replace('ENTRY', entry)
      const got = await ask(`${server.url}${real}`, {
        method,
        ...(nobody === true ? {} : { token: server.operator }),
        ...(body === undefined ? {} : { body }),
        ...(type === undefined ? {} : { headers: { 'content-type': type } }),
      })
      expect([got.status, got.body.error ?? null]).toEqual([
        status,
        status < 400 || method === 'POST' ? (got.body.error ?? null) : expect.any(String),
      ])
      const route = routeFor(method, real)
      if (route === undefined) throw new Error('the path has no route')
      const answer = answersOf(route).get(status)
      expect([status, answer !== undefined]).toEqual([status, true])
      if (answer?.schema === undefined) return
      const [fault] = Errors(answer.schema, got.body)
      expect([fault?.instancePath, fault?.message]).toEqual([undefined, undefined])
      const { paths } = await described()
      const written = paths[route.path]?.[method.toLowerCase()]?.responses[String(status)]?.content?.['application/json']?.schema
      expect(written !== undefined && Check(written, got.body)).toBe(true)
    })
  }

  test('every route is asked at least once', () => {
    const asked = new Set(REQUESTS.map(([, method, path]) => routeFor(method, path)?.path))
    const streams = new Set(['/v1/events', '/', '/assets/{name}'])
    expect(
      server.app.routes
        .map(({ path }) => path)
        .filter((path) => !asked.has(path) && !streams.has(path) && !path.startsWith('/v1/channels')),
    ).toEqual([])
  })
})
