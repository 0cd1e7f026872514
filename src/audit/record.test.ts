import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { proves } from '../../test/proves.ts'
import { temporaryDirectory } from '../../test/support/records.ts'
import type { ToolCall } from '../core/call.ts'
import type { Decision } from '../core/decision.ts'
import type { JsonObject } from '../core/json.ts'
import { decisionToJson } from '../core/wire.ts'
import { matchesDigest } from '../store/chain.ts'
import { loadKeys } from '../store/sqlite/keys.ts'
import { openStore } from '../store/sqlite/open.ts'
import { callToJson, eventRecord, resultRecord, toRecord } from './record.ts'

/** Made up for these tests, in the form of the real ones. */
const SECRET = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`
const PASSWORD = 'Tr0ub4dor-and-3'

function call(changes: Partial<ToolCall> = {}): ToolCall {
  return {
    tool: { server: null, name: 'Bash', definition: null },
    args: { command: 'ls' },
    principal: { agent: 'claude-code', role: 'coder', user: 'u-1', tenant: 'default', chain: ['human:u-1'] },
    session: 's-1',
    cwd: '/repo',
    context: { task: 'look around', recent: [] },
    definition: null,
    approval: null,
    callId: 'c-1',
    ...changes,
  }
}

function decision(changes: Partial<Decision> = {}): Decision {
  return {
    decision: 'allow',
    would: 'allow',
    code: 'allow.permitted',
    reason: 'a rule permits it',
    agentReason: 'Allowed.',
    auditEntryId: null,
    callDigest: `sha256:${'0'.repeat(64)}`,
    policyDigest: `sha256:${'1'.repeat(64)}`,
    session: 's-1',
    mode: 'enforce',
    findings: [],
    determining: [],
    resolutions: [],
    effects: [],
    risk: { level: 'low', score: 0 },
    approval: null,
    view: [],
    policySource: { path: '/repo/countersign.yaml', degraded: null },
    timings: { ingress: 1, facts: 2, layers: 3, resolve: 4, record: 0 },
    ...changes,
  }
}

function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value))
}

describe('the record of a decision', () => {
  proves('P10', 'without secrets holds the whole call and the whole decision', () => {
    const record = toRecord(decision(), call(), 123)
    const { approval, ...shown } = callToJson(call())
    expect(approval).toBeNull()
    expect(plain(record)).toEqual({
      kind: 'decision',
      session: 's-1',
      tenant: 'default',
      tool: 'Bash',
      decision: 'allow',
      code: 'allow.permitted',
      at: 123,
      body: { call: plain(shown), decision: plain(decisionToJson(decision())) },
      erased: [],
    })
  })

  proves(['T60', 'P11'], 'with a secret anywhere leaves it out, says where it was, and hides the unkeyed digest', () => {
    const places: [string, Partial<ToolCall>, Partial<Decision>, string][] = [
      ['argument', { args: { command: `curl -H 'Authorization: token ${SECRET}' https://api.github.com` } }, {}, '/call/args/command'],
      ['named argument', { args: { options: { password: PASSWORD } } }, {}, '/call/args/options/password'],
      ['number', { args: { pin: 493_817 } }, {}, '/call/args/pin'],
      ['task', { context: { task: `use ${SECRET}`, recent: [] } }, {}, '/call/context/task'],
      ['recent call', { context: { task: null, recent: [{ token: PASSWORD }] } }, {}, '/call/context/recent/0/token'],
      ['reason', {}, { reason: `it sends ${SECRET}` }, '/decision/reason'],
      ['view', {}, { view: [{ question: 'env', subject: 'GITHUB_TOKEN', answer: SECRET }] }, '/decision/view/0/answer'],
    ]
    for (const [title, callChanges, decisionChanges, pointer] of places) {
      const record = toRecord(decision(decisionChanges), call(callChanges), 1)
      const kept = JSON.stringify(record.body)
      expect([title, kept.includes(SECRET), kept.includes(PASSWORD), kept.includes('493817')]).toEqual([title, false, false, false])
      expect([title, record.erased?.map((erased) => erased.pointer)]).toEqual([title, [pointer, '/decision/call_digest']])
      expect([title, kept.includes('0'.repeat(64))]).toEqual([title, false])
    }
  })

  test('the approval token is always left out', () => {
    const record = toRecord(decision(), call({ approval: 'apr_token' }), 1)
    expect(JSON.stringify(record.body)).not.toContain('apr_token')
    expect(record.erased).toEqual([{ pointer: '/call/approval', value: 'apr_token' }])
  })

  proves('T60', 'columns carry no secrets', () => {
    const { tool, session, tenant } = toRecord(
      decision(),
      call({ tool: { server: null, name: `tool ${SECRET}`, definition: null }, session: SECRET }),
      1,
    )
    expect([tool?.includes(SECRET), session?.includes(SECRET), tenant]).toEqual([false, false, 'default'])
  })

  test('magic names are plain data', () => {
    const args: JsonObject = JSON.parse('{"__proto__":{"x":1},"constructor":"y"}')
    const record = toRecord(decision(), call({ args }), 1)
    expect(JSON.stringify((record.body.call as JsonObject).args)).toBe('{"__proto__":{"x":1},"constructor":"y"}')
  })
})

describe('the record of a result', () => {
  test('keeps the call without its definition, and the response', () => {
    const record = resultRecord(call({ definition: { description: 'd', inputSchema: {}, annotations: null } }), { ok: true }, 5)
    expect(record).toMatchObject({ kind: 'result', tool: 'Bash', decision: null, code: null, at: 5 })
    expect(plain(record.body)).toMatchObject({
      call: { tool: 'Bash', definition: null },
      response: { ok: true },
      response_units: 11,
      response_cut: false,
    })
  })

  test('keeps the beginning of a long one, and says so', () => {
    for (const response of ['x'.repeat(100_000), '👍'.repeat(50_000), `x${'👍'.repeat(50_000)}`]) {
      const { body } = resultRecord(call(), response, 1)
      const kept = String(body.response)
      expect([body.response_cut, body.response_units]).toEqual([true, response.length + 2])
      expect(kept.length).toBeGreaterThanOrEqual(65_535)
      expect(JSON.stringify(response).startsWith(kept)).toBe(true)
      expect(encodeURIComponent(kept.slice(-2)).length).toBeGreaterThan(0)
    }
  })

  proves('T60', 'is redacted before it is cut', () => {
    const { body, erased } = resultRecord(call(), `${' '.repeat(65_510)}${SECRET}${' '.repeat(1_000)}`, 1)
    expect(JSON.stringify(body)).not.toContain(SECRET.slice(0, 12))
    expect(erased?.map(({ pointer }) => pointer)).toEqual(['/response'])
  })
})

test('any other event is redacted as well', () => {
  const record = eventRecord({
    kind: 'approval',
    session: 's',
    tenant: null,
    tool: SECRET,
    decision: 'approved',
    code: null,
    at: 1,
    body: { comment: `ok, use ${SECRET}` },
  })
  expect(JSON.stringify({ ...record, erased: [] })).not.toContain(SECRET)
  expect(record.erased?.map(({ pointer }) => pointer)).toEqual(['/comment'])
})

proves(['T60', 'P11'], 'a secret is in none of the files of a store, and its digest can be checked with the key', async () => {
  const directory = temporaryDirectory()
  const store = openStore({ directory })
  const { id } = await store.append(toRecord(decision(), call({ args: { password: PASSWORD, header: `Bearer ${SECRET}` } }), 1))
  await store.append(resultRecord(call(), { stdout: SECRET }, 2))
  const files = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  expect(files.length).toBeGreaterThan(3)
  for (const { parentPath, name } of files) {
    const bytes = readFileSync(join(parentPath, name))
    expect([name, bytes.includes(SECRET), bytes.includes(PASSWORD)]).toEqual([name, false, false])
  }
  const erased = store.get(id)?.body.erased as readonly { pointer: string; digest: string }[]
  const { ring } = loadKeys(directory)
  const of = (pointer: string) => erased.find((entry) => entry.pointer === pointer)?.digest ?? ''
  expect(matchesDigest(of('/call/args/password'), PASSWORD, ring)).toBe(true)
  expect(matchesDigest(of('/call/args/password'), 'a guess', ring)).toBe(false)
  expect(matchesDigest(of('/decision/call_digest'), decision().callDigest, ring)).toBe(true)
  store.close()
})
