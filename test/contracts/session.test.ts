/** What a session has learnt reaches the contracts of later calls: through the real gate, its store, and Claude Code's hook events. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { COMPILE } from '../../src/cli/open.ts'
import { recordResult } from '../../src/cli/results.ts'
import type { ToolCall } from '../../src/core/call.ts'
import type { Json, JsonObject } from '../../src/core/json.ts'
import { answerHook } from '../../src/library/hooks/claude-code.ts'
import { bytesDigest, type OpenedGate, type OpenOptions, openGate } from '../../src/open.ts'
import { readPolicy } from '../../src/policy/file.ts'
import type { Policy } from '../../src/policy/policy.ts'
import { openDatabase } from '../../src/store/sqlite/engines.ts'
import { createFixedView } from '../../src/view/fixed.ts'
import { callOf } from '../support/calls.ts'
import { newStateDirectory } from '../support/state-base.ts'

let home: string
const opened: OpenedGate[] = []
beforeEach(() => {
  home = newStateDirectory()
})
afterEach(() => {
  for (const gate of opened.splice(0)) gate.close()
  rmSync(home, { recursive: true, force: true })
})

const TABLES = `
  state:
    user: [{ tools: [login], value: result.id }]
    order: [{ tools: [crm/get_order, get_order], key: args.id, value: result }]
  tools:
    cancel:
      enforcement: hard
      constraints:
        - { id: known, kind: known, of: { state: user } }
        - { id: own, kind: cmp, op: eq, left: { state: order, of: id, path: user }, right: { state: user } }
`

function policy(contracts: string): Policy {
  const path = join(home, 'countersign.yaml')
  writeFileSync(path, `version: 1\nunregistered: allow\ncontracts:${contracts}`)
  const result = readPolicy(path, COMPILE)
  if (!result.ok) throw new Error(result.errors.map((error) => error.message).join('\n'))
  return result.policy
}

function gate(rules: Policy, more: Partial<OpenOptions> = {}): OpenedGate {
  const made = openGate({
    home: join(home, 'state'),
    policy: () => ({ policy: rules, degraded: null }),
    view: () => createFixedView({ home: '/home/u', cwd: '/home/u' }),
    ...more,
  })
  opened.push(made)
  return made
}

const call = (tool: string, args: JsonObject, session: string | null = 's1', tenant: string | null = null): ToolCall =>
  callOf(tool, args, { principal: { agent: 'desk', user: null, tenant }, session, cwd: null })

/** The decision and the constraints that were violated. */
async function decided({ gate: asked }: OpenedGate, judged: ToolCall): Promise<string> {
  const { decision, findings } = await asked.decide(judged)
  const broken = findings.flatMap((finding) =>
    finding.code === 'contract.violated' ? (finding.evidence.violations as readonly JsonObject[]) : [],
  )
  return [decision, ...broken.map((violation) => String(violation.constraint))].join(' ')
}

const returns = (made: OpenedGate, ran: ToolCall, response: Json) => recordResult(made, { kind: 'result', call: ran, response })

describe('results of earlier calls', () => {
  test('are known to later calls of the same session, and to no other', async () => {
    const made = gate(policy(TABLES))
    expect(await decided(made, call('cancel', { id: 'o1' }))).toBe('deny known')
    await returns(made, call('login', {}), { id: 'u1' })
    expect(await decided(made, call('cancel', { id: 'o1' }))).toBe('flag')
    await returns(made, call('get_order', { id: 'o1' }), { user: 'u2' })
    expect(await decided(made, call('cancel', { id: 'o1' }))).toBe('deny own')
    await returns(made, call('get_order', { id: 'o1' }), { user: 'u1' })
    expect(await decided(made, call('cancel', { id: 'o1' }))).toBe('flag')
    expect(await decided(made, call('cancel', { id: 'o1' }, 's2'))).toBe('deny known')
    expect(await decided(made, call('cancel', { id: 'o1' }, null))).toBe('deny known')
    expect(await decided(made, call('cancel', { id: 'o1' }, 's1', 'other tenant'))).toBe('deny known')
  })

  test('are read from the log again by another gate', async () => {
    const rules = policy(TABLES)
    const first = gate(rules)
    await returns(first, call('login', {}), { id: 'u1' })
    await returns(first, call('get_order', { id: 'o1' }), { user: 'u2' })
    await returns(first, call('login', {}, 's1', 'other tenant'), { id: 'u9' })
    first.close()
    const second = gate(rules)
    expect(await decided(second, call('cancel', { id: 'o1' }))).toBe('deny own')
    expect(await decided(second, call('cancel', { id: 'o1' }, 's2'))).toBe('deny known')
  })

  test('of which redaction took a part prove nothing after a restart', async () => {
    const rules = policy(TABLES)
    const first = gate(rules)
    await returns(first, call('login', {}), { id: 'u1', token: 'ghp_16C7e42F292c6912E7710c838347Ae178B4a' })
    expect(await decided(first, call('cancel', { id: 'o1' }))).toBe('flag')
    first.close()
    expect(await decided(gate(rules), call('cancel', { id: 'o1' }))).toBe('deny known')
  })

  test('mean what the policy in force says they mean', async () => {
    let rules = policy(TABLES)
    const made = gate(rules, { policy: () => ({ policy: rules, degraded: null }) })
    await returns(made, call('login', {}), { id: 'u1', name: 'Ada' })
    expect(await decided(made, call('cancel', { id: 'o1' }))).toBe('flag')
    rules = policy(TABLES.replace('value: result.id', 'value: result.uid'))
    expect(await decided(made, call('cancel', { id: 'o1' }))).toBe('deny known')
  })
})

describe('lookups', () => {
  const PROVIDERS = `
  providers: { stock: { tools: [reserve], timeout_ms: 200 } }
  tools:
    reserve:
      enforcement: hard
      constraints:
        - { id: enough, kind: cmp, op: le, left: quantity, right: { state: stock, path: left } }
`
  test('are made before the call is judged', async () => {
    const seen: JsonObject[] = []
    const stock = async (args: JsonObject) => {
      seen.push(args)
      return { left: 3 }
    }
    const made = gate(policy(PROVIDERS), { providers: new Map([['stock', stock]]) })
    expect(await decided(made, call('reserve', { quantity: 3 }))).toBe('flag')
    expect(await decided(made, call('reserve', { quantity: 4 }))).toBe('deny enough')
    expect(await decided(made, call('look', {}))).toBe('flag')
    expect(seen).toEqual([{ quantity: 3 }, { quantity: 4 }])
  })

  test('that fail leave what they were for unproved: a hard contract does not let the call through', async () => {
    const made = gate(policy(PROVIDERS), { providers: new Map([['stock', () => Promise.reject(new Error('down'))]]) })
    const { decision, findings } = await made.gate.decide(call('reserve', { quantity: 4 }))
    expect(decision).toBe('deny')
    expect(findings.map((finding) => finding.code)).toContain('infra.lookup')
  })

  test('are read over HTTP by the fetch that was handed in', async () => {
    const asked: string[] = []
    const fetch = async (url: string) => {
      asked.push(url)
      return new Response('{"left": 1}')
    }
    const made = gate(policy(PROVIDERS.replace('tools: [reserve]', 'tools: [reserve], http: "https://stock.example/{item}"')), { fetch })
    expect(await decided(made, call('reserve', { item: 'a b', quantity: 2 }))).toBe('deny enough')
    expect(asked).toEqual(['https://stock.example/a%20b'])
  })
})

describe('a row of a database', () => {
  const CRM = `
  providers:
    account: { tools: [cancel], timeout_ms: 5000, sql: { file: data/crm.db, query: 'SELECT blocked, credit FROM accounts WHERE id = {account}' } }
  tools:
    cancel:
      enforcement: hard
      constraints:
        - { id: open, kind: cmp, op: eq, left: { state: account, path: blocked }, right: 0, reason: the account is blocked }
        - { id: covered, kind: cmp, op: le, left: amount, right: { state: account, path: credit } }
`
  const crm = () => {
    mkdirSync(join(home, 'data'), { recursive: true })
    const database = openDatabase(join(home, 'data/crm.db'))
    database?.exec('CREATE TABLE accounts (id TEXT, blocked INTEGER, credit REAL)')
    database?.exec("INSERT INTO accounts VALUES ('a1', 0, 50), ('a2', 1, 50)")
    database?.close()
  }
  const why = async ({ gate: asked }: OpenedGate, judged: ToolCall) =>
    (await asked.decide(judged)).findings.find(({ code }) => code === 'contract.deferred' || code === 'infra.lookup')?.message ?? null

  for (const [args, expected] of [
    [{ account: 'a1', amount: 20 }, 'flag'],
    [{ account: 'a1', amount: 80 }, 'deny covered'],
    [{ account: 'a2', amount: 20 }, 'deny open'],
    [{ account: 'a2', amount: 80 }, 'deny open covered'],
    [{ account: "a1' --", amount: 80 }, 'flag'],
  ] as const) {
    test(`${JSON.stringify(args)}: ${expected}`, async () => {
      crm()
      expect(await decided(gate(policy(`${CRM}hazards: { packs: [] }\n`)), call('cancel', args))).toBe(expected)
    })
  }

  for (const [title, args, reason, decision] of [
    ['a file that is not there', { account: 'a1', amount: 80 }, '`account`: there is no such file', 'deny'],
    ['a row that is not there', { account: 'a9', amount: 80 }, '`account`: the query finds no row', 'flag'],
    ['an argument that is missing', { amount: 80 }, '`account`: the argument `account` is missing', 'flag'],
  ] as const) {
    test(`${title}: nothing is proved, and the log says why`, async () => {
      if (decision === 'flag') crm()
      const opened = gate(policy(CRM))
      expect((await opened.gate.decide(call('cancel', args))).decision).toBe(decision)
      expect(await why(opened, call('cancel', args))).toContain(reason)
    })
  }
})

test("Claude Code's events: what PostToolUse says is known to the next PreToolUse, and the agent is told", async () => {
  const rules = policy(`
  state: { user: [{ tools: [mcp__crm__login], value: result.id }] }
  tools:
    crm/cancel:
      constraints: [{ kind: known, of: { state: user }, reason: nobody is logged in, advice: Log the customer in first. }]
`)
  const made = gate(rules)
  const hook = (event: JsonObject) =>
    answerHook(new TextEncoder().encode(JSON.stringify({ session_id: 's1', cwd: '/home/u', ...event })), {
      gate: made.gate,
      digest: bytesDigest,
      entrypoint: 'cli',
      user: null,
      result: (result) => recordResult(made, result),
    })
  const cancel = () => hook({ hook_event_name: 'PreToolUse', tool_name: 'mcp__crm__cancel', tool_input: { id: 'o1' } })
  expect(await cancel()).toEqual({
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      additionalContext:
        'Countersign: Tool-call conformance (advisory): the "cancel" call appears nonconformant: Log the customer in first.',
    },
  })
  const response = [{ type: 'text', text: '{"id": "u1"}' }]
  await hook({ hook_event_name: 'PostToolUse', tool_name: 'mcp__crm__login', tool_input: {}, tool_response: response })
  expect(await cancel()).toEqual({ hookSpecificOutput: { hookEventName: 'PreToolUse' } })
})
