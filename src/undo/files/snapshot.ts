/** Files as they are, kept by their content or under a second name. Nothing here follows a link. */
import { type Dirent, lstatSync, readdirSync, readlinkSync, type Stats } from 'node:fs'
import { dirname, join } from 'node:path'
import { Contents } from './contents.ts'
import { type FileId, type Keeping, type Kept, ownerIn, type Snapshot, type SnapshotLimits, standsAt, turns, type Wanted } from './kept.ts'

/** Where a call deletes more files than this, they get a second name and are not copied: a copy of them would take too long. */
const LINKED_ABOVE = 2_000

/** @throws where the store cannot be written to. */
export async function takeSnapshot(wanted: readonly Wanted[], keeping: Keeping, limits: SnapshotLimits): Promise<Snapshot> {
  const taking = new Taking(keeping, limits)
  try {
    await taking.walk(wanted)
    return await taking.finish()
  } catch (error) {
    taking.discard()
    throw error
  }
}

/** Names that only are there. */
export const written = (paths: readonly string[]): readonly Wanted[] => paths.map((path) => ({ path, goes: false }))

interface Seen {
  readonly stat: Stats
  /** True where this is the only name of the file. */
  readonly alone: boolean
}

interface File {
  readonly path: string
  readonly goes: boolean
}

class Taking {
  readonly #entries = new Map<string, Kept>()
  readonly #files = new Map<string, File>()
  readonly #left: string[] = []
  /** Of names whose attributes are to be read: the file that was looked at. */
  readonly #seen = new Map<string, Seen>()
  readonly #contents: Contents
  readonly #access: Keeping['access']
  readonly #limits: SnapshotLimits
  readonly #turn = turns()
  #bytes = 0

  constructor({ vault, access }: Keeping, limits: SnapshotLimits) {
    this.#contents = new Contents(vault)
    this.#access = access
    this.#limits = limits
  }

  /** What there is, before any of it is read. What is written to counts before what goes. */
  async walk(wanted: readonly Wanted[]): Promise<void> {
    const ordered = wanted.toSorted((a, b) => Number(a.goes) - Number(b.goes) || (a.path < b.path ? -1 : 1))
    for (const { path, goes } of ordered) await this.#one(path, goes)
  }

  async #one(path: string, goes: boolean): Promise<void> {
    if (this.#isFull(path)) return
    const stat = standsAt(path)
    if (stat === undefined) this.#put({ path: topmostMissing(path), type: 'absent', mode: 0, size: 0, content: null })
    else if (stat.isDirectory()) await this.#directory(path, goes)
    else this.#name(path, goes, stat)
  }

  async #directory(path: string, goes: boolean): Promise<void> {
    const stat = lstatSync(path)
    this.#seen.set(path, { stat, alone: false })
    this.#put({ path, type: 'directory', mode: stat.mode & 0o7777, size: 0, content: null, owner: ownerIn(stat) })
    for (const entry of this.#listed(path)) {
      const below = join(path, entry.name)
      if (this.#isFull(below)) continue
      await this.#turn()
      if (entry.isDirectory()) await this.#directory(below, goes)
      else this.#name(below, goes, entry)
    }
  }

  /** Where it may not be looked into, what is in it is left out, as a file is that may not be read. */
  #listed(path: string): readonly Dirent[] {
    try {
      return readdirSync(path, { withFileTypes: true }).toSorted((a, b) => (a.name < b.name ? -1 : 1))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EACCES') throw error
      this.#left.push(`${path} cannot be read`)
      return []
    }
  }

  #name(path: string, goes: boolean, is: { isFile(): boolean; isSymbolicLink(): boolean }): void {
    if (is.isSymbolicLink())
      this.#put({ path, type: 'link', mode: 0, size: 0, content: readlinkSync(path), owner: ownerIn(lstatSync(path)) })
    else if (is.isFile()) this.#files.set(path, { path, goes })
    else this.#left.push(`${path} is no file`)
  }

  #put(entry: Kept): void {
    this.#entries.set(entry.path, entry)
  }

  #isFull(path: string): boolean {
    if (this.#entries.has(path) || this.#files.has(path)) return true
    if (this.#entries.size + this.#files.size < this.#limits.maxFiles) return false
    const text = `more than ${this.#limits.maxFiles} files`
    if (!this.#left.includes(text)) this.#left.push(text)
    return true
  }

  async finish(): Promise<Snapshot> {
    const going = [...this.#files.values()].filter(({ goes }) => goes).length
    for (const { path, goes } of this.#files.values()) {
      await this.#turn()
      if (goes && going > LINKED_ABOVE && this.#link(path)) continue
      await this.#copy(path)
    }
    await this.#readAttributes()
    const name = await this.#contents.settle()
    const entries = [...this.#entries.values()].map((entry) =>
      entry.pack === undefined ? entry : { ...entry, pack: { name: name ?? '', at: entry.pack.at } },
    )
    return { entries, left: this.#left, bytes: this.#bytes }
  }

  async #copy(path: string): Promise<void> {
    const copied = await this.#contents.copy(path, this.#limits.maxBytes - this.#bytes)
    if (copied === 'unreadable') this.#left.push(`${path} cannot be read`)
    else if (copied !== 'large') {
      const { content, size, mode, at, shared, owner, stat } = copied
      this.#bytes += size
      const pack = at === null ? {} : { pack: { name: '', at } }
      const named = shared === null ? {} : { shared, ...this.#twin(path, shared) }
      this.#seen.set(path, { stat, alone: shared === null })
      this.#put({ path, type: 'file', mode, size, content, owner, ...pack, ...named })
    } else if (!this.#link(path)) this.#left.push(`${path} is too large`)
  }

  /** Of what is kept by a second name nothing is read: it is the file itself, with all that it has. */
  async #readAttributes(): Promise<void> {
    if (this.#access.problem() !== null || this.#seen.size === 0) return
    const names = [...this.#seen.keys()]
    const found = await this.#access.read(names)
    if (found === null) this.#left.push('extended attributes, which could not be read')
    for (const [index, has] of (found ?? []).entries()) {
      const path = names[index] ?? ''
      const entry = this.#entries.get(path)
      if (entry === undefined || !this.#isAsSeen(path)) this.#left.push(`what ${path} was: it was changed while it was kept`)
      else if (has.join().includes('\ufffd')) this.#left.push(`an extended attribute of ${path}: its name is no text`)
      else this.#put({ ...entry, attributes: has })
    }
  }

  /** The attributes that were read are those of the file whose content was read, in the state in which it was read. */
  #isAsSeen(path: string): boolean {
    const seen = this.#seen.get(path)
    const now = standsAt(path)
    if (seen === undefined || now?.ino !== seen.stat.ino || now.dev !== seen.stat.dev) return false
    // Directories change with what is in them; a second name changes the time of the file itself.
    return now.isDirectory() || (now.mtimeMs === seen.stat.mtimeMs && (!seen.alone || now.ctimeMs === seen.stat.ctimeMs))
  }

  #twin(path: string, { dev, ino }: FileId): { readonly twin?: string } {
    try {
      const { name, stat } = this.#contents.link(path)
      if (stat.dev === dev && stat.ino === ino) return { twin: name }
      this.#contents.unlink(name)
    } catch {
      // Another file system: the name comes back as a file of its own.
    }
    return {}
  }

  /** A second name keeps the file from being deleted with the first. */
  #link(path: string): boolean {
    let linked: ReturnType<Contents['link']>
    try {
      linked = this.#contents.link(path)
    } catch {
      return false
    }
    const { name, stat } = linked
    if (!stat.isFile()) {
      this.#contents.unlink(name)
      return false
    }
    const { mode, size, mtimeMs } = stat
    const owner = ownerIn(stat)
    this.#put({ path, type: 'file', mode: mode & 0o7777, size, content: null, owner, linked: { name, mtimeMs } })
    return true
  }

  discard(): void {
    this.#contents.discard()
  }
}

/** Directories that a call makes on the way to a file go with it. */
function topmostMissing(path: string): string {
  let at = path
  while (dirname(at) !== at && standsAt(dirname(at)) === undefined) at = dirname(at)
  return at
}
