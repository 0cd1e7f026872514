/**
 * Fills the tables of the session's state from what tools returned: `contracts.state` says which results count, under which key,
 * and what of them is kept. Results are data of the tools; they are read, never run.
 */
import { isJsonObject, type Json, type JsonObject, own } from '../../core/json.ts'
import { spellingsOf } from '../../core/tool-name.ts'
import { readJson } from '../../ingress/json.ts'
import type { Table, TableSource } from './model.ts'
import type { StateValue } from './operand.ts'
import { itemsOf, type Path, readPath } from './path.ts'

/** One call that has run. */
export interface Returned {
  readonly server: string | null
  readonly tool: string
  readonly args: JsonObject
  readonly result: Json
}

/** Entries a table may hold; beyond, the oldest go, so that a long session stays bounded. */
const MAX_ENTRIES = 4_096
const MAX_TEXT = 1_048_576

/** The tables after this result; the same object where nothing changed. */
export function remember(
  tables: ReadonlyMap<string, StateValue>,
  definitions: readonly Table[],
  returned: Returned,
): ReadonlyMap<string, StateValue> {
  const found = learnt(definitions, returned)
  if (found.length === 0) return tables
  const next = new Map(tables)
  for (const { table, entries } of found) next.set(table.name, merged(table, copied(next.get(table.name)), entries))
  return next
}

/** Takes in many results, oldest first: what many copies would cost is done in one. */
export function rememberer(definitions: readonly Table[]): {
  readonly tables: ReadonlyMap<string, StateValue>
  readonly add: (returned: Returned) => void
} {
  const tables = new Map<string, StateValue>()
  return {
    tables,
    add: (returned) => {
      for (const { table, entries } of learnt(definitions, returned)) {
        tables.set(table.name, merged(table, mine(tables.get(table.name)), entries))
      }
    },
  }
}

interface Learnt {
  readonly table: Table
  readonly entries: readonly Entry[]
}

function learnt(definitions: readonly Table[], returned: Returned): readonly Learnt[] {
  if (failed(returned.result)) return []
  const found: Learnt[] = []
  let result: Json | undefined
  for (const table of definitions) {
    for (const source of table.sources) {
      if (!names(returned).some((name) => source.tools.has(name))) continue
      result ??= resultOf(returned.result)
      const entries = entriesOf(source, { args: returned.args, result })
      if (entries.length > 0) found.push({ table, entries })
    }
  }
  return found
}

/** An MCP tool that failed has returned its excuse, not its result. */
function failed(result: Json): boolean {
  return isJsonObject(result) && own(result, 'isError') === true
}

function names({ server, tool }: Returned): readonly string[] {
  return spellingsOf({ server, name: tool })
}

/**
 * The value inside what a host hands over: the structured content of an MCP result, the one text of its content, and text that
 * is JSON as JSON.
 */
function resultOf(result: Json): Json {
  if (isJsonObject(result)) {
    const structured = own(result, 'structuredContent')
    if (structured !== undefined && structured !== null) return structured
    const content = own(result, 'content')
    return Array.isArray(content) ? textOf(content, result) : result
  }
  return typeof result === 'string' ? parsed(result) : Array.isArray(result) ? textOf(result, result) : result
}

function textOf(blocks: readonly Json[], otherwise: Json): Json {
  const [block, ...rest] = blocks
  if (rest.length > 0 || !isJsonObject(block) || own(block, 'type') !== 'text') return otherwise
  const text = own(block, 'text')
  return typeof text === 'string' ? parsed(text) : otherwise
}

function parsed(text: string): Json {
  if (text.length > MAX_TEXT || !/^\s*[[{]/.test(text)) return text
  const read = readJson(text)
  return read.ok ? read.value : text
}

interface Entry {
  readonly key: string | null
  readonly value: Json
}

function entriesOf(source: TableSource, from: { readonly args: JsonObject; readonly result: Json }): readonly Entry[] {
  const root = (item?: Json): JsonObject => ({ args: from.args, result: from.result, ...(item === undefined ? {} : { item }) })
  const roots = source.each === null ? [root()] : (listAt(root(), source.each) ?? []).map((item) => root(item))
  return roots.flatMap((each) => entryOf(source, each) ?? [])
}

function listAt(root: JsonObject, path: Path): readonly Json[] | undefined {
  const value = readPath(root, path)
  return path.many ? (value as readonly Json[] | undefined) : itemsOf(value)
}

function entryOf({ key, value, matches }: TableSource, root: JsonObject): Entry | null {
  const kept = 'literal' in value ? value.literal : readPath(root, value)
  if (kept === undefined || (matches !== null && !(typeof kept === 'string' && matches(kept)))) return null
  if (key === null) return { key: null, value: kept }
  const name = readPath(root, key)
  return typeof name === 'string' || typeof name === 'number' ? { key: String(name), value: kept } : null
}

function merged(table: Table, after: Map<string, Json>, entries: readonly Entry[]): StateValue {
  if (!table.keyed) return entries.at(-1)?.value ?? null
  for (const { key, value } of entries) {
    if (key === null) continue
    // Taken out first, so that the newest entries are the last to go.
    after.delete(key)
    after.set(key, value)
  }
  for (const key of after.keys()) {
    if (after.size <= MAX_ENTRIES) break
    after.delete(key)
  }
  return after
}

function copied(before: StateValue | undefined): Map<string, Json> {
  return new Map<string, Json>(before instanceof Map ? (before as ReadonlyMap<string, Json>) : [])
}

/** A table that nobody else holds yet. */
function mine(before: StateValue | undefined): Map<string, Json> {
  return before instanceof Map ? (before as Map<string, Json>) : new Map<string, Json>()
}
