/**
 * One tool, one name: whichever way a host, a person or a policy writes a server's tool, it is the same tool. Each row of a policy is
 * written in one spelling and met by calls in every other, through the entries that take names apart.
 */
import { describe, expect, test } from 'vitest'
import { COMPILE } from '../../src/cli/open.ts'
import type { ToolCall } from '../../src/core/call.ts'
import { canonicalToolName, spellingsOf, toolIdentity } from '../../src/core/tool-name.ts'
import { parseHook } from '../../src/hosts/claude-code/parse.ts'
import { callFromJson } from '../../src/ingress/call.ts'
import { digester, openGate } from '../../src/open.ts'
import { compilePolicy } from '../../src/policy/compile.ts'
import { explainPolicy } from '../../src/policy/explain/explain.ts'
import { sha256 } from '../../src/policy/file.ts'
import type { Policy } from '../../src/policy/policy.ts'
import { createFixedView } from '../../src/view/fixed.ts'
import { proves } from '../proves.ts'

const SPELLINGS = ['mcp__notes__delete_note', 'notes/delete_note'] as const

function policyOf(text: string): Policy {
  const result = compilePolicy(`version: 1\nunregistered: ask\n${text}`, { ...COMPILE, path: null, sha256 })
  if (!result.ok) throw new Error(JSON.stringify(result.errors))
  return result.policy
}

async function codesOf(policy: Policy, call: ToolCall): Promise<readonly string[]> {
  const view = () => createFixedView({ home: '/home/user', cwd: '/repo' })
  const opened = openGate({ home: '/home/user/.countersign', record: false, policy: () => ({ policy, degraded: null }), view })
  const { findings } = await opened.gate.decide(call)
  return findings.map(({ code }) => code)
}

function fromJson(parts: { readonly tool: string; readonly server?: string }, role?: string): ToolCall {
  const read = callFromJson(
    { args: { id: 7 }, cwd: '/repo', ...parts, ...(role === undefined ? {} : { principal: { role } }) },
    { digester },
  )
  if (!read.ok) throw new Error(read.refusal.message)
  return read.call
}

/** A call as a program makes it that embeds the gate and takes no names apart. */
const made = (name: string): ToolCall => ({ ...fromJson({ tool: 'x' }), tool: { server: null, name, definition: null } })

const ENTRIES: readonly (readonly [entry: string, call: (role?: string) => ToolCall])[] = [
  ['check and HTTP, prefixed', (role) => fromJson({ tool: 'mcp__notes__delete_note' }, role)],
  ['check and HTTP, with a slash', (role) => fromJson({ tool: 'notes/delete_note' }, role)],
  ['check and HTTP, with its server', (role) => fromJson({ tool: 'delete_note', server: 'notes' }, role)],
  ['check and HTTP, with its server twice', (role) => fromJson({ tool: 'mcp__notes__delete_note', server: 'notes' }, role)],
]

const PLACES: readonly (readonly [place: string, section: (tool: string) => string, code: string, role?: string])[] = [
  ['a deny rule', (tool) => `rules: { deny: [{ tool: ${tool}, reason: r }] }`, 'rules.denied'],
  ['a deny rule by pattern', (tool) => `rules: { deny: [{ tool: "${tool.slice(0, -4)}*", reason: r }] }`, 'rules.denied'],
  ['an ask rule', (tool) => `rules: { ask: [{ tool: ${tool}, reason: r }] }`, 'rules.asked'],
  ['an allow rule', (tool) => `rules: { allow: [{ tool: ${tool} }] }`, 'rules.allowed'],
  ['a tier', (tool) => `tools: { ${tool}: { risk_tier: critical } }`, 'registry.critical'],
  ['a tool that cannot be undone', (tool) => `tools: { ${tool}: { risk_tier: high, irreversible: true } }`, 'registry.irreversible'],
  ['an allowlist', (tool) => `tools: { ${tool}: {} }\nguards: { allowlist: [${tool}] }`, 'registry.permitted'],
  ['a deny list of a role', (tool) => `roles: { bot: { deny_list: [${tool}] } }`, 'roles.denied', 'bot'],
  ['a policy of a role', (tool) => `roles: { bot: { tool_policies: { ${tool}: { max_args_length: 1 } } } }`, 'roles.args_length', 'bot'],
  ['a capability of a role', (tool) => `roles: { bot: { capabilities: [{ tool_pattern: ${tool} }] } }`, 'roles.allowed', 'bot'],
  ['a contract', (tool) => `contracts: { tools: { ${tool}: { params: [{ name: id, type: string }] } } }`, 'contract.violated'],
  [
    'an effect that is declared',
    (tool) => `tools: { ${tool}: { effects: [{ verb: delete, action: 'k8s:delete' }] } }\ncapabilities: { gate: ['k8s:delete'] }`,
    'capability.not_granted',
  ],
]

describe('every spelling in every place is met by every entry', () => {
  for (const [place, section, code, role] of PLACES) {
    proves('T11', place, async () => {
      for (const spelling of SPELLINGS) {
        const policy = policyOf(section(spelling))
        for (const [entry, call] of ENTRIES)
          expect([spelling, entry, await codesOf(policy, call(role))]).toEqual([spelling, entry, expect.arrayContaining([code])])
      }
    })
  }

  test('and by programs that embed the gate', async () => {
    for (const spelling of SPELLINGS) {
      const policy = policyOf(`rules: { deny: [{ tool: ${spelling}, reason: r }] }`)
      for (const other of SPELLINGS) expect(await codesOf(policy, made(other))).toContain('rules.denied')
    }
  })

  test('and in explanations', () => {
    for (const spelling of SPELLINGS) {
      const policy = policyOf(`rules: { deny: [{ id: mine, tool: ${spelling}, reason: r }] }`)
      for (const other of SPELLINGS) expect(explainPolicy(policy, other)).toContain('mine')
    }
  })

  test('and in the examples of a rule', () => {
    for (const spelling of SPELLINGS) {
      for (const other of SPELLINGS)
        policyOf(`rules: { deny: [{ tool: ${spelling}, reason: r, examples: { match: [{ tool: ${other} }] } }] }`)
    }
  })

  test('two spellings of one registered tool are an error', () => {
    const text = `version: 1\ntools: { ${SPELLINGS[0]}: {}, ${SPELLINGS[1]}: {} }\n`
    const result = compilePolicy(text, { ...COMPILE, path: null, sha256 })
    expect(result.ok ? [] : result.errors.map(({ code }) => code)).toEqual(['policy.duplicate_key'])
  })
})

describe('the hook of Claude Code', () => {
  const event = (input: object) =>
    parseHook(
      new TextEncoder().encode(JSON.stringify({ hook_event_name: 'PreToolUse', session_id: 's', cwd: '/repo', tool_input: {}, ...input })),
      {
        digest: () => 'd',
        user: null,
        entrypoint: null,
      } as never,
    )
  proves('T11', 'takes the same names apart', async () => {
    for (const input of [{ tool_name: SPELLINGS[0] }, { tool_name: SPELLINGS[0], mcp_server: { name: 'notes', source: 'user' } }]) {
      const parsed = event(input)
      if (!('call' in parsed)) throw new Error(parsed.kind)
      expect(parsed.call.tool).toMatchObject({ server: 'notes', name: 'delete_note' })
      for (const spelling of SPELLINGS)
        expect(await codesOf(policyOf(`rules: { deny: [{ tool: ${spelling}, reason: r }] }`), parsed.call)).toContain('rules.denied')
    }
  })
})

describe('names that try to be others', () => {
  const rows: readonly (readonly [what: string, server: string | null, name: string, identity: readonly [string | null, string]])[] = [
    ['a bare name', null, 'Bash', [null, 'Bash']],
    ['a prefix without a tool', null, 'mcp__notes', [null, 'mcp__notes']],
    ['a prefix without a server', null, 'mcp____x', [null, 'mcp____x']],
    ['underscores in the tool', null, 'mcp__a__b__c', ['a', 'b__c']],
    ['underscores in a server that is named', 'a__b', 'mcp__a__b__c', ['a__b', 'c']],
    ['the prefix of another server', 'evil', 'mcp__notes__delete_note', ['evil', 'mcp__notes__delete_note']],
    ['another server before a slash', 'evil', 'notes/delete_note', ['evil', 'notes/delete_note']],
    ['two slashes', null, 'a/b/c', [null, 'a/b/c']],
    ['an address', null, 'https://x', [null, 'https://x']],
    ['an empty server', null, '/x', [null, '/x']],
  ]
  for (const [what, server, name, [on, own]] of rows)
    proves('T11', `${what}: ${name}`, () => expect(toolIdentity(server, name)).toEqual({ server: on, name: own }))

  proves('T11', 'no server is permitted what another one is', async () => {
    for (const spelling of SPELLINGS) {
      const policy = policyOf(`rules: { allow: [{ tool: ${spelling} }] }`)
      for (const call of [
        fromJson({ tool: spelling, server: 'evil' }),
        fromJson({ tool: 'delete_note', server: 'notes2' }),
        fromJson({ tool: 'delete_note' }),
      ])
        expect(await codesOf(policy, call)).not.toContain('rules.allowed')
    }
  })

  proves('T11', 'a denial holds however underscores are taken apart', async () => {
    const policy = policyOf('rules: { deny: [{ tool: mcp__a__b__c, reason: r }] }')
    for (const call of [fromJson({ tool: 'c', server: 'a__b' }), fromJson({ tool: 'b__c', server: 'a' })])
      expect(await codesOf(policy, call)).toContain('rules.denied')
  })

  test('names in policies are kept one way', () => {
    expect([...SPELLINGS, 'Bash', 'a/b/c'].map(canonicalToolName)).toEqual(['notes/delete_note', 'notes/delete_note', 'Bash', 'a/b/c'])
    expect(spellingsOf({ server: 'a', name: 'b' })).toEqual(['a/b', 'mcp__a__b', 'b'])
  })
})
