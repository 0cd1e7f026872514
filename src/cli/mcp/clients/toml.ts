/** Codex's `config.toml`: a server is a table of its own, of which two lines are changed; what comes out is read again and compared. */
import { isDeepStrictEqual } from 'node:util'
import { parse } from 'smol-toml'
import type { Format, ServerSpan } from './places.ts'

export const tomlFormat: Format = {
  read: (text, [table = '']) => {
    const servers = valuesOf(text, table)
    if (servers === null) return null
    const spans = new Map<string, ServerSpan>()
    for (const [name, entry] of Object.entries(servers)) {
      if (!isRecord(entry)) continue
      const span = blockOf(text, table, name)
      spans.set(name, { entry, ...(span ?? { start: 0, end: 0 }) })
    }
    return spans
  },
  replace: (text, at, { name, entry }) => {
    const [table = ''] = at
    const span = blockOf(text, table, name)
    const before = valuesOf(text, table)
    if (span === null || before === null) return null
    const block = withLine(text.slice(span.start, span.end), 'args', entry.args)
    const after = text.slice(0, span.start) + withLine(block, 'command', entry.command) + text.slice(span.end)
    // Whatever else stands in the file has to be what it was.
    const [was, is] = [whole(text), whole(after)]
    if (was === null || is === null) return null
    return isDeepStrictEqual(plain(is), plain({ ...was, [table]: { ...before, [name]: entry } })) ? after : null
  },
}

/** From the line behind the head of the table to the next table. */
function blockOf(text: string, table: string, name: string): { readonly start: number; readonly end: number } | null {
  const heads = [...text.matchAll(/^[ \t]*\[([^\][\n]+)\][ \t]*(?:#[^\n]*)?$/gm)]
  const names = [`${table}.${name}`, `${table}."${name}"`, `${table}.'${name}'`]
  const index = heads.findIndex(([, head = '']) => names.includes(head.trim()))
  const head = heads[index]
  if (head === undefined) return null
  return { start: Math.min(text.length, head.index + head[0].length + 1), end: heads[index + 1]?.index ?? text.length }
}

/** The block with this key as one line: in the place of the one that is there, else as the first. Undefined: without it. */
function withLine(block: string, key: string, value: unknown): string {
  const line = value === undefined ? '' : `${key} = ${textOf(value)}\n`
  const start = block.search(new RegExp(String.raw`^[ \t]*${key}[ \t]*=`, 'm'))
  if (start < 0) return line + block
  return block.slice(0, start) + line + block.slice(endOfValue(block, block.indexOf('=', start) + 1))
}

/** Behind the end of the line in which the value ends: a list may take several. */
function endOfValue(text: string, from: number): number {
  let depth = 0
  let quote = ''
  for (let at = from; at < text.length; at += 1) {
    const char = text[at] ?? ''
    if (quote !== '') {
      if (char === '\\' && quote === '"') at += 1
      else if (char === quote) quote = ''
    } else if (char === '"' || char === "'") quote = char
    else if (char === '#') at = Math.max(at, ((text.indexOf('\n', at) + text.length) % text.length) - 1)
    else if (char === '[') depth += 1
    else if (char === ']') depth -= 1
    else if (char === '\n' && depth <= 0) return at + 1
  }
  return text.length
}

function textOf(value: unknown): string {
  return Array.isArray(value) ? `[${value.map((each) => JSON.stringify(each)).join(', ')}]` : JSON.stringify(value)
}

function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value))
}

function whole(text: string): Record<string, unknown> | null {
  try {
    return parse(text)
  } catch {
    return null
  }
}

function valuesOf(text: string, table: string): Record<string, unknown> | null {
  const all = whole(text)
  if (all === null) return null
  const servers = all[table] ?? {}
  return isRecord(servers) ? servers : null
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
