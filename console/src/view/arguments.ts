/**
 * Arguments of a call as rows, one per member, element and value, in the order they were sent: no two arguments give the same
 * rows (T24). The rows are data; a page or a text shows them.
 */
import { childPointer, isJsonObject, type Json, type JsonObject, own } from '../../../src/core/json.ts'
import { visibleText } from '../../../src/facts/resources/text/visible.ts'

export type ValueKind = 'string' | 'number' | 'boolean' | 'null' | 'array' | 'object'

export interface Row {
  /** RFC 6901, below the arguments. */
  readonly pointer: string
  /** 0 for the arguments' own members. */
  readonly depth: number
  /** Name of the member, or index of the element. */
  readonly key: string | number
  readonly kind: ValueKind
  /** UTF-16 units of a string, members of an object, elements of an array; null for the rest. */
  readonly size: number | null
  /** The text of a string; how JSON writes a number, a boolean or null; empty for what has rows of its own. */
  readonly value: string
}

/** All rows, depth first. Does not recurse: arguments may be deep. */
export function rowsOf(args: JsonObject): readonly Row[] {
  const rows: Row[] = []
  const open: { readonly value: Json; readonly row: Omit<Row, 'kind' | 'size' | 'value'> }[] = below(args, '', 0).toReversed()
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, row } = next
    rows.push({ ...row, ...described(value) })
    open.push(...below(value, row.pointer, row.depth + 1).toReversed())
  }
  return rows
}

function below(value: Json, parent: string, depth: number) {
  if (Array.isArray(value))
    return value.map((item: Json, key) => ({
      value: item,
      row: { pointer: childPointer(parent, key), depth, key: key as string | number },
    }))
  if (!isJsonObject(value)) return []
  return Object.entries(value).map(([key, item]) => ({
    value: item,
    row: { pointer: childPointer(parent, key), depth, key: key as string | number },
  }))
}

function described(value: Json): Pick<Row, 'kind' | 'size' | 'value'> {
  if (typeof value === 'string') return { kind: 'string', size: value.length, value }
  if (Array.isArray(value)) return { kind: 'array', size: value.length, value: '' }
  if (isJsonObject(value)) return { kind: 'object', size: Object.keys(value).length, value: '' }
  if (value === null) return { kind: 'null', size: null, value: 'null' }
  return { kind: typeof value === 'number' ? 'number' : 'boolean', size: null, value: JSON.stringify(value) }
}

/** The arguments as text, one row a line: depth, name, kind, size, value. Lines hold printable characters only. */
export function argumentsText(args: JsonObject): string {
  return rowsOf(args)
    .map(({ depth, key, kind, size, value }) => {
      const name = typeof key === 'number' ? `[${key}]` : `${visibleText(JSON.stringify(key))}`
      return `${'  '.repeat(depth)}${name} ${kind}${size === null ? '' : ` ${size}`}${value === '' ? '' : ` ${visibleText(value)}`}`
    })
    .join('\n')
}

/** The one line that stands for a call in a list: its most telling argument, or its plain members where none is known to be that. */
export function headline(args: JsonObject): string {
  const named = HEADLINES.find((name) => Object.hasOwn(args, name) && typeof args[name] === 'string')
  if (named !== undefined) return [String(args[named]), ...beside(args, named)].join(', ')
  const plain = Object.entries(args).filter(([, value]) => value === null || typeof value !== 'object')
  return plain.length === 0 ? JSON.stringify(args) : plain.map(([name, value]) => `${name}: ${String(value)}`).join(', ')
}

const HEADLINES = ['command', 'cmd', 'script', 'query', 'sql', 'url', 'file_path', 'path', 'to', 'name', 'title']

/** What is sent says more than to whom. */
function beside(args: JsonObject, named: string): readonly string[] {
  const subject = named === 'to' ? own(args, 'subject') : undefined
  return typeof subject === 'string' ? [subject] : []
}
