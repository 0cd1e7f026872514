/** An agent that could write the files its policy is made of could grant itself what it gates, or void its contracts. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect } from 'vitest'
import { COMPILE } from '../../src/cli/open.ts'
import { callFromJson } from '../../src/ingress/call.ts'
import { digester, openGate } from '../../src/open.ts'
import { loadPolicy } from '../../src/policy/file.ts'
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

async function decisionOn(tool: string, args: Record<string, string>, cwd: string): Promise<string> {
  const places = { explicit: join(root, 'countersign.yaml'), variable: null, cwd: root, home: '/nonexistent' }
  const state = loadPolicy({ ...COMPILE, places })
  const { gate } = openGate({ home: join(root, 'state'), record: false, policy: () => state })
  const read = callFromJson({ tool, args, cwd: join(root, cwd) }, { digester })
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
