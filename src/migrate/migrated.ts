/** What every importer gives: a policy as plain data in the order in which it is to be written, and what it says of the rest. */
import type { JsonObject } from '../core/json.ts'
import { type Note, type Notes, Settings } from './notes.ts'
import type { Entry, SourceFile, Value } from './source.ts'

export interface Migrated {
  readonly policy: JsonObject
  readonly notes: readonly Note[]
}

export type Importer = (files: readonly SourceFile[]) => Migrated

/** Nothing in the files is what this importer reads. */
export class NothingToImport extends Error {
  override readonly name = 'NothingToImport'
}

/** The arguments of a call by name, positional ones by the names that stand for their places. */
export function argumentsOf(call: Extract<Value, { kind: 'call' }>, order: readonly string[], notes: Notes): Settings {
  const byPlace: Entry[] = call.positional.map((value, index) => ({
    key: order[index] ?? `argument ${index + 1}`,
    place: value.place,
    value,
  }))
  return new Settings(call.place, [...byPlace, ...call.named], { notes, path: call.name })
}

/** The mapping of a document, or undefined where it is none. */
export function settingsOf(value: Value, notes: Notes, path = ''): Settings | undefined {
  return value.kind === 'map' ? new Settings(value.place, value.entries, { notes, path }) : undefined
}

/** Only the fields that say something. */
export function given<T extends object>(fields: T): Partial<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<T>
}
