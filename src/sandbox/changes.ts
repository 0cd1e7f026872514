/**
 * What a program changed, read from the layers of an overlay. A name is deleted where the lower layer has it and the merged directory
 * does not, so nothing here depends on how a kernel marks deletions. Links are never followed.
 */
import { createHash } from 'node:crypto'
import { type BigIntStats, chmodSync, closeSync, constants, lstatSync, openSync, readdirSync, readlinkSync, readSync } from 'node:fs'
import type { AttributeReader, Attributes } from './attributes.ts'

export type FileType = 'file' | 'directory' | 'link' | 'other'

/** One name in one layer. */
export interface Entry {
  readonly type: FileType
  /** Permission bits. */
  readonly mode: number
  /** Bytes of a file. */
  readonly size: number
  /** Names that the file has in all. */
  readonly names: number
  /** `sha256:…` of a file's bytes, `link:…` with where a link leads, `stat:…` where a file is too large to be read, else the type. */
  readonly digest: string
  /** A file's text, where it is UTF-8 and not too large. */
  readonly text: string | null
  /** Extended attributes. Absent: it has none, or nobody looked. */
  readonly attributes?: Attributes
}

export interface Change {
  /** Absolute, as the caller names the place. */
  readonly path: string
  readonly change: 'created' | 'changed' | 'deleted'
  readonly before: Entry | null
  readonly after: Entry | null
}

export interface ReadChanges {
  /** Changes that are told at most. */
  readonly most: number
  /** Bytes of a file that is read for its digest. */
  readonly digestBytes: number
  /** Bytes of a file whose text is kept. */
  readonly textBytes: number
  /** Called for each file that is there afterwards, while it can still be read at `source`. */
  readonly keep: (change: Change, source: string) => void
  /** Reads extended attributes; null where it cannot. */
  readonly attributes: AttributeReader['read']
}

export interface Layers {
  /** The directory as the caller names it. */
  readonly place: string
  /** Holds `lower`, `upper` and `merged`. */
  readonly root: string
}

const MEBIBYTE = 1 << 20
const DEFAULTS: ReadChanges = {
  most: 10_000,
  digestBytes: 256 * MEBIBYTE,
  textBytes: MEBIBYTE / 4,
  keep: () => {},
  attributes: async () => null,
}
/** Names whose attributes are compared. */
const MAX_TOUCHED = 20_000
/** Entries between two pauses. */
const SLICE = 64

export interface Changes {
  /** Sorted by path. */
  readonly changes: readonly Change[]
  readonly more: boolean
  /** True where names were touched whose extended attributes could not be read. */
  readonly unread: boolean
  /** Names that were touched and whose content, before or after, could not be read. */
  readonly closed: readonly string[]
}

export async function changesIn(layers: readonly Layers[], given: Partial<ReadChanges> = {}): Promise<Changes> {
  const walk = new Walk({ ...DEFAULTS, ...given })
  for (const each of layers) await walk.place(each)
  const unread = !(await walk.readAttributes())
  const changes = walk.found.toSorted((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0))
  return { changes, more: walk.more, unread, closed: walk.closed }
}

/** A name that the upper layer has. */
interface Touched {
  readonly path: string
  readonly before: Entry | null
  readonly after: Entry
  /** Where it stands now, and where it stood. */
  readonly merged: string
  readonly lower: string
}

class Walk {
  found: Change[] = []
  readonly closed: string[] = []
  readonly #touchedNames: Touched[] = []
  more = false
  readonly #options: ReadChanges
  #seen = 0

  constructor(options: ReadChanges) {
    this.#options = options
  }

  /** The directory itself may have been given other permissions. */
  async place(layers: Layers): Promise<void> {
    const source = `${layers.root}/merged`
    const [before, after] = [entryAt(`${layers.root}/lower`, this.#options), openedEntry(source, this.#options)]
    if (before !== null && after !== null && before.mode !== after.mode)
      this.#add({ path: layers.place, change: 'changed', before, after }, source)
    await this.directory(layers, '')
  }

  /** A directory that the upper layer has, and so one in which something was done. */
  async directory(layers: Layers, path: string): Promise<void> {
    const { root, place } = layers
    const merged = new Set(namesOf(`${root}/merged${path}`))
    const lower = isDirectory(`${root}/lower${path}`) ? listed(`${root}/lower${path}`) : []
    if (lower === null) this.closed.push(place + path)
    for (const name of lower ?? []) if (!merged.has(name)) await this.#deleted(layers, `${path}/${name}`)
    for (const name of namesOf(`${root}/upper${path}`)) if (merged.has(name)) await this.#touched(layers, `${path}/${name}`)
  }

  async #touched(layers: Layers, path: string): Promise<void> {
    await this.#pause()
    const source = `${layers.root}/merged${path}`
    const after = openedEntry(source, this.#options)
    if (after === null) return
    const before = entryAt(`${layers.root}/lower${path}`, this.#options)
    const replaced = before?.type === 'directory' && after.type !== 'directory'
    if (replaced) for (const name of namesOf(`${layers.root}/lower${path}`)) await this.#deleted(layers, `${path}/${name}`)
    if (this.#touchedNames.length < MAX_TOUCHED)
      this.#touchedNames.push({ path: layers.place + path, before, after, merged: source, lower: `${layers.root}/lower${path}` })
    else this.more = true
    const unreadable = before?.digest === UNREADABLE || after.digest === UNREADABLE
    if (unreadable) this.closed.push(layers.place + path)
    const same = before !== null && before.digest === after.digest && before.mode === after.mode && !unreadable
    if (!same) this.#add({ path: layers.place + path, change: before === null ? 'created' : 'changed', before, after }, source)
    if (after.type === 'directory') await this.directory(layers, path)
  }

  /** False where they could not be read. A name of which nothing else changed is a change, too. */
  async readAttributes(): Promise<boolean> {
    const touched = this.#touchedNames.filter(({ after }) => after.type === 'file' || after.type === 'directory')
    const read = await this.#options.attributes(touched.flatMap(({ merged, lower }) => [merged, lower]))
    if (read === null) return touched.length === 0
    const known = new Map(this.found.map((change) => [change.path, change]))
    for (const [index, { path, before, after }] of touched.entries()) {
      const [is = [], was = []] = [read[2 * index], before === null ? [] : read[2 * index + 1]]
      if (is.length === 0 && was.length === 0) continue
      const isSame = is.join() === was.join()
      if (isSame && !known.has(path)) continue
      const change = {
        path,
        change: before === null ? 'created' : 'changed',
        before: withAttributes(before, was),
        after: withAttributes(after, is),
      } as const
      known.set(path, change)
    }
    this.found = [...known.values()]
    return true
  }

  async #deleted(layers: Layers, path: string): Promise<void> {
    await this.#pause()
    if (this.more) return
    const source = `${layers.root}/lower${path}`
    const before = entryAt(source, this.#options)
    if (before === null) return
    this.#add({ path: layers.place + path, change: 'deleted', before, after: null }, null)
    if (before.type !== 'directory') return
    const names = listed(source)
    if (names === null) this.closed.push(layers.place + path)
    for (const name of names ?? []) await this.#deleted(layers, `${path}/${name}`)
  }

  #add(change: Change, source: string | null): void {
    if (this.found.length >= this.#options.most) {
      this.more = true
      return
    }
    this.found.push(change)
    if (source !== null) this.#options.keep(change, source)
  }

  async #pause(): Promise<void> {
    this.#seen += 1
    if (this.#seen % SLICE === 0) await new Promise((resolve) => setImmediate(resolve))
  }
}

function withAttributes<E extends Entry | null>(entry: E, extended: Attributes): E {
  return entry === null || extended.length === 0 ? entry : { ...entry, attributes: extended }
}

function namesOf(path: string): readonly string[] {
  return listed(path) ?? []
}

/** Null where the directory cannot be read. */
function listed(path: string): readonly string[] | null {
  try {
    return readdirSync(path)
  } catch {
    return null
  }
}

function isDirectory(path: string): boolean {
  return statOf(path)?.isDirectory() === true
}

function statOf(path: string): BigIntStats | undefined {
  try {
    return lstatSync(path, { bigint: true, throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

/** What stands at a name; null where nothing does. */
export function entryAt(path: string, { digestBytes, textBytes }: Pick<ReadChanges, 'digestBytes' | 'textBytes'>): Entry | null {
  const stat = statOf(path)
  if (stat === undefined) return null
  const [type, mode, size, names] = [typeOf(stat), Number(stat.mode & 0o7777n), Number(stat.size), Number(stat.nlink)]
  const told = { type, mode: type === 'link' ? 0 : mode, size: type === 'file' ? size : 0, names, text: null }
  if (type === 'link') return { ...told, digest: `link:${linkAt(path)}` }
  if (type !== 'file') return { ...told, digest: type }
  if (size > digestBytes) return { ...told, digest: `stat:${size}:${stat.mtimeNs}` }
  return { ...told, ...contentOf(path, size <= textBytes) }
}

/** What its owner needs to read a name. */
const OWN_ACCESS: Readonly<Partial<Record<FileType, number>>> = { file: 0o400, directory: 0o500 }

/**
 * What a program left at a name. It may have left it so that not even its owner can read it, and without root's rights that would hide what is in
 * it: then it is opened for the owner. Only a layer that ends with the trial is changed, and what is told are the permissions that the program left.
 */
export function openedEntry(path: string, options: Pick<ReadChanges, 'digestBytes' | 'textBytes'>): Entry | null {
  const stat = statOf(path)
  if (stat === undefined) return null
  const [mode, needed] = [Number(stat.mode & 0o7777n), OWN_ACCESS[typeOf(stat)] ?? 0]
  if ((mode & needed) !== needed) {
    try {
      chmodSync(path, mode | needed)
    } catch {
      // It is told as unreadable.
    }
  }
  const entry = entryAt(path, options)
  return entry === null ? null : { ...entry, mode: entry.type === 'link' ? 0 : mode }
}

function typeOf(stat: BigIntStats): FileType {
  if (stat.isFile()) return 'file'
  if (stat.isDirectory()) return 'directory'
  return stat.isSymbolicLink() ? 'link' : 'other'
}

function linkAt(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return ''
  }
}

const CHUNK = Buffer.alloc(MEBIBYTE)

/** Instead of a digest where a file cannot be read. It never counts as unchanged content. */
export const UNREADABLE = 'unreadable'

function contentOf(path: string, keep: boolean): { readonly digest: string; readonly text: string | null } {
  let file: number
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch {
    return { digest: UNREADABLE, text: null }
  }
  try {
    const sum = createHash('sha256')
    const parts: Buffer[] = []
    for (;;) {
      const count = readSync(file, CHUNK, 0, CHUNK.length, null)
      if (count === 0) break
      sum.update(CHUNK.subarray(0, count))
      if (keep) parts.push(Buffer.from(CHUNK.subarray(0, count)))
    }
    return { digest: `sha256:${sum.digest('hex')}`, text: keep ? textOf(Buffer.concat(parts)) : null }
  } catch {
    return { digest: UNREADABLE, text: null }
  } finally {
    closeSync(file)
  }
}

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function textOf(bytes: Buffer): string | null {
  if (bytes.includes(0)) return null
  try {
    return UTF8.decode(bytes)
  } catch {
    return null
  }
}
