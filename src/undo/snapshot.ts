/** Files as they are, kept by their content; and put back so. Nothing here follows a link. */
import { createHash, randomBytes } from 'node:crypto'
import {
  chmodSync,
  closeSync,
  constants,
  existsSync,
  fstatSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeSync,
} from 'node:fs'
import { dirname, join } from 'node:path'

/** One name as it was. */
export interface Kept {
  readonly path: string
  readonly type: 'file' | 'directory' | 'link' | 'absent'
  /** Permission bits; 0 where there is nothing. */
  readonly mode: number
  readonly size: number
  /** SHA-256 of a file's bytes; where a link leads. Null for everything else. */
  readonly content: string | null
  /** The file itself is kept under a second name, as it was too much to copy: it holds while nobody writes into it. Absent: no. */
  readonly linked?: { readonly name: string; readonly mtimeMs: number }
}

export interface Snapshot {
  readonly entries: readonly Kept[]
  /** What is not in it, in words; empty: it is whole. */
  readonly left: readonly string[]
  readonly bytes: number
}

export interface SnapshotLimits {
  readonly maxFiles: number
  readonly maxBytes: number
}

/** `paths`: names to keep, with all that is below them. @throws where the store cannot be written to. */
export function takeSnapshot(paths: readonly string[], blobs: string, limits: SnapshotLimits): Snapshot {
  const taking = new Taking(blobs, limits)
  for (const path of [...new Set(paths)].toSorted()) taking.add(path)
  taking.sync()
  return { entries: [...taking.entries.values()], left: taking.left, bytes: taking.bytes }
}

class Taking {
  readonly entries = new Map<string, Kept>()
  readonly left: string[] = []
  bytes = 0
  readonly #blobs: string
  readonly #limits: SnapshotLimits
  readonly #written: number[] = []

  constructor(blobs: string, limits: SnapshotLimits) {
    this.#blobs = blobs
    this.#limits = limits
  }

  add(path: string): void {
    if (this.entries.has(path)) return
    if (this.entries.size >= this.#limits.maxFiles) {
      if (!this.left.some((text) => text.startsWith('more than'))) this.left.push(`more than ${this.#limits.maxFiles} files`)
      return
    }
    const stat = lstatSync(path, { throwIfNoEntry: false })
    const mode = stat === undefined ? 0 : stat.mode & 0o7777
    if (stat === undefined) this.#absent(topmostMissing(path))
    else if (stat.isSymbolicLink()) this.entries.set(path, { path, type: 'link', mode: 0, size: 0, content: readlinkSync(path) })
    else if (stat.isDirectory()) this.#directory(path, mode)
    else if (stat.isFile()) this.#file(path, mode)
    else this.left.push(`${path} is no file`)
  }

  #absent(path: string): void {
    this.entries.set(path, { path, type: 'absent', mode: 0, size: 0, content: null })
  }

  #directory(path: string, mode: number): void {
    this.entries.set(path, { path, type: 'directory', mode, size: 0, content: null })
    for (const name of readdirSync(path).toSorted()) this.add(join(path, name))
  }

  #file(path: string, mode: number): void {
    let file: number
    try {
      file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    } catch {
      this.left.push(`${path} cannot be read`)
      return
    }
    try {
      const { size, mtimeMs } = fstatSync(file)
      if (this.bytes + size > this.#limits.maxBytes) {
        this.#link(path, { path, type: 'file', mode, size, content: null }, mtimeMs)
        return
      }
      this.bytes += size
      this.entries.set(path, { path, type: 'file', mode, size, content: this.#copy(file, size) })
    } finally {
      closeSync(file)
    }
  }

  /** Too much to be copied: a second name keeps the file from being deleted with the first. */
  #link(path: string, entry: Kept, mtimeMs: number): void {
    const name = `link-${randomBytes(12).toString('hex')}`
    try {
      linkSync(path, join(this.#blobs, name))
      this.entries.set(path, { ...entry, linked: { name, mtimeMs } })
    } catch {
      this.left.push(`${path} is too large`)
    }
  }

  #copy(file: number, size: number): string {
    const sum = createHash('sha256')
    const temporary = join(this.#blobs, `new-${randomBytes(12).toString('hex')}`)
    const out = openSync(temporary, 'wx', 0o600)
    const chunk = Buffer.allocUnsafe(Math.min(Math.max(size, 1) + 1, 1 << 20))
    for (;;) {
      const count = readSync(file, chunk, 0, chunk.length, null)
      if (count === 0) break
      sum.update(chunk.subarray(0, count))
      for (let at = 0; at < count; ) at += writeSync(out, chunk, at, count - at)
    }
    const content = sum.digest('hex')
    const name = join(this.#blobs, content)
    if (existsSync(name)) unlinkSync(temporary)
    else renameSync(temporary, name)
    this.#written.push(out)
    if (this.#written.length >= 256) this.sync()
    return content
  }

  /** What was copied is on the disk before the call runs. */
  sync(): void {
    for (const file of this.#written.splice(0)) {
      fsyncSync(file)
      closeSync(file)
    }
  }
}

/** Directories that a call makes on the way to a file go with it. */
function topmostMissing(path: string): string {
  let at = path
  while (dirname(at) !== at && lstatSync(dirname(at), { throwIfNoEntry: false }) === undefined) at = dirname(at)
  return at
}

/** What differs now from what was kept, as lines for people; empty: nothing does. */
export function differences(entries: readonly Kept[]): readonly string[] {
  return entries.flatMap((entry) => {
    const stat = lstatSync(entry.path, { throwIfNoEntry: false })
    if (entry.type === 'absent') return stat === undefined ? [] : [`delete ${entry.path}`]
    if (stat === undefined) return [`bring back ${entry.path}`]
    return isAsKept(entry) ? [] : [`restore ${entry.path}`]
  })
}

function isAsKept(entry: Kept): boolean {
  const stat = lstatSync(entry.path, { throwIfNoEntry: false })
  if (stat === undefined) return entry.type === 'absent'
  switch (entry.type) {
    case 'absent':
      return false
    case 'directory':
      return stat.isDirectory() && (stat.mode & 0o7777) === entry.mode
    case 'link':
      return stat.isSymbolicLink() && readlinkSync(entry.path) === entry.content
    case 'file':
      if (!stat.isFile() || (stat.mode & 0o7777) !== entry.mode || stat.size !== entry.size) return false
      return entry.linked === undefined ? digestOf(entry.path) === entry.content : stat.mtimeMs === entry.linked.mtimeMs
  }
}

/** Names that could not be put back, each with the reason; empty: all are. */
export function restore(entries: readonly Kept[], blobs: string): readonly string[] {
  const problems: string[] = []
  const attempt = (entry: Kept, work: () => void): void => {
    try {
      work()
    } catch (error) {
      problems.push(`${entry.path}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  const ordered = entries.toSorted((a, b) => (a.path < b.path ? -1 : 1))
  for (const entry of ordered.toReversed()) if (entry.type === 'absent') attempt(entry, () => remove(entry.path))
  for (const entry of ordered) if (entry.type !== 'absent' && !isAsKept(entry)) attempt(entry, () => put(entry, blobs))
  // Last and from below: a directory may be one that cannot be written to.
  for (const entry of ordered.toReversed()) if (entry.type === 'directory') attempt(entry, () => chmodSync(entry.path, entry.mode))
  return problems
}

function remove(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) rmSync(path, { recursive: true })
}

function put(entry: Kept, blobs: string): void {
  const stat = lstatSync(entry.path, { throwIfNoEntry: false })
  mkdirSync(dirname(entry.path), { recursive: true })
  if (entry.type === 'directory') {
    if (stat !== undefined && !stat.isDirectory()) rmSync(entry.path)
    mkdirSync(entry.path, { recursive: true })
    chmodSync(entry.path, entry.mode | 0o700)
    return
  }
  if (stat?.isDirectory() === true) rmSync(entry.path, { recursive: true })
  const beside = join(dirname(entry.path), `.countersign-undo-${randomBytes(6).toString('hex')}`)
  if (entry.type === 'link') symlinkSync(entry.content ?? '', beside)
  else if (entry.linked === undefined) copyBack(join(blobs, entry.content ?? ''), beside, entry)
  else linkBack(join(blobs, entry.linked.name), beside, entry)
  renameSync(beside, entry.path)
}

/** @throws where the kept content is not what was kept. */
function copyBack(blob: string, to: string, { mode, content }: Kept): void {
  if (digestOf(blob) !== content) throw new Error('what was kept of it is damaged')
  const [from, out] = [openSync(blob, 'r'), openSync(to, 'wx', 0o600)]
  const chunk = Buffer.allocUnsafe(1 << 20)
  try {
    for (;;) {
      const count = readSync(from, chunk, 0, chunk.length, null)
      if (count === 0) break
      for (let at = 0; at < count; ) at += writeSync(out, chunk, at, count - at)
    }
  } finally {
    closeSync(from)
    closeSync(out)
  }
  chmodSync(to, mode)
}

function linkBack(blob: string, to: string, { mode, size, linked }: Kept): void {
  const { size: now, mtimeMs } = lstatSync(blob)
  if (now !== size || mtimeMs !== linked?.mtimeMs) throw new Error('it was too large to be copied, and was written to since')
  linkSync(blob, to)
  chmodSync(to, mode)
}

function digestOf(path: string): string | null {
  let file: number
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch {
    return null
  }
  const sum = createHash('sha256')
  const chunk = Buffer.allocUnsafe(1 << 16)
  try {
    for (;;) {
      const count = readSync(file, chunk, 0, chunk.length, null)
      if (count === 0) return sum.digest('hex')
      sum.update(chunk.subarray(0, count))
    }
  } catch {
    return null
  } finally {
    closeSync(file)
  }
}
