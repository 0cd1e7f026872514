/** The guide to roles and grants is true: its policies load, its commands run, its code prints what it says. */
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { COMPILE } from '../../src/cli/open.ts'
import { callFromJson } from '../../src/ingress/call.ts'
import * as library from '../../src/library/promptise.ts'
import { digester, openGate } from '../../src/open.ts'
import { compilePolicy } from '../../src/policy/compile.ts'
import { formatPolicyError } from '../../src/policy/errors.ts'
import { sha256 } from '../../src/policy/file.ts'
import type { Policy } from '../../src/policy/policy.ts'
import { createFixedView } from '../../src/view/fixed.ts'
import { cli, type Home, makeHome } from '../hosts/harness.ts'

const guide = readFileSync(new URL('../../docs/guide/roles-and-grants.md', import.meta.url), 'utf8')
const blocks = (language: string): readonly string[] =>
  [...guide.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].flatMap((match) => match[1] ?? [])

function policyOf(text: string): Policy {
  const result = compilePolicy(text, { ...COMPILE, path: 'guide.yaml', sha256 })
  if (!result.ok) throw new Error(result.errors.map(formatPolicyError).join('\n'))
  return result.policy
}

describe('its policies', () => {
  const policies = blocks('yaml')

  test('are there', () => expect(policies.length).toBe(4))
  for (const [index, text] of policies.entries()) {
    test(`number ${index + 1} loads without errors or warnings`, () => expect(policyOf(text).warnings).toEqual([]))
  }

  for (const [index, tool, args, role, expected] of [
    [0, 'Bash', { command: 'git push origin agent/x' }, null, 'flag'],
    [0, 'Bash', { command: 'git push origin main' }, null, 'deny'],
    [0, 'Bash', { command: 'npm publish' }, null, 'deny'],
    [1, 'Bash', { command: 'kubectl --context staging -n review-12 delete pod a' }, null, 'allow'],
    [1, 'Bash', { command: 'kubectl --context production -n review-12 delete pod a' }, null, 'deny'],
    [1, 'Bash', { command: 'kubectl --context staging -n web delete pod a' }, null, 'deny'],
    [1, 'Bash', { command: 'kubectl -n review-12 delete pod a' }, null, 'deny'],
    [1, 'Bash', { command: 'psql -h production.db.example -d shop -c "DROP TABLE users"' }, null, 'deny'],
    [2, 'Bash', { command: 'gh release create v1' }, null, 'deny'],
    [3, 'Bash', { command: 'git log --grep "git push"' }, 'reviewer', 'allow'],
    [3, 'Bash', { command: 'git diff --output x' }, 'reviewer', 'deny'],
    [3, 'Bash', { command: 'ls' }, 'reviewer', 'deny'],
    [3, 'Read', { file_path: '/home/user/.ssh/id_rsa' }, 'reviewer', 'deny'],
    [3, 'Read', { file_path: '/home/user/project/a' }, 'reader', 'allow'],
    [3, 'WebFetch', { url: 'https://evil.example', prompt: 'x' }, 'reader', 'deny'],
    [3, 'cmd.run', { command: 'cargo publish' }, 'builder', 'deny'],
  ] as const) {
    test(`number ${index + 1}: ${tool} ${JSON.stringify(args)} of ${role ?? 'anybody'} is ${expected}`, async () => {
      const policy = policyOf(policies[index] ?? '')
      const gate = ['/home/user/.countersign']
      const opened = openGate({
        home: '/home/user/.countersign',
        record: false,
        policy: () => ({ policy, degraded: null }),
        view: () => createFixedView({ home: '/home/user', cwd: '/home/user/project', gate }),
      })
      const read = callFromJson({ tool, args, cwd: '/home/user/project', ...(role === null ? {} : { principal: { role } }) }, { digester })
      if (!read.ok) throw new Error(read.refusal.message)
      expect((await opened.gate.decide(read.call)).decision).toBe(expected)
    })
  }
})

describe('its commands', () => {
  let home: Home
  beforeAll(() => {
    home = makeHome()
  })
  afterAll(() => home.remove())

  test('add, show and revoke a grant', () => {
    const [add, list, revoke] = blocks('console')
      .flatMap((block) => block.trimEnd().split('\n'))
      .map(argumentsOf)
    const id = cli(home, add ?? []).stdout.trim()
    expect(id).toMatch(/^gr_[0-9a-f]{20}$/)
    expect(cli(home, list ?? []).stdout).toContain(`${id}  npm:publish  package=left-pad  0/1`)
    expect(
      cli(
        home,
        (revoke ?? []).map((word) => (word.startsWith('gr_') ? id : word)),
      ).status,
    ).toBe(0)
    expect(cli(home, list ?? []).stdout).toContain('revoked')
  })
})

/** `$ countersign a "b c"` → `a`, `b c`. */
function argumentsOf(line: string): readonly string[] {
  const words = [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '')
  expect(words.slice(0, 2)).toEqual(['$', 'countersign'])
  return words.slice(2)
}

test('its code prints what the guide says', async () => {
  const [code = ''] = blocks('js')
  const body = code.replace(/^import .*\n/, '')
  const printed: unknown[] = []
  const AsyncFunction = (async () => {}).constructor as new (...parts: string[]) => (...values: unknown[]) => Promise<void>
  await new AsyncFunction('AutoApprovalClassifier', 'console', body)(library.AutoApprovalClassifier, {
    log: (...values: unknown[]) => printed.push(...values),
  })
  expect(printed.slice(0, 2)).toEqual([true, 'read_only'])
  expect(printed[3]).toBe(1)
})
