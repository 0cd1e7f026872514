/** The daemon that the hook starts: on the private socket alone, for the user whose state it is, until nobody asks any more. */
import { spawn } from 'node:child_process'
import { closeSync, fstatSync, ftruncateSync, mkdirSync, openSync, rmSync, statSync, utimesSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { type Lock, takeLock } from '../server/sole.ts'
import { daemonOfHooks } from '../view/own.ts'
import { gateProgram } from './version.ts'

/** Milliseconds without a request after which a daemon that a hook started ends. */
export const IDLE_MS = 30 * 60_000

/** A daemon that did not come up is not started again at once: each try costs as much as a decision. */
const TRY_EVERY_MS = 60_000

/** Below the state directory: there from the start of a daemon until it answers. */
const STARTING_FILE = 'run/daemon.starting'

/** Below the state directory: what a daemon without a terminal says. */
const LOG_FILE = 'run/daemon.log'
const MAX_LOG_BYTES = 256 * 1024

/** Where the system keeps its own programs: what an agent set for its session must not hold for everybody's. */
const SYSTEM_PATH = '/usr/bin:/bin:/usr/sbin:/sbin:/run/current-system/sw/bin'

/** Starts a daemon in the background and waits for nothing. A failure costs the next call its time, so it is no failure of this one. */
export function startForHooks(home: string): void {
  try {
    mkdirSync(join(home, 'run'), { recursive: true, mode: 0o700 })
    if (!takesTurn(join(home, STARTING_FILE))) return
    const log = openLog(join(home, LOG_FILE))
    const { node, program } = gateProgram()
    const stdio = ['ignore', log, log] as const
    spawn(node, [program, 'serve', '--for-hooks'], { cwd: home, env: environmentOf(home), detached: true, stdio: [...stdio] })
      .on('error', () => {})
      .unref()
    closeSync(log)
  } catch {
    // The next call tries again.
  }
}

/** Said by the daemon: it answers, and once it is gone the next one may be started at once. */
export function startedForHooks(home: string): void {
  rmSync(join(home, STARTING_FILE), { force: true })
}

/** One of the hooks that run at once starts the daemon. */
function takesTurn(path: string): boolean {
  try {
    closeSync(openSync(path, 'wx', 0o600))
    return true
  } catch {
    const age = Date.now() - statSync(path).mtimeMs
    // A clock that was set back must not keep everybody waiting.
    if (age >= 0 && age < TRY_EVERY_MS) return false
    utimesSync(path, new Date(), new Date())
    return true
  }
}

function openLog(path: string): number {
  const log = openSync(path, 'a', 0o600)
  if (fstatSync(log).size > MAX_LOG_BYTES) ftruncateSync(log)
  return log
}

/** The user as the system knows them, and nothing that a session set. */
function environmentOf(home: string): Readonly<Record<string, string>> {
  const { TMPDIR = '' } = process.env
  return {
    HOME: homeOfUser(),
    PATH: SYSTEM_PATH,
    COUNTERSIGN_HOME: home,
    // Elsewhere the directory for temporary files is the same for all; there it is the user's own.
    ...(TMPDIR.startsWith('/var/folders/') ? { TMPDIR } : {}),
  }
}

function homeOfUser(): string {
  try {
    return userInfo().homedir
  } catch {
    return process.env.HOME ?? '/' // no entry in the user database, as in many containers
  }
}

/** Milliseconds that a daemon which has to leave may take, what is under way included. */
const LEAVES_MS = 15_000

/**
 * The lock for this process. The operator's daemon takes the place of one that a hook started, and so does a hook's of another
 * build; null for a hook's that finds another in its place. Throws where the operator's own answers already.
 */
export async function soleDaemon(
  home: string,
  { forHooks, build }: { readonly forHooks: boolean; readonly build: string },
): Promise<Lock | null> {
  const lock = await takeLock(home)
  if (lock !== null) return lock
  const other = daemonOfHooks(home)
  if (other !== null && !(forHooks && other.build === build)) {
    process.kill(other.pid, 'SIGTERM')
    const taken = await takeLock(home, LEAVES_MS)
    if (taken !== null) return taken
  }
  if (forHooks) {
    // That one answers, or will say so itself: the mark of whoever came too late says nothing.
    startedForHooks(home)
    return null
  }
  throw new Error(`another \`countersign serve\` runs for \`${home}\` already`)
}

/** Ends the daemon that a hook started; false where there is none. What is under way is finished. */
export function stopForHooks(home: string): boolean {
  const other = daemonOfHooks(home)
  if (other !== null) process.kill(other.pid, 'SIGTERM')
  return other !== null
}
