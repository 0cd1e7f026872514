import { createHmac } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { CLIENT, type Claims, type Provider, providerKey, SECRET, signed, startProvider } from '../../../test/support/oidc-provider.ts'
import type { OidcSection } from '../../policy/policy.ts'
import { createOidc, type Oidc } from './oidc.ts'

const BACK = 'http://127.0.0.1:7433/v1/login/oidc/callback'
const ALICE = { email: 'alice@example.com', email_verified: true, groups: ['everybody', 'gate-approvers'] }

let provider: Provider
let oidc: Oidc
beforeEach(async () => {
  provider = await startProvider()
  provider.claims = ALICE
  oidc = createOidc({ fetch: globalThis.fetch, env: (name) => (name === 'GATE_SECRET' ? SECRET : undefined), now: () => Date.now() })
})
afterEach(async () => {
  vi.useRealTimers()
  await provider.close()
})

/** The clock alone goes on: sockets and timers stay real. */
function later(milliseconds: number): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + milliseconds })
}

const section = (more: Partial<OidcSection> = {}): OidcSection => ({
  issuer: provider.issuer,
  clientId: CLIENT,
  clientSecretEnv: null,
  scopes: ['openid', 'email'],
  nameClaim: 'email',
  roleClaim: 'groups',
  roles: new Map([
    ['gate-viewers', 'viewer'],
    ['gate-approvers', 'approver'],
    ['gate-admins', 'admin'],
  ]),
  tenantClaim: null,
  tenant: null,
  ...more,
})

interface Way {
  readonly section?: Partial<OidcSection>
  /** What comes back from the browser, changed. */
  readonly back?: (url: URL) => void
  readonly cookie?: (cookie: string) => string
}

/** The whole way: to the provider, back with the code, and who came of it. */
async function login(way: Way = {}) {
  const own = section(way.section)
  const { url, cookie } = await oidc.begin(own, BACK)
  const sent = await fetch(url, { redirect: 'manual' })
  const back = new URL(sent.headers.get('location') ?? '')
  way.back?.(back)
  const { searchParams: query } = back
  return oidc.finish(own, {
    code: query.get('code') ?? '',
    state: query.get('state') ?? '',
    issuer: query.get('iss'),
    cookie: way.cookie?.(cookie) ?? cookie,
  })
}

describe('a login', () => {
  for (const alg of ['RS256', 'ES256'] as const) {
    test(`with a token signed by ${alg}`, async () => {
      provider.key = providerKey(alg, 'k2')
      provider.keys = [provider.key.jwk]
      expect(await login()).toEqual({ kind: 'person', name: 'human:alice@example.com', role: 'approver', tenant: null })
    })
  }

  test('asks with PKCE, a nonce and a state, and redeems the code with the verifier', async () => {
    const { url } = await oidc.begin(section(), BACK)
    const { searchParams: query } = new URL(url)
    expect([...query.keys()]).toEqual([
      'response_type',
      'client_id',
      'redirect_uri',
      'scope',
      'state',
      'nonce',
      'code_challenge',
      'code_challenge_method',
    ])
    expect([query.get('response_type'), query.get('code_challenge_method'), query.get('scope')]).toEqual(['code', 'S256', 'openid email'])
    await login()
    const [exchange] = provider.exchanges
    expect([exchange?.authorization, exchange?.form.get('code_verifier')?.length]).toEqual([null, 43])
  })

  test('proves the client by its secret, where it has one', async () => {
    await login({ section: { clientSecretEnv: 'GATE_SECRET' } })
    const [, pair = ''] = provider.exchanges[0]?.authorization?.split(' ') ?? []
    const [id = '', secret = ''] = Buffer.from(pair, 'base64').toString().split(':')
    expect([id, decodeURIComponent(secret.replaceAll('+', ' '))]).toEqual([CLIENT, SECRET])
  })

  for (const [groups, expected] of [
    [['gate-viewers'], 'viewer'],
    [['gate-viewers', 'gate-admins', 'gate-approvers'], 'admin'],
    ['gate-approvers', 'approver'],
  ] as const) {
    test(`${JSON.stringify(groups)} is ${expected}`, async () => {
      provider.claims = { ...ALICE, groups }
      expect((await login()).role).toBe(expected)
    })
  }

  for (const [title, more, claims, expected] of [
    ['none', {}, {}, null],
    ['the one of the policy', { tenant: 'acme' }, {}, 'acme'],
    ['the one of the claim', { tenantClaim: 'org' }, { org: 'beta' }, 'beta'],
    ['the one of the claim, whatever the policy has', { tenantClaim: 'org', tenant: 'acme' }, { org: 'beta' }, 'beta'],
  ] as const) {
    test(`tenant: ${title}`, async () => {
      provider.claims = { ...ALICE, ...claims }
      expect((await login({ section: more })).tenant).toBe(expected)
    })
  }

  test('takes a key that the provider began to use since, once a minute', async () => {
    await login()
    provider.key = providerKey('RS256', 'k2')
    provider.keys = [provider.key.jwk]
    await expect(login()).rejects.toThrow('signature')
    later(61_000)
    expect((await login()).role).toBe('approver')
    expect(provider.asked.filter((path) => path === '/keys')).toHaveLength(2)
  })
})

const seconds = (away: number) => Math.floor(Date.now() / 1000) + away

describe('claims that do not hold', () => {
  for (const [title, claims, message] of [
    ['another issuer', { iss: 'http://evil.example' }, 'another provider'],
    ['the issuer with a slash', { iss: 'SLASH' }, 'another provider'],
    ['another audience', { aud: 'other' }, 'another program'],
    ['no audience', { aud: undefined }, 'claim missing'],
    ['two audiences and nobody it was given to', { aud: [CLIENT, 'other'] }, 'for another program'],
    ['given to another program', { azp: 'other' }, 'given to another program'],
    ['ended', { exp: seconds(-61) }, 'ended'],
    ['no end', { exp: undefined }, 'claim missing'],
    ['an end that is text', { exp: '9999999999' }, 'claim type'],
    ['made in the future', { iat: seconds(120) }, 'not of now'],
    ['made long ago', { iat: seconds(-3_600) }, 'not of now'],
    ['no time', { iat: undefined }, 'claim missing'],
    ['not yet', { nbf: seconds(120) }, 'not hold yet'],
    ['a start that is text', { nbf: 'now' }, 'claim type'],
    ['another nonce', { nonce: 'other' }, 'another login'],
    ['no nonce', { nonce: undefined }, 'claim missing'],
    ['an address that nobody verified', { email_verified: false }, 'verified'],
    ['an address verified as text', { email_verified: 'true' }, 'verified'],
    ['no name', { email: undefined }, 'claim `email`'],
    ['a name with a line feed', { email: 'alice@example.com\n' }, 'claim `email`'],
    ['a name turned around', { email: 'alice\u202e@example.com' }, 'claim `email`'],
    ['a name with markup', { email: '<b>alice</b>@example.com' }, 'claim `email`'],
    ['a name that is a list', { email: ['alice@example.com'] }, 'claim `email`'],
    ['no groups', { groups: undefined }, 'no role'],
    ['unknown groups', { groups: ['everybody'] }, 'no role'],
    ['groups by other case', { groups: ['GATE-ADMINS'] }, 'no role'],
    ['groups that are inherited names', { groups: ['constructor', '__proto__'] }, 'no role'],
    ['groups that are no text', { groups: [{ 'gate-admins': true }, 1, null] }, 'no role'],
  ] as const) {
    test(title, async () => {
      const changed: Claims = { ...ALICE, ...claims }
      provider.claims = 'iss' in claims && claims.iss === 'SLASH' ? { ...ALICE, iss: `${provider.issuer}/` } : changed
      await expect(login()).rejects.toThrow(message)
    })
  }

  for (const org of [undefined, '', 1, ['acme']]) {
    test(`no usable tenant: ${JSON.stringify(org)}`, async () => {
      provider.claims = { ...ALICE, org }
      await expect(login({ section: { tenantClaim: 'org' } })).rejects.toThrow('no tenant')
    })
  }
})

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

describe('signatures that do not hold', () => {
  for (const [title, token, message] of [
    ['none at all', (claims: Claims) => `${encode({ alg: 'none' })}.${encode(claims)}.`, 'RS256 or ES256'],
    ['the algorithm none', (claims: Claims) => `${encode({ alg: 'none' })}.${encode(claims)}.AA`, 'RS256 or ES256'],
    ['the algorithm None', (claims: Claims) => `${encode({ alg: 'None' })}.${encode(claims)}.AA`, 'RS256 or ES256'],
    ['no algorithm', (claims: Claims) => `${encode({})}.${encode(claims)}.AA`, 'RS256 or ES256'],
    ['an inherited algorithm', (claims: Claims) => `${encode({ alg: 'constructor' })}.${encode(claims)}.AA`, 'RS256 or ES256'],
    ['another key', (claims: Claims) => signed(claims, providerKey('RS256', 'k1')), 'signature'],
    ['a key of another kind under the same name', (claims: Claims) => signed(claims, providerKey('ES256', 'k1')), 'signature'],
    ['not a JWS', () => 'abc', 'Invalid JWT'],
    ['five parts', () => 'a.b.c.d.e', 'cannot be used'],
    ['base64 with padding', (claims: Claims) => `${encode({ alg: 'RS256' })}=.${encode(claims)}.AA`, 'cannot be used'],
    ['a header that is no JSON', (claims: Claims) => `AAAA.${encode(claims)}.AA`, 'cannot be used'],
    ['more than there is room for', () => `${'A'.repeat(300_000)}.A.A`, 'too large'],
  ] as const) {
    test(title, async () => {
      provider.token = (claims) => token(claims)
      await expect(login()).rejects.toThrow(message)
    })
  }

  test('the public key as a shared secret', async () => {
    provider.token = (claims, { private: _private, jwk }) => {
      const data = `${encode({ alg: 'HS256', kid: 'k1' })}.${encode(claims)}`
      return `${data}.${createHmac('sha256', JSON.stringify(jwk)).update(data).digest('base64url')}`
    }
    await expect(login()).rejects.toThrow('RS256 or ES256')
  })

  test('claims changed after they were signed', async () => {
    provider.token = (claims, key) => {
      const [head = '', , signature = ''] = signed(claims, key).split('.')
      return `${head}.${encode({ ...claims, groups: ['gate-admins'] })}.${signature}`
    }
    await expect(login()).rejects.toThrow('signature')
  })

  test('an extension that must be understood', async () => {
    provider.header = { crit: ['x'] }
    await expect(login()).rejects.toThrow('extension')
  })

  test('a key of the sender in the header is not looked at', async () => {
    const own = providerKey('RS256', 'own')
    provider.token = (claims) => signed(claims, own, { jwk: own.jwk })
    await expect(login()).rejects.toThrow('signature')
  })

  for (const [title, spoil] of [
    ['is for encryption', (jwk: object) => ({ ...jwk, use: 'enc' })],
    ['is for another algorithm', (jwk: object) => ({ ...jwk, alg: 'PS256' })],
    ['has another name', (jwk: object) => ({ ...jwk, kid: 'k9' })],
    ['is damaged', (jwk: object) => ({ ...jwk, n: '!' })],
  ] as const) {
    test(`a key that ${title}`, async () => {
      provider.keys = [spoil(provider.key.jwk) as never]
      await expect(login()).rejects.toThrow('signature')
    })
  }

  test('a key that is too small', async () => {
    provider.key = providerKey('RS256', 'small', { bits: 1024 })
    provider.keys = [provider.key.jwk]
    await expect(login()).rejects.toThrow('signature')
  })
})

describe('a login of somebody else', () => {
  test('in another browser', async () => {
    await expect(login({ cookie: () => 'other' })).rejects.toThrow('another browser')
    await expect(login({ cookie: () => '' })).rejects.toThrow('another browser')
  })

  test('with a state that was not given', async () => {
    await expect(login({ back: (url) => url.searchParams.set('state', 'other') })).rejects.toThrow('not begun here')
  })

  test('with a code that was not given', async () => {
    await expect(login({ back: (url) => url.searchParams.set('code', 'other') })).rejects.toThrow('answered 400')
  })

  test('from another provider', async () => {
    await expect(login({ back: (url) => url.searchParams.set('iss', 'http://evil.example') })).rejects.toThrow('another provider')
  })

  test('a second time', async () => {
    const own = section()
    const { url, cookie } = await oidc.begin(own, BACK)
    const { searchParams: query } = new URL((await fetch(url, { redirect: 'manual' })).headers.get('location') ?? '')
    const returned = { code: query.get('code') ?? '', state: query.get('state') ?? '', issuer: null, cookie }
    await oidc.finish(own, returned)
    await expect(oidc.finish(own, returned)).rejects.toThrow('not begun here')
  })

  test('too late', async () => {
    await expect(
      login({
        back: () => later(10 * 60_000),
      }),
    ).rejects.toThrow('took too long')
  })
})

describe('a provider that is not itself', () => {
  for (const [title, discovery, message] of [
    ['another issuer in its document', { issuer: 'http://evil.example' }, 'names itself otherwise'],
    ['no token endpoint', { token_endpoint: undefined }, 'no usable `token_endpoint`'],
    ['keys over plain http', { jwks_uri: 'http://keys.example/keys' }, 'no usable `jwks_uri`'],
    ['an endpoint that is a file', { authorization_endpoint: 'file:///etc/passwd' }, 'no usable `authorization_endpoint`'],
  ] as const) {
    test(title, async () => {
      provider.discovery = discovery
      await expect(oidc.begin(section(), BACK)).rejects.toThrow(message)
    })
  }

  test('is not there', async () => {
    await provider.close()
    await expect(oidc.begin(section(), BACK)).rejects.toThrow('cannot be reached')
  })

  test('a secret that is not set', async () => {
    await expect(login({ section: { clientSecretEnv: 'UNSET' } })).rejects.toThrow('`UNSET`')
  })
})
