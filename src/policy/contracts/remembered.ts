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

/** JSON that was not looked at yet. */
class Unread {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
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

  /** @param text what `JSON.stringify` made of the value. */
  putText(key: string, text: string): void {
    this.put(key, new Unread(text) as unknown as Json)
  }

  trim(): void {
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

/** Entries as text, one a line: table and key as JSON, a tab, the value as JSON, which has neither tabs nor ends of lines. */
export function linesOf([table, entries]: Addition): readonly string[] {
  return entries.map(([key, value]) => `${JSON.stringify([table, key])}\t${JSON.stringify(value)}`)
}

/** Everything that is in the tables, as such lines. */
export function linesIn(tables: ReadonlyMap<string, StateValue>): readonly string[] {
  return [...tables].flatMap(([name, value]) =>
    value instanceof RememberedTable
      ? [...value.keys()].map((key) => `${JSON.stringify([name, key])}\t${value.text(key)}`)
      : linesOf([name, [[null, value as Json]]]),
  )
}

export interface Rememberer {
  readonly tables: ReadonlyMap<string, StateValue>
  readonly take: (additions: readonly Addition[]) => void
  /** False: this is no text of entries. */
  readonly takeText: (text: string) => boolean
}

/** Takes in many additions, oldest first: what many copies would cost is done in one. */
export function rememberer(): Rememberer {
  const tables = new Map<string, StateValue>()
  return {
    tables,
    take: (additions) => {
      for (const [name, entries] of additions) tables.set(name, merged(tables.get(name), entries))
    },
    takeText: (text) => text === '' || text.split('\n').every((line) => takeLine(tables, line)),
  }
}

/** The table with these entries; it is changed where it is a table by key. */
export function merged(before: StateValue | undefined, entries: readonly Entry[]): StateValue {
  const table = before instanceof RememberedTable ? before : new RememberedTable()
  for (const [key, value] of entries) {
    if (key === null) return entries.at(-1)?.[1] ?? null
    table.put(key, value)
  }
  table.trim()
  return table
}

function takeLine(tables: Map<string, StateValue>, line: string): boolean {
  const tab = line.indexOf('\t')
  const [name, key] = (parseJson(line.slice(0, Math.max(0, tab))) ?? []) as readonly unknown[]
  if (typeof name !== 'string' || !(key === null || typeof key === 'string')) return false
  const text = line.slice(tab + 1)
  if (key === null) {
    const value = parseJson(text)
    if (value === undefined) return false
    tables.set(name, value)
    return true
  }
  const before = tables.get(name)
  const table = before instanceof RememberedTable ? before : new RememberedTable()
  table.putText(key, text)
  table.trim()
  tables.set(name, table)
  return true
}
