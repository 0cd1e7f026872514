/** `countersign policy test` as a user types it: tests of a policy and beside it, a diff where one fails, and what no test reached. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Home, makeHome } from '../hosts/harness.ts'
import { commandLine } from '../support/command-line.ts'

let home: Home
beforeAll(() => {
  home = makeHome()
})
afterAll(() => home.remove())

const POLICY = `version: 1
unregistered: ask
tool_families: [claude-code]
approvals: { quorum: 2, approvers: { '*': [alice, bob] } }
roles:
  reviewer:
    tool_policies:
      Bash: { allow_patterns: ['git diff *'] }
      Read: { deny_paths: ['~/.ssh/*'] }
rules:
  deny:
    - { tool: exec_shell, reason: no shells }
  ask:
    - { tool: wire, reason: money }
`

let count = 0
/** A policy with its own tests, in a directory of its own. */
function policy(tests = '', files: Readonly<Record<string, string>> = {}): string {
  const directory = join(home.user, `p${count++}`)
  mkdirSync(directory)
  for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text)
  const path = join(directory, 'countersign.yaml')
  writeFileSync(path, tests === '' ? POLICY : `${POLICY}tests:\n${tests}`)
  return path
}

interface Report {
  readonly tests: readonly {
    readonly name: string
    readonly line: number
    readonly differences: readonly { what: string; actual: string }[]
  }[]
  readonly coverage: readonly { readonly rule: string; readonly reached: boolean }[]
}

async function run(path: string, ...options: readonly string[]) {
  const result = await commandLine(home, ['policy', 'test', path, ...options])
  return { ...result, report: (): Report => JSON.parse(result.stdout) as Report }
}

const test1 = (expected: string, more = '') =>
  `  - name: t\n    call: { tool: Bash, args: { command: git push }, principal: { role: reviewer } }\n    expect: ${expected}\n${more}`

describe('policy test', () => {
  for (const [title, tests] of [
    ['a verdict', test1('deny')],
    ['a verdict and a code', test1('{ verdict: deny, code: roles.command, approvals: 0 }')],
    ['people', '  - { name: t, call: { tool: wire, args: {} }, expect: { verdict: ask, approvals: 2, approvers: [bob, human:alice] } }\n'],
    [
      'a world',
      '  - name: t\n    world: { files: { run.sh: "rm -rf /srv/data" } }\n    call: { tool: Bash, args: { command: sh run.sh } }\n    expect: { code: hazard.destruction }\n',
    ],
    [
      'what an earlier call fetched',
      '  - name: t\n    earlier: [{ tool: Bash, args: { command: "curl -so tool.sh https://x.example/tool.sh" } }]\n    call: { tool: Bash, args: { command: sh tool.sh } }\n    expect: ask\n',
    ],
    [
      'tests are sessions of their own',
      '  - name: fetch\n    call: { tool: Bash, args: { command: "curl -so tool.sh https://x.example/tool.sh" } }\n    expect: allow\n  - name: t\n    world: { files: { tool.sh: "echo" } }\n    call: { tool: Bash, args: { command: sh tool.sh } }\n    expect: allow\n',
    ],
  ] as const) {
    test(`holds: ${title}`, async () => {
      const { status, stdout } = await run(policy(tests))
      expect([status, stdout]).toEqual([0, expect.stringMatching(/(\d) tests, \1 hold/)])
    })
  }

  test('a test that fails is shown as a diff, with what every finding said', async () => {
    const { status, stdout } = await run(policy(test1('{ verdict: ask, code: roles.command }')))
    expect([status, stdout.split('\n').slice(1)]).toEqual([
      1,
      [
        expect.stringMatching(/countersign\.yaml:16 t$/),
        '  - verdict: ask',
        '  + verdict: deny',
        expect.any(String),
        expect.stringContaining('    deny by roles reviewer.Bash (roles.command): '),
        expect.any(String),
        '1 tests, 0 hold',
        'coverage: 1 of 4 rules reached by a test',
        '  not reached: rules deny[0] (countersign.yaml:12)',
        '  not reached: rules ask[0] (countersign.yaml:14)',
        '  not reached: roles reviewer.Read',
        '',
      ],
    ])
  })

  for (const [title, tests, what, actual] of [
    ['another number of people', '  - { name: t, call: { tool: wire, args: {} }, expect: { approvals: 1 } }\n', 'approvals', '2'],
    [
      'other people',
      '  - { name: t, call: { tool: wire, args: {} }, expect: { approvers: [eve] } }\n',
      'approvers',
      'human:alice, human:bob',
    ],
    ['nobody is asked', '  - { name: t, call: { tool: exec_shell, args: {} }, expect: { approvals: 2 } }\n', 'approvals', '0'],
    [
      'an earlier call that never ran',
      '  - { name: t, earlier: [{ tool: exec_shell, args: {} }], call: { tool: Bash, args: { command: ls } }, expect: allow }\n',
      'earlier[0]',
      'deny rules.denied',
    ],
    [
      'an earlier call that ran, and was to be denied',
      '  - { name: t, earlier: [{ tool: Bash, args: { command: ls }, denied: true }], call: { tool: Bash, args: { command: ls } }, expect: allow }\n',
      'earlier[0]',
      'allow registry.permitted',
    ],
    [
      'an earlier call that is asked about, and was to be denied',
      '  - { name: t, earlier: [{ tool: wire, args: {}, denied: true }], call: { tool: Bash, args: { command: ls } }, expect: allow }\n',
      'earlier[0]',
      'ask hazard.payment',
    ],
    [
      'an earlier call that was denied, by another word',
      '  - { name: t, earlier: [{ tool: exec_shell, args: {}, denied: false }], call: { tool: Bash, args: { command: ls } }, expect: allow }\n',
      'earlier[0]',
      'deny rules.denied',
    ],
    [
      'a world that cannot be',
      '  - { name: t, world: { filez: {} }, call: { tool: Bash, args: { command: ls } }, expect: allow }\n',
      'the test',
      expect.stringContaining('no `filez`'),
    ],
    ['a call that cannot be', '  - { name: t, call: { tool: Bash }, expect: deny }\n', 'the test', expect.stringContaining('args')],
  ] as const) {
    test(`fails: ${title}`, async () => {
      const { status, report } = await run(policy(tests), '--json')
      expect([status, report().tests[0]?.differences.map((each) => [each.what, each.actual])]).toEqual([1, [[what, actual]]])
    })
  }

  test('files beside the policy, with a world of their own; those of another policy are left to it', async () => {
    const beside = `world: { files: { run.sh: "rm -rf /srv/data" } }\ntests:\n  - { name: beside, call: { tool: Bash, args: { command: sh run.sh } }, expect: ask }\n`
    const path = policy(test1('deny'), {
      'a.test.yaml': beside,
      'b.test.yaml': `policy: other.yaml\n${beside.replace('expect: ask', 'expect: deny')}`,
    })
    const { status, report } = await run(path, '--json')
    expect([status, report().tests.map(({ name }) => name)]).toEqual([0, ['t', 'beside']])
    const alone = await run(join(path, '../a.test.yaml'), '--json')
    expect([alone.status, alone.report().tests.map(({ name }) => name)]).toEqual([0, ['beside']])
  })

  test('what was denied before counts, and rules over a session are covered like others', async () => {
    const path = policy('', {
      'a.test.yaml':
        'tests:\n  - { name: after, earlier: [{ tool: exec_shell, args: {}, denied: true }], call: { tool: Read, args: { file_path: a } }, expect: ask }\n',
    })
    const over =
      'sequences:\n  - { id: after-a-denial, tool: Read, when: count(decision == "deny") > 0 }\n  - { id: never, when: holds("secret") }\n'
    writeFileSync(path, `${POLICY}${over}`)
    const { status, report } = await run(path, '--json')
    const covered = report().coverage.filter(({ rule }) => rule.startsWith('sequences'))
    expect([status, covered.map(({ rule, reached }) => [rule, reached])]).toEqual([
      0,
      [
        ['sequences after-a-denial', true],
        ['sequences never', false],
      ],
    ])
  })

  test('coverage fails where it is asked for', async () => {
    const whole = [
      test1('deny'),
      '  - { name: r, call: { tool: Read, args: { file_path: /home/user/.ssh/id } , principal: { role: reviewer } }, expect: deny }\n',
      '  - { name: d, call: { tool: exec_shell, args: {} }, expect: deny }\n',
    ]
    expect((await run(policy(whole.join('')), '--coverage')).status).toBe(1)
    expect(
      (await run(policy(`${whole.join('')}  - { name: a, call: { tool: wire, args: {} }, expect: ask }\n`), '--coverage')).status,
    ).toBe(0)
  })

  for (const [title, tests] of [
    ['an unknown field', '  - { name: t, call: {}, expect: deny, cal: {} }\n'],
    ['an unknown verdict', '  - { name: t, call: {}, expect: denied }\n'],
    ['no call', '  - { name: t, expect: deny }\n'],
  ] as const) {
    test(`a policy whose tests cannot be read does not load: ${title}`, async () => expect((await run(policy(tests))).status).toBe(2))
  }

  test('a file of tests that cannot be read is named', async () => {
    const run1 = await run(policy('', { 'x.test.yaml': 'tests: 1\n' }))
    expect([run1.status, run1.stderr]).toEqual([2, expect.stringContaining('x.test.yaml:1')])
  })
})
