/** What a page of another site can make a browser send: nothing of it is taken (T63). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { proves } from '../../test/proves.ts'
import { ASKING, ask, OPERATOR, opened, rawStatus, startServer, type TestServer } from '../../test/support/server.ts'

let server: TestServer
let host: string
beforeAll(async () => {
  server = await startServer({ policy: `${ASKING}server: { hosts: [gate.example.com], rates: { logins: 10000 } }\n` })
  host = new URL(server.url).host
})
afterAll(() => server.stop())

interface LoggedIn {
  readonly cookie: string
  readonly csrf: string
}

async function login(token = server.operator): Promise<LoggedIn> {
  const { headers, body } = await ask<{ csrf: string }>(`${server.url}/v1/login`, { body: { token } })
  return { cookie: (headers.get('set-cookie') ?? '').split(';')[0] ?? '', csrf: body.csrf }
}

describe('the way in', () => {
  test('a token becomes a cookie that scripts cannot read, and a CSRF token that they can', async () => {
    const { status, headers, body } = await ask(`${server.url}/v1/login`, { body: { token: server.operator } })
    expect([status, body]).toEqual([200, { name: OPERATOR, role: 'admin', tenant: null, csrf: expect.stringMatching(/^[\w-]{43}$/) }])
    const cookie = headers.get('set-cookie') ?? ''
    for (const part of ['HttpOnly', 'SameSite=Strict', 'Path=/', 'Max-Age=43200']) expect(cookie).toContain(part)
    expect(cookie).toMatch(/^countersign_session=[\w-]{43};/)
  })

  test('the cookie says who, until logout', async () => {
    const { cookie, csrf } = await login(server.token({ name: 'human:vera', role: 'viewer', tenant: 't' }))
    const who = await ask(`${server.url}/v1/whoami`, { headers: { cookie } })
    expect(who.body).toEqual({ name: 'human:vera', role: 'viewer', tenant: 't', csrf })
    expect(
      (await ask(`${server.url}/v1/logout`, { body: {}, headers: { cookie, 'x-countersign-csrf': csrf } })).headers.get('set-cookie'),
    ).toContain('Max-Age=0')
    expect((await ask(`${server.url}/v1/whoami`, { headers: { cookie } })).status).toBe(401)
  })

  proves(['T63', 'T22'], 'a link holds once', async () => {
    const { body } = await ask<{ url: string }>(`${server.url}/v1/login/codes`, { token: server.operator, body: {} })
    const [base, code = ''] = body.url.split('/#login=')
    expect(base).toBe(server.url)
    expect((await ask(`${server.url}/v1/login`, { body: { code } })).status).toBe(200)
    expect((await ask(`${server.url}/v1/login`, { body: { code } })).status).toBe(401)
  })

  for (const [title, body, status] of [
    ['an unknown token', { token: 'cst_x' }, 401],
    ['an unknown code', { code: 'x' }, 401],
    ['nothing', {}, 401],
    ['an empty token', { token: '' }, 422],
    ['a token that is a number', { token: 1 }, 422],
    ['a name', { name: 'human:alice', role: 'admin' }, 422],
    ['text', '"x"', 422],
  ] as const) {
    test(`${title}: ${status}, and no cookie`, async () => {
      const got = await ask(`${server.url}/v1/login`, { body })
      expect([got.status, got.headers.get('set-cookie')]).toEqual([status, null])
    })
  }

  proves('T22', 'a token of an agent logs nobody in', async () => {
    const token = server.token({ name: 'bot', role: 'agent' })
    expect((await ask(`${server.url}/v1/login`, { body: { token } })).status).toBe(401)
  })

  for (const cookie of [
    'countersign_session=',
    'countersign_session=x',
    'countersign_session=x; countersign_session=COOKIE',
    'COUNTERSIGN_SESSION=COOKIE',
    'countersign_session="COOKIE"',
    'x=countersign_session=COOKIE',
  ]) {
    test(`\`${cookie}\` is nobody`, async () => {
      const own = await login()
      const sent = cookie.replace('COOKIE', own.cookie.split('=')[1] ?? '')
      expect((await ask(`${server.url}/v1/whoami`, { headers: { cookie: sent } })).status).toBe(401)
    })
  }
})

describe('a cookie that a page of another site makes the browser send', () => {
  let own: LoggedIn
  let id: string
  beforeAll(async () => {
    own = await login()
    id = (await opened(server, { session: 'csrf' })).id
  })
  const status = async () => (await ask(`${server.url}/v1/approvals/${id}`, { token: server.operator })).body.status

  for (const [title, headers, expected] of [
    ['alone', {}, 'http.csrf'],
    ['with an empty CSRF token', { 'x-countersign-csrf': '' }, 'http.csrf'],
    ['with a wrong CSRF token', { 'x-countersign-csrf': 'x' }, 'http.csrf'],
    ['with the cookie as CSRF token', { 'x-countersign-csrf': 'COOKIE' }, 'http.csrf'],
    ['with the right one, from another origin', { 'x-countersign-csrf': 'CSRF', origin: 'http://evil.example' }, 'http.origin'],
    ['with the right one, from no origin', { 'x-countersign-csrf': 'CSRF', origin: 'null' }, 'http.origin'],
    ['with the right one, from localhost', { 'x-countersign-csrf': 'CSRF', origin: 'http://localhost:7433' }, 'http.origin'],
    ['with the right one, across sites', { 'x-countersign-csrf': 'CSRF', 'sec-fetch-site': 'cross-site' }, 'http.origin'],
    [
      'with the right one, as a form',
      { 'x-countersign-csrf': 'CSRF', 'content-type': 'application/x-www-form-urlencoded' },
      'http.content_type',
    ],
    ['with the right one, as text', { 'x-countersign-csrf': 'CSRF', 'content-type': 'text/plain' }, 'http.content_type'],
  ] as const) {
    proves(['T63', 'T22'], `${title}: ${expected}`, async () => {
      const sent = Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [
          name,
          value.replace('CSRF', own.csrf).replace('COOKIE', own.cookie.split('=')[1] ?? ''),
        ]),
      )
      const got = await ask(`${server.url}/v1/approvals/${id}/approve`, { body: {}, headers: { cookie: own.cookie, ...sent } })
      expect([got.body.error, await status()]).toEqual([expected, 'pending'])
    })
  }

  test('a page of ours with both is heard', async () => {
    const headers = { cookie: own.cookie, 'x-countersign-csrf': own.csrf, origin: server.url, 'sec-fetch-site': 'same-origin' }
    expect((await ask(`${server.url}/v1/approvals/${id}/approve`, { body: {}, headers })).status).toBe(200)
    expect(await status()).toBe('approved')
  })

  for (const [method, path] of [
    ['POST', '/v1/logout'],
    ['POST', '/v1/login/codes'],
    ['POST', '/v1/policy/lint'],
    ['POST', '/v1/policy/replay'],
    ['POST', '/v1/approvals/batch'],
    ['POST', '/v1/decisions'],
    ['POST', '/v1/results'],
    ['POST', '/v1/hooks/claude-code'],
  ] as const) {
    proves('T63', `${method} ${path} needs the CSRF token, too`, async () => {
      expect((await ask(`${server.url}${path}`, { method, body: {}, headers: { cookie: own.cookie } })).body.error).toBe('http.csrf')
    })
  }
})

describe('names that are not ours', () => {
  for (const [given, status] of [
    ['HOST', 200],
    ['localhost:PORT', 200],
    ['gate.example.com', 200],
    ['evil.example', 403],
    ['evil.example:PORT', 403],
    ['127.0.0.1.evil.example:PORT', 403],
    ['127.0.0.1:1', 403],
    ['0.0.0.0:PORT', 403],
    ['', 400],
  ] as const) {
    proves('T63', `host \`${given}\`: ${status}`, async () => {
      const named = given.replace('HOST', host).replace('PORT', host.split(':')[1] ?? '')
      for (const path of ['/healthz', '/', '/openapi.json']) {
        const got = await rawStatus(server, `GET ${path} HTTP/1.1\r\nhost: ${named}\r\nconnection: close\r\n\r\n`)
        expect([path, [404, status].includes(got) || got === status]).toEqual([path, true])
      }
    })
  }

  proves('T63', 'a page that had its name resolve to us reads nothing', async () => {
    const { cookie } = await login()
    const got = await rawStatus(
      server,
      `GET /v1/approvals HTTP/1.1\r\nhost: evil.example:${host.split(':')[1]}\r\ncookie: ${cookie}\r\nconnection: close\r\n\r\n`,
    )
    expect(got).toBe(403)
  })

  for (const name of ['host', 'origin', 'cookie', 'authorization', 'x-countersign-csrf']) {
    proves('T63', `${name} twice: 400`, async () => {
      const value = name === 'host' ? host : name === 'origin' ? server.url : 'x'
      const rest = name === 'host' ? '' : `host: ${host}\r\n`
      expect(await rawStatus(server, `GET /v1/whoami HTTP/1.1\r\n${rest}${name}: ${value}\r\n${name}: ${value}\r\n\r\n`)).toBe(400)
    })
  }
})

describe('a server on every address', () => {
  for (const [given, status] of [
    ['127.0.0.1:PORT', 401],
    ['localhost:PORT', 401],
    ['0.0.0.0:PORT', 403],
    ['0:PORT', 403],
    ['[::]:PORT', 403],
    ['192.0.2.1:PORT', 403],
  ] as const) {
    proves('T63', `host \`${given}\`: ${status}, and never without a token`, async () => {
      const own = await startServer({ host: '0.0.0.0' })
      const named = given.replace('PORT', String(own.daemon.address?.port))
      const body = '{"tool":"get_x","args":{}}'
      expect(
        await rawStatus(
          own,
          `POST /v1/decisions HTTP/1.1\r\nhost: ${named}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
        ),
      ).toBe(status)
      await own.stop()
    })
  }
})

describe('what every answer says to the browser', () => {
  for (const path of ['/', '/healthz', '/v1/approvals', '/v1/whoami', '/nothing', '/openapi.json', '/assets/none.js', '/metrics']) {
    proves('T63', path, async () => {
      const { headers } = await ask(`${server.url}${path}`)
      const policy = headers.get('content-security-policy') ?? ''
      for (const part of ["default-src 'self'", "frame-ancestors 'none'", "object-src 'none'", "base-uri 'none'", "script-src 'self'"])
        expect(policy).toContain(part)
      for (const part of ['unsafe-inline', 'unsafe-eval', '*', 'http:', 'blob:']) expect(policy).not.toContain(part)
      expect(
        Object.fromEntries(
          [
            'x-frame-options',
            'x-content-type-options',
            'referrer-policy',
            'cross-origin-opener-policy',
            'cross-origin-resource-policy',
          ].map((name) => [name, headers.get(name)]),
        ),
      ).toEqual({
        'x-frame-options': 'DENY',
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
      })
      for (const name of headers.keys()) expect(name).not.toMatch(/^access-control-/)
    })
  }

  proves('T63', 'a question of another page before it sends is not answered', async () => {
    for (const origin of ['http://evil.example', 'null']) {
      const { status, headers } = await ask(`${server.url}/v1/decisions`, {
        method: 'OPTIONS',
        headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type' },
      })
      expect([status, headers.get('access-control-allow-origin')]).toEqual([403, null])
    }
  })

  test('nothing that is about somebody is kept on the way', async () => {
    for (const path of ['/v1/approvals', '/v1/whoami', '/v1/decisions', '/v1/stats']) {
      expect((await ask(`${server.url}${path}`, { token: server.operator })).headers.get('cache-control')).toBe('no-store')
    }
  })
})

describe('files of the console', () => {
  for (const path of [
    '/assets/..%2f..%2fpackage.json',
    '/assets/%2e%2e/%2e%2e/package.json',
    '/assets/../../package.json',
    '/assets//etc/passwd',
    '/assets/..\\..\\package.json',
    '/index.html%00.js',
    '/assets/',
    '/.git/config',
    '/operator-token',
    '/assets/__proto__',
    '/assets/constructor',
  ]) {
    test(`${path} is none`, async () => {
      const got = await rawStatus(server, `GET ${path} HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`)
      expect([400, 404]).toContain(got)
    })
  }
})
