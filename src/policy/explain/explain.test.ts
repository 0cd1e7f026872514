import { describe, expect, test } from 'vitest'
import { policy } from '../testing/compiled.ts'
import { explainPolicy } from './explain.ts'

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

describe('says what roles may do with a tool', () => {
  const lines = (roles: string, tool: string) =>
    explainPolicy(policy(`roles:\n${roles}`), tool)
      .split('\n')
      .slice(4, -2)
      .map((line) => line.slice(2))
  const REVIEWER =
    '  reviewer: { tool_policies: { Bash: { allow_patterns: ["git diff *"], deny_patterns: ["git push *", "rm *"], max_args_length: 500 } } }'

  for (const [title, roles, tool, expected] of [
    [
      'commands and lengths',
      REVIEWER,
      'Bash',
      [
        'role reviewer: permitted within these limits, denied outside of them',
        '  reviewer.Bash: only commands git diff *; no command git push *, rm *; arguments of at most 500 characters',
      ],
    ],
    ['nothing of a tool that it does not name', REVIEWER, 'Read', []],
    [
      'programs and subcommands',
      '  a: { tool_policies: { Bash: { commands: [cargo, ls], subcommands: { cargo: [build, check], ls: [] } } } }',
      'Bash',
      ['role a: permitted within these limits, denied outside of them', '  a.Bash: only programs cargo, ls; of cargo only build, check'],
    ],
    [
      'paths',
      '  a: { tool_policies: { Read: { allow_paths: [/workspace, /tmp], deny_paths: ["~/.ssh/*"], max_response_size: 9 } } }',
      'Read',
      [
        'role a: permitted within these limits, denied outside of them',
        '  a.Read: only paths /workspace, /tmp; no path ~/.ssh/*; responses of at most 9 bytes',
      ],
    ],
    [
      'domains, rates and concurrency of every caller, who is permitted nothing by them',
      '  "*": { permit: false, tool_policies: { "*": { allow_domains: [a.example], deny_domains: [b.a.example], rate_limit: 10/1m, max_concurrent: 2 } } }',
      'any',
      [
        'every caller: not denied within these limits, denied outside of them',
        '  *.*: only domains a.example; no domain b.a.example; 10 calls in 60 s; 2 at the same time',
      ],
    ],
    [
      'no limit',
      '  a: { tool_policies: { t: {} } }',
      't',
      ['role a: permitted within these limits, denied outside of them', '  a.t: no limit'],
    ],
    ['a deny list', '  a: { deny_list: ["cmd.*"] }', 'cmd.run', ['role a: denied, by cmd.* in its deny list']],
    [
      'no capability',
      '  a: { capabilities: [{ tool_pattern: "fs.*" }] }',
      'cmd.run',
      ['role a: denied, because none of its capabilities names the tool'],
    ],
    [
      'an empty list of paths',
      '  a: { capabilities: [{ tool_pattern: "fs.*", path_allowlist: [] }] }',
      'fs.read',
      ['role a: permitted within these limits, denied outside of them', '  a.capabilities[0]: only paths none'],
    ],
    [
      'one of two capabilities',
      '  a: { capabilities: [{ tool_pattern: "fs.*", path_allowlist: [/w] }, { tool_pattern: fs.read }] }',
      'fs.read',
      [
        'role a: permitted within these limits, denied outside of them',
        '  a.capabilities[0]: only paths /w',
        '  or a.capabilities[1]: no limit',
      ],
    ],
    [
      'what is inherited',
      '  a: { inherits: [b] }\n  b: { tool_policies: { t: { max_args_length: 1 } } }',
      't',
      [
        'role a: permitted within these limits, denied outside of them',
        '  b.t: arguments of at most 1 characters',
        'role b: permitted within these limits, denied outside of them',
        '  b.t: arguments of at most 1 characters',
      ],
    ],
    [
      'the tool of a server',
      '  a: { deny_list: [github/delete_repo] }',
      'github/delete_repo',
      ['role a: denied, by github/delete_repo in its deny list'],
    ],
  ] as const) {
    test(title, () => expect(lines(roles, tool)).toEqual(expected))
  }
})

describe('says what needs a grant, and who has one', () => {
  const lines = (text: string) =>
    explainPolicy(policy(`capabilities:\n${text}`), 'Bash')
      .split('\n')
      .slice(4, -2)
      .map((line) => line.trim())

  for (const [title, text, expected] of [
    ['nothing', '  gate: []', []],
    ['the gate alone', '  gate: [git:push, "k8s:*"]', ['effects that need a grant: git:push, k8s:*']],
    [
      'anything',
      '  gate: [git:push]\n  grants: { git:push: {} }',
      ['effects that need a grant: git:push', 'git:push granted by policy: anything'],
    ],
    [
      'names, force, times and uses',
      `  gate: [git:push]
  grants:
    git:push:
      scope: { remote: origin, branch: agent/*, force: true }
      not_before: 2026-06-01T00:00:00Z
      expires: 2026-07-01T00:00:00Z
      count: 3
      role: coder
      session: s-1
      reason: the release`,
      [
        'effects that need a grant: git:push',
        'git:push granted by policy: remote origin, branch agent/*, force as well, for session s-1, for role coder, from 2026-06-01T00:00:00.000Z, until 2026-07-01T00:00:00.000Z, 3 times: the release',
      ],
    ],
    [
      'money',
      '  gate: [payment]\n  grants: { payment: { scope: { max_amount: 50, currency: EUR }, count: 1 } }',
      ['effects that need a grant: payment', 'payment granted by policy: at most 50 EUR, once'],
    ],
    [
      'mail',
      '  gate: [mail:send]\n  grants: { mail:send: { scope: { recipient_domain: acme.example } } }',
      ['effects that need a grant: mail:send', 'mail:send granted by policy: recipients at acme.example'],
    ],
    [
      'a currency alone, and one target',
      '  gate: [payment, npm:publish]\n  grants: { payment: { scope: { currency: EUR } }, npm:publish: { scope: left-pad } }',
      [
        'effects that need a grant: payment, npm:publish',
        'payment granted by policy: in EUR',
        'npm:publish granted by policy: target left-pad',
      ],
    ],
  ] as const) {
    test(title, () => expect(lines(text)).toEqual(expected))
  }
})
