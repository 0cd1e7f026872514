/** Whether an agent besides Claude Code is known to be gated: with labels of what should hold, hostile and ordinary. */
import { describe, expect, test } from 'vitest'
import { proves } from '../../../../test/proves.ts'
import { callOf, NOBODY } from '../../../../test/support/calls.ts'
import { createFixedView } from '../../../view/fixed.ts'
import { analyse } from '../../analyse.ts'

const hook = (script: string): string => `/bin/sh -c 's='\\''/home/me/.countersign/bin/${script}'\\''; …'`
const grouped = (event: string, script: string, more: object = {}, handler: object = {}): object => ({
  hooks: { [event]: [{ ...more, hooks: [{ type: 'command', command: hook(script), timeout: 75, ...handler }] }] },
})

const GEMINI = grouped('BeforeTool', 'gemini-cli-hook')
const QWEN = grouped('PreToolUse', 'qwen-code-hook')
const COPILOT = { version: 1, hooks: { preToolUse: [{ type: 'command', bash: hook('copilot-cli-hook'), timeoutSec: 75 }] } }
const FILES = {
  '/home/me/.gemini/settings.json': JSON.stringify(GEMINI),
  '/home/me/.qwen/settings.json': JSON.stringify(QWEN),
  '/home/me/.copilot/hooks/countersign.json': JSON.stringify(COPILOT),
  '/home/me/shop/a.txt': 'a',
}

function gated(command: string, more: Readonly<Record<string, string>> = {}, cwd = '/home/me/shop'): string {
  const view = createFixedView({ home: '/home/me', cwd, roots: [cwd], temporary: ['/tmp'], files: { ...FILES, ...more } })
  const call = callOf('Bash', { command }, { principal: NOBODY, session: 's', cwd })
  const { effects } = analyse(call, view, { state: { written: new Map() }, canaryTokens: [], maxCommandBytes: 10_000 })
  return effects.flatMap(({ action, attributes }) => (action === 'agent:start' ? [String(attributes.gated)] : [])).join()
}

const AGENTS = ['gemini -p x', 'qwen -p x', 'copilot -p x'] as const

describe('an agent whose hook is seen', () => {
  for (const command of AGENTS)
    test(`${command}: starts gated, with its own questions off as well`, () => {
      for (const line of [command, `cd /home/me/shop && ${command}`, `${command} --yolo`, `npm test && ${command}`])
        expect([line, gated(line)]).toEqual([line, 'yes'])
    })

  for (const [why, files] of [
    [
      'not installed',
      { '/home/me/.gemini/settings.json': '{}', '/home/me/.qwen/settings.json': '', '/home/me/.copilot/hooks/countersign.json': '[' },
    ],
    [
      'the hook of another program',
      {
        '/home/me/.gemini/settings.json': JSON.stringify(grouped('BeforeTool', 'other-hook')),
        '/home/me/.qwen/settings.json': JSON.stringify(grouped('PreToolUse', 'my-qwen-code-hook')),
        '/home/me/.copilot/hooks/countersign.json': JSON.stringify(COPILOT).replace('copilot-cli-hook', 'x'),
      },
    ],
    [
      'the hook is for something else, or waits for nobody',
      {
        '/home/me/.gemini/settings.json': JSON.stringify(grouped('BeforeTool', 'gemini-cli-hook', { matcher: 'read_file' })),
        '/home/me/.qwen/settings.json': JSON.stringify(grouped('PreToolUse', 'qwen-code-hook', {}, { async: true })),
        '/home/me/.copilot/hooks/countersign.json': JSON.stringify(COPILOT).replace('preToolUse', 'postToolUse'),
      },
    ],
    [
      'hooks are off in the settings themselves',
      {
        '/home/me/.gemini/settings.json': JSON.stringify({ ...GEMINI, hooksConfig: { enabled: false } }),
        '/home/me/.qwen/settings.json': JSON.stringify({ ...QWEN, disableAllHooks: true }),
        '/home/me/.copilot/hooks/countersign.json': JSON.stringify({ ...COPILOT, disableAllHooks: true }),
      },
    ],
    [
      'the project has settings',
      { '/home/me/shop/.gemini/settings.json': '{}', '/home/me/shop/.qwen/x': '', '/home/me/shop/.github/copilot/x.json': '{}' },
    ],
    ['a directory above has', { '/home/me/.env': '', '/home/.claude/settings.json': '{}' }],
    ['the machine has', { '/etc/gemini-cli/settings.json': '', '/etc/qwen-code/x': '', '/etc/github-copilot/x': '' }],
  ] as const)
    proves('T40', `${why}: not known`, () => {
      for (const command of AGENTS) expect([command, gated(command, files)]).toEqual([command, 'unknown'])
    })

  proves('T40', 'what the call itself brings, makes or sets may lead elsewhere', () => {
    for (const command of AGENTS) {
      for (const line of [`git pull && ${command}`, `cd "$X" && ${command}`, `sudo ${command}`, `ssh host '${command}'`])
        expect([line, gated(line)]).toEqual([line, 'unknown'])
      expect(gated(`HOME=/tmp/h ${command}`)).toBe('no')
      expect(gated(`NODE_OPTIONS='--require ./x.js' ${command}`)).toBe('no')
    }
    for (const line of [
      'mkdir -p .gemini && echo x > .gemini/settings.json && gemini -p x',
      'echo A=b > .env && qwen -p x',
      'mkdir -p .github/copilot && echo x > .github/copilot/a.json && copilot -p x',
    ])
      expect([line, gated(line)]).toEqual([line, 'unknown'])
    expect(gated('GEMINI_CLI_HOME=/tmp gemini -p x')).toBe('no')
    expect(gated('QWEN_HOME=/tmp qwen -p x')).toBe('no')
    expect(gated('COPILOT_HOME=/tmp copilot -p x')).toBe('no')
  })

  test('Codex, whose trust cannot be seen, stays unknown', () => {
    const files = { '/home/me/.codex/hooks.json': JSON.stringify(grouped('PreToolUse', 'codex-hook')) }
    expect(gated('codex exec x', files)).toBe('unknown')
  })
})
