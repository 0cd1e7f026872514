/** What differs from what was kept, and putting it back. Nothing here follows a link, not in the directories of a name either. */
import { createHash, randomBytes } from 'node:crypto'
import {
  chmodSync,
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readlinkSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { dirname, join } from 'node:path'

import { nameOf, openSealed, type SealedReader, type Vault, writeAll } from '../sealed.ts'
import { type Kept, standsAt, turns } from './kept.ts'

/** Lines for people; empty: nothing differs. */
export function differences(entries: readonly Kept[]): readonly string[] {
  return entries.flatMap((entry) => {
    const stat = standsAt(entry.path)
    if (entry.type === 'absent') return stat === undefined ? [] : [`delete ${entry.path}`]
    if (stat === undefined) return [`bring back ${entry.path}`]
    return isAsKept(entry) ? [] : [`restore ${entry.path}`]
  })
}

function isAsKept(entry: Kept): boolean {
  const stat = standsAt(entry.path)
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
export async function restore(entries: readonly Kept[], vault: Vault): Promise<readonly string[]> {
  const restoring = new Restoring(vault)
  try {
    return await restoring.all(entries)
  } finally {
    restoring.close()
  }
}

class Restoring {
  readonly #vault: Vault
  readonly #packs = new Map<string, SealedReader>()
  /** Directories that are known to be no links, nor to lie below one. */
  readonly #real = new Set<string>()

  constructor(vault: Vault) {
    this.#vault = vault
  }

  async all(entries: readonly Kept[]): Promise<readonly string[]> {
    const problems: string[] = []
    const turn = turns()
    const each = async (some: readonly Kept[], work: (entry: Kept) => void): Promise<void> => {
      for (const entry of some) {
        await turn()
        try {
          work(entry)
        } catch (error) {
          problems.push(`${entry.path}: ${error instanceof Error ? error.message : String(error)}`)
        }
      }
    }
    const ordered = entries.toSorted((a, b) => (a.path < b.path ? -1 : 1))
    const absent = ordered.filter(({ type }) => type === 'absent').toReversed()
    await each(absent, (entry) => this.#remove(entry.path))
    await each(
      ordered.filter(({ type }) => type !== 'absent'),
      (entry) => {
        if (!isAsKept(entry)) this.#put(entry)
      },
    )
    // Last and from below: a directory may be one that cannot be written to.
    const directories = ordered.filter(({ type }) => type === 'directory').toReversed()
    await each(directories, (entry) => {
      this.#hold(dirname(entry.path))
      if (lstatSync(entry.path).isDirectory()) chmodSync(entry.path, entry.mode)
    })
    return problems
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
    this.#real.add(directory)
  }

  #put(entry: Kept): void {
    const { path } = entry
    this.#hold(dirname(path))
    const stat = lstatSync(path, { throwIfNoEntry: false })
    if (entry.type === 'directory') this.#directory(entry, stat !== undefined && !stat.isDirectory())
    else if (stat === undefined && entry.linked !== undefined) this.#linkBack(path, entry)
    else if (!this.#nameAgain(entry, stat?.isDirectory() === true)) {
      if (stat?.isDirectory() === true) rmSync(path, { recursive: true })
      this.#over(entry)
    }
  }

  /**
   * Makes it a name of the same file again, where that still has what it had: taking back what was done through one of its names then reaches all of
   * them. False where it has not: nothing is written into the other names.
   */
  #nameAgain({ path, twin, shared, content, mode }: Kept, directory: boolean): boolean {
    if (twin === undefined || shared === undefined) return false
    const kept = join(this.#vault.directory, twin)
    const is = lstatSync(kept, { throwIfNoEntry: false })
    if (is === undefined || is.dev !== shared.dev || is.ino !== shared.ino) return false
    if ((is.mode & 0o7777) !== mode || digestOf(kept) !== content) return false
    if (directory) rmSync(path, { recursive: true })
    const beside = join(dirname(path), `.countersign-undo-${randomBytes(6).toString('hex')}`)
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

  /** Whole or not at all. */
  #over(entry: Kept): void {
    const beside = join(dirname(entry.path), `.countersign-undo-${randomBytes(6).toString('hex')}`)
    try {
      if (entry.type === 'link') symlinkSync(entry.content ?? '', beside)
      else if (entry.linked === undefined) this.#copyBack(beside, entry)
      else this.#linkBack(beside, entry)
      if (isStillShared(entry)) inPlace(beside, entry)
      else renameSync(beside, entry.path)
    } catch (error) {
      rmSync(beside, { force: true })
      throw error
    }
  }

  /** @throws where the kept content is not what was kept; then nothing is under the name yet. */
  #copyBack(to: string, { mode, size, content, pack }: Kept): void {
    const from = this.#open(pack?.name ?? nameOf(this.#vault, content ?? ''))
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
    chmodSync(to, mode)
  }

  #open(name: string): SealedReader {
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

function digestOf(path: string): string | null {
  let file: number
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch {
    return null
  }
  const sum = createHash('sha256')
  try {
    for (;;) {
      const count = readSync(file, shared, 0, shared.length, null)
      if (count === 0) return sum.digest('hex')
      sum.update(shared.subarray(0, count))
    }
  } catch {
    return null
  } finally {
    closeSync(file)
  }
}
