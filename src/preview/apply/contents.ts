/**
 * Where the changes that previews showed are kept until people answered: contents by their digest, beside one list for each preview. In the
 * gate's own directory, which agents cannot reach. A list is known by its digest alone, which a signed approval names, so nobody puts another
 * one in its place; contents are compared with their digest again before they are used.
 */
import { createHash, hash, randomBytes } from 'node:crypto'
import {
  closeSync,
  constants,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  readSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import type { KeptChanges } from '../../core/preview.ts'
import type { ApplySection } from '../../policy/preview/model.ts'
import type { Change, Entry } from '../../sandbox/changes.ts'
import { isInside } from '../../sandbox/private.ts'
import { journalsIn, type KeptChange, type Standing } from './change.ts'

export interface ContentStore {
  /** Directory of contents. */
  readonly blobs: string
  /** Directory of what is being made right now. */
  readonly journals: string
  readonly begin: (section: ApplySection) => Keeping
  /** Null where it is gone, or is not what the digest is of. */
  readonly read: (digest: string) => readonly KeptChange[] | null
  /** Forgets what nobody asked for within `lifeMs`, and the oldest while there is more than `totalBytes`. */
  readonly collect: (now: number, limits: { readonly lifeMs: number; readonly totalBytes: number }) => void
}

/** What is kept of one preview. */
export interface Keeping {
  /** While the file can be read at `source`. */
  readonly file: (change: Change, source: string) => void
  /** The content of one file, where nothing was run. */
  readonly text: (text: string) => void
  /** Where a change could not be kept, nothing of it is offered. */
  readonly finish: (changes: readonly Change[], places: readonly string[]) => KeptChanges
}

export function openContents(home: string): ContentStore {
  const directory = join(home, 'previews')
  const [blobs, lists, journals] = [join(directory, 'contents'), join(directory, 'lists'), journalsIn(home)]
  for (const each of [blobs, lists, journals]) mkdirSync(each, { recursive: true, mode: 0o700 })
  const at: Places = { blobs, lists }
  return {
    blobs,
    journals,
    begin: (section) => new OnePreview(at, section),
    read: (digest) => {
      const name = /^sha256:([0-9a-f]{64})$/.exec(digest)?.[1]
      const text = name === undefined ? null : textAt(join(lists, name))
      return text === null || hash('sha256', text) !== name ? null : (JSON.parse(text) as readonly KeptChange[])
    },
    collect: (now, limits) => collect(at, now, limits),
  }
}

interface Places {
  readonly blobs: string
  readonly lists: string
}

class OnePreview implements Keeping {
  readonly #at: Places
  readonly #section: ApplySection
  readonly #held = new Set<string>()
  #bytes = 0
  #problem: string | null = null

  constructor(at: Places, section: ApplySection) {
    this.#at = at
    this.#section = section
  }

  readonly file = ({ after, path }: Change, source: string): void => {
    if (after?.type !== 'file' || this.#problem !== null) return
    if (!this.#hasRoom(after.size)) return
    const bytes = bytesAt(source, after.size)
    if (bytes === null || `sha256:${hash('sha256', bytes)}` !== after.digest) this.#problem = `${path} could not be kept`
    else this.#keep(after.digest.slice(7), bytes)
  }

  text(text: string): void {
    const bytes = Buffer.from(text, 'utf8')
    if (this.#hasRoom(bytes.length)) this.#keep(hash('sha256', bytes), bytes)
  }

  #hasRoom(size: number): boolean {
    this.#bytes += size
    if (this.#bytes <= this.#section.maxBytes) return true
    this.#problem ??= `it leaves more than ${this.#section.maxBytes >> 20} MiB`
    return false
  }

  #keep(name: string, bytes: Buffer): void {
    this.#held.add(name)
    keepAt(join(this.#at.blobs, name), bytes)
  }

  finish(changes: readonly Change[], places: readonly string[]): KeptChanges {
    const made = changes.map((change) => keptOf(change, places))
    const unfit = this.#problem ?? made.find((each) => typeof each === 'string') ?? null
    if (typeof unfit === 'string') return { problem: unfit }
    if (changes.length === 0) return { problem: 'it changes no file' }
    if (changes.length > this.#section.maxFiles) return { problem: `it changes more than ${this.#section.maxFiles} names` }
    const kept = made.filter((each): each is KeptChange => typeof each !== 'string')
    const missing = kept.find(({ after }) => after?.type === 'file' && !this.#held.has(after.content))
    if (missing !== undefined) return { problem: `${missing.path} could not be kept` }
    const text = JSON.stringify(kept)
    const name = hash('sha256', text)
    keepAt(join(this.#at.lists, name), Buffer.from(text, 'utf8'))
    return { digest: `sha256:${name}`, files: kept.length, bytes: this.#bytes }
  }
}

/** Why a change cannot be made again from outside of the sandbox, or the change as it is kept. */
function keptOf({ path, before, after }: Change, places: readonly string[]): KeptChange | string {
  const place = places.find((each) => isInside(path, each) && path !== each)
  if (place === undefined) return `${path} does not lie where the call works`
  const [was, is] = [standingOf(before), standingOf(after)]
  if (was === undefined || is === undefined) return `${path} is no file that can be kept`
  if (before?.type === 'file' && before.names > 1) return `${path} has other names (hard links)`
  if (after?.type === 'file' && after.names > 1) return `${path} gets other names (hard links)`
  // The bytes alone would be made, and an access control list would be gone with the rest of them.
  if ([before, after].some((entry) => entry?.attributes !== undefined)) return `${path} has extended attributes`
  // A program with the rights of its owner is not made by a copy of its bytes.
  if (is !== null && is.type === 'file' && (is.mode & 0o6000) !== 0) return `${path} would run with the rights of its owner`
  return { path, place, before: was, after: is }
}

/** Undefined: it is no plain name, or was not read whole. */
function standingOf(entry: Entry | null): Standing | null | undefined {
  if (entry === null) return null
  const { type, mode, digest } = entry
  if (type === 'directory') return { type, mode, content: '' }
  if (type === 'link' && digest !== 'link:') return { type, mode: 0, content: digest.slice(5) }
  return type === 'file' && digest.startsWith('sha256:') ? { type, mode, content: digest.slice(7) } : undefined
}

/** Follows no link, and waits for nothing that is no file. */
function openedAt(path: string): number | null {
  try {
    return openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch {
    return null
  }
}

function bytesAt(path: string, size: number): Buffer | null {
  const file = openedAt(path)
  if (file === null) return null
  try {
    const bytes = Buffer.alloc(size)
    let at = 0
    for (let count = 1; count > 0 && at < size; at += count) count = readSync(file, bytes, at, size - at, at)
    return bytes.subarray(0, at)
  } catch {
    return null
  } finally {
    closeSync(file)
  }
}

/** What is there already is marked as in use, so that whoever collects right now leaves it. */
function keepAt(path: string, bytes: Buffer): void {
  if (statSync(path, { throwIfNoEntry: false })?.size === bytes.length) {
    const now = new Date()
    utimesSync(path, now, now)
    return
  }
  const temporary = `${path}.${randomBytes(6).toString('hex')}.new`
  writeFileSync(temporary, bytes, { mode: 0o600, flag: 'wx' })
  renameSync(temporary, path)
}

function textAt(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}

function collect(
  { blobs, lists }: Places,
  now: number,
  { lifeMs, totalBytes }: { readonly lifeMs: number; readonly totalBytes: number },
): void {
  const all = [blobs, lists].flatMap((directory) =>
    readdirSync(directory).flatMap((name) => {
      const path = join(directory, name)
      const stat = lstatSync(path, { throwIfNoEntry: false })
      return stat === undefined ? [] : [{ path, at: stat.mtimeMs, size: stat.size }]
    }),
  )
  let total = 0
  for (const { path, at, size } of all.toSorted((a, b) => b.at - a.at)) {
    total += size
    if (at < now - lifeMs || total > totalBytes) rmSync(path, { force: true })
  }
}

/** What stands at a name right now. Undefined: something that is kept by nobody. */
export function standingAt(path: string): Standing | null | undefined {
  const stat = statAt(path)
  if (stat === undefined) return null
  const mode = stat.mode & 0o7777
  if (stat.isDirectory()) return { type: 'directory', mode, content: '' }
  if (stat.isSymbolicLink()) return { type: 'link', mode: 0, content: linkAt(path) }
  const content = stat.isFile() ? digestAt(path) : null
  return content === null ? undefined : { type: 'file', mode, content }
}

/** Undefined, too, where a directory on the way there is none. */
function statAt(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return undefined
    throw error
  }
}

function linkAt(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return ''
  }
}

const CHUNK = Buffer.allocUnsafe(1 << 16)

function digestAt(path: string): string | null {
  const file = openedAt(path)
  if (file === null) return null
  try {
    const sum = createHash('sha256')
    for (;;) {
      const count = readSync(file, CHUNK, 0, CHUNK.length, null)
      if (count === 0) return sum.digest('hex')
      sum.update(CHUNK.subarray(0, count))
    }
  } catch {
    return null
  } finally {
    closeSync(file)
  }
}
