/** The real View: kernel-true paths, bounded reads, git's files, allow-listed environment. Reads only, each thing once. */
import { createHash } from 'node:crypto'
import { closeSync, constants, fstatSync, opendirSync, openSync, readSync } from 'node:fs'
import { homedir, tmpdir, userInfo } from 'node:os'
import { once } from '../core/once.ts'
import type { DaemonProcess, FileAnswer, View } from '../facts/view.ts'
import { committedAnswer } from './committed.ts'
import { isAllowedVariable } from './environment.ts'
import { findRepository, readRepository } from './gitfiles.ts'
import { directoryIdentity } from './identity.ts'
import { bounded, editing, lookedUp, Memory } from './memory.ts'
import { processesOf, runningProcesses } from './processes.ts'
import { createResolver } from './resolver.ts'

export interface NodeViewOptions {
  /** Absolute directory the call runs in; null where the host did not say. */
  readonly cwd: string | null
  /** Home of the user the agent runs as; default: this process's user. */
  readonly home?: string
  /** User name; default: this process's user. */
  readonly user?: string | null
  /** Directories the agent may work in; default: the repository around `cwd`, or `cwd` itself, never `/` or the home. */
  readonly roots?: readonly string[]
  /** The gate's own places; default none. */
  readonly gate?: readonly string[]
  /** What the gate runs as; default none. */
  readonly programs?: readonly string[]
  /** The daemon of the gate, asked for once where somebody needs it; default none. */
  readonly daemon?: () => DaemonProcess | null
  /** Addresses by host name, looked up for this call. Default: no name was looked up. */
  readonly hosts?: ReadonlyMap<string, readonly string[]> | undefined
  /** Environment of the agent; default: this process's. */
  readonly environment?: Readonly<Record<string, string | undefined>>
}

/** A file larger than this is not read at all: its digest would cost more than a decision may take. */
const MAX_DIGESTED_BYTES = 32 * 1024 * 1024
const CHUNK_BYTES = 64 * 1024
/** Names that are asked of the kernel at once. */
const DIRECTORY_ENTRIES = 256
const GIT_FILE_BYTES = 256 * 1024

/**
 * A View of this machine. Never throws: what cannot be read is answered as missing or null. Asks the kernel only what is asked
 * of it, its own places included, and of each name once.
 */
export function createNodeView(options: NodeViewOptions): View {
  const memory = new Memory()
  const environment = options.environment ?? process.env
  const resolve = createResolver()
  const text = (path: string): string | null => readFile(path, GIT_FILE_BYTES)?.text ?? null
  const home = once(() => realPlace(options.home ?? homedir()))
  const user = once(() => (options.user === undefined ? currentUser() : options.user))
  const cwd = once(() => (options.cwd === null ? null : resolve(options.cwd).real))
  const top = (path: string): string | null => findRepository(path, resolve, text)?.top ?? null
  const roots = once(() => options.roots?.map((root) => resolve(root).real) ?? defaultRoots(cwd(), home(), top))
  const temporary = once(() => temporaryDirectories(environment, resolve))
  const gate = once(() => (options.gate ?? []).map((place) => resolve(place).real))
  const programs = once(() => (options.programs ?? []).map(realPlace))
  const daemon = once(() => options.daemon?.() ?? null)
  // What is read becomes words of commands, in the log and in what an agent can have analysed: never a secret of the gate.
  const isOwn = (path: string): boolean => {
    const real = `${resolve(path).real}/`.toLowerCase()
    return gate().some((place) => real.startsWith(`${place}/`.toLowerCase()))
  }
  return {
    get home() {
      return home()
    },
    get user() {
      return user()
    },
    get cwd() {
      return cwd()
    },
    get roots() {
      return roots()
    },
    get temporary() {
      return temporary()
    },
    get gate() {
      return gate()
    },
    get programs() {
      return programs()
    },
    get daemon() {
      return daemon()
    },
    realpath: (path) => memory.once('realpath', path, () => resolve(path)),
    read: (path, limit) => memory.once('read', bounded(path, limit), () => (isOwn(path) ? null : readFile(path, limit))),
    env: (name) => memory.once('env', name, () => variable(name, { environment, home, user, cwd })),
    list: (path, limit) => memory.once('list', bounded(path, limit), () => listDirectory(path, limit)),
    git: (path) => memory.once('git', path, () => readRepository(path, resolve, text)),
    committed: (path, edit) =>
      memory.once('committed', editing(path, edit), () =>
        isOwn(path) ? null : committedAnswer(path, edit ?? null, { resolve, read: text }),
      ),
    identity: (path) => memory.once('identity', path, () => directoryIdentity(path)),
    ...lookedUp(options.hosts, memory),
    ...processesOf(once(runningProcesses), roots, memory),
    answers: () => memory.recorded(),
  }
}

/**
 * What the gate runs as, and the home, by their names: a dozen places of the system, which every decision would ask the kernel for. Who
 * changes them has to name them in a call before, so that what was true within the last second is good enough.
 */
const PLACES = new Map<string, { readonly real: string; readonly at: number }>()
const PLACES_MS = 1_000
const MAX_PLACES = 256

function realPlace(place: string): string {
  const now = performance.now()
  const known = PLACES.get(place)
  if (known !== undefined && now - known.at < PLACES_MS) return known.real
  if (PLACES.size >= MAX_PLACES) PLACES.clear()
  const { real } = createResolver()(place)
  PLACES.set(place, { real, at: now })
  return real
}

/** Node looks at the identity of the process for each variable that it may be in. `TMPDIR` is asked for at each decision. */
const systemTemporary = once(tmpdir)

interface Known {
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly home: () => string
  readonly user: () => string | null
  readonly cwd: () => string | null
}

function variable(name: string, known: Known): string | null {
  if (name === 'HOME') return known.home()
  if (name === 'PWD') return known.cwd()
  if (name === 'USER' || name === 'LOGNAME') return known.user()
  if (!isAllowedVariable(name) || !Object.hasOwn(known.environment, name)) return null
  return known.environment[name] ?? null
}

function currentUser(): string | null {
  try {
    return userInfo().username
  } catch {
    return null // no entry in the user database, as in many containers
  }
}

function defaultRoots(cwd: string | null, home: string, topOf: (path: string) => string | null): readonly string[] {
  if (cwd === null) return []
  const top = topOf(cwd)
  const root = top === null || top === '/' || top === home ? cwd : top
  return root === '/' || root === home ? [] : [root]
}

function temporaryDirectories(environment: Known['environment'], resolve: (path: string) => { readonly real: string }): readonly string[] {
  const named = ['/tmp', '/var/tmp', '/dev/shm', environment.TMPDIR, systemTemporary()]
  const real = [...new Set(named.filter((path) => path?.startsWith('/')))].map((path) => resolve(path ?? '/').real)
  return [...new Set(real)].filter((path) => path !== '/')
}

function readFile(path: string, limit: number): FileAnswer | null {
  let descriptor: number | null = null
  try {
    // O_NONBLOCK: opening a FIFO must not wait for a writer.
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
    const stat = fstatSync(descriptor)
    if (!stat.isFile() || stat.size > MAX_DIGESTED_BYTES) return null
    return digestAndKeep(descriptor, limit)
  } catch {
    return null
  } finally {
    if (descriptor !== null) closeSync(descriptor)
  }
}

/** Files are read one after the other, so one piece of memory serves all. */
const CHUNK = Buffer.allocUnsafeSlow(CHUNK_BYTES)

function digestAndKeep(descriptor: number, limit: number): FileAnswer | null {
  const hash = createHash('sha256')
  const kept: Buffer[] = []
  let total = 0
  for (;;) {
    const size = readSync(descriptor, CHUNK, 0, CHUNK_BYTES, null)
    if (size === 0) break
    hash.update(CHUNK.subarray(0, size))
    if (total < limit) kept.push(Buffer.from(CHUNK.subarray(0, Math.min(size, limit - total))))
    total += size
    if (total > MAX_DIGESTED_BYTES) return null // it grows while it is read
  }
  return { text: Buffer.concat(kept).toString('utf8'), digest: `sha256:${hash.digest('hex')}`, truncated: total > limit }
}

function listDirectory(path: string, limit: number): readonly string[] | null {
  try {
    const directory = opendirSync(path, { bufferSize: DIRECTORY_ENTRIES })
    try {
      const names: string[] = []
      for (let entry = directory.readSync(); entry !== null && names.length < limit; entry = directory.readSync()) names.push(entry.name)
      return names.sort()
    } finally {
      directory.closeSync()
    }
  } catch {
    return null
  }
}
