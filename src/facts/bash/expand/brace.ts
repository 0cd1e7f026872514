import { parse, type Word as SyntaxWord } from 'unbash'
import { LIMITS } from '../state/budget.ts'

/** Brace expansion: `{a,b}`, `{1..3}`, nested, over the source text of a word, before every other expansion. */

const MAX_BRACES = 128

/** Most UTF-16 units of all the words: each is read as a word of its own. */
const MAX_TEXT = 16_384

/** Most words that code in them is walked for. */
const MAX_WITH_CODE = 32

/**
 * The words that a word with braces stands for, or null where there are more than `LIMITS.words` or nesting is too deep.
 */
export function expandBraces(text: string): readonly SyntaxWord[] | null {
  // Each `{` may look for its end through the whole rest.
  if (text.split('{', MAX_BRACES + 2).length > MAX_BRACES + 1) return null
  const texts = alternatives(text, 0)
  if (texts !== null && texts.reduce((sum, item) => sum + item.length, 0) > MAX_TEXT) return null
  if (texts === null || texts.length > (/`|\$\(|[<>]\(/.test(text) ? MAX_WITH_CODE : LIMITS.words)) return null
  const words: SyntaxWord[] = []
  for (const item of texts) {
    if (item === '') continue
    const word = reparse(item)
    if (word === null) return null
    words.push(word)
  }
  return words
}

/** The text as one syntax word; null where it is none. */
function reparse(text: string): SyntaxWord | null {
  const [statement, ...more] = parse(`: ${text.startsWith('#') ? "''" : ''}${text}`).commands
  if (statement === undefined || more.length > 0 || statement.command.type !== 'Command') return null
  const [word, ...others] = statement.command.suffix
  return word !== undefined && word.type === 'Word' && others.length === 0 ? word : null
}

function alternatives(text: string, depth: number): readonly string[] | null {
  if (depth > 16) return null
  const brace = firstBrace(text)
  if (brace === null) return [text]
  const tails = alternatives(text.slice(brace.close + 1), depth + 1)
  if (tails === null) return null
  const head = text.slice(0, brace.open)
  const result: string[] = []
  for (const item of brace.items) {
    const middles = brace.range ? [item] : alternatives(item, depth + 1)
    if (middles === null) return null
    for (const middle of middles) for (const tail of tails) result.push(head + middle + tail)
    if (result.length > LIMITS.words) return null
  }
  return result
}

interface Brace {
  readonly open: number
  readonly close: number
  readonly items: readonly string[]
  readonly range: boolean
}

function firstBrace(text: string): Brace | null {
  for (let at = 0; at < text.length; at = skip(text, at)) {
    if (text[at] !== '{' || text[at - 1] === '$') continue
    const brace = braceAt(text, at)
    if (brace !== null) return brace
  }
  return null
}

/** The offset after the character, quoted string or substitution at `at`. */
function skip(text: string, at: number): number {
  const character = text[at]
  if (character === '\\') return at + 2
  if (character === "'") return after(text, text.indexOf("'", at + 1))
  if (character === '`') return after(text, text.indexOf('`', at + 1))
  if (character === '"') return closing(text, at + 1, '"')
  if (character === '$' && text[at + 1] === '(') return closing(text, at + 2, ')')
  if (character === '$' && text[at + 1] === '{') return closing(text, at + 2, '}')
  return at + 1
}

function after(text: string, at: number): number {
  return at < 0 ? text.length : at + 1
}

function closing(text: string, from: number, end: string): number {
  let depth = 1
  for (let at = from; at < text.length; at++) {
    const character = text[at]
    if (character === '\\') at++
    else if (character === end && --depth === 0) return at + 1
    else if ((end === ')' && character === '(') || (end === '}' && character === '{')) depth++
  }
  return text.length
}

function braceAt(text: string, open: number): Brace | null {
  const items: string[] = []
  let start = open + 1
  let depth = 0
  for (let at = open + 1; at < text.length; ) {
    const character = text[at]
    if (character === '{') depth++
    else if (character === ',' && depth === 0) {
      items.push(text.slice(start, at))
      start = at + 1
    } else if (character === '}') {
      if (depth === 0) return finish(text, { open, close: at, items, start })
      depth--
    }
    at = skip(text, at)
  }
  return null
}

function finish(text: string, at: { open: number; close: number; items: readonly string[]; start: number }): Brace | null {
  const last = text.slice(at.start, at.close)
  if (at.items.length > 0) return { open: at.open, close: at.close, items: [...at.items, last], range: false }
  const items = sequence(last)
  return items === null ? null : { open: at.open, close: at.close, items, range: true }
}

/** `1..3`, `a..e`, `1..9..2`. */
function sequence(text: string): readonly string[] | null {
  const [from, to, by, ...more] = text.split('..')
  if (from === undefined || to === undefined || more.length > 0) return null
  const numbers = /^[+-]?\d{1,9}$/
  const step = by === undefined ? 1 : numbers.test(by) ? Math.abs(Number(by)) || 1 : null
  if (step === null) return null
  if (numbers.test(from) && numbers.test(to)) return range(Number(from), Number(to), step).map((n) => pad(n, from, to))
  if (!/^[a-zA-Z]$/.test(from) || !/^[a-zA-Z]$/.test(to)) return null
  return range(from.charCodeAt(0), to.charCodeAt(0), step).map((code) => String.fromCharCode(code))
}

function range(from: number, to: number, step: number): number[] {
  const count = Math.min(Math.floor(Math.abs(to - from) / step) + 1, LIMITS.words + 1)
  const direction = to >= from ? step : -step
  return Array.from({ length: count }, (_, index) => from + index * direction)
}

function pad(value: number, from: string, to: string): string {
  const padded = [from, to].some((side) => /^-?0\d/.test(side))
  if (!padded) return String(value)
  const width = Math.max(from.length, to.length)
  return value < 0 ? `-${String(-value).padStart(width - 1, '0')}` : String(value).padStart(width, '0')
}
