/** Every example policy loads without an error or a surprise, and decides its recorded calls as it says. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { COMPILE } from '../../src/cli/open.ts'
import type { JsonObject } from '../../src/core/json.ts'
import { callFromJson } from '../../src/ingress/call.ts'
import { digester, openGate } from '../../src/open.ts'
import { loadPolicy } from '../../src/policy/file.ts'
import { createFixedView } from '../../src/view/fixed.ts'

const EXAMPLES = readdirSync('examples').filter((name) => existsSync(join('examples', name, 'countersign.yaml')))
const WORLD = { home: '/home/user', cwd: '/home/user/project' }

function policyOf(name: string) {
  const explicit = resolve('examples', name, 'countersign.yaml')
  const state = loadPolicy({ ...COMPILE, places: { explicit, variable: null, cwd: '/', home: '/nonexistent' }, shipped: '' })
  if (state.policy === null) throw new Error(state.error)
  return state.policy
}

describe.each(EXAMPLES)('examples/%s', (name) => {
  const calls = join('examples', name, 'calls.jsonl')
  const cases = existsSync(calls)
    ? readFileSync(calls, 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as { expect: string; call: JsonObject })
    : []

  test('loads, its own examples hold, and lint has nothing to say', () => {
    expect(policyOf(name).warnings.map(({ code, line, message }) => `${line}: ${code}: ${message}`)).toEqual([])
  })

  for (const { expect: expected, call } of cases) {
    test(`${expected}: ${JSON.stringify(call)}`, async () => {
      const policy = policyOf(name)
      const { gate } = openGate({
        home: '/home/user/.countersign',
        record: false,
        policy: () => ({ policy, degraded: null }),
        view: () => createFixedView({ ...WORLD, gate: ['/home/user/.countersign'] }),
      })
      const read = callFromJson({ cwd: WORLD.cwd, ...call }, { digester })
      if (!read.ok) throw new Error(read.refusal.message)
      const { decision, reason } = await gate.decide(read.call)
      expect([decision, reason]).toEqual([expected, reason])
    })
  }
})

test('there are examples, and the seeds are among them', () => {
  expect(EXAMPLES).toEqual(expect.arrayContaining(['signet', 'promptise', 'role-os', 'coding-team', 'data-team', 'tau-retail']))
})
