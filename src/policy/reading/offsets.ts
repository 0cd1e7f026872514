/** From a character of a YAML text value back to the character of the file: quotes, escapes, indentation and folding undone. */
import type { Scalar } from 'yaml'
import type { Located } from './fields.ts'
import type { Range } from './source.ts'

/** The range in the file of a range inside a located text. */
export function rangeInFile(file: string, text: Located<string>, range: Range): Range {
  const map = fileOffsets(file, text)
  const last = map[map.length - 1] ?? text.at.start
  const start = map[Math.min(range.start, map.length - 1)] ?? last
  const end = range.end > range.start ? (map[Math.min(range.end, map.length) - 1] ?? last) + 1 : start + 1
  return { start, end: Math.max(end, start + 1) }
}

/** For every character of the value its offset in the file, and one more for the end. */
function fileOffsets(file: string, { value, at, node }: Located<string>): readonly number[] {
  const style = node?.type ?? 'PLAIN'
  let cursor = at.start + opening(file, at.start, style)
  const offsets: number[] = []
  for (const char of value) {
    cursor = advance(file, cursor, { char, style, end: at.end })
    offsets.push(cursor)
    if (char.length === 2) offsets.push(cursor + 1)
    cursor += width(file, cursor, { char, style })
  }
  offsets.push(Math.min(cursor, at.end))
  return offsets
}

function opening(file: string, start: number, style: Scalar.Type): number {
  if (style === 'QUOTE_DOUBLE' || style === 'QUOTE_SINGLE') return 1
  if (style !== 'BLOCK_LITERAL' && style !== 'BLOCK_FOLDED') return 0
  const line = file.indexOf('\n', start)
  return line === -1 ? 0 : line - start + 1
}

interface Wanted {
  readonly char: string
  readonly style: Scalar.Type
  readonly end: number
}

/** Over indentation and folded line ends, to where the wanted character is written. */
function advance(file: string, from: number, { char, style, end }: Wanted): number {
  let cursor = from
  while (cursor < end) {
    const here = file.charAt(cursor)
    if (here === char || (char === ' ' && /\s/.test(here)) || (char === '\n' && here === '\r')) return cursor
    if (style === 'QUOTE_DOUBLE' && here === '\\' && file.charAt(cursor + 1) !== '\n') return cursor
    if (char.length === 2 && file.startsWith(char, cursor)) return cursor
    if (!/[\s\\]/.test(here)) return cursor
    cursor++
  }
  return Math.min(from, end)
}

const ESCAPE_WIDTH: ReadonlyMap<string, number> = new Map([
  ['x', 4],
  ['u', 6],
  ['U', 10],
])

function width(file: string, cursor: number, { char, style }: { char: string; style: Scalar.Type }): number {
  if (style === 'QUOTE_DOUBLE' && file.charAt(cursor) === '\\') return ESCAPE_WIDTH.get(file.charAt(cursor + 1)) ?? 2
  if (style === 'QUOTE_SINGLE' && char === "'") return 2
  if (char === ' ' && file.charAt(cursor) === '\n') return folded(file, cursor)
  return char.length
}

function folded(file: string, cursor: number): number {
  let end = cursor
  while (/\s/.test(file.charAt(end)) && file.charAt(end) !== '') end++
  return end - cursor
}
