import { Check } from 'typebox/value'
import { describe, expect, test } from 'vitest'
import { DEFAULT_POLICY } from './default.ts'
import { formatPolicy } from './format.ts'
import { policySchema } from './schema.ts'
import { compile, VOCABULARY } from './testing/compiled.ts'

const UNORDERED = `# who may do what
rules:
    # the dangerous one
    deny:
        - { reason: too risky, tool: exec_shell } # never
    order: severity
mode: enforce   # stops calls
version: 1
tools:
  b: {irreversible: true, risk_tier: high}
  a: {}
`

describe('the formatter', () => {
  test('orders known keys, keeps comments and the order of names', () => {
    expect(formatPolicy(UNORDERED)).toMatchInlineSnapshot(`
      "version: 1
      mode: enforce # stops calls
      tools:
        b: { risk_tier: high, irreversible: true }
        a: {}
      # who may do what
      rules:
        order: severity
        # the dangerous one
        deny:
          - { tool: exec_shell, reason: too risky } # never
      "
    `)
  })

  test('changes neither meaning nor its own output', () => {
    for (const text of [UNORDERED, DEFAULT_POLICY, '{"rules": {"deny": [{"tool": "x"}]}, "version": 1}']) {
      const formatted = formatPolicy(text)
      expect(formatPolicy(formatted)).toBe(formatted)
      expect(compileDigest(formatted)).toBe(compileDigest(text))
    }
  })

  test('refuses what is no YAML', () => {
    expect(() => formatPolicy('a: [')).toThrow(SyntaxError)
  })
})

describe('the JSON Schema', () => {
  const schema = policySchema(VOCABULARY)
  for (const [text, expected] of [
    [{ version: 1 }, true],
    [{ version: 1, tools: { a: { risk_tier: 'high' } }, rules: { deny: [{ tool: 'x', examples: { match: [{ tool: 'x' }] } }] } }, true],
    [{ version: 1, guards: { allowlist: null }, rules: { read_only: { prefixes: 'default' } } }, true],
    [{}, false],
    [{ version: 2 }, false],
    [{ version: 1, rulez: {} }, false],
    [{ version: 1, mode: 'on' }, false],
    [{ version: 1, tools: { a: { tier: 'high' } } }, false],
    [{ version: 1, limits: { max_depth: 1 } }, false],
    [{ version: 1, tool_families: ['x'] }, false],
  ] as const) {
    test(JSON.stringify(text), () => {
      expect(Check(schema, text)).toBe(expected)
      expect(compile(JSON.stringify(text)).ok).toBe(expected)
    })
  }

  test('describes every field of the file', () => {
    expect(Object.keys(schema.properties as object)).toEqual([
      'version',
      'mode',
      'default',
      'layers',
      'unregistered',
      'tool_families',
      'tools',
      'registry',
      'contracts',
      'rules',
      'capabilities',
      'roles',
      'default_role',
      'hazards',
      'guards',
      'judges',
      'tool_validation',
      'skip_judge',
      'flow',
      'declassify',
      'sources',
      'authorization',
      'sequences',
      'builtin_sequences',
      'baseline',
      'risk',
      'disclosure',
      'approvals',
      'outcome',
      'preview',
      'undo',
      'hooks',
      'server',
      'model_proxy',
      'mcp_proxy',
      'audit',
      'limits',
      'tests',
    ])
  })
})

test('the shipped policy compiles without errors or warnings', () => {
  const result = compile(DEFAULT_POLICY)
  expect(result.ok && result.policy.warnings).toEqual([])
})

function compileDigest(text: string): string {
  const result = compile(text)
  if (!result.ok) throw new Error('does not compile')
  return result.policy.digest
}
