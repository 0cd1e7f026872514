import { ownKey, plantKey, type WrittenFile, type WrittenFiles, watchKey } from '../../../session/written.ts'
import { type Effect, effect } from '../../effect.ts'
import { urlTarget } from '../../resources/url/index.ts'
import type { View } from '../../view.ts'

/** What earlier calls of the session fetched: a file by its own name, or what stands in a directory that one call filled as a whole. */

/** How many directories above a file are looked at. */
const MAX_PARENTS = 12
/** How many paths are looked up for one call: each is a question to the store. */
const MAX_LOOKUPS = 512

const NOTHING: WrittenFiles = new Map<string, WrittenFile>()

/** One for a call, whatever number of texts it holds: each path is looked up once. */
export class Earlier {
  /** More was asked than is looked up: of the rest it is not known whether an earlier call fetched it. */
  exceeded = false
  readonly #written: WrittenFiles
  readonly #view: View
  #known: Map<string, WrittenFile | undefined> | undefined
  #sources: Map<string, Effect> | undefined

  constructor(view: View, written: WrittenFiles = NOTHING) {
    this.#written = written
    this.#view = view
  }

  /** No call of the session wrote or fetched anything. */
  get isEmpty(): boolean {
    return this.#written.size === 0
  }

  /** The address that what stands at a kernel-true path came from; null where no earlier call fetched it, or a later one wrote it itself. */
  origin(path: string): string | null {
    if (this.#written.size === 0 || !path.startsWith('/')) return null
    const own = this.file(path)
    return own === undefined ? this.above(path) : own.origin
  }

  /** The fetch of an earlier call that one of these reads stands for; null where there is none. */
  source(from: readonly Effect[]): Effect | null {
    if (this.#written.size === 0) return null
    this.#sources ??= new Map()
    const sources = this.#sources
    for (const { verb, target } of from) {
      if (verb !== 'read' || target.kind !== 'path' || target.real === null) continue
      const origin = this.origin(target.real)
      if (origin === null) continue
      const known = sources.get(origin) ?? effect('fetch', urlTarget(origin), { reason: 'an earlier call of the session fetched it' })
      sources.set(origin, known)
      return known
    }
    return null
  }

  /** The same, of the directories above a path that no call wrote by its name. */
  above(path: string): string | null {
    if (this.#written.size === 0) return null
    let at = path.lastIndexOf('/')
    for (let count = 0; at > 0 && count < MAX_PARENTS; at = path.lastIndexOf('/', at - 1), count++) {
      const directory = path.slice(0, at)
      if (this.#shared(directory)) return null
      const origin = this.file(directory)?.origin ?? null
      if (origin !== null) return origin
    }
    return null
  }

  /** What runs a file as soon as it changes, because an earlier call started it; null where nothing does. */
  watcher(path: string): string | null {
    if (this.#written.size === 0) return null
    let at = path.lastIndexOf('/')
    for (let count = 0; at > 0 && count < MAX_PARENTS; at = path.lastIndexOf('/', at - 1), count++) {
      const found = this.file(watchKey(path.slice(0, at)))
      if (found !== undefined) return found.origin ?? 'a watcher'
    }
    return null
  }

  /** Files in a workspace whose text would do harm if something ran it. */
  planted(root: string): readonly string[] {
    return this.file(plantKey(root))?.origin?.split('\n') ?? []
  }

  /** The row of a file that only this session changed since it was committed, or of `dir:` and a directory that it made; undefined: there is none. */
  own(path: string): WrittenFile | undefined {
    return this.file(ownKey(path))
  }

  /** What an earlier call put at a kernel-true path; undefined where none did, or where too much was asked: `exceeded` says so then. */
  file(path: string): WrittenFile | undefined {
    if (this.#written.size === 0) return undefined
    this.#known ??= new Map()
    const known = this.#known
    if (known.has(path)) return known.get(path)
    if (known.size >= MAX_LOOKUPS) {
      this.exceeded = true
      return undefined
    }
    const file = this.#written.get(path)
    known.set(path, file)
    return file
  }

  /** Directories in which the user's own things lie too: what was once fetched into one says nothing of the rest. */
  #shared(directory: string): boolean {
    const { roots, home, temporary } = this.#view
    const holds = (place: string): boolean => place === directory || place.startsWith(`${directory}/`)
    return holds(home) || roots.some(holds) || temporary.some(holds)
  }
}
