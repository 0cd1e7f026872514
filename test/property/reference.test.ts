/** The gate against the reference decision procedure, on random policies and calls. A disagreement prints its seed. */
import fc from 'fast-check'
import { describe, expect } from 'vitest'
import { COMPILE } from '../../src/cli/open.ts'
import type { ToolCall } from '../../src/core/call.ts'
import { openGate } from '../../src/open.ts'
import { compilePolicy } from '../../src/policy/compile.ts'
import { sha256 } from '../../src/policy/file.ts'
import { createFixedView } from '../../src/view/fixed.ts'
import { proves } from '../proves.ts'
import { type ReferenceCall, type ReferencePolicy, type ReferenceRule, type ReferenceTool, referenceDecide } from '../reference/decide.ts'
import { callOf, NOBODY } from '../support/calls.ts'

const TIERS = ['low', 'medium', 'high', 'critical'] as const
const NAMES = ['get_user', 'get_order', 'set_user', 'send_mail', 'constructor', 'toString', 'Get_user']
const WORDS = ['alpha', 'beta', 'gamma']

const tier = fc.constantFrom(0 as const, 1 as const, 2 as const, 3 as const)
const tool: fc.Arbitrary<ReferenceTool> = fc.record({ tier, irreversible: fc.boolean() })
const rule: fc.Arbitrary<ReferenceRule> = fc.record({
  kind: fc.constantFrom('deny' as const, 'ask' as const, 'allow' as const),
  tool: fc.option(fc.constantFrom(...NAMES, 'get_*', 's*', '*')),
  user: fc.option(fc.constantFrom('ann', 'bob'), { freq: 2 }),
  contains: fc.option(fc.constantFrom(...WORDS), { freq: 2 }),
  enforcement: fc.constantFrom(null, null, 'advisory' as const, 'soft' as const, 'hard' as const),
})
const policy: fc.Arbitrary<ReferencePolicy> = fc.record({
  default: fc.constantFrom('ask' as const, 'deny' as const),
  unregistered: fc.constantFrom('deny' as const, 'ask' as const, 'allow' as const),
  tools: fc.array(fc.tuple(fc.constantFrom(...NAMES), tool), { maxLength: 6 }).map((entries) => new Map(entries)),
  max: tier,
  threshold: tier,
  allowCritical: fc.boolean(),
  allowlist: fc.option(fc.subarray(NAMES), { freq: 1 }),
  order: fc.constantFrom('severity' as const, 'first-match' as const),
  rules: fc.array(rule, { maxLength: 8 }),
})
const call = fc.record({
  tool: fc.constantFrom(...NAMES),
  user: fc.option(fc.constantFrom('ann', 'bob', 'eve')),
  word: fc.constantFrom(...WORDS, 'delta'),
})

function yaml(reference: ReferencePolicy): string {
  const rules = (kind: ReferenceRule['kind']) =>
    reference.rules
      .filter((r) => r.kind === kind)
      .map((r) => ({
        ...(r.tool === null ? {} : { tool: r.tool }),
        ...(r.user === null ? {} : { user: r.user }),
        ...(r.enforcement === null || r.kind === 'allow' ? {} : { enforcement: r.enforcement }),
        ...(r.contains === null ? {} : { argument_contains: r.contains }),
        reason: 'generated',
      }))
  return JSON.stringify({
    version: 1,
    default: reference.default,
    unregistered: reference.unregistered,
    tools: Object.fromEntries([...reference.tools].map(([name, t]) => [name, { risk_tier: TIERS[t.tier], irreversible: t.irreversible }])),
    registry: {
      max_allowed_tier: TIERS[reference.max],
      escalation_threshold: TIERS[reference.threshold],
      allow_critical: reference.allowCritical,
    },
    rules: { order: reference.order, deny: rules('deny'), ask: rules('ask'), allow: rules('allow') },
    hazards: { packs: [] },
    guards: { allowlist: reference.allowlist },
  })
}

const toolCall = (name: string, user: string | null, word: string): ToolCall =>
  callOf(name, { note: word }, { principal: { ...NOBODY, user }, session: null, cwd: '/home/user/project' })

describe('the gate and the reference', () => {
  proves(
    ['P1', 'P2', 'P3', 'T14', 'PIT-11'],
    'agree on 10,000 random pairs of policy and call',
    async () => {
      await fc.assert(
        fc.asyncProperty(policy, fc.array(call, { minLength: 20, maxLength: 20 }), async (reference, calls) => {
          const compiled = compilePolicy(yaml(reference), { ...COMPILE, path: null, sha256 })
          if (!compiled.ok) throw new Error(JSON.stringify(compiled.errors))
          const { gate } = openGate({
            home: '/nonexistent',
            record: false,
            policy: () => ({ policy: compiled.policy, degraded: null }),
            view: () => createFixedView({ home: '/home/user', cwd: '/home/user/project' }),
          })
          for (const { tool: name, user, word } of calls) {
            const asked: ReferenceCall = { tool: name, user, argsText: JSON.stringify({ note: word }) }
            const { decision } = await gate.decide(toolCall(name, user, word))
            expect([name, user, word, decision]).toEqual([name, user, word, referenceDecide(reference, asked)])
          }
        }),
        { numRuns: 500, seed: 11 },
      )
    },
    180_000,
  )
})
