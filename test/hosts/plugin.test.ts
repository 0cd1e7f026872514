/** The plug-in of Claude Code, as `init --plugin` makes it: installed nowhere, in force where it is loaded, and gone again. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { proves } from '../proves.ts'
import { cli, event, type Home, makeHome, permission, runHook } from './harness.ts'

function commandIn(directory: string): string {
  const { hooks } = JSON.parse(readFileSync(join(directory, 'hooks/hooks.json'), 'utf8')) as {
    hooks: { PreToolUse: { matcher: string; hooks: { command: string; onFailure: string }[] }[] }
  }
  expect(hooks.PreToolUse).toMatchObject([{ matcher: '*', hooks: [{ type: 'command', onFailure: 'block' }] }])
  return hooks.PreToolUse[0]?.hooks[0]?.command ?? ''
}

function place(): { readonly home: Home; readonly directory: string } {
  const home = makeHome()
  onTestFinished(home.remove)
  return { home, directory: join(home.user, 'plug-in') }
}

proves(['T30', 'T31'], 'the plug-in asks the gate, is looked at by the doctor, and leaves nothing behind', async () => {
  const { home, directory } = place()
  expect(cli(home, ['init', '--plugin', directory, '--yes']).status).toBe(0)
  expect(cli(home, ['init', '--plugin', directory, '--yes']).stdout).toContain('in place')
  expect(existsSync(join(home.user, '.claude'))).toBe(false)
  const manifest = JSON.parse(readFileSync(join(directory, '.claude-plugin/plugin.json'), 'utf8'))
  expect(manifest).toMatchObject({ name: 'countersign', version: expect.stringMatching(/^\d/) })
  const command = commandIn(directory)
  const said = async (line: string) => permission((await runHook(command, event(line), home.environment)).stdout)
  expect([await said('rm -rf ~'), await said('git status')]).toEqual(['deny', null])
  const looked = cli(home, ['doctor', '--plugin', directory])
  expect([looked.status, looked.stdout]).toEqual([0, expect.stringContaining('ok   canary')])
  writeFileSync(join(home.state, 'bin/claude-code-plugin-hook'), '#!/bin/sh\necho {}\n')
  expect((await runHook(command, event('git status'), home.environment)).status).toBe(2)
  expect(cli(home, ['doctor', '--plugin', directory]).status).toBe(1)
  expect(cli(home, ['uninstall', '--plugin', directory, '--yes']).status).toBe(0)
  for (const file of ['hooks/hooks.json', '.claude-plugin/plugin.json', '.claude-plugin/marketplace.json'])
    expect([file, existsSync(join(directory, file))]).toEqual([file, false])
})

test('another plug-in is not written over, and no scope goes with a directory', () => {
  const { home, directory } = place()
  mkdirSync(join(directory, '.claude-plugin'), { recursive: true })
  writeFileSync(join(directory, '.claude-plugin/plugin.json'), '{"name":"other"}')
  expect(cli(home, ['init', '--plugin', directory, '--yes']).stderr).toContain('another plug-in')
  expect(readFileSync(join(directory, '.claude-plugin/plugin.json'), 'utf8')).toBe('{"name":"other"}')
  for (const more of [['--managed'], ['--agent', 'codex']])
    expect(cli(home, ['init', '--plugin', directory, '--yes', ...more]).stderr).toContain('--plugin')
})
