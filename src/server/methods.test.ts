/** Methods that a path does not know: told apart from paths that are not there, and nothing is changed by looking. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { proves } from '../../test/proves.ts'
import { ASKING, ask, opened, rawStatus, startServer, type TestServer } from '../../test/support/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer({ policy: `${ASKING}server: { rates: { logins: 10000, agents: 100000, people: 100000 } }\n` })
})
afterAll(() => server.stop())

describe('a method that the path does not know', () => {
  for (const [method, path, status, allow] of [
    ['GET', '/v1/results', 405, 'POST'],
    ['DELETE', '/v1/decisions', 405, 'GET, HEAD, POST'],
    ['PUT', '/v1/decisions', 405, 'GET, HEAD, POST'],
    ['PATCH', '/v1/decisions', 405, 'GET, HEAD, POST'],
    ['POST', '/v1/decisions/01ABC', 405, 'GET, HEAD'],
    ['POST', '/v1/approvals', 405, 'GET, HEAD'],
    ['POST', '/v1/approvals/apr_x', 405, 'GET, HEAD'],
    ['DELETE', '/v1/approvals/apr_x', 405, 'GET, HEAD'],
    ['GET', '/v1/approvals/apr_x/approve', 405, 'POST'],
    ['GET', '/v1/approvals/apr_x/deny', 405, 'POST'],
    ['GET', '/v1/approvals/apr_x/cancel', 405, 'POST'],
    ['PUT', '/v1/approvals/batch', 405, 'GET, HEAD, POST'],
    ['GET', '/v1/hooks/claude-code', 405, 'POST'],
    ['GET', '/v1/channels/ops/reply', 405, 'POST'],
    ['POST', '/healthz', 405, 'GET, HEAD'],
    ['POST', '/', 405, 'GET, HEAD'],
    ['PUT', '/assets/x.js', 405, 'GET, HEAD'],
    ['OPTIONS', '/v1/decisions', 405, 'GET, HEAD, POST'],
    ['PROPFIND', '/v1/events', 405, 'GET, HEAD'],
    ['GET', '/v1/nothing', 404, null],
    ['POST', '/v1/approvals/apr_x/nothing', 404, null],
    ['POST', '/v1/approvals//approve', 404, null],
    ['POST', '/v1/decisions/', 404, null],
    ['DELETE', '/v2/decisions', 404, null],
    ['GET', '/V1/RESULTS', 404, null],
  ] as const) {
    test(`${method} ${path}: ${status} ${allow ?? ''}`, async () => {
      const got = await ask(`${server.url}${path}`, { method })
      expect([got.status, got.headers.get('allow'), got.headers.get('content-security-policy') !== null]).toEqual([status, allow, true])
      expect(got.body).toMatchObject({ error: status === 405 ? 'http.method' : 'http.not_found' })
    })
  }

  test('is not told to a page of another site', async () => {
    expect(await rawStatus(server, 'DELETE /v1/decisions HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n')).toBe(403)
  })
})

describe('looking', () => {
  // A link alone never approves: whatever a preview, a crawler or a click asks for changes nothing.
  for (const method of ['GET', 'HEAD', 'OPTIONS'] as const) {
    proves('T27', `${method} of every route, with the operator's own rights, answers no approval`, async () => {
      const { id } = await opened(server, { session: `looking-${method}` })
      const targets = server.app.routes.flatMap(({ path }) => {
        const real = path.replace('{id}', id).replaceAll(/\{\w+\}/g, 'x')
        const queries =
          real.includes(id) || real.includes('/channels/') ? ['', '?approve=true', '?approved=true&by=alice', '?_method=POST'] : ['']
        return real === '/v1/events' ? [] : queries.map((query) => `${server.url}${real}${query}`)
      })
      const overrides = { 'x-http-method-override': 'POST', 'x-http-method': 'POST', 'x-method-override': 'POST' }
      const headers = { authorization: `Bearer ${server.operator}`, ...overrides }
      await Promise.all(targets.map((target) => fetch(target, { method, redirect: 'manual', headers })))
      expect((await ask(`${server.url}/v1/approvals/${id}`, { token: server.operator })).body).toMatchObject({
        status: 'pending',
        version: 0,
      })
    })
  }
})
