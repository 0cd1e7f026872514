/**
 * Tables of a session's state, and their text. A long session has thousands of entries, of which a call looks at one or two: entries that
 * were read back from text stay text until somebody looks.
 */
import { type Json, parseJson } from '../../core/json.ts'
import type { StateValue } from './operand.ts'

/** Of a table that is one value, the key is null. */
export type Entry = readonly [key: string | null, value: Json]

/** What a result adds to a table. */
export type Addition = readonly [table: string, entries: readonly Entry[]]

/** Entries a table may hold; beyond, the oldest go, so that a long session stays bounded. */
const MAX_ENTRIES = 4_096

/** JSON that was not looked at yet: a part of a longer text, as it was read from the disk. */
class Unread {
  readonly bytes: Buffer
  readonly start: number
  readonly end: number

  constructor(bytes: Buffer, start: number, end: number) {
    this.bytes = bytes
    this.start = start
    this.end = end
  }

  get text(): string {
    return this.bytes.toString('utf8', this.start, this.end)
  }
}

interface Part {
  readonly start: number
  readonly end: number
}

/** By key, the oldest first. */
export class RememberedTable extends Map<string, Json> {
  override get(key: string): Json | undefined {
    return this.#read(key, super.get(key))
  }

  override *entries(): MapIterator<[string, Json]> {
    for (const key of this.keys()) yield [key, this.get(key) as Json]
  }

  override *values(): MapIterator<Json> {
    for (const key of this.keys()) yield this.get(key) as Json
  }

  override [Symbol.iterator](): MapIterator<[string, Json]> {
    return this.entries()
  }

  override forEach(act: (value: Json, key: string, map: Map<string, Json>) => void): void {
    for (const [key, value] of this) act(value, key, this)
  }

  put(key: string, value: Json): void {
    // Taken out first, so that the newest entries are the last to go.
    this.delete(key)
    this.set(key, value)
  }

  /** What `JSON.stringify` made of the value stands in `bytes`, from `start` to `end`. */
  putText(key: string, bytes: Buffer, { start, end }: Part): void {
    this.put(key, new Unread(bytes, start, end) as unknown as Json)
  }

  trim(): void {
    if (this.size <= MAX_ENTRIES) return
    for (const key of this.keys()) {
      if (this.size <= MAX_ENTRIES) break
      this.delete(key)
    }
  }

  copy(): RememberedTable {
    const next = new RememberedTable()
    for (const key of this.keys()) next.set(key, super.get(key) as Json)
    return next
  }

  /** The text of an entry. */
  text(key: string): string {
    const value: unknown = super.get(key)
    return value instanceof Unread ? value.text : JSON.stringify(value)
  }

  #read(key: string, value: unknown): Json | undefined {
    if (!(value instanceof Unread)) return value as Json | undefined
    const read = JSON.parse(value.text) as Json
    this.set(key, read)
    return read
  }
}

/** An entry as it is written down. Of a table that is one value, the key is null. */
export interface EntryText {
  readonly table: string
  readonly key: string | null
  /** JSON. */
  readonly text: string
}

export function textsOf([table, entries]: Addition): readonly EntryText[] {
  return entries.map(([key, value]) => ({ table, key, text: JSON.stringify(value) }))
}

/** Everything that is in the tables. */
export function textsIn(tables: ReadonlyMap<string, StateValue>): readonly EntryText[] {
  return [...tables].flatMap(([name, value]) =>
    value instanceof RememberedTable
      ? [...value.keys()].map((key) => ({ table: name, key, text: value.text(key) }))
      : textsOf([name, [[null, value as Json]]]),
  )
}

/**
 * Entries as one text: a line with table, key and length in bytes of each, then the values, one behind the other. Whoever reads it takes
 * the line in at once, and of the values none that nobody looks at.
 */
export function joined(entries: readonly EntryText[]): string {
  const heads = entries.flatMap(({ table, key, text }) => [table, key, Buffer.byteLength(text)])
  return `${JSON.stringify(heads)}\n${entries.map(({ text }) => text).join('')}`
}

export interface Rememberer {
  readonly tables: ReadonlyMap<string, StateValue>
  readonly take: (additions: readonly Addition[]) => void
  /** Takes in what `joined` made. False: this is no such text, and what was taken in is of no use. The bytes are kept. */
  readonly takeText: (text: Uint8Array) => boolean
}

/** Takes in many additions, oldest first: what many copies would cost is done in one. */
export function rememberer(): Rememberer {
  const tables = new Map<string, StateValue>()
  return {
    tables,
    take: (additions) => {
      for (const [name, entries] of additions) tables.set(name, merged(tables.get(name), entries))
    },
    takeText: (text) => takeJoined(tables, Buffer.from(text.buffer, text.byteOffset, text.byteLength)),
  }
}

/** The tables with all of this, oldest first; the same object where nothing is added. A table that changes is copied once. */
export function withAdditions(tables: ReadonlyMap<string, StateValue>, additions: readonly Addition[]): ReadonlyMap<string, StateValue> {
  if (additions.length === 0) return tables
  const next = new Map(tables)
  const own = new Set<string>()
  for (const [name, entries] of additions) {
    const before = next.get(name)
    next.set(name, merged(before instanceof RememberedTable && !own.has(name) ? before.copy() : before, entries))
    own.add(name)
  }
  return next
}

/** The table with these entries; it is changed where it is a table by key. */
function merged(before: StateValue | undefined, entries: readonly Entry[]): StateValue {
  const table = before instanceof RememberedTable ? before : new RememberedTable()
  for (const [key, value] of entries) {
    if (key === null) return entries.at(-1)?.[1] ?? null
    table.put(key, value)
  }
  table.trim()
  return table
}

const END_OF_LINE = 0x0a

function takeJoined(tables: Map<string, StateValue>, bytes: Buffer): boolean {
  const line = bytes.indexOf(END_OF_LINE)
  const heads = line < 0 ? undefined : parseJson(bytes.toString('utf8', 0, line))
  if (!Array.isArray(heads) || heads.length % 3 !== 0) return false
  let start = line + 1
  for (let i = 0; i < heads.length; i += 3) {
    const length = heads[i + 2]
    if (!Number.isSafeInteger(length) || Number(length) <= 0) return false
    const part = { start, end: start + Number(length) }
    if (part.end > bytes.length || !takeEntry(tables, bytes, { table: heads[i], key: heads[i + 1], part })) return false
    start = part.end
  }
  return start === bytes.length
}

interface Head {
  readonly table: unknown
  readonly key: unknown
  readonly part: Part
}

function takeEntry(tables: Map<string, StateValue>, bytes: Buffer, { table: name, key, part }: Head): boolean {
  if (typeof name !== 'string') return false
  if (key === null) {
    const value = parseJson(bytes.toString('utf8', part.start, part.end))
    if (value === undefined) return false
    tables.set(name, value)
    return true
  }
  if (typeof key !== 'string') return false
  const before = tables.get(name)
  const table = before instanceof RememberedTable ? before : new RememberedTable()
  if (table !== before) tables.set(name, table)
  table.putText(key, bytes, part)
  table.trim()
  return true
}
