import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { callersOf } from '../../src/cli/mcp/callers.ts'
import { addToken } from '../../src/server/auth/tokens.ts'
import { proves } from '../proves.ts'
import { call, MCP_POLICY, mcpPolicy, stateless } from '../support/mcp.ts'
import { httpPlace } from '../support/mcp-http.ts'
import { temporaryDirectory } from '../support/records.ts'

const CERTIFICATES = `mcp_proxy:
  certificates:
    header: X-Client-Cert-Subject
    from: [127.0.0.0/8]
    callers: [{ subject: 'CN=ci,O=Acme', agent: ci, role: deployer, tenant: acme }]
`
const ELSEWHERE = CERTIFICATES.replace('127.0.0.0/8', '10.0.0.0/8')
const SUBJECT = 'x-client-cert-subject'

let home = ''
let secret = ''
beforeEach(() => {
  home = temporaryDirectory()
  vi.stubEnv('COUNTERSIGN_HOME', home)
  const as = { role: 'reader', user: null }
  secret = addToken(home, { name: 'bot', role: 'agent', tenant: 'beta', expiresAt: null, as }, Date.now()).secret
})
afterEach(() => vi.unstubAllEnvs())

interface Case {
  readonly title: string
  readonly policy: string
  readonly headers: () => Readonly<Record<string, string>> | [string, string][]
  readonly exposed?: boolean
  /** Agent, role, user, tenant of the decision; null: refused. */
  readonly judgedAs: readonly (string | null)[] | null
}

const ME = ['me', null, 'me', null]
const CI = ['ci', 'deployer', null, 'acme']

const CASES: readonly Case[] = [
  { title: 'nothing, on this machine', policy: '', headers: () => ({}), judgedAs: ME },
  { title: 'nothing, from elsewhere', policy: '', headers: () => ({}), exposed: true, judgedAs: null },
  { title: 'what somebody says of himself', policy: '', headers: () => ({ 'x-countersign-role': 'admin' }), judgedAs: ME },
  {
    title: 'a certificate that was checked',
    policy: CERTIFICATES,
    headers: () => ({ [SUBJECT]: 'CN=ci,O=Acme' }),
    exposed: true,
    judgedAs: CI,
  },
  { title: 'a certificate of nobody', policy: CERTIFICATES, headers: () => ({ [SUBJECT]: 'CN=ci,O=Acme,OU=x' }), judgedAs: null },
  { title: 'no certificate', policy: CERTIFICATES, headers: () => ({}), judgedAs: null },
  {
    title: 'two certificates',
    policy: CERTIFICATES,
    headers: () => [
      [SUBJECT, 'CN=ci,O=Acme'],
      [SUBJECT, 'CN=ci,O=Acme'],
    ],
    judgedAs: null,
  },
  { title: 'a certificate that a caller claims', policy: ELSEWHERE, headers: () => ({ [SUBJECT]: 'CN=ci,O=Acme' }), judgedAs: ME },
  {
    title: 'a certificate that a caller from elsewhere claims',
    policy: ELSEWHERE,
    headers: () => ({ [SUBJECT]: 'CN=ci,O=Acme' }),
    exposed: true,
    judgedAs: null,
  },
  {
    title: 'a token',
    policy: '',
    headers: () => ({ 'x-countersign-token': secret }),
    exposed: true,
    judgedAs: ['bot', 'reader', null, 'beta'],
  },
  {
    title: 'a token beside a certificate',
    policy: CERTIFICATES,
    headers: () => ({ authorization: `Bearer ${secret}`, [SUBJECT]: 'CN=ci,O=Acme' }),
    judgedAs: ['bot', 'reader', null, 'beta'],
  },
  {
    title: 'a token of nobody beside a certificate',
    policy: CERTIFICATES,
    headers: () => ({ authorization: 'Bearer cst_none', [SUBJECT]: 'CN=ci,O=Acme' }),
    judgedAs: null,
  },
]

describe('who calls', () => {
  for (const { title, policy, headers, exposed = false, judgedAs } of CASES) {
    proves('T65', `${title}: ${judgedAs === null ? 'refused' : judgedAs.map(String).join(' ')}`, async () => {
      const compiled = mcpPolicy(MCP_POLICY + policy)
      const principal = { agent: 'me', role: null, user: 'me', tenant: null, chain: [] }
      const parts = { principal, policy: () => compiled, opened: { store: { now: () => 0 } } as never, exposed }
      const place = await httpPlace({ policy: MCP_POLICY + policy, callerOf: callersOf(parts) })
      const answer = await place.post(call(1, 'echo', {}, stateless('client')), headers() as Readonly<Record<string, string>>)
      expect(answer.status).toBe(judgedAs === null ? 401 : 200)
      // Neither what says who calls nor a token of ours goes on.
      expect(JSON.stringify(place.reached)).not.toMatch(/cst_|countersign|cert-subject/i)
      const found = place.opened.store.read({ kind: 'decision' })
      const [decision] = Symbol.iterator in found ? [...found] : []
      const judged = (decision?.body as { call: { principal: Record<string, string | null> } } | undefined)?.call.principal
      expect(judged === undefined ? null : [judged.agent, judged.role, judged.user, judged.tenant]).toEqual(judgedAs)
    })
  }
})

describe('certificates in the policy', () => {
  for (const [title, text, said] of [
    ['a name that is no header', CERTIFICATES.replace('X-Client-Cert-Subject', "'a b'"), 'no name of a header'],
    ['an address that is none', CERTIFICATES.replace('127.0.0.0/8', 'proxy.internal'), 'is no address'],
    ['a network that is too small', CERTIFICATES.replace('127.0.0.0/8', '10.0.0.0/33'), 'is no address'],
    ['callers that are missing', CERTIFICATES.replace(/ {4}callers.*\n/, ''), 'callers'],
  ] as const) {
    test(title, () => expect(() => mcpPolicy(MCP_POLICY + text)).toThrow(said))
  }
})
