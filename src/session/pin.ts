/** What is known of a tool's definition from before: the one that was pinned, and what is different now (T11). Pure. */
import { childPointer, isJsonObject, type Json, type JsonObject } from '../core/json.ts'

/** The definition that a tool is held to. */
export interface Pin {
  /** `sha256:…`; null where the row cannot be trusted, so that no definition is the pinned one. */
  readonly digest: string | null
  /** In wire form, without secrets; null where it was too large to keep. */
  readonly definition: JsonObject | null
  /** Milliseconds since the epoch. */
  readonly at: number
  /** Who accepted it; null: it was the first that was seen. */
  readonly by: string | null
}

export interface PinState {
  readonly pinned: Pin | null
  /** `server/name` of another tool, known before, whose name looks like that of this one. */
  readonly lookalike: string | null
}

/** A tool of which nothing is known. */
export const UNPINNED: PinState = { pinned: null, lookalike: null }

/** More of them than anybody reads. */
const MAX_CHANGES = 12
const DEEPEST = 32

/**
 * What is different, as JSON pointers into the wire form with a word each: `/description changed`. At most twelve; the same
 * definition, or one that is not known, has none.
 */
export function definitionChanges(before: JsonObject | null, after: JsonObject | null): readonly string[] {
  if (before === null || after === null) return []
  const found: string[] = []
  compare([before, after], { pointer: '', depth: 0, found })
  return found.length <= MAX_CHANGES ? found : [...found.slice(0, MAX_CHANGES), 'and more']
}

interface Place {
  readonly pointer: string
  readonly depth: number
  readonly found: string[]
}

function compare([before, after]: readonly [Json | undefined, Json | undefined], { pointer, depth, found }: Place): void {
  if (found.length > MAX_CHANGES || before === after) return
  if (before === undefined || after === undefined) {
    found.push(`${pointer} ${before === undefined ? 'added' : 'removed'}`)
    return
  }
  const [mine, theirs] = [members(before), members(after)]
  if (mine === null || theirs === null || Array.isArray(before) !== Array.isArray(after) || depth === DEEPEST) {
    if (depth < DEEPEST || JSON.stringify(before) !== JSON.stringify(after)) found.push(`${pointer} changed`)
    return
  }
  for (const key of new Set([...mine.keys(), ...theirs.keys()])) {
    compare([mine.get(key), theirs.get(key)], { pointer: childPointer(pointer, key), depth: depth + 1, found })
  }
}

function members(value: Json): ReadonlyMap<string, Json> | null {
  if (Array.isArray(value)) return new Map(value.map((item: Json, index) => [String(index), item]))
  return isJsonObject(value) ? new Map(Object.entries(value)) : null
}
