/** What the gate runs as on this machine: its package, the Node that runs it, the programs that its hook starts, and its daemon. */
import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isJsonObject, own, parseJson } from '../core/json.ts'
import type { DaemonProcess } from '../facts/view.ts'

/** The name under which the daemon runs: short, so that the system shows all of it, and none that other programs have. */
export const DAEMON_NAME = 'countersign'

/** The topmost directory of the package that this file belongs to. */
export function packageRoot(): string {
  let directory = dirname(fileURLToPath(import.meta.url))
  while (!existsSync(join(directory, 'package.json')) && dirname(directory) !== directory) directory = dirname(directory)
  return directory
}

/** Programs that the installed hook starts, where the system keeps its own. */
const STARTED = ['sh', 'cat', 'env', 'perl', 'curl', 'timeout', 'sha256sum', 'shasum', 'stat', 'od', 'tr'] as const
const SYSTEM = ['/usr/bin', '/bin', '/run/current-system/sw/bin'] as const

export interface ProgramPlaces {
  /** Packages of the gate: of this process, and of the installed hook. */
  readonly packages: readonly string[]
  /** Programs of others that run or are run by it. */
  readonly others: readonly string[]
}

/** Every file and directory that decides what runs when the gate is asked, by this process or by the installed hook of `home`. */
export function programPlaces(home: string): ProgramPlaces {
  const started = STARTED.flatMap((name) => SYSTEM.map((directory) => `${directory}/${name}`).filter((path) => existsSync(path)))
  const hooks = hookScripts(home).map(hookPrograms)
  return {
    packages: places([packageRoot(), ...hooks.map((hook) => hook.package)]),
    others: places([process.execPath, ...hooks.map(({ node }) => node), ...started]),
  }
}

function places(paths: readonly (string | null)[]): readonly string[] {
  return [...new Set(paths.flatMap((path) => (path === null ? [] : [real(path)])))]
}

/** Node and the program as the installed hook names them: those of the installation, which need not be those of this process. */
function hookPrograms(script: string): { readonly node: string | null; readonly package: string | null } {
  const named = (name: string): string | null => new RegExp(`^${name}='(/[^'\\n]+)'$`, 'm').exec(script)?.[1] ?? null
  const program = named('program')
  const root = program?.replace(/\/dist\/(?:hook\/load\.cjs|cli\/bin\.js)$/, '') ?? null
  return { node: named('node'), package: root }
}

/** The text of each hook script that `init` wrote, one an agent. */
function hookScripts(home: string): readonly string[] {
  const directory = join(home, 'bin')
  return namesIn(directory)
    .filter((name) => name.endsWith('-hook'))
    .flatMap((name) => readText(join(directory, name)) ?? [])
}

function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory)
  } catch {
    return [] // nothing is installed
  }
}

function real(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null // not installed, or not for this user to read
  }
}

/** Where a daemon says which process it is. */
export function daemonFile(home: string): string {
  return join(home, 'run', 'daemon.json')
}

/** The daemon of the state directory that still runs; null where none does. */
export function runningDaemon(home: string): DaemonProcess | null {
  const text = readText(daemonFile(home))
  const said = text === null ? undefined : parseJson(text)
  if (!isJsonObject(said)) return null
  const [pid, port] = [own(said, 'pid'), own(said, 'port')]
  if (typeof pid !== 'number' || !Number.isSafeInteger(pid) || pid < 1 || !runs(pid)) return null
  return { pid, port: typeof port === 'number' ? port : null, name: DAEMON_NAME, command: DAEMON_NAME }
}

/** A killed daemon leaves its file, and its number may be another program's by now, which nobody should be kept from ending. */
function runs(pid: number): boolean {
  if (pid === process.pid) return true
  const line = readText(`/proc/${pid}/cmdline`)
  if (line !== null) return line.includes(DAEMON_NAME)
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** The daemon that a hook started and that still runs; null where none does, or the one that runs is the operator's. */
export function daemonOfHooks(home: string): { readonly pid: number; readonly build: string } | null {
  const said = parseJson(readText(daemonFile(home)) ?? 'null')
  const running = runningDaemon(home)
  if (running === null || !isJsonObject(said) || own(said, 'for_hooks') !== true) return null
  const build = own(said, 'build')
  return { pid: running.pid, build: typeof build === 'string' ? build : '' }
}

export interface Announced {
  /** Where it listens over HTTP; null: nowhere. */
  readonly port: number | null
  /** True where a hook started it. */
  readonly forHooks: boolean
  /** Tells the build of its package; empty where it runs from its sources. */
  readonly build: string
}

/** Says which process the daemon is, for the gates of this state directory; what it answers takes that back. */
export function announceDaemon(home: string, { port, forHooks, build }: Announced): () => void {
  const file = daemonFile(home)
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  writeFileSync(`${file}.new`, `${JSON.stringify({ pid: process.pid, port, for_hooks: forHooks, build })}\n`, { mode: 0o600 })
  renameSync(`${file}.new`, file)
  process.title = DAEMON_NAME
  return () => {
    // Whoever took over said so meanwhile.
    const said = parseJson(readText(file) ?? 'null')
    if (isJsonObject(said) && own(said, 'pid') === process.pid) rmSync(file, { force: true })
  }
}
