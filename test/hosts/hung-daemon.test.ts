/** A daemon that is stopped in the middle of its work: what a call costs then, who is told, and what the log holds once it goes on. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { HUNG_FILE, HUNG_SECONDS } from '../../src/hosts/seal.ts'
import { proves } from '../proves.ts'
import { commandLine } from '../support/command-line.ts'
import { event, type Home, installedCommand, makeHome, permission, runHook, startServe, stop } from './harness.ts'

let home: Home
beforeEach(() => {
  home = makeHome()
})
afterEach(() => home.remove())

/** Decisions in the log, by the id of their call. */
async function decided(): Promise<readonly string[]> {
  const run = await commandLine(home, ['audit', 'export'])
  const records = run.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { kind?: string; body?: { call?: { call_id?: string } } })
  return records.flatMap(({ kind, body }) => (kind === 'decision' ? [body?.call?.call_id ?? '?'] : []))
}

const told = (stdout: string): string => String((JSON.parse(stdout) as { systemMessage?: string }).systemMessage ?? '')

describe('a daemon that hangs', () => {
  proves(
    'T31',
    'is given up, the process that stands in decides and says so once, and the daemon that goes on records none of it again',
    async () => {
      expect((await commandLine(home, ['init', '--yes'])).status).toBe(0)
      const command = installedCommand(home)
      const daemon = await startServe(home)
      expect(permission((await runHook(command, event('rm -rf ~', 'before'), home.environment)).stdout)).toBe('deny')
      daemon.kill('SIGSTOP')
      const first = await runHook(command, event('rm -rf ~', 'first'), home.environment)
      expect([first.status, permission(first.stdout), told(first.stdout)]).toEqual([
        0,
        'deny',
        expect.stringContaining('daemon gave no answer'),
      ])
      expect(existsSync(join(home.state, HUNG_FILE))).toBe(true)
      const second = await runHook(command, event('git status', 'second'), home.environment)
      expect([second.status, permission(second.stdout), told(second.stdout)]).toEqual([0, null, ''])
      daemon.kill('SIGCONT')
      const after = await runHook(command, event('rm -rf ~', 'after'), home.environment)
      expect(permission(after.stdout)).toBe('deny')
      await stop(daemon)
      expect((await decided()).toSorted()).toEqual(['after', 'before', 'first', 'second'])
      expect(existsSync(join(home.state, HUNG_FILE))).toBe(false)
      expect((await commandLine(home, ['audit', 'verify'])).status).toBe(0)
    },
    180_000,
  )
})

describe('the program that decides without the daemon', () => {
  test('is started only as it was when the hook was installed', async () => {
    expect((await commandLine(home, ['init', '--yes'])).status).toBe(0)
    const script = join(home.state, 'bin/claude-code-hook')
    const text = readFileSync(script, 'utf8')
    // As after an upgrade, or after somebody changed a file of the program: another digest than the one that the hook holds.
    // Neither what it is told by at a glance nor its digest is that of the file.
    const changed = text.replaceAll(/\d+:(\d+:\d+:\d+)/g, '1:$1').replace(/(program\.pack' \S+) [0-9a-f]{64}/, `$1 ${'0'.repeat(64)}`)
    expect(changed).not.toBe(text)
    writeFileSync(script, changed)
    const { hookCommand } = await import('../../src/hosts/shim.ts')
    const run = await runHook(hookCommand(script, changed), event('git status'), home.environment)
    expect([run.status, run.stdout, run.stderr]).toEqual([2, '', expect.stringContaining('not the one that was installed')])
    // The command in the settings starts no other script than the one that was installed.
    const edited = await runHook(installedCommand(home), event('git status'), home.environment)
    expect([edited.status, edited.stdout, edited.stderr]).toEqual([2, '', expect.stringContaining('run `countersign init`')])
  })

  test('a file that only was touched is no other file', async () => {
    expect((await commandLine(home, ['init', '--yes'])).status).toBe(0)
    const script = join(home.state, 'bin/claude-code-hook')
    const text = readFileSync(script, 'utf8').replace(/ \d+:\d+:\d+:\d+ /, ' 1:2:3:4 ')
    writeFileSync(script, text)
    const { hookCommand } = await import('../../src/hosts/shim.ts')
    const run = await runHook(hookCommand(script, text), event('rm -rf ~'), home.environment)
    expect([run.status, permission(run.stdout)]).toEqual([0, 'deny'])
  })
})

test('hooks come back to a daemon soon after it hung', () => expect(HUNG_SECONDS).toBeLessThanOrEqual(60))
