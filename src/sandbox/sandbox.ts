/**
 * Runs programs in bubblewrap, or not at all: where the sandbox is missing or does not hold, that is an error, and nothing is
 * ever run outside of it instead. Linux only.
 */
import { spawn, spawnSync } from 'node:child_process'
import { lstatSync, readlinkSync, statSync } from 'node:fs'
import { Writable } from 'node:stream'
import { type Cell, type System, sandboxed } from './cell.ts'
import { GROUPS, type Groups, groupProblem } from './cgroup.ts'
import { coveredStdio } from './descriptors.ts'
import { Output } from './output.ts'
import { withRemedy } from './remedy.ts'
import { filterFor } from './syscalls.ts'

export interface Ran {
  /** Null where it was ended. */
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
  /** True where some output was left out. */
  readonly cut: boolean
  readonly late: boolean
  /** Milliseconds. */
  readonly took: number
}

export class NoSandbox extends Error {
  override readonly name = 'NoSandbox'
}

export interface Sandbox {
  /** Why nothing can be run; null where the sandbox holds. */
  readonly problem: () => string | null
  /** Runs a program; no shell reads its arguments. Rejects with `NoSandbox`, and with nothing else. */
  readonly run: (command: readonly string[], cell: Cell, signal?: AbortSignal) => Promise<Ran>
}

/** Never searched along PATH, where an agent could have put a program of its own. */
export const PLACES = ['/usr/bin', '/usr/local/bin', '/bin', '/run/current-system/sw/bin'] as const
const ROOTS = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/nix/store', '/run/current-system'] as const

/** The sandbox of this machine. `places` is where its programs are looked for; default the system's own directories. */
export function createSandbox(places: readonly string[] = PLACES, groups: Groups = GROUPS): Sandbox {
  let found: System | string | null = null
  const look = (): System | string => {
    found ??= lookAround(places)
    return found
  }
  return {
    problem: () => {
      const system = look()
      return typeof system === 'string' ? system : groupProblem(groups)
    },
    run: (command, cell, signal) => {
      const system = look()
      if (typeof system === 'string') return Promise.reject(new NoSandbox(system))
      return runIn(command, cell, { system, signal, groups })
    },
  }
}

/** What the sandbox of this machine stands on, or why there is none and what would help. */
export function lookAround(places: readonly string[]): System | string {
  const found = systemIn(places)
  return typeof found === 'string' ? withRemedy(found) : found
}

function systemIn(places: readonly string[]): System | string {
  if (process.platform !== 'linux') return 'the sandbox needs Linux'
  if (FILTER_HERE === null) return `the sandbox does not know the calls of the kernel on this type of processor (${process.arch})`
  const bwrap = programIn(places, 'bwrap')
  if (bwrap === null) return `bubblewrap is not installed: there is no \`bwrap\` in ${places.join(', ')}`
  const prlimit = programIn(places, 'prlimit')
  if (prlimit === null) return `\`prlimit\` of util-linux is not in ${places.join(', ')}`
  const roots = new Map(ROOTS.flatMap((path) => rootAt(path)))
  for (const closed of [true, false]) {
    const system: System = { bwrap, prlimit, roots, closed }
    const problem = probe(system)
    if (problem === null) return system
    if (!closed) return `bubblewrap does not work here: ${problem}`
  }
  return 'bubblewrap does not work here'
}

export function programIn(places: readonly string[], name: string): string | null {
  return places.map((place) => `${place}/${name}`).find(isFile) ?? null
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true
}

function rootAt(path: string): readonly (readonly [string, string | null])[] {
  const stat = lstatSync(path, { throwIfNoEntry: false })
  if (stat === undefined) return []
  return [[path, stat.isSymbolicLink() ? readlinkSync(path) : null]]
}

/** Programs of judges see directories of the machine itself, so a socket in one of them would be a way out. */
const FILTER_HERE = filterFor(process.arch, { unix: false })
const FILTER = 3

const PROBE: Cell = {
  filter: 0,
  mounts: [],
  copy: false,
  hidden: [],
  programs: [],
  cwd: '/',
  environment: {},
  limits: { timeMs: 5_000, memoryBytes: 1 << 28, outputBytes: 4_096, spaceBytes: 1 << 20, processes: 512 },
}

/** Tries the walls, harmlessly should there be none: a root that cannot be written to, and nobody in it. */
function probe(system: System): string | null {
  const script = '[ ! -w / ] && [ "$(id -u)" = 65534 ] && [ ! -e /etc/passwd ] && [ ! -e /sys/class/net ]'
  const [program = '', ...args] = sandboxed(['/bin/sh', '-c', script], PROBE, system)
  const { status, stderr, error } = spawnSync(program, args, {
    input: FILTER_HERE ?? '',
    env: {},
    timeout: 10_000,
    encoding: 'utf8',
    maxBuffer: 65_536,
  })
  if (status === 0) return null
  // What bubblewrap says comes first: where it ends at once, the filter that it never read is an error, too.
  return stderr?.trim().slice(0, 300) || (error?.message ?? `the trial ended with ${status ?? 'a signal'}`)
}

interface Running {
  readonly system: System
  readonly signal: AbortSignal | undefined
  readonly groups: Groups
}

function runIn(command: readonly string[], cell: Cell, { system, signal, groups }: Running): Promise<Ran> {
  const started = performance.now()
  return new Promise((resolve, reject) => {
    const stdio = coveredStdio(['ignore', 'pipe', 'pipe', 'pipe'])
    if (stdio === null) return reject(new NoSandbox('this process was started with too many open descriptors'))
    const group = groups.of(cell.limits.processes)
    if (typeof group === 'string') return reject(new NoSandbox(group))
    const [program = '', ...args] = group.started(sandboxed(command, { ...cell, filter: FILTER }, system))
    const child = spawn(program, args, { cwd: '/', env: {}, shell: false, stdio, detached: true })
    hand(child.stdio[FILTER], FILTER_HERE)
    const stdout = new Output(cell.limits.outputBytes / 2)
    const stderr = new Output(cell.limits.outputBytes / 2)
    let late = false
    const end = (): void => {
      late = true
      endGroup(child.pid)
    }
    const timer = setTimeout(end, cell.limits.timeMs)
    if (signal?.aborted === true) end()
    signal?.addEventListener('abort', end, { once: true })
    child.stdout?.on('data', (chunk: Buffer) => stdout.add(chunk))
    child.stderr?.on('data', (chunk: Buffer) => stderr.add(chunk))
    child.on('error', (error) => {
      group.end()
      reject(new NoSandbox(`bubblewrap cannot be run: ${error.message}`))
    })
    child.on('close', (status) => {
      clearTimeout(timer)
      group.end()
      signal?.removeEventListener('abort', end)
      endGroup(child.pid)
      const said = stderr.text()
      // bwrap says so itself where it could not put up its walls, and then the command was not run.
      if (status !== 0 && !late && said.startsWith('bwrap: ')) reject(new NoSandbox(said.trim().slice(0, 300)))
      else resolve({ status, stdout: stdout.text(), stderr: said, cut: stdout.cut || stderr.cut, late, took: performance.now() - started })
    })
  })
}

/** Writes the filter to the pipe from which bubblewrap reads it. INVARIANT: without one bubblewrap reads nothing, and starts no program. */
export function hand(pipe: unknown, filter: Buffer | null): void {
  if (!(pipe instanceof Writable)) return
  pipe.on('error', () => {})
  if (filter === null) pipe.destroy()
  else pipe.end(filter)
}

/** Ends bubblewrap's own group; all inside of its process namespace dies with it. */
function endGroup(pid: number | undefined): void {
  if (pid === undefined || pid <= 1) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // It has ended already.
  }
}
