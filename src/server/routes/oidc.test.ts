/** The whole way of a person: from our page to a real provider, back, and in. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { proves } from '../../../test/proves.ts'
import { CLIENT, type Provider, startProvider } from '../../../test/support/oidc-provider.ts'
import { ASKING, ask, opened, startServer, type TestServer } from '../../../test/support/server.ts'

let provider: Provider
let server: TestServer
beforeAll(async () => {
  provider = await startProvider()
  const oidc = `oidc: { issuer: "${provider.issuer}", client_id: ${CLIENT}, roles: { approvers: approver }, tenant_claim: org }`
  server = await startServer({ policy: `${ASKING}server: { rates: { logins: 10000 }, ${oidc} }\n` })
})
afterAll(async () => {
  await server.stop()
  await provider.close()
})
beforeEach(() => {
  provider.claims = { email: 'alice@example.com', email_verified: true, groups: ['approvers'], org: 'acme' }
})

interface Jar {
  readonly cookies: Map<string, string>
}

/** A browser: keeps cookies, follows one step at a time. */
async function go(jar: Jar, url: string): Promise<{ status: number; location: string }> {
  const cookie = [...jar.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const response = await fetch(url, {
    redirect: 'manual',
    headers: url.startsWith(server.url) && cookie !== '' ? { cookie, 'sec-fetch-site': 'cross-site' } : {},
  })
  for (const line of response.headers.getSetCookie()) {
    const [pair = '', ...flags] = line.split('; ')
    const [name = '', value = ''] = pair.split('=')
    expect(flags).toContain('HttpOnly')
    if (flags.includes('Max-Age=0')) jar.cookies.delete(name)
    else jar.cookies.set(name, value)
  }
  return { status: response.status, location: response.headers.get('location') ?? '' }
}

async function login(): Promise<{ jar: Jar; location: string }> {
  const jar = { cookies: new Map<string, string>() }
  const there = await go(jar, `${server.url}/v1/login/oidc`)
  expect(there.status).toBe(303)
  const back = await go(jar, there.location)
  const { location } = await go(jar, back.location)
  return { jar, location }
}

describe('login by a provider', () => {
  test('ends in the console, as who the provider says, with a session and nothing else', async () => {
    const { jar, location } = await login()
    expect([location, [...jar.cookies.keys()]]).toEqual(['/', ['countersign_session']])
    const { body } = await ask(`${server.url}/v1/whoami`, {
      headers: { cookie: `countersign_session=${jar.cookies.get('countersign_session')}` },
    })
    expect(body).toMatchObject({ name: 'human:alice@example.com', role: 'approver', tenant: 'acme', csrf: expect.any(String) })
  })

  proves('T64', 'and answers for the tenant that the provider names alone', async () => {
    const { jar } = await login()
    const cookie = `countersign_session=${jar.cookies.get('countersign_session')}`
    const { body: who } = await ask<{ csrf: string }>(`${server.url}/v1/whoami`, { headers: { cookie } })
    const headers = { cookie, 'x-countersign-csrf': who.csrf }
    for (const [tenant, status] of [
      ['acme', 200],
      ['beta', 404],
    ] as const) {
      const { id } = await opened(server, { session: tenant }, server.token({ name: `bot-${tenant}`, role: 'agent', tenant }))
      expect((await ask(`${server.url}/v1/approvals/${id}/approve`, { body: {}, headers })).status).toBe(status)
    }
  })

  for (const [title, claims, message] of [
    ['nobody of ours', { groups: ['others'] }, 'no role'],
    ['no tenant', { org: undefined }, 'no tenant'],
    ['not verified', { email_verified: false }, 'verified'],
  ] as const) {
    test(`${title}: told in the console, without a session`, async () => {
      provider.claims = { ...provider.claims, ...claims }
      const { jar, location } = await login()
      expect([location.startsWith('/#login-error='), decodeURIComponent(location).includes(message), jar.cookies.size]).toEqual([
        true,
        true,
        0,
      ])
    })
  }

  for (const query of [
    '',
    '?code=a',
    '?state=b',
    '?error=access_denied&state=x',
    '?code=a&state=b',
    '?code=a&state=b&iss=http://evil.example',
  ]) {
    proves('T63', `an answer that nobody asked for (${query}) logs nobody in`, async () => {
      const jar = { cookies: new Map<string, string>() }
      const { status, location } = await go(jar, `${server.url}/v1/login/oidc/callback${query}`)
      expect([status, location.startsWith('/#login-error='), jar.cookies.size]).toEqual([303, true, 0])
    })
  }

  proves('T63', 'an answer to another browser logs nobody in', async () => {
    const [mine, theirs] = [{ cookies: new Map<string, string>() }, { cookies: new Map<string, string>() }]
    const there = await go(mine, `${server.url}/v1/login/oidc`)
    await go(theirs, `${server.url}/v1/login/oidc`)
    const back = await go(mine, there.location)
    const { location } = await go(theirs, back.location)
    expect([decodeURIComponent(location).includes('another browser'), theirs.cookies.has('countersign_session')]).toEqual([true, false])
  })

  test('is told of where it is possible', async () => {
    expect((await ask(`${server.url}/v1/login`)).body).toEqual({ oidc: true })
    server.use(ASKING)
    expect((await ask(`${server.url}/v1/login`)).body).toEqual({ oidc: false })
    expect((await ask(`${server.url}/v1/login/oidc`)).status).toBe(404)
  })
})
