/** The real View: kernel-true paths, bounded reads, git's files, allow-listed environment. Reads only, each thing once. */
import { createHash } from 'node:crypto'
import { closeSync, constants, fstatSync, lstatSync, opendirSync, openSync, readlinkSync, readSync, realpathSync, statSync } from 'node:fs'
import { homedir, tmpdir, userInfo } from 'node:os'
import type { FileAnswer, PathAnswer, View } from '../facts/view.ts'
import { isAllowedVariable } from './environment.ts'
import { readRepository } from './gitfiles.ts'
import { bounded, lookedUp, Memory } from './memory.ts'
import { type Entry, walkPath } from './walk.ts'

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
  /** Addresses by host name, looked up for this call. Default: no name was looked up. */
  readonly hosts?: ReadonlyMap<string, readonly string[]> | undefined
  /** Environment of the agent; default: this process's. */
  readonly environment?: Readonly<Record<string, string | undefined>>
}

/** A file larger than this is not read at all: its digest would cost more than a decision may take. */
const MAX_DIGESTED_BYTES = 32 * 1024 * 1024
const CHUNK_BYTES = 64 * 1024
const GIT_FILE_BYTES = 256 * 1024

/** A View of this machine. Never throws: what cannot be read is answered as missing or null. */
export function createNodeView(options: NodeViewOptions): View {
  const memory = new Memory()
  const environment = options.environment ?? process.env
  const home = resolvePath(options.home ?? homedir()).real
  const user = options.user === undefined ? currentUser() : options.user
  const cwd = options.cwd === null ? null : resolvePath(options.cwd).real
  const text = (path: string): string | null => readFile(path, GIT_FILE_BYTES)?.text ?? null
  return {
    home,
    user,
    cwd,
    roots: options.roots?.map((root) => resolvePath(root).real) ?? defaultRoots(cwd, home, text),
    temporary: temporaryDirectories(environment),
    gate: (options.gate ?? []).map((place) => resolvePath(place).real),
    realpath: (path) => memory.once('realpath', path, () => resolvePath(path)),
    read: (path, limit) => memory.once('read', bounded(path, limit), () => readFile(path, limit)),
    env: (name) => memory.once('env', name, () => variable(name, { environment, home, user, cwd })),
    list: (path, limit) => memory.once('list', bounded(path, limit), () => listDirectory(path, limit)),
    git: (path) => memory.once('git', path, () => readRepository(path, resolvePath, text)),
    ...lookedUp(options.hosts, memory),
    answers: () => memory.recorded(),
  }
}

interface Known {
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly home: string
  readonly user: string | null
  readonly cwd: string | null
}

function variable(name: string, known: Known): string | null {
  if (name === 'HOME') return known.home
  if (name === 'PWD') return known.cwd
  if (name === 'USER' || name === 'LOGNAME') return known.user
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

function defaultRoots(cwd: string | null, home: string, text: (path: string) => string | null): readonly string[] {
  if (cwd === null) return []
  const top = readRepository(cwd, resolvePath, text)?.top
  const root = top === undefined || top === '/' || top === home ? cwd : top
  return root === '/' || root === home ? [] : [root]
}

function temporaryDirectories(environment: Known['environment']): readonly string[] {
  const named = ['/tmp', '/var/tmp', '/dev/shm', environment.TMPDIR, tmpdir()]
  const real = named.filter((path) => path?.startsWith('/')).map((path) => resolvePath(path ?? '/').real)
  return [...new Set(real)].filter((path) => path !== '/')
}

function resolvePath(path: string): PathAnswer {
  const absolute = path.startsWith('/') ? path : `/${path}`
  if (absolute.includes('\0')) return { real: absolute, type: 'missing', links: 1 }
  const walked = walkPath(absolute, probe)
  const real = nativeCase(walked.existing, walked.real)
  const links = walked.kind === 'file' ? linkCount(real) : 1
  return { real, type: walked.kind, links }
}

/** On a file system that folds case, the directory's own spelling; elsewhere the same path again. */
function nativeCase(existing: string, real: string): string {
  try {
    const native = realpathSync.native(existing)
    const rest = real.slice(existing === '/' ? 0 : existing.length)
    return native === '/' ? rest || '/' : `${native}${rest === '/' ? '' : rest}`
  } catch {
    return real
  }
}

function probe(path: string): Entry {
  try {
    const stat = lstatSync(path, { throwIfNoEntry: false })
    if (stat === undefined) return { kind: 'missing' }
    if (stat.isSymbolicLink()) return { kind: 'link', to: linkTarget(path) }
    return { kind: stat.isFile() ? 'file' : stat.isDirectory() ? 'directory' : 'other' }
  } catch {
    return { kind: 'missing' } // no permission, name too long: nothing that could be opened either
  }
}

/** The magic links of /proc point at open files, not at names; only the kernel can follow them. */
function linkTarget(path: string): string {
  const to = readlinkSync(path)
  return path.startsWith('/proc/') && !to.startsWith('/') ? path : to
}

function linkCount(path: string): number {
  try {
    return statSync(path).nlink
  } catch {
    return 1
  }
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

function digestAndKeep(descriptor: number, limit: number): FileAnswer | null {
  const hash = createHash('sha256')
  const kept: Buffer[] = []
  let total = 0
  for (;;) {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES)
    const size = readSync(descriptor, chunk, 0, CHUNK_BYTES, null)
    if (size === 0) break
    hash.update(chunk.subarray(0, size))
    if (total < limit) kept.push(chunk.subarray(0, Math.min(size, limit - total)))
    total += size
    if (total > MAX_DIGESTED_BYTES) return null // it grows while it is read
  }
  return { text: Buffer.concat(kept).toString('utf8'), digest: `sha256:${hash.digest('hex')}`, truncated: total > limit }
}

function listDirectory(path: string, limit: number): readonly string[] | null {
  try {
    const directory = opendirSync(path)
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
