/** `countersign import role-os|fullsend|aegis`: files in the seeds' own shapes decide as the seeds say. */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { decide, imported } from './harness.ts'

describe('Role OS', () => {
  const manifest = imported(
    'role-os',
    JSON.stringify({
      'git:push': { granted: true },
      'npm:publish': { granted: true, expires: '2999-07-01' },
      'gh:repo-edit': { granted: true, scope: 'o/r' },
      'gh:release': { granted: 'true' },
      'gh:pr-create': { granted: true, expires: null },
      'pages:deploy': { granted: true, expires: 'soon' },
      'pypi:publish': true,
      'git:pull': { granted: true },
    }),
  )

  for (const [want, command] of [
    ['flag', 'git push origin main'],
    ['allow', 'npm publish'],
    ['deny', 'gh release create v1'],
    ['deny', 'gh pr create --fill'],
    ['deny', 'twine upload dist/*'],
    ['allow', 'git status'],
  ] as const) {
    test(`${want}: ${command}`, async () => expect((await decide(manifest, { tool: 'Bash', args: { command } })).decision).toBe(want))
  }

  test('what grants nothing is said, and so is what holds differently', () => {
    expect(
      manifest.notes.map((note) =>
        note
          .replace(/^config:1: /, '')
          .split(':')
          .slice(0, 3)
          .join(':'),
      ),
    ).toEqual(
      expect.arrayContaining([
        'git:push: differs',
        'npm:publish.expires: differs',
        'gh:repo-edit.scope: differs',
        'gh:release.granted: not carried over',
        'gh:pr-create: not carried over',
        'pages:deploy: not carried over',
        'pypi:publish: not carried over',
        'git:pull: not carried over',
      ]),
    )
  })

  test('the shipped catalogue is carried over whole, and flags what it flags', async () => {
    const path = 'examples/role-os/.claude/role-os/tool-contracts.json'
    const catalogue = imported('role-os', readFileSync(path, 'utf8'), path)
    expect(catalogue.notes).toEqual([])
    expect(Object.keys((catalogue.data.contracts as { tools: object }).tools)).toEqual(Object.keys(JSON.parse(readFileSync(path, 'utf8'))))
    const read = (limit: number) => decide(catalogue, { tool: 'Read', args: { file_path: '/home/user/project/a.ts', limit } })
    expect([(await read(0)).decision, (await read(1)).decision]).toEqual(['flag', 'allow'])
  })

  test('a relation that the seed ignores, and one that it takes for another', () => {
    const constraints = [
      { kind: 'telepathy', fields: ['a'] },
      { kind: 'cmp', op: 'near', left: 'a', right: 1 },
      { kind: 'sum', op: 'near', of: ['a'], vs: 1 },
    ]
    const { data, lines } = imported(
      'role-os',
      JSON.stringify({ T: { params: [{ name: 'a', type: 'number', colour: 'red' }], constraints } }),
    )
    expect(data).toMatchObject({ contracts: { tools: { T: { constraints: [{ kind: 'sum', op: 'eq' }] } } } })
    expect(lines).toEqual([
      '1 T.params[0].colour left',
      '1 T.constraints[0].kind left',
      '1 T.constraints[1].op left',
      '1 T.constraints[2].op differs',
    ])
  })
})

const FULLSEND = `agent: agents/review.md
model: opus
policy: policies/review.yaml
timeout_minutes: 20
tool_policies:
  Bash:
    allow_patterns:
      - "git diff *"
      - "git log *"
    deny_patterns:
      - "git push *"
    max_args_length: 500
  WebFetch:
    allow_domains:
      - "github.com"
  Read:
    deny_paths:
      - "~/.ssh/*"
      - "secrets/*"
    colour: red
security:
  fail_mode: open
  host_scanners:
    llm_guard: { enabled: true, threshold: 0.92 }
  sandbox_hooks:
    tirith: { enabled: false }
    ssrf_pretool: { enabled: true }
    tool_allowlist_pretool: { enabled: true }
    unicode_posttool: { enabled: true }
`

describe('Fullsend', () => {
  const file = imported('fullsend', FULLSEND.replace('    tool_allowlist_pretool: { enabled: true }\n', ''), 'harness/review.yaml')
  const as = (tool: string, args: Readonly<Record<string, string>>) => decide(file, { tool, args, principal: { role: 'review' } })

  for (const [want, tool, args] of [
    ['allow', 'Bash', { command: 'git diff HEAD~1' }],
    ['deny', 'Bash', { command: 'git push --force origin main' }],
    ['deny', 'Bash', { command: 'npm test' }],
    ['allow', 'Read', { file_path: '/home/user/project/a.ts' }],
    ['deny', 'Read', { file_path: '/home/user/.ssh/id_ed25519' }],
    ['deny', 'WebFetch', { url: 'https://github.com.evil.example/', prompt: '?' }],
    ['deny', 'WebFetch', { url: 'http://10.0.0.1/', prompt: '?' }],
  ] as const) {
    test(`${want}: ${tool} ${JSON.stringify(args)}`, async () => expect((await as(tool, args)).decision).toBe(want))
  }

  test('every line that was not carried over is named', () => {
    expect(imported('fullsend', FULLSEND).lines).toEqual([
      '3 policy left',
      '17 tool_policies.Read.deny_paths left',
      '20 tool_policies.Read.colour left',
      '22 security.fail_mode differs',
      '24 security.host_scanners.llm_guard left',
      '27 security.sandbox_hooks.ssrf_pretool differs',
      '28 security.sandbox_hooks.tool_allowlist_pretool differs',
      '29 security.sandbox_hooks.unicode_posttool left',
    ])
  })

  test('policies without a role hold for every caller', async () => {
    const everyone = imported('fullsend', 'tool_policies:\n  Bash:\n    deny_patterns: ["git push *"]\n')
    expect((await decide(everyone, { tool: 'Bash', args: { command: 'git push' } })).code).toBe('roles.command')
  })

  test('canary, allowlist and Tirith where they are on', () => {
    const hooks =
      'security:\n  sandbox_hooks:\n    tirith: { enabled: true, fail_on: critical }\n    canary_pretool: true\n    tool_allowlist_pretool: true\n'
    expect(imported('fullsend', hooks).data.guards).toMatchObject({
      canary: { tokens_env: ['FULLSEND_CANARY_TOKEN'] },
      allowlist_env: 'FULLSEND_TOOL_ALLOWLIST',
      scanners: [{ name: 'tirith', fail_on: 'critical' }],
    })
  })
})

const AEGIS = `apiVersion: 100monkeys.ai/v1
kind: Agent
metadata:
  name: rust-worker
spec:
  runtime: { language: python }
  execution:
    mode: iterative
    tool_validation:
      - type: semantic
        judge_agent: security-judge
        criteria: safe and necessary
        min_score: 0.85
        timeout_seconds: 300
      - type: exit_code
        expected: 0
  tools:
    - fs.read
    - name: cmd.run
      allowlist: ["pytest", "npm test"]
  security:
    network: { mode: none }
    filesystem:
      read: [/workspace/**]
      write: [/workspace/out]
    resources: { cpu: 1000 }
---
kind: NodeConfig
spec:
  security_contexts:
    - name: reader
      description: reads
      deny_list: [fs.delete]
      capabilities:
        - tool_pattern: 'fs.*'
          path_allowlist: [/workspace]
        - tool_pattern: cmd.run
          command_allowlist: [cargo]
          subcommand_allowlist: { cargo: [build, check] }
          rate_limit: { calls: 10 }
  builtin_dispatchers:
    - name: fs.read
      capabilities: [{ name: fs.read, skip_judge: true }]
  mcp_servers:
    - name: files
      capabilities: [{ name: list_things, skip_judge: true }]
`

describe('AEGIS', () => {
  const contexts = imported('aegis', AEGIS.split('---\n')[1] ?? '', 'node.yaml')
  const as = (role: string, tool: string, args: Readonly<Record<string, unknown>>) =>
    decide(contexts, { tool, args: args as never, cwd: '/workspace', principal: { role } })

  for (const [want, role, tool, args] of [
    ['flag', 'reader', 'cmd.run', { command: 'cargo', args: ['build'] }],
    ['deny', 'reader', 'cmd.run', { command: 'cargo', args: ['publish'] }],
    ['deny', 'reader', 'cmd.run', { command: 'npm', args: ['install'] }],
    ['flag', 'reader', 'fs.read', { path: 'solution.py' }],
    ['deny', 'reader', 'fs.read', { path: '/workspace2/x' }],
    ['deny', 'reader', 'fs.delete', { path: '/workspace/a' }],
    ['deny', 'stranger', 'fs.read', { path: '/workspace/a' }],
  ] as const) {
    test(`${want}: ${role} ${tool} ${JSON.stringify(args)}`, async () => expect((await as(role, tool, args)).decision).toBe(want))
  }

  test('a manifest: its tools are the capabilities of its role, its judge a gate', () => {
    const { data } = imported('aegis', AEGIS)
    expect(data).toMatchObject({
      roles: {
        'rust-worker': {
          capabilities: [
            { tool_pattern: 'fs.read', path_allowlist: ['/workspace', '/workspace/out'] },
            { tool_pattern: 'cmd.run', command_allowlist: ['pytest', 'npm'], subcommand_allowlist: { npm: ['test'] } },
          ],
        },
      },
      tool_validation: [{ type: 'semantic', judge_agent: 'security-judge', min_score: 0.85, timeout_seconds: 300 }],
      skip_judge: ['fs.read', { tool: 'list_things', server: 'files' }],
    })
  })

  test('until its judge has a model, every call is denied', async () => {
    const file = imported('aegis', AEGIS)
    const { decision, findings } = await decide(file, { tool: 'cmd.run', args: { command: 'pytest' }, principal: { role: 'rust-worker' } })
    expect([decision, findings.some(({ code }) => code.startsWith('judge.'))]).toEqual(['deny', true])
  })

  test('every line that was not carried over is named', () => {
    expect(imported('aegis', AEGIS).lines).toEqual([
      '10 spec.execution.tool_validation[0].judge_agent differs',
      '10 execution.tool_validation differs',
      '15 spec.execution.tool_validation[1].type left',
      '26 spec.security.resources left',
      '40 spec.security_contexts[0].capabilities[1].rate_limit left',
      '43 spec.builtin_dispatchers[0].capabilities[0].skip_judge differs',
      '46 spec.mcp_servers[0].capabilities[0].skip_judge differs',
    ])
  })
})
