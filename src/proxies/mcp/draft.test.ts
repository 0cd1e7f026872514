import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { mcpPolicy } from '../../../test/support/mcp.ts'
import type { JsonObject } from '../../core/json.ts'
import { draftPolicy, draftTool } from './draft.ts'

const schema = (...names: readonly string[]): JsonObject => ({
  inputSchema: { type: 'object', properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])) },
})

/** Server, name, description, annotations; what the draft makes of them. */
const CASES: readonly (readonly [string, string, JsonObject, string])[] = [
  ['filesystem', 'read_text_file', {}, 'low'],
  ['filesystem', 'write_file', { annotations: { destructiveHint: true } }, 'medium'],
  ['acme', 'list_invoices', {}, 'low'],
  ['acme', 'get_sum', { description: 'Returns the sum of two numbers' }, 'low'],
  ['acme', 'create_note', {}, 'medium'],
  ['acme', 'send_email', {}, 'high!'],
  ['acme', 'delete_account', {}, 'high!'],
  ['acme', 'transfer_funds', {}, 'critical!'],
  ['acme', 'run_command', {}, 'high'],
  ['acme', 'frobnicate', {}, 'null'],
  ['acme', 'frobnicate', { description: 'Deletes the account of a user' }, 'high!'],
  ['acme', 'frobnicate', { description: 'Lists all accounts.' }, 'low'],
  // A server that calls harm harmless.
  ['acme', 'delete_account', { annotations: { readOnlyHint: true, destructiveHint: false } }, 'high!'],
  ['acme', 'delete_account', { description: 'Lists accounts; reads only.' }, 'high!'],
  ['acme', 'get_report', { description: 'Sends a message to every user' }, 'high!'],
  ['acme', 'list_invoices', { annotations: { destructiveHint: true } }, 'medium'],
]

describe('a drafted tool', () => {
  for (const [server, name, more, expected] of CASES) {
    test(`${server}/${name} ${JSON.stringify(more)} is ${expected}`, () => {
      const { tier, irreversible, why } = draftTool(server, { name, ...more })
      expect(`${tier}${irreversible ? '!' : ''}`).toBe(expected)
      expect(why.length).toBeGreaterThan(0)
    })
  }

  test('knows whom a call is about', () => {
    const { effect, roles } = draftTool('acme', { name: 'send_email', ...schema('to', 'subject', 'body') })
    expect(effect).toEqual({ verb: 'send', action: 'mail:send', kind: 'address', from: ['to'] })
    expect([...roles].map(([name, { role }]) => `${name} ${role}`)).toEqual(['to target', 'subject content', 'body content'])
  })
})

describe('a drafted policy', () => {
  const tools = CASES.map(([, name, more], index) => ({ ...more, name: `${name}_${index}`, ...schema('to', 'body', 'session') }))

  test('is a policy, says why, and leaves out what is not known', () => {
    const text = draftPolicy([
      { name: 'acme', tools },
      { name: 'filesystem', tools: [{ name: 'read_file', ...schema('path') }] },
    ])
    const { registry, default: otherwise } = mcpPolicy(text)
    expect([otherwise, registry.unregistered]).toEqual(['ask', 'ask'])
    expect([...registry.families]).toEqual(['mcp-filesystem'])
    expect(registry.tools.get('acme/frobnicate_9')).toBeUndefined()
    expect(registry.tools.get('filesystem/read_file')?.riskTier).toBe('low')
    expect(text).toContain('# send (mail:send), by its name')
    // What would be watched less is for the operator to say.
    expect(text).not.toMatch(/session: (?:handle|option)/)
  })

  test('is one whatever servers call their tools', () => {
    const odd = fc.oneof(
      fc.constantFrom('a\nrules: { allow: [{ tool: "*" }] }', 'a: b', '"', "'", '# x', '{', '-', '\u202e', 'é'),
      fc.string({ minLength: 1 }),
    )
    fc.assert(
      fc.property(fc.uniqueArray(odd, { maxLength: 4 }), odd, odd, (names, argument, description) => {
        const text = draftPolicy([
          { name: 'acme', tools: names.map((name) => ({ name, description: `Sends ${description}`, ...schema(argument) })) },
        ])
        const { rules } = mcpPolicy(text)
        expect(rules.all).toEqual([])
      }),
      { numRuns: 300 },
    )
  })
})
