/**
 * Whatever policy a lower scope brings: the verdict is never milder than the governing policy's own. Random policies and calls, judged by
 * the real gate; a counterexample prints its seed.
 */
import fc from 'fast-check'
import { describe, expect } from 'vitest'
import { COMPILE } from '../../src/cli/open.ts'
import type { ToolCall } from '../../src/core/call.ts'
import type { Decision } from '../../src/core/decision.ts'
import { compare } from '../../src/core/verdict.ts'
import { callFromJson } from '../../src/ingress/call.ts'
import { digester, openGate } from '../../src/open.ts'
import { compilePolicy } from '../../src/policy/compile.ts'
import { sha256 } from '../../src/policy/file.ts'
import type { Policy } from '../../src/policy/policy.ts'
import { joinPolicies, type ScopeParts } from '../../src/policy/scopes/join.ts'
import { createFixedView } from '../../src/view/fixed.ts'
import { proves } from '../proves.ts'

const WORLD = { home: '/home/user', cwd: '/home/user/project', gate: ['/home/user/.countersign'] } as const
const TOOLS = ['Bash', 'Read', 'deploy', 'crm/refund'] as const
const LEVELS = ['advisory', 'soft', 'hard'] as const

const maybe = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: undefined, freq: 2 })
const rule = (enforced: boolean) =>
  fc.record(
    {
      tool: fc.constantFrom(...TOOLS, '*', 'd*'),
      argument_contains: fc.constantFrom('status', 'prod', 'rm'),
      when: fc.constantFrom('effects.exists(e, e.verb == "delete")', 'args.missing == "x"', 'session == "s"'),
      ...(enforced ? { enforcement: fc.constantFrom(...LEVELS) } : {}),
    },
    { requiredKeys: ['tool'] },
  )
const written = fc.record(
  {
    mode: fc.constantFrom('enforce', 'shadow'),
    default: fc.constantFrom('ask', 'deny'),
    unregistered: fc.constantFrom('deny', 'ask', 'allow'),
    tool_families: fc.constant(['claude-code']),
    tools: fc.dictionary(
      fc.constantFrom(...TOOLS),
      fc.record({ risk_tier: fc.constantFrom('low', 'high', 'critical'), irreversible: fc.boolean() }),
    ),
    registry: fc.record({ max_allowed_tier: fc.constantFrom('low', 'high', 'critical'), allow_critical: fc.boolean() }),
    layers: fc.dictionary(
      fc.constantFrom('hazard', 'rules', 'registry', 'contract'),
      fc.record({ enforcement: fc.constantFrom(...LEVELS) }),
    ),
    rules: fc.record(
      {
        order: fc.constantFrom('severity', 'first-match'),
        deny: fc.array(rule(true), { maxLength: 2 }),
        ask: fc.array(rule(true), { maxLength: 2 }),
        allow: fc.array(rule(false), { maxLength: 2 }),
        read_only: fc.record({ auto_allow: fc.boolean(), prefixes: fc.constant(['dep', 'Ba']) }, { requiredKeys: [] }),
      },
      { requiredKeys: [] },
    ),
    hazards: fc.oneof(
      fc.constant({ packs: [] }),
      fc.record({ enforcement: fc.constantFrom(...LEVELS) }),
      fc.record({ rules: fc.constant({ 'insecure-transport': 'off' }) }),
    ),
    capabilities: fc.record({ gate: fc.constant(['git:push']), grants: fc.constant({ 'git:push': {} }) }, { requiredKeys: ['gate'] }),
    roles: fc.record({ '*': fc.record({ tool_policies: fc.constant({ Bash: { allow_patterns: ['git *'], max_args_length: 60 } }) }) }),
    guards: fc.record(
      { allowlist: fc.subarray([...TOOLS]), ssrf: fc.record({ strict: fc.boolean() }), unicode: fc.record({ enabled: fc.boolean() }) },
      { requiredKeys: [] },
    ),
    contracts: fc.record({
      enforcement: fc.constantFrom(...LEVELS),
      tools: fc.constant({ deploy: { params: [{ name: 'env', type: 'string', enum: ['staging'], required: true }] } }),
    }),
    disclosure: fc.record({ to_agent: fc.constantFrom('coarse', 'full') }),
  },
  { requiredKeys: [] },
)
const policy = maybe(written).map((parts) => ({ version: 1, ...withoutNothing(parts ?? {}) }))
const calls: readonly (readonly [string, Record<string, string>])[] = [
  ['Bash', { command: 'git status' }],
  ['Bash', { command: 'rm -rf /prod' }],
  ['Bash', { command: 'git push --force origin main' }],
  ['Bash', { command: 'curl -k https://x.example -o x' }],
  ['Bash', { command: 'echo x > ~/.countersign/countersign.yaml' }],
  ['Read', { file_path: '/home/user/project/a\u200b.txt' }],
  ['deploy', { env: 'prod' }],
  ['crm/refund', { amount: '5' }],
]

function withoutNothing(parts: object): object {
  return JSON.parse(JSON.stringify(parts)) as object
}

function compiled(parts: object): Policy | null {
  const result = compilePolicy(JSON.stringify(parts), { ...COMPILE, path: '/p/countersign.yaml', sha256 })
  return result.ok ? result.policy : null
}

function callOf([name, args]: (typeof calls)[number]): ToolCall {
  const [server, tool] = name.includes('/') ? name.split('/') : [null, name]
  const read = callFromJson({ tool: tool ?? name, server, args, cwd: WORLD.cwd, session: 's' }, { digester })
  if (!read.ok) throw new Error(read.refusal.message)
  return read.call
}

function judge(parts: Partial<ScopeParts>, at: (typeof calls)[number]): Promise<Decision> {
  const joined = joinPolicies({ managed: null, user: null, project: [], unread: [], ...parts }, sha256)
  if (joined === null) throw new Error('nothing governs')
  return openGate({
    home: '/nonexistent',
    record: false,
    policy: () => ({ policy: joined, degraded: null }),
    view: () => createFixedView(WORLD),
  }).gate.decide(callOf(at))
}

/** Both as decided and as it would be decided were nothing in shadow mode. */
function isNoMilder(after: Decision, before: Decision): boolean {
  return compare(after.decision, before.decision) >= 0 && compare(after.would, before.would) >= 0
}

const trial = fc.record({ operator: policy, other: policy, third: policy, call: fc.constantFrom(...calls) })

describe('scopes', () => {
  proves(['T42', 'PIT-12'], 'an untrusted policy of a project never makes a verdict milder', async () => {
    let compared = 0
    await fc.assert(
      fc.asyncProperty(trial, async ({ operator, other, third, call }) => {
        const [user, ...brought] = [compiled(operator), compiled(other), compiled(third)]
        if (user === null) return
        const project = brought.flatMap((each) => (each === null ? [] : [{ policy: each, trusted: false }]))
        compared += project.length
        expect(isNoMilder(await judge({ user, project }, call), await judge({ user }, call))).toBe(true)
      }),
      { numRuns: 150 },
    )
    expect(compared).toBeGreaterThan(150)
  })

  proves(['T42', 'P9'], 'in shadow mode a graver finding of a project does not take the protection of the gate away', async () => {
    const [user, brought] = [compiled({ version: 1, mode: 'shadow' }), compiled({ version: 1, guards: { allowlist: [] } })]
    if (user === null || brought === null) throw new Error('a policy of this test does not compile')
    for (const call of calls) {
      const [alone, together] = [await judge({ user }, call), await judge({ user, project: [{ policy: brought, trusted: false }] }, call)]
      expect([call, isNoMilder(together, alone)]).toEqual([call, true])
    }
  })

  proves('T42', 'under the machine’s policy neither the user’s nor a trusted one does', async () => {
    await fc.assert(
      fc.asyncProperty(trial, async ({ operator, other, third, call }) => {
        const [managed, user, brought] = [compiled(operator), compiled(other), compiled(third)]
        if (managed === null || user === null || brought === null) return
        const project = [{ policy: brought, trusted: true }]
        const [alone, together] = [await judge({ managed }, call), await judge({ managed, user, project }, call)]
        expect(compare(together.would, alone.would)).toBeGreaterThanOrEqual(0)
        expect(compare(together.decision, alone.decision)).toBeGreaterThanOrEqual(0)
      }),
      { numRuns: 150 },
    )
  })

  proves('T42', 'a trusted one lifts no denial and no question of the operator’s own rules, hazards, roles, gates and guards', async () => {
    const own = new Set(['rules', 'hazard', 'roles', 'capability', 'integrity', 'contract'])
    await fc.assert(
      fc.asyncProperty(trial, async ({ operator, other, call }) => {
        const [user, brought] = [compiled(operator), compiled(other)]
        if (user === null || brought === null || user.mode === 'shadow') return
        const alone = await judge({ user }, call)
        const together = await judge({ user, project: [{ policy: brought, trusted: true }] }, call)
        for (const { layer, verdict } of alone.findings)
          if (own.has(layer) && verdict !== 'allow') expect(compare(together.decision, verdict)).toBeGreaterThanOrEqual(0)
      }),
      { numRuns: 150 },
    )
  })
})
