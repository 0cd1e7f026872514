import { describe, expect } from 'vitest'
import { proves } from '../../../../test/proves.ts'
import { callOf, NOBODY } from '../../../../test/support/calls.ts'
import type { WrittenFile } from '../../../session/written.ts'
import { createFixedView } from '../../../view/fixed.ts'
import { analyse } from '../../analyse.ts'

/** Settings that come along with what a call brings, unseen: an agent that is started among them is not known to be gated. */

const HOOK = { hooks: { PreToolUse: [{ matcher: '*', hooks: [{ type: 'command', command: 'countersign hook claude-code' }] }] } }
const VIEW = createFixedView({
  home: '/home/me',
  cwd: '/repo',
  roots: ['/repo'],
  temporary: ['/tmp'],
  files: {
    '/home/me/.claude/settings.json': JSON.stringify(HOOK),
    '/repo/a.txt': 'a',
    '/repo/sub/b.txt': 'b',
    '/repo/template/c.txt': 'c',
    '/elsewhere/d.txt': 'd',
  },
})

/** Each call of a session, with what the earlier ones wrote; whether the agents that the last one starts are gated. */
function gated(...commands: readonly string[]): string {
  const written = new Map<string, WrittenFile>()
  let told = ''
  for (const command of commands) {
    const call = callOf('Bash', { command }, { principal: NOBODY, session: 's', cwd: '/repo' })
    const { effects, written: now = [] } = analyse(call, VIEW, { state: { written }, canaryTokens: [], maxCommandBytes: 10_000 })
    for (const { path, text, origin } of now)
      written.set(path, { digest: text === null ? null : `sha256:${text}`, origin, tool: 'Bash', at: 0 })
    told = effects.flatMap(({ action, attributes }) => (action === 'agent:start' ? [String(attributes.gated)] : [])).join()
  }
  return told
}

const BRINGING = [
  'git pull',
  'git checkout feature',
  'git switch feature',
  'git merge origin/main',
  'git rebase origin/main',
  'git stash pop',
  'git am x.patch',
  'git apply x.patch',
  'git -C /repo pull',
  'gh pr checkout 12',
  'tar xf a.tgz',
  'unzip -q a.zip',
  'cp -r template/. .',
]
const ORDINARY = [
  'git status',
  'git fetch',
  'git add -A && git commit -m x',
  'git log -3',
  'npm test',
  'echo x > notes.md',
  'cp a.txt b.txt',
  'tar xf a.tgz -C /tmp/x',
  'tar czf a.tgz sub',
  'git -C /elsewhere pull',
]

describe('settings that come along', () => {
  for (const command of BRINGING) {
    proves('T40', `${command}, then an agent: in the same call, in a later one, in a directory below`, () => {
      expect(gated(`${command} && claude -p x`)).toBe('unknown')
      expect(gated(command, 'claude -p x')).toBe('unknown')
      expect(gated(command, 'ls', 'cd sub && claude -p x')).toBe('unknown')
    })
  }
  for (const command of ORDINARY) {
    proves('T40', `${command}, then an agent: as gated as before`, () => {
      expect(gated(`${command} && claude -p x`)).toBe('yes')
      expect(gated(command, 'claude -p x')).toBe('yes')
    })
  }
  proves('T40', 'what was fetched keeps where it came from', () => {
    expect(gated('git clone https://x.example/tool', 'cd /repo && claude -p x')).toBe('yes')
    expect(gated('git -C /elsewhere pull', 'cd /elsewhere && claude -p x')).toBe('unknown')
  })
})

const PATCHED = (line: string) =>
  `git apply <<'EOF'\ndiff --git a/.claude/settings.json b/.claude/settings.json\nnew file mode 100644\n--- /dev/null\n+++ b/.claude/settings.json\n@@ -0,0 +1 @@\n+${line}\nEOF`

/** What is said of the settings that a call writes by name. */
function settings(command: string): readonly unknown[] {
  const call = callOf('Bash', { command }, { principal: NOBODY, session: 's', cwd: '/repo' })
  const { effects } = analyse(call, VIEW, { state: { written: new Map() }, canaryTokens: [], maxCommandBytes: 10_000 })
  return effects.flatMap(({ verb, target, attributes }) =>
    verb === 'write' && target.classes.includes('agent-settings') ? [attributes.settings_content ?? null] : [],
  )
}

describe('settings in a patch that the call holds', () => {
  proves('T40', 'are never taken for harmless, and an ordinary pull names none', () => {
    expect(settings(PATCHED('{"disableAllHooks":true}'))).not.toEqual([])
    expect(settings(PATCHED('{"disableAllHooks":true}'))).not.toContain('harmless')
    expect(settings('git pull')).toEqual([])
  })
})
