/** Who may do what: every route against every kind of caller, on every listener. */
import { spawnSync } from 'node:child_process'
import { chmodSync } from 'node:fs'
import { networkInterfaces } from 'node:os'
import { dirname } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { proves } from '../../test/proves.ts'
import { ASKING, ask, askSocket, startServer, type TestServer } from '../../test/support/server.ts'
import { HOSTS } from '../hosts/all.ts'

const CALLERS = ['nobody', 'wrong', 'agent', 'viewer', 'approver', 'admin', 'operator'] as const

/** Callers in this order; 200 stands for whatever shows that the way in is open. */
const ROUTES = [
  ['GET', '/healthz', [200, 401, 200, 200, 200, 200, 200]],
  ['GET', '/readyz', [200, 401, 200, 200, 200, 200, 200]],
  ['GET', '/openapi.json', [200, 401, 200, 200, 200, 200, 200]],
  ['GET', '/metrics', [401, 401, 200, 200, 200, 200, 200]],
  ['GET', '/v1/login', [200, 401, 200, 200, 200, 200, 200]],
  ['POST', '/v1/decisions', [401, 401, 200, 200, 200, 200, 200]],
  ['POST', '/v1/results', [401, 401, 200, 200, 200, 200, 200]],
  ...HOSTS.map(({ name }): [string, string, number[]] => ['POST', `/v1/hooks/${name}`, [401, 401, 200, 200, 200, 200, 200]]),
  ['GET', '/v1/approvals/apr_none', [401, 401, 200, 200, 200, 200, 200]],
  ['GET', '/v1/whoami', [401, 401, 403, 200, 200, 200, 200]],
  ['POST', '/v1/logout', [401, 401, 403, 200, 200, 200, 200]],
  ['POST', '/v1/login/codes', [401, 401, 403, 200, 200, 200, 200]],
  ['GET', '/v1/approvals', [401, 401, 403, 200, 200, 200, 200]],
  ['GET', '/v1/decisions', [401, 401, 403, 200, 200, 200, 200]],
  ['GET', '/v1/decisions/none', [401, 401, 403, 200, 200, 200, 200]],
  ['GET', '/v1/sessions', [401, 401, 403, 200, 200, 200, 200]],
  ['GET', '/v1/sessions/authorization', [401, 401, 403, 200, 200, 200, 200]],
  ['GET', '/v1/baselines', [401, 401, 403, 200, 200, 200, 200]],
  ['GET', '/v1/baselines/drift', [401, 401, 403, 200, 200, 200, 200]],
  ['GET', '/v1/audit/search', [401, 401, 403, 200, 200, 200, 200]],
  ['GET', '/v1/audit/verify', [401, 401, 403, 200, 200, 200, 200]],
  ['GET', '/v1/policy', [401, 401, 403, 200, 200, 200, 200]],
  ['POST', '/v1/policy/lint', [401, 401, 403, 200, 200, 200, 200]],
  ['GET', '/v1/stats', [401, 401, 403, 200, 200, 200, 200]],
  ['GET', '/v1/stats/rules', [401, 401, 403, 200, 200, 200, 200]],
  ['GET', '/v1/events', [401, 401, 403, 200, 200, 200, 200]],
  ['POST', '/v1/approvals/apr_none/approve', [401, 401, 403, 403, 200, 200, 200]],
  ['POST', '/v1/approvals/apr_none/deny', [401, 401, 403, 403, 200, 200, 200]],
  ['POST', '/v1/approvals/batch', [401, 401, 403, 403, 200, 200, 200]],
  ['POST', '/v1/sessions/unlock', [401, 401, 403, 403, 200, 200, 200]],
  ['GET', '/v1/undo', [401, 401, 403, 200, 200, 200, 200]],
  ['GET', '/v1/decisions/none/undo', [401, 401, 403, 403, 200, 200, 200]],
  ['POST', '/v1/decisions/none/undo', [401, 401, 403, 403, 200, 200, 200]],
  ['POST', '/v1/approvals/apr_none/cancel', [401, 401, 403, 403, 403, 200, 200]],
  ['POST', '/v1/policy/replay', [401, 401, 403, 403, 403, 200, 200]],
] as const

const BODIES: Readonly<Record<string, unknown>> = {
  '/v1/decisions': { tool: 'get_x', args: {} },
  '/v1/results': { tool: 'get_x', args: {}, result: 1 },
  '/v1/approvals/batch': { ids: ['apr_none'], verdict: 'deny' },
  '/v1/decisions/none/undo': { digest: 'x' },
  '/v1/sessions/unlock': { session: 'none', reason: 'x' },
  '/v1/policy/lint': { text: 'version: 1' },
  '/v1/policy/replay': { text: 'version: 1' },
}

let server: TestServer
let tokens: ReadonlyMap<string, string>
beforeAll(async () => {
  server = await startServer({ policy: `${ASKING}server: { rates: { logins: 10000 } }\n` })
  tokens = tokensOf(server)
})
afterAll(() => server.stop())

function tokensOf(of: TestServer): ReadonlyMap<string, string> {
  return new Map([
    ['wrong', 'cst_wrong'],
    ['agent', of.token({ name: 'bot', role: 'agent' })],
    ['viewer', of.token({ name: 'human:vera', role: 'viewer' })],
    ['approver', of.token({ name: 'human:alice', role: 'approver' })],
    ['admin', of.token({ name: 'human:adam', role: 'admin' })],
    ['operator', of.operator],
  ])
}

/** 401 and 403 as they are; everything else let the caller in. */
async function entrance(
  url: string,
  { method, path, token }: { method: string; path: string; token: string | undefined },
): Promise<number> {
  const ending = new AbortController()
  const response = await fetch(`${url}${path}`, {
    method,
    signal: ending.signal,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(method === 'POST' ? { 'content-type': 'application/json' } : {}),
    },
    ...(method === 'POST' ? { body: JSON.stringify(BODIES[path] ?? {}) } : {}),
  })
  const { status } = response
  if (status === 401) expect(response.headers.get('www-authenticate')).toBe('Bearer')
  ending.abort()
  return status === 401 || status === 403 ? status : 200
}

describe('on loopback', () => {
  for (const [method, path, expected] of ROUTES) {
    for (const [index, caller] of CALLERS.entries()) {
      proves(['T22', 'T65'], `${caller} ${method} ${path}: ${expected[index]}`, async () => {
        expect(await entrance(server.url, { method, path, token: tokens.get(caller) })).toBe(expected[index])
      })
    }
  }

  test('every route that asks for somebody is in the table', () => {
    const pattern = (path: string) => path.replaceAll(/\{\w+\}/g, '[^/]+')
    const known = ROUTES.map(([method, path]) => `${method} ${path}`)
    const missing = server.app.routes.filter(({ who, method, path }) => {
      const own = new RegExp(`^${method} ${pattern(path)}$`)
      return who !== 'anyone' && !known.some((each) => own.test(each))
    })
    expect(missing.map(({ path }) => path)).toEqual([])
  })
})

const FOR_AGENTS = ROUTES.filter(([, , [nobody, , agent]]) => nobody === 401 && agent === 200)

describe('agents without a token', () => {
  for (const [title, openLoopback, tokens, byTcp, bySocket] of [
    ['by default', false, 'optional', 401, 200],
    ['with open loopback', true, 'optional', 200, 200],
    ['where the policy requires tokens', false, 'required', 401, 401],
    ['where the policy requires tokens, and loopback is open', true, 'required', 401, 401],
  ] as const) {
    proves(['T22', 'T65'], `${title}: ${byTcp} on loopback, ${bySocket} on the private socket`, async () => {
      const own = await startServer({ openLoopback, policy: `${ASKING}server: { tokens: ${tokens} }\n` })
      for (const [method, path] of FOR_AGENTS) {
        expect([path, await entrance(own.url, { method, path, token: undefined })]).toEqual([path, byTcp])
        const body = method === 'POST' ? { body: BODIES[path] ?? {} } : {}
        const { status } = await askSocket(own.daemon.socket, path, body)
        expect([path, status === 401 ? 401 : 200]).toEqual([path, bySocket])
      }
      const { body } = await ask(`${own.url}/healthz`)
      expect(body.open_loopback).toBe(openLoopback)
      await own.stop()
    })
  }

  proves('T65', 'on open loopback are told nothing that is for the operator, and cannot stop a session of anybody else', async () => {
    const own = await startServer({ openLoopback: true })
    const decide = (more: object) =>
      fetch(`${own.url}/v1/decisions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ tool: 'Bash', args: { command: 'rm -rf /' }, session: 's-1', cwd: '/home/u', ...more }),
      })
    const first = (await (await decide({})).json()) as Record<string, unknown>
    expect([first.decision, Object.keys(first).filter((key) => ['effects', 'findings', 'reason'].includes(key))]).toEqual(['deny', []])
    for (let i = 0; i < 12; i += 1) await decide({})
    expect(((await (await decide({ tool: 'get_x', args: {} })).json()) as { decision: string }).decision).toBe('halt')
    const local = await askSocket(own.daemon.socket, '/v1/decisions', { body: { tool: 'get_x', args: {}, session: 's-1' } })
    expect(local.body.decision).toBe('allow')
    await own.stop()
  })
})

const outside = Object.values(networkInterfaces())
  .flatMap((each) => each ?? [])
  .find(({ family, internal }) => family === 'IPv4' && !internal)?.address

describe.runIf(outside !== undefined)('on an address that other machines reach', () => {
  let network: TestServer
  let url: string
  let known: ReadonlyMap<string, string>
  beforeAll(async () => {
    network = await startServer({ host: outside ?? '' })
    url = `http://${outside}:${network.daemon.address?.port}`
    known = tokensOf(network)
  })
  afterAll(() => network.stop())

  for (const [method, path, expected] of ROUTES.filter(([, , expected]) => expected[2] === 200)) {
    const open = ['/healthz', '/readyz', '/openapi.json', '/v1/login'].includes(path)
    proves('T65', `nobody ${method} ${path}: ${open ? 200 : 401}, an agent with a token ${expected[2]}`, async () => {
      expect(await entrance(url, { method, path, token: undefined })).toBe(open ? 200 : 401)
      expect(await entrance(url, { method, path, token: known.get('agent') })).toBe(expected[2])
    })
  }
})

describe('a token', () => {
  for (const [authorization, status] of [
    ['Bearer TOKEN', 200],
    ['bearer TOKEN', 200],
    ['BEARER TOKEN', 200],
    ['Bearer  TOKEN', 401],
    ['Bearer TOKEN x', 200],
    ['Basic TOKEN', 401],
    ['TOKEN', 401],
    ['Bearer', 401],
    ['Bearer ', 401],
    ['Bearer TOKEN,TOKEN', 401],
    ['Bearer null', 401],
    ['Bearer undefined', 401],
  ] as const) {
    test(`\`${authorization}\` is ${status}`, async () => {
      const header = authorization.replaceAll('TOKEN', server.operator)
      expect((await ask(`${server.url}/v1/whoami`, { headers: { authorization: header } })).status).toBe(status)
    })
  }

  test('that was revoked or has ended is nobody', async () => {
    const own = await startServer()
    const ended = own.token({ name: 'human:eve', role: 'viewer', expiresAt: new Date(Date.now() + 1_000).toISOString() })
    expect((await ask(`${own.url}/v1/whoami`, { token: ended })).status).toBe(200)
    own.pass(2_000)
    expect((await ask(`${own.url}/v1/whoami`, { token: ended })).status).toBe(401)
    await own.stop()
  })
})

describe('how often', () => {
  const limited = (rates: string) => startServer({ policy: `${ASKING}server: { rates: { ${rates} } }\n` })

  for (const [title, rates, asks] of [
    ['agents', 'agents: 6', (own: TestServer) => ask(`${own.url}/v1/decisions`, { body: { tool: 'get_x', args: {} } })],
    ['people', 'people: 6', (own: TestServer) => ask(`${own.url}/v1/whoami`, { token: own.operator })],
    ['logins', 'logins: 6', (own: TestServer) => ask(`${own.url}/v1/login`, { body: { token: 'x' } })],
    ['wrong tokens', 'logins: 6', (own: TestServer) => ask(`${own.url}/v1/whoami`, { token: 'cst_wrong' })],
  ] as const) {
    test(`${title}: the sixth is 429, and told when to come again`, async () => {
      const own = await limited(rates)
      const answers = []
      for (let i = 0; i < 6; i += 1) answers.push(await asks(own))
      expect(answers.slice(0, 5).map(({ status }) => status)).not.toContain(429)
      const last = answers.at(-1)
      expect([last?.status, last?.body.error, Number(last?.headers.get('retry-after')) > 0]).toEqual([429, 'http.rate_limited', true])
      await own.stop()
    })
  }

  const login = (own: TestServer, body: object, headers: Readonly<Record<string, string>> = {}) =>
    ask<{ error?: string }>(`${own.url}/v1/login`, { body, headers })

  proves('T65', 'strangers who fail, or flood, cannot lock out the link of an approver behind the same address', async () => {
    const own = await limited('logins: 1, agents: 1')
    const code = own.app.loginCode({ kind: 'person', name: 'human:alice', role: 'approver', tenant: null })
    const alice = own.token({ name: 'human:alice', role: 'approver' })
    const failed = []
    for (let i = 0; i < 40; i += 1) failed.push((await login(own, i % 2 === 0 ? { code: `x${i}` } : { token: `cst_x${i}` })).status)
    for (let i = 0; i < 40; i += 1) await ask(`${own.url}/healthz`)
    for (let i = 0; i < 40; i += 1) await ask(`${own.url}/v1/whoami`, { token: `cst_x${i}` })
    expect([failed[0], failed.at(-1)]).toEqual([401, 429])
    expect([(await login(own, { code })).status, (await login(own, { token: alice })).status]).toEqual([200, 200])
    await own.stop()
  })

  test('one account: who logs in all the time waits, and nobody else does', async () => {
    const own = await limited('logins: 1')
    const [alice, bob] = ['alice', 'bob'].map((name) => own.token({ name: `human:${name}`, role: 'approver' }))
    const answers = []
    for (let i = 0; i < 7; i += 1) answers.push((await login(own, { token: alice })).status)
    expect(answers).toEqual([200, 200, 200, 200, 200, 429, 429])
    expect((await login(own, { token: bob })).status).toBe(200)
    await own.stop()
  })

  for (const [title, trusted, expected] of [
    ['behind a trusted proxy each address has its own tries', '[127.0.0.1]', 401],
    ['a header that no trusted proxy wrote counts for nothing', '[10.0.0.7]', 429],
  ] as const) {
    proves('T65', title, async () => {
      const own = await startServer({ policy: `${ASKING}server: { rates: { logins: 1 }, trusted_proxies: ${trusted} }\n` })
      for (let i = 0; i < 8; i += 1) await login(own, { token: 'x' }, { 'x-forwarded-for': '198.51.100.1' })
      const stranger = await login(own, { token: 'x' }, { 'x-forwarded-for': '198.51.100.1' })
      const other = await login(own, { token: 'x' }, { 'x-forwarded-for': '198.51.100.1, 203.0.113.9' })
      expect([stranger.status, other.status]).toEqual([429, expected])
      await own.stop()
    })
  }

  test('a flood of agents does not keep people out', async () => {
    const own = await limited('agents: 1')
    for (let i = 0; i < 10; i += 1) await ask(`${own.url}/v1/decisions`, { body: { tool: 'get_x', args: {} } })
    expect((await ask(`${own.url}/v1/approvals`, { token: own.operator })).status).toBe(200)
    await own.stop()
  })
})

describe('tries to answer that were turned away', () => {
  const notes = async (own: TestServer) => {
    const { body } = await ask<{ records: { body: Record<string, unknown> }[] }>(`${own.url}/v1/audit/search?q=answer_refused&limit=200`, {
      token: own.operator,
    })
    return body.records.map((record) => record.body)
  }

  proves('T22', 'are in the log: by whom they came, over what, and why not', async () => {
    const own = await startServer()
    const agent = own.token({ name: 'bot', role: 'agent' })
    await ask(`${own.url}/v1/approvals/apr_x/approve`, { body: {} })
    await ask(`${own.url}/v1/approvals/apr_x/deny`, { body: {}, token: agent })
    await ask(`${own.url}/v1/approvals`, {})
    await ask(`${own.url}/v1/decisions`, { body: { tool: 'never', args: {} } })
    expect(await notes(own)).toMatchObject([
      { channel: 'untrusted', path: '/v1/approvals/{id}/deny', listener: 'loopback', status: 403, why: 'http.forbidden' },
      { channel: 'untrusted', path: '/v1/approvals/{id}/approve', listener: 'loopback', status: 401, why: 'http.unauthenticated' },
    ])
    await own.stop()
  })

  test('are not a flood of their own', async () => {
    const own = await startServer()
    for (let i = 0; i < 40; i += 1) await ask(`${own.url}/v1/approvals/apr_x/approve`, { body: {} })
    expect((await notes(own)).length).toBeLessThan(10)
    await own.stop()
  })
})

describe.runIf(process.getuid?.() === 0)('another user of the machine', () => {
  // It becomes the other user by itself: the program may lie where only root can start it.
  const CONNECT = `
    process.setgroups([]); process.setgid(65534); process.setuid(65534)
    require('net').connect(process.argv[1]).on('connect', () => { console.log('in'); process.exit() }).on('error', ({ code }) => console.log(code))`
  const tries = (path: string): string =>
    spawnSync(process.execPath, ['-e', CONNECT, path], { encoding: 'utf8', cwd: '/', timeout: 20_000 }).stdout.trim()

  proves('T65', 'gets neither through the directory of the socket nor, were that open, through the socket', () => {
    const { socket } = server.daemon
    const run = dirname(socket)
    chmodSync(server.home, 0o755)
    const closed = tries(socket)
    chmodSync(run, 0o755)
    const open = tries(socket)
    chmodSync(socket, 0o666)
    const proof = tries(socket)
    chmodSync(socket, 0o600)
    chmodSync(run, 0o700)
    chmodSync(server.home, 0o700)
    expect([closed, open, proof]).toEqual(['EACCES', 'EACCES', 'in'])
  })
})
