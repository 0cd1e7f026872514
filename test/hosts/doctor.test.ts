/** Every way in which an installed hook was seen not to hold while `doctor` said that it does. */
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { weakSettings, weakVariables, wrongTypes } from '../../src/hosts/claude-code/weak.ts'
import { hookCommand } from '../../src/hosts/shim.ts'
import { proves } from '../proves.ts'
import { commandLine } from '../support/command-line.ts'
import { type Home, installedCommand, makeHome, startServe, stop } from './harness.ts'

let home: Home
beforeEach(() => {
  home = makeHome()
})
afterEach(() => home.remove())

const settings = () => join(home.user, '.claude/settings.json')
const script = () => join(home.state, 'bin/claude-code-hook')
const install = async () => expect((await commandLine(home, ['init', '--yes'])).status).toBe(0)
const doctor = async () => {
  const { status, stdout } = await commandLine(home, ['doctor'])
  return { status, stdout }
}

/** The settings that `init` wrote, with a changed script and the command that starts it: as somebody would who may write both. */
function replaceScript(text: string): void {
  const command = installedCommand(home)
  writeFileSync(script(), text)
  const changed = readFileSync(settings(), 'utf8').replaceAll(JSON.stringify(command), JSON.stringify(hookCommand(script(), text)))
  writeFileSync(settings(), changed)
}

describe('the hook itself', () => {
  proves(
    'T30',
    'doctor tells a script that says no to everything, says yes to everything, or was edited, from the one that init writes',
    async () => {
      await install()
      const good = readFileSync(script(), 'utf8')
      const deny = `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"x"}}`
      for (const [name, text] of [
        ['denies all', `#!/bin/sh\nprintf '%s .\\n' '${deny}'\n`],
        ['no opinion on anything', `#!/bin/sh\nprintf '%s .\\n' '{"hookSpecificOutput":{"hookEventName":"PreToolUse"}}'\n`],
        ['one line more', `${good}\n`],
        ['a check less', good.replace('intact || refuse', ': || refuse')],
        ['another role', good.replace('role=\n', 'role=$(id)\n')],
      ] as const) {
        replaceScript(text)
        const { status, stdout } = await doctor()
        expect([name, status, stdout]).toEqual([name, 1, expect.stringContaining('FAIL hook: the hook script is not what `init` writes')])
      }
      // Without the command that names it, the hook refuses every call, and doctor says why.
      await commandLine(home, ['init', '--yes'])
      writeFileSync(script(), good.replace('limit=20', 'limit=21'))
      expect((await doctor()).stdout).toContain('or the hook script was changed')
      await commandLine(home, ['init', '--yes'])
      chmodSync(script(), 0o722)
      expect((await doctor()).status).toBe(1)
      chmodSync(script(), 0o700)
      expect((await doctor()).status).toBe(0)
    },
    180_000,
  )

  test('a daemon that hangs is none that answers', async () => {
    await install()
    const daemon = await startServe(home)
    expect((await doctor()).stdout).toContain('ok   daemon')
    daemon.kill('SIGSTOP')
    const { status, stdout } = await doctor()
    expect([status, stdout]).toEqual([1, expect.stringContaining('FAIL daemon: it takes connections')])
    daemon.kill('SIGCONT')
    await stop(daemon)
  })
})

describe('settings', () => {
  test('a timeout of 0, another shell, hooks beside ours, and results that are not looked at', async () => {
    await install()
    const good = JSON.parse(readFileSync(settings(), 'utf8')) as { hooks: Record<string, { hooks: Record<string, unknown>[] }[]> }
    const changed = (change: (copy: typeof good) => void) => {
      const copy = structuredClone(good)
      change(copy)
      return copy
    }
    const handler = (copy: typeof good): Record<string, unknown> => copy.hooks.PreToolUse?.[0]?.hooks[0] ?? {}
    const foreign = { type: 'command', command: 'true' }
    const cases: readonly (readonly [string, object, number, string])[] = [
      ['timeout 0', changed((copy) => Object.assign(handler(copy), { timeout: 0 })), 1, 'the timeout of the hook is 0'],
      ['timeout -1', changed((copy) => Object.assign(handler(copy), { timeout: -1 })), 1, 'the timeout of the hook is -1'],
      ['shell', changed((copy) => Object.assign(handler(copy), { shell: '/bin/true' })), 1, 'the hook has `shell`'],
      ['permissions', { ...good, permissions: { allow: 'Bash' } }, 1, '`permissions.allow` is no list'],
      ['a prefix', { ...good, env: { CLAUDE_CODE_SHELL_PREFIX: '/bin/true' } }, 1, '`CLAUDE_CODE_SHELL_PREFIX`'],
    ]
    for (const [name, text, status, told] of cases) {
      writeFileSync(settings(), JSON.stringify(text))
      const run = await doctor()
      expect([name, run.status, run.stdout]).toEqual([name, status, expect.stringContaining(told)])
    }
    // What only warns is told beside each other.
    const warned = changed((copy) => {
      copy.hooks.PreToolUse?.[0]?.hooks.push(foreign)
      for (const name of ['PostToolUse', 'PostToolUseFailure', 'UserPromptSubmit']) Reflect.deleteProperty(copy.hooks, name)
      Object.assign(copy.hooks, { PermissionRequest: [{ hooks: [foreign] }] })
      Object.assign(copy, { permissions: { defaultMode: 'bypassPermissions' } })
    })
    writeFileSync(settings(), JSON.stringify(warned))
    const { status, stdout } = await doctor()
    expect([status, stdout.includes('FAIL')]).toEqual([0, false])
    for (const told of [
      'another hook stands in the group of ours',
      'no PostToolUse hook',
      'no PostToolUseFailure hook',
      'no UserPromptSubmit hook',
      'a PermissionRequest hook',
      'bypass mode',
    ]) {
      expect(stdout.split('\n').filter((line) => line.startsWith('warn user settings: ') && line.includes(told))).toHaveLength(1)
    }
  })

  test('of a project, and variables of the shell', async () => {
    await install()
    const project = join(home.user, 'project')
    mkdirSync(join(project, '.claude'), { recursive: true })
    const run = (env: Record<string, string> = {}) =>
      commandLine({ ...home, user: project, environment: { ...home.environment, ...env } }, ['doctor'])
    expect((await run()).status).toBe(0)
    expect([(await run({ CLAUDE_CODE_SIMPLE: '1' })).status, (await run({ LD_LIBRARY_PATH: '/nowhere' })).status]).toEqual([1, 1])
    writeFileSync(join(project, '.claude/settings.json'), JSON.stringify({ env: { LD_PRELOAD: '/x.so' }, apiKeyHelper: './key.sh' }))
    const { status, stdout } = await run()
    expect([status, stdout]).toEqual([1, expect.stringContaining('FAIL project settings: `env` sets `LD_PRELOAD`')])
    expect(stdout).toContain('`apiKeyHelper` names a program that the client runs without asking a hook')
  })

  for (const [name, value] of [
    ['permissions', 'x'],
    ['permissions', { deny: {} }],
    ['permissions', { defaultMode: 'x' }],
    ['env', []],
    ['model', 5],
    ['cleanupPeriodDays', '7'],
    ['statusLine', 'x'],
    ['disableAllHooks', 'true'],
    ['hooks', []],
  ] as const) {
    test(`${name}: ${JSON.stringify(value)} makes the client drop the file`, () => expect(wrongTypes({ [name]: value })).toHaveLength(1))
  }

  test('what the client takes is not told of', () => {
    expect(
      wrongTypes({ permissions: { allow: ['Bash'], deny: [], defaultMode: 'plan' }, env: { A: 'b' }, model: 'x', unknown: 1 }),
    ).toEqual([])
    expect(weakSettings({ env: { A: 'b' }, model: 'x' }, 'user')).toEqual([])
    expect(weakVariables({ PATH: '/bin', LANG: 'C', LD_PRELOAD: '' }, 'x')).toEqual([])
  })
})
