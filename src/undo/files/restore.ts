/** Putting back what was kept. Nothing here follows a link, not in the directories of a name either. */
import { createHash } from 'node:crypto'
import {
  chmodSync,
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  lchownSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { type AttributeAccess, modeWithoutList } from '../attributes.ts'
import { nameOf, openSealed, type SealedReader, type Vault, writeAll } from '../sealed.ts'
import { attributesNow, digestOf, hasAttributes, isAsKept } from './differs.ts'
import { type Keeping, type Kept, standsAt, turns } from './kept.ts'

/** Names that could not be put back, each with the reason; empty: all are. */
export async function restore(entries: readonly Kept[], keeping: Keeping): Promise<readonly string[]> {
  const restoring = new Restoring(keeping)
  try {
    return await restoring.all(entries)
  } finally {
    restoring.close()
  }
}

/** A file with the content that it had. */
interface Ready {
  readonly entry: Kept
  /** Where it stands for now; null: under its name, as that is one of several names of the file. */
  readonly beside: string | null
}

/** Files that wait for their attributes together. */
const BATCH = 256

class Restoring {
  readonly #vault: Vault
  readonly #access: AttributeAccess
  readonly #packs = new Map<string, SealedReader>()
  readonly #problems: string[] = []
  readonly #turn = turns()
  /** Directories that are known to be no links, nor to lie below one. */
  readonly #real = new Set<string>()
  /** Directories that their owner could not write to, with the permissions that they get back. */
  readonly #unlocked = new Map<string, number>()

  constructor({ vault, access }: Keeping) {
    this.#vault = vault
    this.#access = access
  }

  async all(entries: readonly Kept[]): Promise<readonly string[]> {
    const ordered = entries.toSorted((a, b) => (a.path < b.path ? -1 : 1))
    const absent = ordered.filter(({ type }) => type === 'absent').toReversed()
    await this.#each(absent, ({ path }) => this.#remove(path))
    const present = ordered.filter(({ type }) => type !== 'absent')
    for (let from = 0; from < present.length; from += BATCH) await this.#batch(present.slice(from, from + BATCH))
    // Last and from below: a directory may be one that cannot be written to.
    await this.#directories(ordered.filter(({ type }) => type === 'directory').toReversed())
    for (const [path, mode] of this.#unlocked) chmodSync(path, mode)
    return this.#problems
  }

  async #each<T extends Kept | Ready>(some: readonly T[], work: (one: T) => void): Promise<void> {
    for (const one of some) {
      await this.#turn()
      try {
        work(one)
      } catch (error) {
        this.#problem('entry' in one ? one.entry : one, error instanceof Error ? error.message : String(error))
      }
    }
  }

  #problem({ path }: Kept, reason: string): void {
    this.#problems.push(`${path}: ${reason}`)
  }

  async #batch(some: readonly Kept[]): Promise<void> {
    const now = await attributesNow(some, this.#access)
    const ready: Ready[] = []
    await this.#each(some, (entry) => {
      if (isAsKept(entry) && hasAttributes(entry, now)) rmSync(this.#beside(entry), { force: true })
      else ready.push(...this.#put(entry))
    })
    const lost = await this.#give(ready.map(({ entry, beside }) => [entry, beside ?? entry.path]))
    await this.#each(ready, ({ entry, beside }) => this.#finish(entry, beside ?? entry.path, lost.has(entry)))
  }

  /** Those whose attributes could not be put back. */
  async #give(files: readonly (readonly [entry: Kept, at: string])[]): Promise<ReadonlySet<Kept>> {
    const all = files.flatMap(([entry, path]) => {
      const stat = lstatSync(path, { throwIfNoEntry: false, bigint: true })
      return entry.attributes === undefined || stat === undefined
        ? []
        : [{ entry, path, id: `${stat.dev}:${stat.ino}`, attributes: entry.attributes }]
    })
    const reasons = await this.#access.write(all)
    return new Set(
      all.flatMap(({ entry }, index) => {
        const reason = reasons[index] ?? null
        if (reason !== null) this.#problem(entry, `its extended attributes could not be put back: ${reason}`)
        return reason === null ? [] : [entry]
      }),
    )
  }

  /** Permissions are the last that a file gets before its name: what was set before may have taken some of them. */
  #finish(entry: Kept, at: string, lost: boolean): void {
    const { path, attributes = [] } = entry
    try {
      chmodSync(at, this.#ownModes(entry, at, lost ? modeWithoutList(entry.mode, attributes) : entry.mode))
      if (at === path) return
      if (standsAt(path)?.isDirectory() === true) rmSync(path, { recursive: true })
      renameSync(at, path)
    } finally {
      if (at !== path) rmSync(at, { force: true })
    }
  }

  /** A program that runs as its owner does so for the owner that it had, or not at all. */
  #ownModes({ type, path, owner }: Kept, at: string, mode: number): number {
    if (type !== 'file' || (mode & 0o6000) === 0) return mode
    const { uid, gid } = lstatSync(at)
    if (owner?.[0] === uid && owner[1] === gid) return mode
    if (owner === undefined) this.#problems.push(`${path}: whose it was is not known, so it does not run as its owner`)
    return mode & ~0o6000
  }

  #owned(entry: Kept, at: string): void {
    const { owner } = entry
    if (owner === undefined) return
    const { uid, gid } = lstatSync(at)
    if (uid === owner[0] && gid === owner[1]) return
    try {
      lchownSync(at, ...owner)
    } catch {
      this.#problem(entry, `it belonged to user ${owner[0]} and group ${owner[1]}, and belongs to user ${uid} and group ${gid} now`)
    }
  }

  async #directories(all: readonly Kept[]): Promise<void> {
    const now = await attributesNow(all, this.#access)
    const [here, other]: [Kept[], Kept[]] = [[], []]
    await this.#each(all, (entry) => {
      this.#hold(dirname(entry.path))
      if (!lstatSync(entry.path).isDirectory()) return
      here.push(entry)
      this.#owned(entry, entry.path)
      if (hasAttributes(entry, now)) return
      chmodSync(entry.path, entry.mode | 0o700)
      other.push(entry)
    })
    const lost = await this.#give(other.map((entry) => [entry, entry.path]))
    await this.#each(here, (entry) => {
      const { path, mode, attributes = [] } = entry
      const wanted = lost.has(entry) ? modeWithoutList(mode, attributes) : mode
      if ((lstatSync(path).mode & 0o7777) !== wanted) chmodSync(path, wanted)
      this.#unlocked.delete(path)
    })
  }

  /** The same for every attempt to put back the same name, so that what one left that was ended is gone after the next. */
  #beside({ path }: Kept): string {
    return join(dirname(path), `.countersign-undo-${nameOf(this.#vault, path).slice(0, 16)}`)
  }

  #remove(path: string): void {
    if (standsAt(path) === undefined) return
    this.#hold(dirname(path))
    rmSync(path, { recursive: true })
  }

  /** @throws where a directory of the name was replaced by a link since: what is put back would land somewhere else. */
  #hold(directory: string): void {
    if (this.#real.has(directory)) return
    let at = directory
    while (!existsSync(at) && lstatSync(at, { throwIfNoEntry: false }) === undefined) at = dirname(at)
    if (realpathSync(at) !== at) throw new Error(`its directory ${at} is a link now, or lies below one`)
    mkdirSync(directory, { recursive: true })
    this.#unlock(directory)
    this.#real.add(directory)
  }

  #unlock(directory: string): void {
    const { mode, uid } = lstatSync(directory)
    if ((mode & 0o300) === 0o300 || uid !== process.getuid?.()) return
    chmodSync(directory, (mode & 0o7777) | 0o700)
    this.#unlocked.set(directory, mode & 0o7777)
  }

  /** Those that still need attributes and permissions. */
  #put(entry: Kept): readonly Ready[] {
    const { path } = entry
    this.#hold(dirname(path))
    rmSync(this.#beside(entry), { force: true, recursive: true })
    const stat = lstatSync(path, { throwIfNoEntry: false })
    const isDirectory = stat?.isDirectory() === true
    if (entry.type === 'directory') this.#directory(entry, stat !== undefined && !isDirectory)
    else if (stat === undefined && entry.linked !== undefined) this.#linkBack(path, entry)
    else if (this.#nameAgain(entry, isDirectory)) return [this.#open(entry)]
    else if (entry.type === 'file' && entry.linked === undefined) return [this.#content(entry)]
    else this.#over(entry, isDirectory)
    return []
  }

  /** Under its name already. Its attributes can be set by whoever may write to it. */
  #open(entry: Kept): Ready {
    this.#owned(entry, entry.path)
    if ((entry.mode & 0o600) !== 0o600) chmodSync(entry.path, entry.mode | 0o600)
    return { entry, beside: null }
  }

  /**
   * Makes it a name of the same file again, where that still has what it had: taking back what was done through one of its names then reaches all of
   * them. False where it has not: nothing is written into the other names.
   */
  #nameAgain(entry: Kept, directory: boolean): boolean {
    const { path, twin, shared, content, mode } = entry
    if (twin === undefined || shared === undefined) return false
    const kept = join(this.#vault.directory, twin)
    const is = lstatSync(kept, { throwIfNoEntry: false })
    if (is === undefined || is.dev !== shared.dev || is.ino !== shared.ino) return false
    if ((is.mode & 0o7777) !== mode || digestOf(kept) !== content) return false
    if (directory) rmSync(path, { recursive: true })
    const beside = this.#beside(entry)
    linkSync(kept, beside)
    renameSync(beside, path)
    rmSync(beside, { force: true })
    return true
  }

  #directory({ path, mode }: Kept, other: boolean): void {
    if (other) rmSync(path)
    mkdirSync(path, { recursive: true })
    chmodSync(path, mode | 0o700)
  }

  /** A link, or a file that is kept by a second name. Whole or not at all. */
  #over(entry: Kept, isDirectory: boolean): void {
    const beside = this.#beside(entry)
    if (entry.type === 'link') symlinkSync(entry.content ?? '', beside)
    else this.#linkBack(beside, entry)
    try {
      if (entry.type === 'link') this.#owned(entry, beside)
      if (isDirectory) rmSync(entry.path, { recursive: true })
      renameSync(beside, entry.path)
    } finally {
      rmSync(beside, { force: true })
    }
  }

  /** Whole, beside its name; in the file itself where that has other names. */
  #content(entry: Kept): Ready {
    const beside = this.#beside(entry)
    try {
      this.#copyBack(beside, entry)
      if (isStillShared(entry)) {
        inPlace(beside, entry)
        return this.#open(entry)
      }
      this.#owned(entry, beside)
      return { entry, beside }
    } catch (error) {
      rmSync(beside, { force: true })
      throw error
    }
  }

  /** @throws where the kept content is not what was kept; then nothing is under the name yet. */
  #copyBack(to: string, { size, content, pack }: Kept): void {
    const from = this.#reader(pack?.name ?? nameOf(this.#vault, content ?? ''))
    const out = openSync(to, 'wx', 0o600)
    const sum = createHash('sha256')
    try {
      for (let at = 0; at < size; ) {
        const piece = from.read((pack?.at ?? 0) + at, size - at)
        if (piece.length === 0) break
        sum.update(piece)
        writeAll(out, piece)
        at += piece.length
      }
    } finally {
      closeSync(out)
    }
    if (sum.digest('hex') !== content) throw new Error('what was kept of it is damaged')
  }

  #reader(name: string): SealedReader {
    const known = this.#packs.get(name)
    if (known !== undefined) return known
    if (this.#packs.size >= MAX_OPEN) this.close()
    const reader = openSealed(this.#vault, name)
    this.#packs.set(name, reader)
    return reader
  }

  #linkBack(to: string, { mode, size, linked }: Kept): void {
    const kept = join(this.#vault.directory, linked?.name ?? '')
    const { size: now, mtimeMs, mode: is } = lstatSync(kept)
    if (now !== size || mtimeMs !== linked?.mtimeMs) throw new Error('it was too much to be copied, and was written to since')
    linkSync(kept, to)
    if ((is & 0o7777) !== mode) chmodSync(to, mode)
  }

  close(): void {
    for (const { file } of this.#packs.values()) closeSync(file)
    this.#packs.clear()
  }
}

const MAX_OPEN = 64

/** True where the name still is the file that has other names: they get back what was written through this one. */
function isStillShared({ path, shared }: Kept): boolean {
  const stat = lstatSync(path, { throwIfNoEntry: false })
  return stat?.isFile() === true && stat.nlink > 1 && stat.dev === shared?.dev && stat.ino === shared.ino
}

/** From a copy that is whole; after a crash in here the capture still has the content. */
function inPlace(copy: string, { path, mode }: Kept): void {
  chmodSync(path, mode | 0o200)
  const from = openSync(copy, constants.O_RDONLY | constants.O_NOFOLLOW)
  try {
    const out = openSync(path, constants.O_WRONLY | constants.O_TRUNC | constants.O_NOFOLLOW)
    try {
      for (let count = 1; count > 0; ) {
        count = readSync(from, shared, 0, shared.length, null)
        writeAll(out, shared.subarray(0, count))
      }
      fchmodSync(out, mode)
    } finally {
      closeSync(out)
    }
  } finally {
    closeSync(from)
  }
  rmSync(copy)
}

const shared = Buffer.allocUnsafe(1 << 16)
