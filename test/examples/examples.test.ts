/**
 * Every example policy loads without a surprise, holds for its own examples, and decides its recorded calls as written: each
 * line of `calls.jsonl` has a call, the decision that is expected, and its code.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { testPolicy } from '../../src/cli/commands/policy-test.ts'
import { COMPILE } from '../../src/cli/open.ts'
import type { JsonObject } from '../../src/core/json.ts'
import { callFromJson } from '../../src/ingress/call.ts'
import { digester, openGate } from '../../src/open.ts'
import type { Policy } from '../../src/policy/policy.ts'
import { loadPolicy } from '../../src/policy/watch.ts'
import { createFixedView } from '../../src/view/fixed.ts'

const EXAMPLES = readdirSync('examples').filter((name) => existsSync(join('examples', name, 'countersign.yaml')))
const HOME = '/home/user'

/** What lint rightly says of Role OS's own file: its scope is enforced here, and its date is a beginning. */
const EXPECTED_WARNINGS: ReadonlyMap<string, readonly string[]> = new Map([['role-os', ['lint.capability_file', 'lint.capability_file']]])

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

async function decide(policy: Policy, call: JsonObject) {
  const read = callFromJson({ cwd: `${HOME}/project`, ...call }, { digester })
  if (!read.ok) throw new Error(read.refusal.message)
  const gate = [`${HOME}/.countersign`]
  const opened = openGate({
    home: `${HOME}/.countersign`,
    record: false,
    policy: () => ({ policy, degraded: null }),
    view: ({ cwd }) => createFixedView({ home: HOME, cwd: cwd ?? HOME, roots: [cwd ?? HOME], gate }),
  })
  return opened.gate.decide(read.call)
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
    expect(written.join('')).toBe(`${fileOf(name)}: every example holds\n`)
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

test('every seed has its example, and so have a support desk, a coding team and a data team', () => {
  const seeds = ['signet', 'role-os', 'fullsend', 'aegis', 'promptise']
  expect(EXAMPLES).toEqual(expect.arrayContaining([...seeds, 'support-desk', 'coding-team', 'data-team', 'tau-retail', 'only-reads']))
})
