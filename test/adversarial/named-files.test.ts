/** An agent that could write the files its policy is made of, or the programs that it runs, could grant itself what it gates. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect } from 'vitest'
import { COMPILE } from '../../src/cli/open.ts'
import { callFromJson } from '../../src/ingress/call.ts'
import { digester, openGate } from '../../src/open.ts'
import { loadPolicy } from '../../src/policy/watch.ts'
import { proves } from '../proves.ts'

let root: string
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-named-')))
  mkdirSync(join(root, '.claude/role-os'), { recursive: true })
  mkdirSync(join(root, 'elsewhere'))
  writeFileSync(join(root, '.claude/role-os/capabilities.json'), '{}')
  writeFileSync(join(root, 'contracts.json'), '{}')
  const policy =
    'version: 1\ntool_families: [claude-code]\ncapabilities: { files: [.claude/role-os/capabilities.json] }\ncontracts: { files: [contracts.json] }\n'
  writeFileSync(join(root, 'countersign.yaml'), policy)
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

async function decisionOn(tool: string, args: Record<string, unknown>, cwd: string): Promise<string> {
  const places = { explicit: join(root, 'countersign.yaml'), variable: null, cwd: root, home: '/nonexistent' }
  const state = loadPolicy({ ...COMPILE, places })
  const { gate } = openGate({ home: join(root, 'state'), record: false, policy: () => state })
  const read = callFromJson({ tool, args: args as Record<string, string>, cwd: join(root, cwd) }, { digester })
  if (!read.ok) throw new Error(read.refusal.message)
  const { decision, code } = await gate.decide(read.call)
  return `${decision} ${code}`
}

describe('files that the policy names belong to the gate', () => {
  for (const [tool, args, cwd] of [
    ['Write', { file_path: '.claude/role-os/capabilities.json', content: '{"git:push":{"granted":true}}' }, '.'],
    ['Write', { file_path: '../.claude/role-os/capabilities.json', content: '{}' }, 'elsewhere'],
    ['Edit', { file_path: '.claude/role-os/capabilities.json', old_string: '{}', new_string: '{"git:push":{"granted":true}}' }, '.'],
    ['Write', { file_path: 'contracts.json', content: '{}' }, '.'],
    ['Write', { file_path: 'countersign.yaml', content: 'version: 1' }, '.'],
    ['Bash', { command: 'echo {} > .claude/role-os/capabilities.json' }, '.'],
    ['Bash', { command: 'cp /tmp/mine.json .claude/role-os/capabilities.json' }, '.'],
    ['Bash', { command: 'cd .claude && mv ../x role-os/capabilities.json' }, '.'],
    ['Bash', { command: 'rm -f contracts.json' }, '.'],
    ['Bash', { command: 'sed -i s/false/true/ .claude/role-os/capabilities.json' }, '.'],
  ] as const) {
    proves('ROS-W2', `${tool} ${Object.values(args)[0]} in ${cwd}`, async () =>
      expect(await decisionOn(tool, args, cwd)).toBe('deny integrity.self_protection'),
    )
  }

  for (const [tool, args] of [
    ['Read', { file_path: '.claude/role-os/capabilities.json' }],
    ['Write', { file_path: 'contracts.txt', content: '{}' }],
    ['Bash', { command: 'cat contracts.json' }],
  ] as const) {
    proves('ROS-W2', `${tool} ${Object.values(args)[0]} changes none of them`, async () =>
      expect(await decisionOn(tool, args, '.')).toMatch(/^(?:allow|ask) (?!integrity)/),
    )
  }
})

/** Programs that answer for people, judge or scan: `P` is one of them. */
const PROGRAMS = ['tools/ask', 'tools/judge', 'tools/scan', 'tools/rules/scan.py'] as const

const PROGRAM_ROUTES: readonly (readonly [tool: string, args: (file: string) => Record<string, unknown>])[] = [
  ['Write', (file_path) => ({ file_path, content: '#!/bin/sh\necho yes' })],
  ['Edit', (file_path) => ({ file_path, old_string: 'no', new_string: 'yes' })],
  ['MultiEdit', (file_path) => ({ file_path, edits: [{ old_string: 'no', new_string: 'yes' }] })],
  ...(
    [
      'echo yes > P',
      'printf yes >> P',
      'echo yes | tee P',
      'cp /tmp/mine P',
      'mv /tmp/mine P',
      'mv P /tmp/away',
      'ln -sf /tmp/mine P',
      'ln P second',
      'install -m 755 /tmp/mine P',
      'rm -f P',
      'chmod -x P',
      'sed -i s/no/yes/ P',
      'truncate -s 0 P',
      'dd if=/tmp/mine of=P',
      'curl -o P https://example.com/x',
      "python3 -c \"open('P', 'w').write('yes')\"",
      'perl -pi -e s/no/yes/ P',
      'cd $(dirname P) && echo yes > $(basename P)',
      'bash -c "echo yes > P"',
      'patch P /tmp/x.diff',
      'rm -rf ROOT/tools',
      'mv ROOT/tools ROOT/tools.old',
      'find ROOT/tools -delete',
    ] as const
  ).map((command): (typeof PROGRAM_ROUTES)[number] => [
    'Bash',
    (file) => ({ command: command.replaceAll('ROOT', root).replaceAll(/\bP\b/g, () => file) }),
  ]),
]

describe('programs that the policy names belong to the gate', () => {
  beforeEach(() => {
    mkdirSync(join(root, 'tools/rules'), { recursive: true })
    for (const program of PROGRAMS) writeFileSync(join(root, program), '#!/bin/sh\nexit 1\n', { mode: 0o755 })
    symlinkSync(join(root, 'tools/rules/scan.py'), join(root, 'tools/alias.py'))
    const at = (name: string) => JSON.stringify(join(root, name))
    writeFileSync(
      join(root, 'countersign.yaml'),
      `version: 1
tool_families: [claude-code]
approvals: { channels: [{ name: desk, type: command, command: [${at('tools/ask')}], answers: true, approvers: { me: alice } }] }
judges: { own: { provider: command, command: [${at('tools/judge')}], criteria: "is it harmless?" } }
guards: { scanners: [{ name: own, tools: [scanned], command: [/usr/bin/python3, ${at('tools/alias.py')}, --root, ${JSON.stringify(root)}, /dev/null, ${at('tools/scan')}] }] }
rules: { allow: [{ tool: "*", reason: anything goes }] }
`,
    )
  })

  for (const [tool, args] of PROGRAM_ROUTES) {
    const shape = String(Object.values(args('P')).at(0) ?? '').replaceAll('undefined', 'ROOT')
    proves(['T40', 'T22', 'P9'], `${tool} ${shape} ${tool === 'Bash' ? '' : '…'}`, async () => {
      for (const program of shape.includes('P') ? PROGRAMS : PROGRAMS.slice(0, 1))
        expect([program, await decisionOn(tool, args(join(root, program)), '.')]).toEqual([program, 'deny integrity.self_protection'])
    })
  }

  proves(['T40', 'P9'], 'and so does the name by which a program is known, where that is a link', async () => {
    for (const command of ['ln -sf /tmp/mine tools/alias.py', 'rm tools/alias.py', 'echo yes > tools/alias.py'])
      expect([command, await decisionOn('Bash', { command }, '.')]).toEqual([command, 'deny integrity.self_protection'])
  })

  for (const [tool, args] of [
    ['Bash', { command: 'cat tools/ask' }],
    ['Bash', { command: 'ls -l tools' }],
    ['Bash', { command: 'tools/scan --help' }],
    ['Bash', { command: 'python3 tools/rules/scan.py' }],
    ['Bash', { command: 'python3 x.py > /dev/null' }],
    ['Bash', { command: 'echo x > notes.txt' }],
    ['Bash', { command: 'rm -rf elsewhere' }],
    ['Bash', { command: 'grep -r x .' }],
    ['Read', { file_path: 'tools/ask' }],
    ['Write', { file_path: 'tools/other', content: 'x' }],
    ['Write', { file_path: 'src/index.ts', content: 'x' }],
  ] as const) {
    proves('T40', `${tool} ${Object.values(args)[0]} changes none of them`, async () => {
      expect(await decisionOn(tool, args, '.')).not.toContain('self_protection')
    })
  }
})
