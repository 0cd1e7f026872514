/** The daemon that the installed hook starts: real processes, one daemon a state directory, and nothing that waits for it. */
import { existsSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { auditVerify } from '../../src/audit/log.ts'
import { hookCommand } from '../../src/hosts/shim.ts'
import { daemonOfHooks, runningDaemon } from '../../src/view/own.ts'
import { proves } from '../proves.ts'
import { cli, event, type Home, installedCommand, makeHome, permission, type Run, runHook, startServe, stop } from './harness.ts'

/** A home of its own with its hook: most of what these tests do is to wait for processes, so they wait side by side. */
interface Place {
  readonly home: Home
  /** What the hook is started with: nothing in it forbids a daemon. */
  readonly on: Readonly<Record<string, string>>
  readonly inRun: (name: string) => string
  /** It answers, and says so. */
  readonly isUp: () => boolean
  readonly hook: (command: string, id: string, environment?: Readonly<Record<string, string>>) => Promise<Run>
  /** The process of the daemon that the first call of the hook starts. */
  readonly started: (environment?: Readonly<Record<string, string>>) => Promise<number>
}

/** Ends what was started in the place, and removes it. */
function inPlace(act: (place: Place) => Promise<void>): () => Promise<void> {
  return async () => {
    const place = makePlace()
    try {
      await act(place)
    } finally {
      await removed(place)
    }
  }
}

function makePlace(): Place {
  const home = makeHome()
  const { COUNTERSIGN_DAEMON: _, ...on } = home.environment
  expect(cli(home, ['init', '--yes']).status).toBe(0)
  const inRun = (name: string) => join(home.state, 'run', name)
  const isUp = () => existsSync(inRun('gate.sock')) && daemonOfHooks(home.state) !== null && !existsSync(inRun('daemon.starting'))
  const hook: Place['hook'] = (command, id, environment = on) => runHook(installedCommand(home), event(command, id), environment)
  const started: Place['started'] = async (environment) => {
    expect(permission((await hook('rm -rf ~', 'first', environment)).stdout)).toBe('deny')
    await until(isUp)
    return daemonOfHooks(home.state)?.pid ?? 0
  }
  return { home, on, inRun, isUp, hook, started }
}

async function removed({ home }: Place): Promise<void> {
  const pid = daemonOfHooks(home.state)?.pid
  cli(home, ['serve', '--stop'])
  if (pid !== undefined) await until(() => !alive(pid))
  home.remove()
}

async function until(holds: () => boolean): Promise<void> {
  for (let i = 0; i < 4_800 && !holds(); i++) await new Promise((resolve) => setTimeout(resolve, 25))
  expect(holds()).toBe(true)
}

function alive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

describe.concurrent('the first call', () => {
  proves(
    'T31',
    'is decided by itself, starts the daemon, and the next is answered by that',
    inPlace(async ({ home, on, started }) => {
      const pid = await started()
      // With no Node to start, nothing but the daemon can answer.
      const script = join(home.state, 'bin/claude-code-hook')
      const text = readFileSync(script, 'utf8').replace(/^node='.*'$/m, "node='/nonexistent/node'")
      writeFileSync(script, text)
      const next = await runHook(hookCommand(script, text), event('rm -rf ~', 'second'), on)
      expect(permission(next.stdout)).toBe('deny')
      expect(runningDaemon(home.state)?.pid).toBe(pid)
      expect(auditVerify({ directory: home.state }).ok).toBe(true)
      const log = cli(home, ['audit', 'export']).stdout
      for (const id of ['first', 'second']) expect(log.split(`"call_id":"${id}"`)).toHaveLength(2)
    }),
  )

  test(
    'starts none where `COUNTERSIGN_DAEMON` says so, and neither does a hook that is asked by hand',
    inPlace(async ({ home, on, inRun }) => {
      await runHook(installedCommand(home), event('git status'), { ...on, COUNTERSIGN_DAEMON: 'off' })
      cli({ ...home, environment: on }, ['hook', 'claude-code'], event('git status'))
      expect(existsSync(inRun('daemon.starting'))).toBe(false)
      expect(existsSync(inRun('daemon.log'))).toBe(false)
    }),
  )

  test(
    'of many at once starts one daemon',
    inPlace(async ({ home, inRun, isUp, hook }) => {
      const runs = await Promise.all(['a', 'b', 'c', 'd'].map((id) => hook('rm -rf ~', id)))
      expect(runs.map(({ stdout }) => permission(stdout))).toEqual(['deny', 'deny', 'deny', 'deny'])
      await until(isUp)
      const pid = runningDaemon(home.state)?.pid
      for (let i = 0; i < 3; i++) {
        // As of a hook that looked before the daemon answered, and begins after it did.
        writeFileSync(inRun('daemon.starting'), '')
        expect(cli(home, ['serve', '--for-hooks']).status).toBe(0)
        expect(existsSync(inRun('daemon.starting'))).toBe(false)
        expect(runningDaemon(home.state)?.pid).toBe(pid)
      }
      expect(readFileSync(inRun('daemon.log'), 'utf8').split('the gate answers')).toHaveLength(2)
    }),
  )

  test(
    'starts no second one while one that did not come up is fresh',
    inPlace(async ({ inRun, hook, started }) => {
      mkdirSync(inRun(''), { recursive: true, mode: 0o700 })
      writeFileSync(inRun('daemon.starting'), '')
      expect(permission((await hook('rm -rf ~', 'x')).stdout)).toBe('deny')
      expect(existsSync(inRun('daemon.log'))).toBe(false)
      const before = new Date(Date.now() - 61_000)
      utimesSync(inRun('daemon.starting'), before, before)
      await started()
    }),
  )
})

describe.concurrent('the daemon that a hook started', () => {
  proves(
    'T31',
    'is started again after it was killed, over what it left behind',
    inPlace(async ({ home, inRun, isUp, hook, started }) => {
      const pid = await started()
      process.kill(pid, 'SIGKILL')
      await until(() => !alive(pid))
      expect(existsSync(inRun('gate.sock'))).toBe(true)
      expect(permission((await hook('rm -rf ~', 'after')).stdout)).toBe('deny')
      await until(() => isUp() && daemonOfHooks(home.state)?.pid !== pid)
    }),
  )

  test(
    'leaves its place to one that the operator starts',
    inPlace(async ({ home, hook, started }) => {
      const pid = await started()
      const serve = await startOperators(home)
      await until(() => !alive(pid))
      expect(daemonOfHooks(home.state)).toBeNull()
      expect(permission((await hook('rm -rf ~', 'after')).stdout)).toBe('deny')
      expect(cli(home, ['serve', '--no-listen'])).toMatchObject({ status: 2, stderr: expect.stringContaining('runs for') })
      expect(cli(home, ['serve', '--for-hooks']).status).toBe(0)
      expect(cli(home, ['serve', '--stop']).stderr).toContain('no daemon that a hook started runs')
      await stop(serve)
    }),
  )

  test(
    'of another build answers no hook of this one, and the one that the hook starts takes its place',
    inPlace(async ({ home, on, inRun, isUp, started }) => {
      const pid = await started()
      const script = join(home.state, 'bin/claude-code-hook')
      const text = readFileSync(script, 'utf8')
      const other = text.replace(/^build='[0-9a-f]+'$/m, "build='0123456789abcdef0123456789abcdef'")
      expect(other).not.toBe(text)
      writeFileSync(script, other)
      // As after an upgrade: the daemon that runs says another build than the one on the disk.
      const file = inRun('daemon.json')
      writeFileSync(file, readFileSync(file, 'utf8').replace(/"build":"[0-9a-f]+"/, '"build":"before"'))
      const run = await runHook(hookCommand(script, other), event('rm -rf ~', 'after'), on)
      expect(permission(run.stdout)).toBe('deny')
      await until(() => !alive(pid) && isUp())
      expect(auditVerify({ directory: home.state }).ok).toBe(true)
    }),
  )

  test(
    'ends when its socket is gone: nobody could ask it any more',
    inPlace(async ({ inRun, started }) => {
      const pid = await started()
      rmSync(inRun('gate.sock'))
      await until(() => !alive(pid))
    }),
  )

  test(
    'holds nothing that a session set for itself',
    inPlace(async ({ home, on, started }) => {
      const own = { PATH: `/tmp/evil:${on.PATH ?? ''}`, TMPDIR: home.user, ANTHROPIC_API_KEY: 'k', NODE_OPTIONS: '--no-warnings' }
      const pid = await started({ ...on, ...own })
      if (process.platform !== 'linux') return
      const environment = readFileSync(`/proc/${pid}/environ`, 'utf8')
      expect(environment).not.toMatch(/evil|TMPDIR|ANTHROPIC|NODE_OPTIONS/)
      expect(environment).toContain(`COUNTERSIGN_HOME=${home.state}`)
    }),
  )
})

async function startOperators(home: Home) {
  rmSync(join(home.state, 'run/gate.sock'), { force: true })
  return startServe(home)
}
