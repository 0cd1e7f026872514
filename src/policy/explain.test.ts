import { expect, test } from 'vitest'
import { explainPolicy } from './explain.ts'
import { policy } from './testing/compiled.ts'

const loaded = policy(`tools: { pay: { risk_tier: high, irreversible: true }, bank/pay: { risk_tier: critical } }
tool_families: [claude-code]
rules:
  order: first-match
  deny: [{ tool: "p*", user: u, role: r, argument_contains: "\\"x\\"", reason: why }]
  ask: [{ tool: pay, when: "args.n >\\n 1", enforcement: advisory, reason: large }]
  allow: [{ }]
  read_only: {}`)
const familyOf = (_server: string | null, name: string) => (name === 'Bash' ? { family: 'claude-code' } : null)

test('says what holds for one tool', () => {
  expect(explainPolicy(loaded, 'pay')).toMatchInlineSnapshot(`
    "tool pay
      mode: enforce
      registry: registered by name, tier high, irreversible
      rules that can match:
        deny deny[0], line 6: tool is p* and user is u and role is r and arguments contain "\\"x\\"": why
        ask (advisory) ask[0], line 7: tool is pay and args.n > 1: large
        allow allow[0], line 8: every call
      order: first-match, so a matching allow hides the denies above
      read-only permit: on
      where nothing permits: ask"
  `)
  expect(explainPolicy(loaded, 'bank/pay').split('\n')[2]).toBe('  registry: registered by server and name, tier critical')
  expect(explainPolicy(loaded, 'other/pay').split('\n')[2]).toBe('  registry: registered by name, tier high, irreversible')
  expect(explainPolicy(loaded, 'Bash', familyOf).split('\n')[2]).toBe('  registry: registered by its family claude-code')
  expect(explainPolicy(policy(''), 'Bash', familyOf)).toMatchInlineSnapshot(`
    "tool Bash
      mode: enforce
      registry: not registered, so deny
      rules: none can match
      read-only permit: off
      where nothing permits: ask"
  `)
})

test('says what the contracts of a tool ask for', () => {
  const text =
    'contracts: { tools: { pay: { params: [{ name: amount, type: number }], constraints: [{ kind: cmp, op: le, left: amount, right: 5 }] } } }'
  expect(explainPolicy(policy(text), 'bank/pay').split('\n').slice(3, 7)).toEqual([
    '  contracts:',
    '    pay (advisory), countersign.yaml:2',
    '      arguments: amount (number)',
    '      cmp[0]: amount le 5',
  ])
})
