/** What an import says of each line that it did not carry over as it stands. */
import type { Entry, Place, Value } from './source.ts'

/** `left`: not carried over. `differs`: carried over, and it holds differently here. */
export type NoteKind = 'left' | 'differs'

export interface Note {
  readonly kind: NoteKind
  readonly place: Place
  /** The setting, as the file names it. */
  readonly setting: string
  /** What became of it, and what to do. */
  readonly text: string
}

/** Collects the notes of one import. */
export class Notes {
  readonly #all: Note[] = []

  left(place: Place, setting: string, text: string): undefined {
    this.#all.push({ kind: 'left', place, setting, text })
    return undefined
  }

  differs(place: Place, setting: string, text: string): void {
    this.#all.push({ kind: 'differs', place, setting, text })
  }

  /** In the order of the files and their lines. */
  sorted(): readonly Note[] {
    const order = [...new Set(this.#all.map(({ place }) => place.path))]
    return this.#all.toSorted((a, b) => order.indexOf(a.place.path) - order.indexOf(b.place.path) || a.place.line - b.place.line)
  }
}

/**
 * The settings of one mapping or call. Whoever reads a setting takes it; `done` reports every one that nobody took, so that
 * nothing is dropped in silence.
 */
export class Settings {
  readonly place: Place
  readonly #entries: readonly Entry[]
  readonly #notes: Notes
  readonly #path: string
  readonly #taken = new Set<Entry>()

  constructor(place: Place, entries: readonly Entry[], { notes, path }: { readonly notes: Notes; readonly path: string }) {
    this.place = place
    this.#entries = entries
    this.#notes = notes
    this.#path = path
  }

  /** `spec.tools[0]`, for notes. */
  named(key: string): string {
    return this.#path === '' ? key : `${this.#path}.${key}`
  }

  /** The value of the first of these keys that is given; every one given is taken. */
  take(...keys: readonly string[]): Value | undefined {
    const found = this.#entries.filter(({ key }) => keys.includes(key))
    for (const entry of found) this.#taken.add(entry)
    for (const { place, key } of found.slice(1)) this.#notes.left(place, this.named(key), 'the setting is given twice; the first one holds')
    return found[0]?.value
  }

  text(...keys: readonly string[]): string | undefined {
    return this.#typed(keys, 'text', (value) => (value.kind === 'scalar' && typeof value.scalar === 'string' ? value.scalar : undefined))
  }

  flag(...keys: readonly string[]): boolean | undefined {
    return this.#typed(keys, 'true or false', (value) =>
      value.kind === 'scalar' && typeof value.scalar === 'boolean' ? value.scalar : undefined,
    )
  }

  number(...keys: readonly string[]): number | undefined {
    return this.#typed(keys, 'a number', (value) =>
      value.kind === 'scalar' && typeof value.scalar === 'number' ? value.scalar : undefined,
    )
  }

  /** A list of texts; one that holds anything else is left as a whole. */
  texts(...keys: readonly string[]): readonly string[] | undefined {
    return this.#typed(keys, 'a list of texts', (value) => {
      const all = value.kind === 'list' ? value.items.map((item) => (item.kind === 'scalar' ? item.scalar : null)) : [null]
      return all.every((each) => typeof each === 'string') ? (all as readonly string[]) : undefined
    })
  }

  /** The settings of a mapping below. */
  below(...keys: readonly string[]): Settings | undefined {
    return this.#typed(keys, 'a mapping', (value) =>
      value.kind === 'map' ? new Settings(value.place, value.entries, { notes: this.#notes, path: this.named(keys[0] ?? '') }) : undefined,
    )
  }

  /** The items of a list below, each a mapping. */
  items(...keys: readonly string[]): readonly Settings[] | undefined {
    return this.#typed(keys, 'a list of mappings', (value) => {
      if (value.kind !== 'list' || value.items.some((item) => item.kind !== 'map')) return undefined
      return value.items.flatMap((item, index) =>
        item.kind === 'map'
          ? [new Settings(item.place, item.entries, { notes: this.#notes, path: `${this.named(keys[0] ?? '')}[${index}]` })]
          : [],
      )
    })
  }

  /** The mappings below, by their names. */
  each(...keys: readonly string[]): ReadonlyMap<string, Settings> | undefined {
    const inner = this.below(...keys)
    if (inner === undefined) return undefined
    return new Map(
      inner.keys().flatMap((key) => {
        const one = inner.below(key)
        return one === undefined ? [] : [[key, one] as const]
      }),
    )
  }

  keys(): readonly string[] {
    return [...new Set(this.#entries.map(({ key }) => key))]
  }

  /** Says of these settings, where they are given, why they are left. */
  leave(reasons: Readonly<Record<string, string>>): void {
    for (const entry of this.#entries) {
      const reason = Object.hasOwn(reasons, entry.key) && !this.#taken.has(entry) ? reasons[entry.key] : undefined
      if (reason === undefined) continue
      this.#taken.add(entry)
      this.#notes.left(entry.place, this.named(entry.key), reason)
    }
  }

  /** Takes settings that mean nothing for a gate, without a word. */
  ignore(...keys: readonly string[]): void {
    for (const entry of this.#entries) if (keys.includes(entry.key)) this.#taken.add(entry)
  }

  /** Reports every setting that nobody took. */
  done(why = 'no setting of this importer; write it by hand if it matters'): void {
    for (const entry of this.#entries) {
      if (!this.#taken.has(entry)) this.#notes.left(entry.place, this.named(entry.key), why)
    }
  }

  #typed<T>(keys: readonly string[], expected: string, read: (value: Value) => T | undefined): T | undefined {
    const value = this.take(...keys)
    if (value === undefined || isNull(value)) return undefined
    const found = read(value)
    if (found !== undefined) return found
    const what = value.kind === 'code' || value.kind === 'name' || value.kind === 'call' ? 'it is computed' : `it is not ${expected}`
    return this.#notes.left(value.place, this.named(keys[0] ?? ''), `${what}, so it was not read`)
  }
}

function isNull(value: Value): boolean {
  return value.kind === 'scalar' && value.scalar === null
}
