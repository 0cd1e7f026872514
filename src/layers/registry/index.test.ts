import { describe, expect, test } from 'vitest'
import { proves } from '../../../test/proves.ts'
import { decide } from '../../core/decide.ts'
import { type CallParts, call, facts, policy } from '../../policy/testing/compiled.ts'
import { emptySession } from '../../session/state.ts'
import { createRegistry, type FamilyTool } from './index.ts'

const FAMILY_TOOLS: ReadonlyMap<string, FamilyTool> = new Map([
  ['Read', { family: 'claude-code' }],
  ['Nuke', { family: 'claude-code', riskTier: 'critical' }],
  ['Pay', { family: 'claude-code', riskTier: 'high', irreversible: true, dryrunSupported: true }],
  ['read_file', { family: 'mcp-filesystem' }],
])
const layer = createRegistry((_server, name) => FAMILY_TOOLS.get(name) ?? null)

function findings(text: string, name: string, parts: CallParts = {}) {
  return layer.evaluate({ call: call(name, parts), facts: facts(), policy: policy(text), state: emptySession(0) })
}

const verdicts = (text: string, name: string, parts: CallParts = {}) => findings(text, name, parts).map((finding) => finding.verdict)

describe('the decision order of the seed', () => {
  proves('SIG-1', 'a registered low tool is allowed', () => expect(verdicts('tools: { echo: {} }', 'echo')).toEqual(['allow']))

  proves('SIG-2', 'an unregistered tool is denied', () => {
    const [finding] = findings('tools: {}', 'rm_rf')
    expect(finding).toMatchObject({ verdict: 'deny', code: 'registry.unregistered', message: 'tool `rm_rf` not in registry' })
    expect(finding?.evidence).toMatchObject({ tool: 'rm_rf', hint: expect.any(String) })
    expect(verdicts('unregistered: ask', 'rm_rf')).toEqual(['ask'])
  })

  proves('SIG-3', 'with unregistered: allow it is permitted and flagged', () => {
    const found = findings('unregistered: allow', 'anything')
    expect(found.map((finding) => finding.verdict)).toEqual(['allow', 'flag'])
    const judged = decide(null, [{ name: 'registry', enforcement: null, onError: 'deny', evaluate: () => found }], 'deny')
    expect(judged.verdict).toBe('flag')
  })

  proves('SIG-4', 'a critical tool is denied without allow_critical', () => {
    expect(findings('tools: { nuke: { risk_tier: critical } }', 'nuke')[0]).toMatchObject({
      verdict: 'deny',
      code: 'registry.critical',
      message: 'tool `nuke` is CRITICAL tier and allow_critical=false',
      evidence: { tool: 'nuke', tier: 'CRITICAL' },
    })
    // The documented process_payment meets this step before the ceiling, however low the ceiling is.
    expect(findings('tools: { nuke: { risk_tier: critical } }\nregistry: { max_allowed_tier: low }', 'nuke')[0]?.code).toBe(
      'registry.critical',
    )
  })

  proves('SIG-5', 'allow_critical alone does not allow critical', () => {
    expect(findings('tools: { nuke: { risk_tier: critical } }\nregistry: { allow_critical: true }', 'nuke')[0]).toMatchObject({
      verdict: 'deny',
      code: 'registry.tier_exceeded',
      message: 'tool `nuke` tier CRITICAL exceeds max HIGH',
    })
  })

  proves('SIG-6', 'critical, irreversible and within the ceiling is asked for', () => {
    const text =
      'tools: { nuke: { risk_tier: critical, irreversible: true } }\nregistry: { allow_critical: true, max_allowed_tier: critical }'
    expect(verdicts(text, 'nuke')).toEqual(['ask'])
    expect(verdicts(text.replace('irreversible: true', 'irreversible: false'), 'nuke')).toEqual(['allow'])
  })

  proves('SIG-7', 'high and irreversible is asked for, with the metadata of the tool', () => {
    const [finding] = findings('tools: { send_email: { risk_tier: high, irreversible: true } }', 'send_email')
    expect(finding).toEqual({
      layer: 'registry',
      rule: 'send_email',
      verdict: 'ask',
      code: 'registry.irreversible',
      message: 'tool `send_email` is irreversible and tier HIGH >= escalate-at HIGH',
      advice: null,
      evidence: {
        tool: 'send_email',
        tool_name: 'send_email',
        tier: 'HIGH',
        risk_tier: 'HIGH',
        irreversible: true,
        dryrun_supported: false,
        requires_approval_from: [],
        current_approver: null,
      },
      resolvers: ['human'],
    })
    const dry = findings('tools: { send_email: { risk_tier: high, irreversible: true, dryrun_supported: true } }', 'send_email')
    expect(dry[0]).toMatchObject({ verdict: 'ask', evidence: { dryrun_supported: true } })
  })

  proves('SIG-8', 'a tier above the ceiling is denied', () => {
    const [finding] = findings('tools: { shell: { risk_tier: high } }\nregistry: { max_allowed_tier: medium }', 'shell')
    expect(finding).toMatchObject({ verdict: 'deny', message: 'tool `shell` tier HIGH exceeds max MEDIUM' })
  })

  proves('SIG-9', 'high but reversible is allowed', () => {
    expect(findings('tools: { write_file: { risk_tier: high } }', 'write_file')[0]).toMatchObject({
      verdict: 'allow',
      message: 'tool `write_file` cleared (tier=HIGH)',
      evidence: { tool: 'write_file', tier: 'HIGH' },
    })
  })

  proves(['SIG-10', 'SIG-10a', 'SIG-10b'], 'medium and irreversible is asked for only where the threshold says so', () => {
    const text = 'tools: { x: { risk_tier: medium, irreversible: true } }'
    expect(verdicts(text, 'x')).toEqual(['allow'])
    expect(verdicts(`${text}\nregistry: { escalation_threshold: medium }`, 'x')).toEqual(['ask'])
  })

  proves(['SIG-11', 'SIG-12'], 'who must agree is the chain of the principal', () => {
    const text = 'tools: { x: { risk_tier: high, irreversible: true } }'
    expect(findings(text, 'x', { chain: ['manager', 'ceo'] })[0]?.evidence).toMatchObject({
      requires_approval_from: ['manager', 'ceo'],
      current_approver: 'manager',
    })
    expect(findings(text, 'x', { chain: [] })[0]?.evidence).toMatchObject({ requires_approval_from: [], current_approver: null })
  })

  proves('SIG-14', 'names are exact', () => {
    expect(verdicts('tools: { echo: {} }', 'Echo')).toEqual(['deny'])
    expect(verdicts('tools: { echo: {} }', 'echo ')).toEqual(['deny'])
    expect(verdicts('tools: { echo: {} }', '')).toEqual(['deny'])
  })

  proves(['SIG-13a', 'SIG-13b'], 'tiers written in any way decide alike', () => {
    for (const tier of ['high', '2', 'HIGH', '" High "']) {
      expect(verdicts(`tools: { x: { risk_tier: ${tier}, irreversible: true } }`, 'x')).toEqual(['ask'])
    }
  })
})

describe('which entry is the tool of this server', () => {
  const text = 'tools: { pay: {}, bank/pay: { risk_tier: critical }, fs/a/b: {} }'
  for (const [server, name, expected] of [
    [null, 'pay', 'allow'],
    ['shop', 'pay', 'allow'],
    ['bank', 'pay', 'deny'],
    // A server that calls its tool `bank/pay` or itself `fs/a` gets nobody's entry.
    ['evil', 'fs/a/b', 'deny'],
    ['fs', 'a/b', 'allow'],
    ['fs/a', 'b', 'deny'],
    [null, 'fs/a/b', 'allow'],
  ] as const) {
    proves('T06', `${server} offers ${name}: ${expected}`, () => expect(verdicts(text, name, { server })).toEqual([expected]))
  }

  proves('T06', 'magic names are unknown tools', () => {
    for (const name of ['constructor', '__proto__', 'toString', 'hasOwnProperty']) {
      expect(findings('tools: { echo: {} }', name)[0]?.code).toBe('registry.unregistered')
      expect(findings('tools: { echo: {} }', 'x', { server: name })[0]?.code).toBe('registry.unregistered')
    }
  })
})

describe('families', () => {
  test('tools of a named family are registered, and their tiers hold', () => {
    const text = 'tool_families: [claude-code]'
    expect(verdicts(text, 'Read')).toEqual(['allow'])
    expect(verdicts(text, 'Nuke')).toEqual(['deny'])
    expect(findings(text, 'Pay')[0]).toMatchObject({ verdict: 'ask', evidence: { dryrun_supported: true } })
    expect(verdicts(text, 'read_file')).toEqual(['deny'])
    expect(verdicts('tools: {}', 'Read')).toEqual(['deny'])
  })

  test("the policy's own entry outweighs the table, in both directions", () => {
    expect(verdicts('tool_families: [claude-code]\ntools: { Read: { risk_tier: critical }, Pay: {} }', 'Read')).toEqual(['deny'])
    expect(verdicts('tool_families: [claude-code]\ntools: { Read: { risk_tier: critical }, Pay: {} }', 'Pay')).toEqual(['allow'])
  })
})

describe('the plain allowlist', () => {
  for (const [allowlist, server, name, expected] of [
    ['null', null, 'echo', 'allow'],
    ['[]', null, 'echo', 'deny'],
    ['[Read, echo]', null, 'echo', 'allow'],
    ['[Read]', null, 'echo', 'deny'],
    ['[Echo]', null, 'echo', 'deny'],
    ['[mail/echo]', 'mail', 'echo', 'allow'],
    ['[mail/echo]', 'evil', 'mail/echo', 'deny'],
  ] as const) {
    test(`${allowlist} and ${server}/${name}: ${expected}`, () => {
      expect(verdicts(`tools: { echo: {} }\nguards: { allowlist: ${allowlist} }`, name, { server })).toEqual([expected])
    })
  }
})

proves('T14', 'registering another tool, or taking one away, changes nothing for the rest', () => {
  for (const text of ['tools: {}', 'tools: { a: {} }', 'tools: { a: {}, b: {} }', 'tool_families: [claude-code]', 'mode: enforce']) {
    expect(verdicts(text, 'z')).toEqual(['deny'])
  }
})
