/**
 * Writes contents so that a crash leaves all of them or none that counts: small files share one pack, larger ones have a file each, named
 * by a digest of it. Everything is written under names of passage, brought to the disk, and renamed only then; a capture names it after that.
 */
import { createHash, randomBytes } from 'node:crypto'
import {
  closeSync,
  constants,
  fstatSync,
  fsync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  unlinkSync,
  utimesSync,
} from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createSealed, HEADER, nameOf, type SealedFile, type Vault } from '../sealed.ts'
import { type FileId, type Owner, ownerIn } from './kept.ts'

/** Files up to so many bytes share a pack. */
const SMALL = 128 * 1024
const CHUNK = 1 << 20
const AT_ONCE = 64

export interface Copied {
  readonly content: string
  readonly size: number
  readonly mode: number
  /** Where it begins in the pack; null: it has a file of its own. */
  readonly at: number | null
  /** Null: it has no other name. */
  readonly shared: FileId | null
  readonly owner: Owner
  /** The file when its content was read. */
  readonly stat: Stats
}

type Content = Pick<Copied, 'content' | 'size' | 'at'>

interface Own {
  readonly temporary: string
  readonly file: number
  /** Empty: its file could not be read to the end. */
  content: string
  size: number
}

class Unreadable extends Error {}

export class Contents {
  readonly #vault: Vault
  readonly #chunk = Buffer.allocUnsafe(CHUNK)
  #held = 0
  #packed = 0
  #pack: SealedFile | null = null
  readonly #sum = createHash('sha256')
  readonly #places = new Map<string, number>()
  #own: Own[] = []
  #tree: string | null = null
  #links = 0

  constructor(vault: Vault) {
    this.#vault = vault
  }

  /** `large`: more than is left; `unreadable`: it is no file, or not to be read. No link is followed. @throws where the store cannot be written to. */
  async copy(path: string, most: number): Promise<Copied | 'large' | 'unreadable'> {
    const file = opened(path)
    if (file === null) return 'unreadable'
    try {
      const stat = fstatSync(file)
      if (!stat.isFile()) return 'unreadable'
      if (stat.size > most) return 'large'
      const mode = stat.mode & 0o7777
      const shared = stat.nlink > 1 ? { dev: stat.dev, ino: stat.ino } : null
      const copied = stat.size <= SMALL ? this.#intoPack(file, stat.size) : await this.#intoOwn(file, stat.size)
      return { ...copied, mode, shared, owner: ownerIn(stat), stat }
    } catch (error) {
      if (error instanceof Unreadable) return 'unreadable'
      throw error
    } finally {
      closeSync(file)
    }
  }

  #intoPack(file: number, most: number): Content {
    if (this.#held + most > CHUNK) this.#flush()
    let size = 0
    for (let count = 1; count > 0 && size < most; size += count)
      count = read(file, this.#chunk, { at: this.#held + size, most: most - size })
    const bytes = this.#chunk.subarray(this.#held, this.#held + size)
    const content = createHash('sha256').update(bytes).digest('hex')
    const known = this.#places.get(content)
    if (known !== undefined) return { content, size, at: known }
    const at = this.#packed + this.#held
    this.#places.set(content, at)
    this.#sum.update(content)
    this.#held += size
    return { content, size, at }
  }

  #flush(): void {
    if (this.#held === 0) return
    this.#pack ??= createSealed(this.#vault)
    this.#pack.write(this.#chunk.subarray(0, this.#held))
    this.#packed += this.#held
    this.#held = 0
  }

  async #intoOwn(from: number, most: number): Promise<Content> {
    const { path: temporary, file, write } = createSealed(this.#vault)
    const own = { temporary, content: '', size: 0, file }
    this.#own.push(own)
    const sum = createHash('sha256')
    const chunk = Buffer.allocUnsafe(CHUNK)
    // A file that grows meanwhile is kept up to where it ended.
    for (let count = 1; count > 0 && own.size < most; own.size += count) {
      count = read(from, chunk, { at: 0, most: Math.min(chunk.length, most - own.size) })
      sum.update(chunk.subarray(0, count))
      write(chunk.subarray(0, count))
    }
    own.content = sum.digest('hex')
    const { content, size } = own
    if (this.#own.length >= AT_ONCE) await this.#settleOwn()
    return { content, size, at: null }
  }

  /** Gives the file a second name; answers what was kept under it. @throws where the file system cannot. */
  link(path: string): { readonly name: string; readonly stat: Stats } {
    if (this.#tree === null) {
      this.#tree = `tree-${randomBytes(12).toString('hex')}`
      mkdirSync(join(this.#vault.directory, this.#tree), { mode: 0o700 })
    }
    const name = `${this.#tree}/${this.#links++}`
    const kept = join(this.#vault.directory, name)
    linkSync(path, kept)
    return { name, stat: lstatSync(kept) }
  }

  unlink(name: string): void {
    unlinkSync(join(this.#vault.directory, name))
  }

  /** All of it is on the disk when this resolves. Answers the name of the pack; null: there is none. */
  async settle(): Promise<string | null> {
    await this.#settleOwn()
    const name = await this.#settlePack()
    if (this.#tree !== null) await syncDirectory(join(this.#vault.directory, this.#tree))
    await syncDirectory(this.#vault.directory)
    return name
  }

  /** The same small files in the same order are one pack, however often they are kept. */
  async #settlePack(): Promise<string | null> {
    if (this.#places.size === 0) return null
    this.#pack ??= createSealed(this.#vault)
    this.#flush()
    const name = `pack-${nameOf(this.#vault, this.#sum.digest('hex'))}`
    await rename(this.#pack, join(this.#vault.directory, name), this.#packed)
    this.#pack = null
    return name
  }

  async #settleOwn(): Promise<void> {
    const all = this.#own
    this.#own = []
    await Promise.all(
      all.map(({ temporary: path, content, file, size }) =>
        rename({ path, file }, content === '' ? null : join(this.#vault.directory, nameOf(this.#vault, content)), size),
      ),
    )
  }

  /** After a failure: what was begun is not left behind. */
  discard(): void {
    for (const { temporary, file } of this.#pack === null
      ? this.#own
      : [...this.#own, { temporary: this.#pack.path, file: this.#pack.file }]) {
      closeSync(file)
      rmSync(temporary, { force: true })
    }
    this.#own = []
    this.#pack = null
    if (this.#tree !== null) rmSync(join(this.#vault.directory, this.#tree), { recursive: true, force: true })
  }
}

async function rename({ path, file }: { readonly path: string; readonly file: number }, to: string | null, size: number): Promise<void> {
  try {
    if (to === null || isThere(to, size)) {
      unlinkSync(path)
      return
    }
    await flushed(file)
    renameSync(path, to)
  } finally {
    closeSync(file)
  }
}

/** Marked as in use, so that whoever collects right now leaves it. */
function isThere(path: string, size: number): boolean {
  if (statSync(path, { throwIfNoEntry: false })?.size !== HEADER + size) return false
  try {
    const now = new Date()
    utimesSync(path, now, now)
    return true
  } catch {
    return false
  }
}

function opened(path: string): number | null {
  try {
    return openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch {
    return null
  }
}

function read(file: number, into: Buffer, { at, most }: { readonly at: number; readonly most: number }): number {
  try {
    return readSync(file, into, at, most, null)
  } catch (error) {
    throw new Unreadable('cannot be read', { cause: error })
  }
}

const flushed = promisify(fsync)

export async function syncDirectory(path: string): Promise<void> {
  const directory = openSync(path, 'r')
  try {
    await flushed(directory)
  } finally {
    closeSync(directory)
  }
}
