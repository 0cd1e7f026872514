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
import { type Addition, type Entry, withAdditions } from './remembered.ts'

/** One call that has run. */
export interface Returned {
  readonly server: string | null
  readonly tool: string
  readonly args: JsonObject
  readonly result: Json
}

const MAX_TEXT = 1_048_576

/** The tables after this result; the same object where nothing changed. */
export function remember(
  tables: ReadonlyMap<string, StateValue>,
  definitions: readonly Table[],
  returned: Returned,
): ReadonlyMap<string, StateValue> {
  return withAdditions(tables, additionsOf(definitions, returned))
}

/** What a result adds to the tables. */
export function additionsOf(definitions: readonly Table[], returned: Returned): readonly Addition[] {
  if (failed(returned.result)) return []
  const found: Addition[] = []
  let result: Json | undefined
  for (const table of definitions) {
    for (const source of table.sources) {
      if (!names(returned).some((name) => source.tools.has(name))) continue
      result ??= resultOf(returned.result)
      const entries = entriesOf(source, { args: returned.args, result })
      if (entries.length > 0) found.push([table.name, entries])
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

function entriesOf(source: TableSource, from: { readonly args: JsonObject; readonly result: Json }): readonly Entry[] {
  const root = (item?: Json): JsonObject => ({ args: from.args, result: from.result, ...(item === undefined ? {} : { item }) })
  const roots = source.each === null ? [root()] : (listAt(root(), source.each) ?? []).map((item) => root(item))
  return roots.map((each) => entryOf(source, each)).filter((entry) => entry !== null)
}

function listAt(root: JsonObject, path: Path): readonly Json[] | undefined {
  const value = readPath(root, path)
  return path.many ? (value as readonly Json[] | undefined) : itemsOf(value)
}

function entryOf({ key, value, matches }: TableSource, root: JsonObject): Entry | null {
  const kept = 'literal' in value ? value.literal : readPath(root, value)
  if (kept === undefined || (matches !== null && !(typeof kept === 'string' && matches(kept)))) return null
  if (key === null) return [null, kept]
  const name = readPath(root, key)
  return typeof name === 'string' || typeof name === 'number' ? [String(name), kept] : null
}
