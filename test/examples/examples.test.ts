/**
 * Every example policy loads without a surprise, holds for its own examples, and decides its recorded calls as written: each
 * line of `calls.jsonl` has a call, the decision that is expected, and its code.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { approvalSheet } from '../../src/approvals/sheet.ts'
import { testPolicy } from '../../src/cli/commands/policy-test.ts'
import { COMPILE } from '../../src/cli/open.ts'
import type { JsonObject } from '../../src/core/json.ts'
import { callFromJson } from '../../src/ingress/call.ts'
import { digester, openGate } from '../../src/open.ts'
import type { Policy } from '../../src/policy/policy.ts'
import { loadPolicy } from '../../src/policy/watch.ts'
import { createFixedView } from '../../src/view/fixed.ts'
import { proves } from '../proves.ts'

const EXAMPLES = readdirSync('examples').filter((name) => existsSync(join('examples', name, 'countersign.yaml')))
const HOME = '/home/user'

/** What lint rightly says of Role OS's own file: its scope is enforced here, and its date is a beginning. */
const EXPECTED_WARNINGS: ReadonlyMap<string, readonly string[]> = new Map([
  ['role-os', ['lint.capability_file', 'lint.capability_file']],
  // Here the flow of data decides, not which tool it is.
  ['assistant', ['lint.unregistered_allow']],
  ['sequences', ['lint.unregistered_allow']],
])

interface Line {
  readonly expect: string
  readonly code: string
  readonly call: JsonObject
}

function linesOf(name: string): readonly Line[] {
  const text = readFileSync(join('examples', name, 'calls.jsonl'), 'utf8')
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)
}

const fileOf = (name: string): string => resolve('examples', name, 'countersign.yaml')
const LOADED = new Map<string, Policy>()

function policyOf(name: string): Policy {
  const known = LOADED.get(name)
  if (known !== undefined) return known
  const places = { explicit: fileOf(name), variable: null, cwd: '/', home: '/nonexistent' }
  const state = loadPolicy({ ...COMPILE, places, shipped: '' })
  if (state.policy === null) throw new Error(state.error)
  LOADED.set(name, state.policy)
  return state.policy
}

function callOf(call: JsonObject) {
  const read = callFromJson({ cwd: `${HOME}/project`, ...call }, { digester })
  if (!read.ok) throw new Error(read.refusal.message)
  return read.call
}

async function decide(policy: Policy, call: JsonObject) {
  const gate = [`${HOME}/.countersign`]
  const opened = openGate({
    home: `${HOME}/.countersign`,
    record: false,
    policy: () => ({ policy, degraded: null }),
    view: ({ cwd }) => createFixedView({ home: HOME, cwd: cwd ?? HOME, roots: [cwd ?? HOME], gate }),
  })
  return opened.gate.decide(callOf(call))
}

describe.each(EXAMPLES)('examples/%s', (name) => {
  const lines = linesOf(name)

  test('loads, and lint has nothing to say that is not expected', () => {
    const warnings = policyOf(name).warnings.map(({ code, message }) => `${code}: ${message}`)
    expect(warnings.map((warning) => warning.split(':')[0])).toEqual(EXPECTED_WARNINGS.get(name) ?? [])
  })

  test('`policy test` holds', async () => {
    const written: string[] = []
    const write = vi.spyOn(process.stdout, 'write').mockImplementation((text) => written.push(String(text)) > 0)
    try {
      expect(await testPolicy(fileOf(name), {})).toBe(0)
    } finally {
      write.mockRestore()
    }
    expect(written.join('')).toMatch(/^[^\n]*: every example holds\n/)
  })

  test('shows calls that run and calls that do not', () => {
    const runs = lines.map((line) => line.expect === 'allow' || line.expect === 'flag')
    expect(new Set(runs)).toEqual(new Set([true, false]))
  })

  for (const { expect: expected, code: reason, call } of lines) {
    test(`${expected}: ${JSON.stringify(call)}`, async () => {
      const { decision, code } = await decide(policyOf(name), call)
      expect([decision, code]).toEqual([expected, reason])
    })
  }
})

describe('the examples of the seeds do what their comments say', () => {
  proves('SIG-7', 'Signet: whoever is asked is told whether the tool can say what it would do', async () => {
    const sheetOf = async (tool: string) => {
      const call = { tool, args: { to: 'someone@example.com' } }
      const decision = await decide(policyOf('signet'), call)
      return approvalSheet(decision, callOf(call), { at: 0, preview: null })
    }
    expect(await sheetOf('send_email')).toMatchObject({ tool: 'send_email', dryrun_supported: false })
    expect(await sheetOf('rename_users')).toMatchObject({ tool: 'rename_users', dryrun_supported: true })
  })

  const fetched = async (url: string) => {
    const calls = [
      { tool: 'WebFetch', args: { url, prompt: '?' }, principal: { role: 'coder' } },
      { tool: 'Bash', args: { command: `curl ${url}` }, principal: { role: 'coder' } },
    ]
    return Promise.all(calls.map(async (call) => (await decide(policyOf('fullsend'), call)).decision))
  }
  const both = (verdict: string) => [verdict, verdict]

  proves('FUL-19', 'Fullsend: class A of the private networks', async () => expect(await fetched('http://10.0.0.1')).toEqual(both('deny')))
  proves('FUL-20', 'Fullsend: class B', async () => expect(await fetched('http://172.16.0.1')).toEqual(both('deny')))
  proves('FUL-21', 'Fullsend: class C', async () => expect(await fetched('http://192.168.1.1')).toEqual(both('deny')))
  proves('FUL-22', 'Fullsend: this machine', async () => expect(await fetched('http://127.0.0.1:8080')).toEqual(both('deny')))
  proves('FUL-26', 'Fullsend: this machine by its name', async () => expect(await fetched('http://localhost')).toEqual(both('deny')))
  proves('FUL-27', 'Fullsend: a name without an address', async () => expect(await fetched('http://no-such.invalid')).toEqual(both('deny')))
  proves('FUL-28', 'Fullsend: a public host', async () => expect(await fetched('https://github.com')).toEqual(both('allow')))
  proves('FUL-29', 'Fullsend: a hop into the private networks, and a client that would follow there unseen', async () => {
    expect(await fetched('http://192.168.1.100/')).toEqual(both('deny'))
    const following = { tool: 'Bash', args: { command: 'curl -L https://github.com' }, principal: { role: 'coder' } }
    expect((await decide(policyOf('fullsend'), following)).decision).toBe('ask')
  })
})

test('every seed has its example, and so have a support desk, a coding team and a data team', () => {
  const seeds = ['signet', 'role-os', 'fullsend', 'aegis', 'promptise']
  expect(EXAMPLES).toEqual(expect.arrayContaining([...seeds, 'support-desk', 'coding-team', 'data-team', 'tau-retail', 'only-reads']))
})
