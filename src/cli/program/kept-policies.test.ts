/** A policy that was kept decides as the one that was compiled, and is used for nothing else than what it was compiled from. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { deserialize, serialize } from 'node:v8'
import { describe, expect, test } from 'vitest'
import { temporaryDirectory } from '../../../test/support/records.ts'
import type { JsonObject } from '../../core/json.ts'
import { callFromJson } from '../../ingress/call.ts'
import { digester, openGate } from '../../open.ts'
import { type CompileOptions, compilePolicy } from '../../policy/compile.ts'
import { DEFAULT_POLICY } from '../../policy/default.ts'
import { compileText, sha256 } from '../../policy/file.ts'
import { fromData, toData } from '../../policy/keep/codec.ts'
import type { Policy } from '../../policy/policy.ts'
import type { KeptPolicies } from '../../policy/section.ts'
import { createFixedView } from '../../view/fixed.ts'
import { COMPILE } from '../open.ts'
import { keptPolicies } from './kept-policies.ts'

/** What factories make that the examples do not ask for: roles, filters, contracts, judges that are skipped. */
const MORE = `version: 1
unregistered: ask
tool_families: [claude-code]
rules:
  allow:
    - { tool: 'crm/*', user: ada, when: 'args.id.startsWith("c-")' }
    - { tool: Read, role: builder }
  deny:
    - { tool: '*', argument_contains: hunter2, reason: a secret }
roles:
  builder:
    permit: false
    tool_policies:
      Bash: { allow_patterns: ['git status', 'npm *'], deny_patterns: ['git push *'], deny_paths: ['/srv/**', '/home/*/.ssh'] }
      Edit: { allow_paths: ['/home/user/project/src/**'] }
contracts:
  tools:
    crm/update:
      params: [{ name: id, type: string, pattern: '^c-[0-9]+$' }]
risk: { half_life: 2h, flag_at: 0.3, ask_at: 0.6 }
sequences:
  - { tool: Bash, when: 'count(tool == "Bash", "1h") > 2 && formerly(tool == "Read")', enforcement: hard, reason: too much }
  - { id: twice, when: 'distinct(args.file_path, tool == "Read" || tool == "Edit", "20 calls", principal.user) > 1' }
builtin_sequences: { denial-burst: hard, copy-then-use: off }
`

const EXAMPLES = new URL('../../../examples/', import.meta.url).pathname
const POLICIES: readonly (readonly [name: string, text: string, path: string | null])[] = [
  ['what ships', DEFAULT_POLICY, null],
  ['more', MORE, null],
  ...readdirSync(EXAMPLES).flatMap((name) => {
    if (!readdirSync(join(EXAMPLES, name)).includes('countersign.yaml')) return []
    const path = join(EXAMPLES, name, 'countersign.yaml')
    return [[name, readFileSync(path, 'utf8'), path] as const]
  }),
]

const CALLS: readonly (readonly [tool: string, args: JsonObject])[] = [
  ['Bash', { command: 'git status' }],
  ['Bash', { command: 'git push --force origin main' }],
  ['Bash', { command: 'npm test -- --watch; rm -rf /srv/data' }],
  ['Write', { file_path: '/home/user/project/.github/workflows/ci.yml', content: 'on: push' }],
  ['Edit', { file_path: '/home/user/project/src/a.ts', old_string: 'a', new_string: 'hunter2' }],
  ['Read', { file_path: '/home/user/.ssh/id_rsa' }],
  ['mcp__crm__update', { id: 'c-17' }],
  ['mcp__crm__update', { id: 'x' }],
  ['search', { query: '', limit: 500 }],
  ['transfer_money', { to: 'offshore', amount: 5_000 }],
]

const WORLD = { home: '/home/user', cwd: '/home/user/project', gate: ['/home/user/.countersign'] } as const

/** Everything that a decision says, but when and under which number. */
async function decisions(policy: Policy) {
  const { gate } = openGate({
    home: WORLD.home,
    record: false,
    policy: () => ({ policy, degraded: null }),
    view: () => createFixedView(WORLD),
  })
  return await Promise.all(
    CALLS.flatMap(([tool, args]) =>
      [null, 'builder'].map(async (role) => {
        const read = callFromJson({ tool, args, cwd: WORLD.cwd, session: 's', principal: { user: 'ada', role } } as never, { digester })
        if (!read.ok) throw new Error(read.refusal.message)
        const { decision, code, findings } = await gate.decide(read.call)
        return [decision, code, findings]
      }),
    ),
  )
}

function compiled(text: string, path: string | null, kept?: KeptPolicies): Policy {
  const more = kept === undefined ? COMPILE : { ...COMPILE, kept }
  const result = path === null ? compilePolicy(text, { ...more, path, sha256 }) : compileText(text, path, more)
  if (!result.ok) throw new Error(JSON.stringify(result.errors.map(({ message }) => message)))
  return result.policy
}

describe('a policy that was kept', () => {
  for (const [name, text, path] of POLICIES) {
    test(`decides as it was compiled: ${name}`, async () => {
      const policy = compiled(text, path)
      const data = toData(policy)
      expect(data).not.toBeNull()
      const again = fromData(deserialize(serialize(data)))
      expect(again.digest).toBe(policy.digest)
      // It can be kept again, so every function of it came back with how it is made.
      expect(toData(again)).toEqual(data)
      expect(await decisions(again)).toEqual(await decisions(policy))
    })
  }

  test('is none where a part of it cannot be made again', () => {
    const policy = compiled(MORE, null)
    for (const strange of [() => true, new Date(0), /x/, JSON.parse('{"__proto__":{"a":1}}') as object])
      expect(toData({ ...policy, approvals: { ...policy.approvals, strange } } as never)).toBeNull()
  })
})

const OPTIONS: CompileOptions = { ...COMPILE, path: null, sha256 }
const NONE = new Map<string, { readonly text: string }>()

/** One policy, kept in a home of its own. */
function kept(text = MORE, named: ReadonlyMap<string, { readonly text: string }> = NONE) {
  const home = temporaryDirectory()
  const policies = keptPolicies(home, 'build-1')
  policies.keep(text, compiled(text, null), named)
  const directory = join(home, 'cache')
  const [file = ''] = readdirSync(directory)
  return { home, policies, file: join(directory, file) }
}

describe('what is kept', () => {
  test('is found by its text, its path and its build', () => {
    const { home, policies } = kept()
    expect(policies.find(MORE, OPTIONS)?.digest).toBe(compiled(MORE, null).digest)
    expect(policies.find(`${MORE}# more\n`, OPTIONS)).toBeNull()
    expect(policies.find(MORE, { ...OPTIONS, path: '/etc/countersign/countersign.yaml' })).toBeNull()
    expect(keptPolicies(home, 'build-2').find(MORE, OPTIONS)).toBeNull()
    expect(keptPolicies(temporaryDirectory(), 'build-1').find(MORE, OPTIONS)).toBeNull()
  })

  test('is nothing where the program runs from its sources', () => {
    const home = temporaryDirectory()
    keptPolicies(home).keep(MORE, compiled(MORE, null), NONE)
    expect(readdirSync(home)).toEqual([])
  })

  test('is believed only whole, and under the key of this state directory', () => {
    const { policies, file } = kept()
    const bytes = readFileSync(file)
    for (const at of [0, 31, 32, 40, bytes.length - 1]) {
      const changed = Buffer.from(bytes)
      changed[at] = (changed[at] ?? 0) ^ 1
      writeFileSync(file, changed)
      expect([at, policies.find(MORE, OPTIONS)]).toEqual([at, null])
    }
    for (const length of [0, 31, 32, bytes.length - 1]) {
      writeFileSync(file, bytes.subarray(0, length))
      expect([length, policies.find(MORE, OPTIONS)]).toEqual([length, null])
    }
    // Made with another key, as whoever wrote it into this directory from elsewhere would have.
    const other = kept()
    writeFileSync(file, readFileSync(other.file))
    expect(policies.find(MORE, OPTIONS)).toBeNull()
    writeFileSync(file, bytes)
    expect(policies.find(MORE, OPTIONS)).not.toBeNull()
  })

  test('is none of another policy, though it was kept under the same key', () => {
    const { home, policies, file } = kept()
    const lax = 'version: 1\nunregistered: ask\n'
    policies.keep(lax, compiled(lax, null), NONE)
    const other = readdirSync(join(home, 'cache')).find((name) => !file.endsWith(name)) ?? ''
    writeFileSync(file, readFileSync(join(home, 'cache', other)))
    expect(policies.find(MORE, OPTIONS)).toBeNull()
  })

  test('holds as long as the files that the policy names say the same', () => {
    const { policies } = kept(MORE, new Map([['tools.json', { text: '{}' }]]))
    const reading = (text: string | null) => ({
      ...OPTIONS,
      readFile: () => (text === null ? { problem: 'gone' } : { text }),
    })
    expect(policies.find(MORE, reading('{}'))).not.toBeNull()
    expect(policies.find(MORE, reading('{ }'))).toBeNull()
    expect(policies.find(MORE, reading(null))).toBeNull()
    expect(policies.find(MORE, OPTIONS)).toBeNull()
  })

  test('is no policy that a variable is a part of', () => {
    const home = temporaryDirectory()
    const policies = keptPolicies(home, 'build-1')
    const asks = { ...OPTIONS, kept: policies, env: () => 'canary-7f3d-blue-heron' }
    const text = `${MORE}guards: { canary: { tokens_env: [CANARY] } }\n`
    const result = compilePolicy(text, asks)
    expect(result.ok).toBe(true)
    expect(readdirSync(home)).toEqual([])
  })

  test('is asked by whoever compiles, and kept by the first', () => {
    const policies = keptPolicies(temporaryDirectory(), 'build-1')
    const found = [1, 2].map(() => policies.find(MORE, OPTIONS) !== null || compiled(MORE, null, policies) === null)
    expect(found).toEqual([false, true])
  })

  test('is no more than a few', () => {
    const { home, policies } = kept()
    for (let at = 0; at < 40; at++) policies.keep(`${MORE}# ${at}\n`, compiled(MORE, null), NONE)
    expect(readdirSync(join(home, 'cache')).length).toBe(32)
  })
})
