import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { JsonObject } from '../core/json.ts'
import { call, errorsOf, policy } from '../policy/testing/compiled.ts'
import { addressOf } from './http.ts'
import { type LookupParts, lookUp, type StateProvider } from './index.ts'

/** A real server on this machine; what was asked of it, in order. */
const asked: string[] = []
let server: Server
let origin = ''
beforeAll(async () => {
  server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url} ${request.headers['x-key'] ?? '-'}`)
    const [, kind = ''] = (request.url ?? '').split('/')
    if (kind === 'moved') response.writeHead(302, { location: `${origin}/ok/1` }).end()
    else if (kind === 'error') response.writeHead(500).end('{}')
    else if (kind === 'text') response.end('hello')
    else if (kind === 'twice') response.end('{"a":1,"a":2}')
    else if (kind === 'large') response.end(JSON.stringify('x'.repeat(2_000_000)))
    else if (kind === 'empty') response.end()
    else if (kind !== 'never') response.end(JSON.stringify({ asked: request.url }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const PARTS: LookupParts = { providers: new Map(), fetch: (url, init) => fetch(url, init) }
const ENV = { env: (name: string) => (name === 'KEY' ? 'secret' : undefined) }
const rules = (provider: string) => policy(`contracts: { providers: { crm: { tools: [t], ${provider} } } }`, ENV)
const ask = (provider: string, args: JsonObject = { id: '7' }, parts = PARTS) =>
  lookUp(call('t', { args }), rules(provider.replace('ORIGIN', origin)), parts)

describe('over HTTP', () => {
  for (const [path, expected] of [
    ['/ok/{id}', { asked: '/ok/7' }],
    ['/ok?id={id}&x={id}', { asked: '/ok?id=7&x=7' }],
    ['/moved/{id}', undefined],
    ['/error/{id}', undefined],
    ['/text/{id}', undefined],
    ['/twice/{id}', undefined],
    ['/large/{id}', undefined],
    ['/empty/{id}', undefined],
    ['/ok/{name}', undefined],
  ] as const) {
    test(`${path}: ${expected === undefined ? 'nothing is known' : JSON.stringify(expected)}`, async () =>
      expect((await ask(`http: "ORIGIN${path}"`)).get('crm')).toEqual(expected))
  }

  test('headers come from the environment, and are not sent on by a redirect', async () => {
    asked.length = 0
    await ask('http: "ORIGIN/moved/{id}", headers_env: { x-key: KEY }')
    expect(asked).toEqual(['GET /moved/7 secret'])
  })

  test('an answer that does not come in time is not known', async () => {
    expect((await ask('http: "ORIGIN/never/{id}", timeout_ms: 30')).size).toBe(0)
  })

  test('a server that is not there is not known', async () => {
    expect((await ask('http: "http://127.0.0.1:1/{id}"')).size).toBe(0)
  })

  test('only the tools of the provider are asked about', async () => {
    asked.length = 0
    const answers = await lookUp(call('other', { args: { id: '7' } }), rules(`http: "${origin}/ok/{id}"`), PARTS)
    expect([answers.size, asked.length]).toEqual([0, 0])
  })
})

describe('an argument never chooses who is asked', () => {
  const address = (args: JsonObject) => {
    const [provider] = policy('contracts: { providers: { p: { tools: [t], http: "https://crm.example/orders/{id}/items?q={q.text}" } } }')
      .contracts.providers
    return provider?.http == null ? undefined : addressOf(provider.http, args)
  }
  for (const [id, expected] of [
    ['7', 'https://crm.example/orders/7/items?q=x'],
    [7, 'https://crm.example/orders/7/items?q=x'],
    ['a/b', 'https://crm.example/orders/a%2Fb/items?q=x'],
    ['../admin', 'https://crm.example/orders/..%2Fadmin/items?q=x'],
    ['7?x=1#', 'https://crm.example/orders/7%3Fx%3D1%23/items?q=x'],
    ['@evil.example', 'https://crm.example/orders/%40evil.example/items?q=x'],
    ['..', undefined],
    ['.', undefined],
    ['', undefined],
    [null, undefined],
    [['7'], undefined],
    ['x'.repeat(2_000), undefined],
    ['\ud800', 'https://crm.example/orders/%EF%BF%BD/items?q=x'],
  ] as const) {
    test(`${String(id).slice(0, 40)}`, () => expect(address({ id, q: { text: 'x' } })).toBe(expected))
  }

  for (const http of [
    '{host}/x',
    'https://{host}/x',
    'https://crm.example{path}',
    'ftp://crm.example/{id}',
    '/orders/{id}',
    'https://crm.example/{id',
    'https://crm.example/{}',
  ]) {
    test(`${http} is no address to look up`, () =>
      expect(errorsOf(`version: 1\ncontracts: { providers: { p: { tools: [t], http: "${http}" } } }`)).toMatch(
        /policy\.(?:wrong_value|contract_path)/,
      ))
  }

  test('a header whose variable is not set is a warning', () => {
    const { warnings } = policy(
      'contracts: { providers: { p: { tools: [t], http: "https://a.example/{x}", headers_env: { x-key: NOPE } } } }',
      ENV,
    )
    expect(warnings.map((warning) => warning.code)).toContain('lint.provider_header')
  })
})

describe('of the host program', () => {
  const provided = (provider: StateProvider): LookupParts => ({ ...PARTS, providers: new Map([['crm', provider]]) })
  for (const [title, provider, expected] of [
    ['answers what it knows', async (args: JsonObject) => ({ of: args.id ?? null }), { of: '7' }],
    ['may not know', async () => undefined, undefined],
    ['may fail', async () => Promise.reject(new Error('down')), undefined],
    [
      'may fail at once',
      () => {
        throw new Error('down')
      },
      undefined,
    ],
    ['may never answer', () => new Promise<undefined>(() => {}), undefined],
  ] as const satisfies readonly (readonly [string, StateProvider, unknown])[]) {
    test(title, async () => expect((await ask('timeout_ms: 30', { id: '7' }, provided(provider))).get('crm')).toEqual(expected))
  }
})
