import { describe, expect, test } from 'vitest'
import { compile, policy } from '../testing/compiled.ts'
import { parseListening } from './server.ts'

const OIDC = 'issuer: "https://id.example", client_id: gate, roles: { g: admin }'

const errors = (section: string) => {
  const result = compile(`version: 1\nserver: { ${section} }\n`)
  return result.ok ? [] : result.errors.map(({ code, message }) => `${code} ${message}`)
}

describe('server', () => {
  test('has defaults where nothing is said', () => {
    expect(policy('default: ask\n').server).toEqual({
      listen: { host: '127.0.0.1', port: 7433 },
      tokens: 'optional',
      body: 'full',
      hosts: [],
      trustedProxies: [],
      publicUrl: null,
      rates: { agents: 120_000, people: 1_200, logins: 20 },
      oidc: null,
    })
  })

  for (const [section, expected] of [
    ['listen: "127.0.0.1:8080"', { listen: { host: '127.0.0.1', port: 8080 } }],
    ['listen: "[::1]:0"', { listen: { host: '::1', port: 0 } }],
    ['tokens: required', { tokens: 'required' }],
    ['body: strict', { body: 'strict' }],
    [
      'trusted_proxies: [10.0.0.7, 10.0.0.0/8, "::1", "2001:db8::/32"]',
      { trustedProxies: ['10.0.0.7', '10.0.0.0/8', '::1', '2001:db8::/32'] },
    ],
    ['hosts: [Gate.Example.com, localhost]', { hosts: ['gate.example.com', 'localhost'] }],
    ['public_url: "https://gate.example.com/"', { publicUrl: 'https://gate.example.com' }],
    ['public_url: "https://gate.example.com:8443"', { publicUrl: 'https://gate.example.com:8443' }],
    ['public_url: "http://localhost:7433"', { publicUrl: 'http://localhost:7433' }],
    ['rates: { people: 5 }', { rates: { agents: 120_000, people: 5, logins: 20 } }],
  ] as const) {
    test(section, () => expect(policy(`server: { ${section} }\n`).server).toMatchObject(expected))
  }

  for (const [section, code] of [
    ['listen: "nonsense:x"', 'policy.wrong_value'],
    ['listen: "127.0.0.1:70000"', 'policy.wrong_value'],
    ['listen: 7433', 'policy.wrong_type'],
    ['tokens: none', 'policy.wrong_value'],
    ['body: everything', 'policy.wrong_value'],
    ['hosts: ["*.example.com"]', 'policy.wrong_value'],
    ['hosts: ["gate.example.com:80"]', 'policy.wrong_value'],
    ['hosts: ["https://gate.example.com"]', 'policy.wrong_value'],
    ['hosts: ["-x"]', 'policy.wrong_value'],
    ['hosts: [""]', 'policy.wrong_type'],
    ['hosts: all', 'policy.wrong_type'],
    ['trusted_proxies: [proxy.example]', 'policy.wrong_value'],
    ['trusted_proxies: ["10.0.0.0/33"]', 'policy.wrong_value'],
    ['trusted_proxies: ["10.0.0.0/8/8"]', 'policy.wrong_value'],
    ['trusted_proxies: ["300.0.0.1"]', 'policy.wrong_value'],
    ['trusted_proxies: ["::1/129"]', 'policy.wrong_value'],
    ['trusted_proxies: ["::g"]', 'policy.wrong_value'],
    ['trusted_proxies: all', 'policy.wrong_type'],
    ['public_url: "http://gate.example.com"', 'policy.wrong_value'],
    ['public_url: "https://user:pw@gate.example.com"', 'policy.wrong_value'],
    ['public_url: "https://gate.example.com/?a=1"', 'policy.wrong_value'],
    ['public_url: "javascript:alert(1)"', 'policy.wrong_value'],
    ['public_url: gate', 'policy.wrong_value'],
    ['rates: { agents: 0 }', 'policy.wrong_type'],
    ['rates: { agents: lots }', 'policy.wrong_type'],
    ['rates: { robots: 1 }', 'policy.unknown_field'],
    ['prot: 1', 'policy.unknown_field'],
    [`oidc: { ${OIDC.replace('https:', 'http:')} }`, 'policy.wrong_value'],
    [`oidc: { ${OIDC.replace('{ g: admin }', '{}')} }`, 'policy.wrong_value'],
    [`oidc: { ${OIDC.replace('admin', 'root')} }`, 'policy.wrong_value'],
    ['oidc: { issuer: "https://id.example" }', 'policy.missing_field'],
    [`oidc: { ${OIDC}, client_secret: x }`, 'policy.unknown_field'],
    [`oidc: { ${OIDC}, algorithms: [none] }`, 'policy.unknown_field'],
  ] as const) {
    test(`${section} is refused: ${code}`, () => expect(errors(section).some((each) => each.startsWith(code))).toBe(true))
  }

  test('oidc: everything that may be said, and what holds where nothing is', () => {
    expect(policy(`server: { oidc: { ${OIDC} } }\n`).server.oidc).toEqual({
      issuer: 'https://id.example',
      clientId: 'gate',
      clientSecretEnv: null,
      scopes: ['openid', 'profile', 'email'],
      nameClaim: 'email',
      roleClaim: 'groups',
      roles: new Map([['g', 'admin']]),
      tenantClaim: null,
      tenant: null,
    })
    const more = 'client_secret_env: S, scopes: [openid, groups], name_claim: sub, role_claim: roles, tenant_claim: org, tenant: acme'
    expect(policy(`server: { oidc: { ${OIDC}, ${more} } }\n`).server.oidc).toMatchObject({
      clientSecretEnv: 'S',
      scopes: ['openid', 'groups'],
      nameClaim: 'sub',
      roleClaim: 'roles',
      tenantClaim: 'org',
      tenant: 'acme',
    })
  })

  test('the issuer stays as it is written: providers name themselves to the letter', () => {
    expect(policy(`server: { oidc: { ${OIDC.replace('id.example', 'id.example/tenant/')} } }\n`).server.oidc?.issuer).toBe(
      'https://id.example/tenant/',
    )
  })
})

describe('an address', () => {
  for (const [text, expected] of [
    ['127.0.0.1:7433', ['127.0.0.1', 7433]],
    ['127.0.0.1', ['127.0.0.1', 7433]],
    [':8080', ['127.0.0.1', 8080]],
    [':0', ['127.0.0.1', 0]],
    ['0.0.0.0:80', ['0.0.0.0', 80]],
    ['localhost:65535', ['localhost', 65_535]],
    ['[::1]:7433', ['::1', 7433]],
    ['[::1]', ['::1', 7433]],
    ['gate-1.example.com:443', ['gate-1.example.com', 443]],
    ['', null],
    [':', null],
    ['127.0.0.1:', null],
    ['127.0.0.1:65536', null],
    ['127.0.0.1:123456', null],
    ['127.0.0.1:-1', null],
    ['::1:7433', null],
    ['http://127.0.0.1:7433', null],
    ['127.0.0.1:7433/', null],
    ['127.0.0.1 :7433', null],
    ['[evil]:1', null],
    ['a b:1', null],
  ] as const) {
    test(`\`${text}\` is ${expected === null ? 'none' : expected.join(' and ')}`, () => {
      const address = parseListening(text)
      expect(address === null ? null : [address.host, address.port]).toEqual(expected)
    })
  }
})
