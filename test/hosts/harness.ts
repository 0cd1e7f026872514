/** Real processes for the host tests: an installed home, the shim as the host runs it, a daemon that can be killed. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { newStateDirectory } from '../support/state-base.ts'

export const ROOT = new URL('../..', import.meta.url).pathname
export const CLI = join(ROOT, 'dist/cli/bin.js')

export interface Home {
  /** `$HOME` of the agent's user. */
  readonly user: string
  /** `$COUNTERSIGN_HOME`. */
  readonly state: string
  readonly environment: Readonly<Record<string, string>>
  readonly remove: () => void
}

/** A home of its own, where a sandbox need not find it; nothing of this machine's user is touched. */
export function makeHome(user = newStateDirectory()): Home {
  const state = join(user, '.countersign')
  return {
    user,
    state,
    environment: { HOME: user, COUNTERSIGN_HOME: state, PATH: process.env.PATH ?? '', NO_COLOR: '1', COUNTERSIGN_DAEMON: 'off' },
    remove: () => rmSync(user, { recursive: true, force: true }),
  }
}

export interface Run {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

/** The command line in a home. */
export function cli(home: Home, args: readonly string[], input = ''): Run {
  const run = spawnSync(process.execPath, [CLI, ...args], {
    input,
    encoding: 'utf8',
    env: home.environment,
    cwd: home.user,
    timeout: 180_000,
  })
  return { status: run.status, stdout: run.stdout, stderr: run.stderr }
}

/** The command that the settings hold for PreToolUse, run as the host runs it: by a shell, with the event on stdin. */
export function runHook(command: string, input: string, environment: Readonly<Record<string, string>>): Promise<Run> {
  return new Promise((resolve) => {
    const child = spawn('/bin/sh', ['-c', command], { env: environment })
    let stdout = ''
    let stderr = ''
    child.stdout.on('data', (chunk: Buffer) => {
      stdout += chunk.toString()
    })
    child.stderr.on('data', (chunk: Buffer) => {
      stderr += chunk.toString()
    })
    child.stdin.on('error', () => {})
    child.on('close', (status) => resolve({ status, stdout, stderr }))
    child.stdin.end(input)
  })
}

/** The installed PreToolUse command. */
export function installedCommand(home: Home): string {
  const settings = JSON.parse(readFileSync(join(home.user, '.claude/settings.json'), 'utf8')) as {
    hooks: { PreToolUse: { hooks: { command: string }[] }[] }
  }
  const command = settings.hooks.PreToolUse.at(-1)?.hooks[0]?.command
  if (command === undefined) throw new Error('no hook is installed')
  return command
}

/** A PreToolUse event. */
export function event(command: string, id = 'toolu_1', more: Readonly<Record<string, unknown>> = {}): string {
  return JSON.stringify({
    session_id: 's-host',
    transcript_path: '/dev/null',
    cwd: '/tmp',
    permission_mode: 'default',
    hook_event_name: 'PreToolUse',
    tool_name: 'Bash',
    tool_input: { command },
    tool_use_id: id,
    ...more,
  })
}

/** Starts the daemon and waits until its socket is there. */
export async function startServe(home: Home): Promise<ChildProcess> {
  const child = spawn(process.execPath, [CLI, 'serve', '--no-listen'], { env: home.environment, cwd: home.user, stdio: 'ignore' })
  const socket = join(home.state, 'run/gate.sock')
  while (child.exitCode === null) {
    if (existsSync(socket)) return child
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  throw new Error('the daemon did not start')
}

export function stop(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) {
      resolve()
      return
    }
    child.once('exit', () => resolve())
    child.kill(signal)
  })
}

/** The permission decision of an answer; null where the gate has no opinion. */
export function permission(stdout: string): string | null {
  const answer = JSON.parse(stdout) as { hookSpecificOutput?: { permissionDecision?: string } }
  return answer.hookSpecificOutput?.permissionDecision ?? null
}
