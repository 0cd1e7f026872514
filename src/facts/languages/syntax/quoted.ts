import { HOLE } from '../../resources/text/hole.ts'
import { CodeLimit } from '../limits.ts'
import { closingBrace, decodeEscape, isNameStart, near, type Part } from './token.ts'

/** Reads one quoted string of any language: where it ends, its escapes, what is interpolated in it. */
export interface QuoteStyle {
  /** What ends it. */
  readonly close: string
  /** What opens another level, for `q{a{b}c}`. */
  readonly nest?: string
  /** `all` decodes escapes; `quote` only the closing quote and the backslash; `none` leaves them (a backslash still guards the quote). */
  readonly escapes: 'all' | 'quote' | 'none'
  /** Finds what is interpolated: `{x}`, `${x}`, `#{x}`, or variables by sigil. */
  readonly interpolates?: 'braces' | 'dollar-braces' | 'hash-braces' | 'perl' | 'php'
  /** A line end inside is an error of the text. */
  readonly oneLine?: boolean
}

class Quoted {
  readonly parts: Part[] = []
  private text = ''

  add(text: string): void {
    this.text += text
  }

  insert(source: string): void {
    if (this.text !== '') this.parts.push(this.text)
    this.text = ''
    this.parts.push({ source })
  }

  finish(): readonly Part[] {
    if (this.text !== '' || this.parts.length === 0) this.parts.push(this.text)
    return this.parts
  }
}

/** Reads from `from`, just behind the opening quote; gives the pieces and the index behind the closing quote. */
export function readQuoted(source: string, from: number, style: QuoteStyle): { parts: readonly Part[]; end: number } {
  const out = new Quoted()
  let depth = 0
  let at = from
  while (at < source.length) {
    const c = source[at] as string
    if (depth === 0 && source.startsWith(style.close, at)) return { parts: out.finish(), end: at + style.close.length }
    if (style.oneLine === true && c === '\n') break
    if (c === '\\') {
      at = backslash(source, at, { style, out })
      continue
    }
    const after = style.interpolates === undefined ? at : interpolation(source, at, { style, out })
    if (after > at) {
      at = after
      continue
    }
    if (style.nest !== undefined && c === style.nest) depth += 1
    else if (style.nest !== undefined && c === style.close) depth -= 1
    out.add(c)
    at += 1
  }
  throw new CodeLimit('a string is not closed')
}

/** Reads the whole of a text that is already cut out (heredoc bodies). */
export function readBody(body: string, style: Omit<QuoteStyle, 'close'>): readonly Part[] {
  return readQuoted(`${body}\u{10ffff}`, 0, { ...style, close: '\u{10ffff}' }).parts
}

interface Reading {
  readonly style: QuoteStyle
  readonly out: Quoted
}

function backslash(source: string, at: number, { style, out }: Reading): number {
  const next = source[at + 1] ?? ''
  // Python: no backslash keeps a brace from opening a field; names of characters are not read.
  if (style.interpolates === 'braces' && (next === '{' || next === '}')) {
    out.add('\\')
    return at + 1
  }
  if (style.escapes === 'all' && next === 'N' && source[at + 2] === '{') {
    out.add(HOLE)
    return Math.max(near(source, '}', at), at + 2) + 1
  }
  if (style.escapes === 'all') {
    const [text, end] = decodeEscape(source, at)
    out.add(text)
    return end
  }
  if (style.escapes === 'quote' && (next === '\\' || style.close.startsWith(next) || next === style.nest)) out.add(next)
  else out.add(`\\${next}`)
  return at + 2
}

/** Where an interpolation starts at `at`, takes it and gives the index behind it; else `at`. */
function interpolation(source: string, at: number, { style, out }: Reading): number {
  const c = source[at]
  const next = source[at + 1]
  switch (style.interpolates) {
    case 'braces':
      return pythonField(source, at, out)
    case 'dollar-braces':
      return c === '$' && next === '{' ? braced(source, at + 2, out) : at
    case 'hash-braces':
      return c === '#' && next === '{' ? braced(source, at + 2, out) : at
    case 'php':
      return phpPart(source, at, out)
    case 'perl':
      if (c !== '$' && c !== '@') return at
      return next === '{' ? braced(source, at + 2, out) : variable(source, at, out)
    default:
      return at
  }
}

function phpPart(source: string, at: number, out: Quoted): number {
  const [c, next] = [source[at], source[at + 1]]
  if (c === '{' && next === '$') return braced(source, at + 1, out)
  if (c !== '$') return at
  return next === '{' ? named(source, at + 2, out) : variable(source, at, out)
}

function braced(source: string, from: number, out: Quoted): number {
  const close = closingBrace(source, from)
  out.insert(source.slice(from, close))
  return close + 1
}

/** `${name}` is `$name`. */
function named(source: string, from: number, out: Quoted): number {
  const close = closingBrace(source, from)
  const inner = source.slice(from, close)
  out.insert(/^\w+$/.test(inner) ? `$${inner}` : inner)
  return close + 1
}

/** `$name`, `$name[0]`, `$name{key}`, `$name->{key}`: as the languages themselves interpolate. */
function variable(source: string, at: number, out: Quoted): number {
  let end = at + 1
  // The process id; `$$name` is a reference.
  if (source.startsWith('$$', at) && !isNameStart(source[at + 2]) && source[at + 2] !== '{') {
    out.insert('$$')
    return at + 2
  }
  if (!isNameStart(source[end]) && !(source[end] ?? '').match(/^[0-9!&0@]$/)) return at
  const single = !isNameStart(source[end])
  end += 1
  while (!single && /[\w:]/.test(source[end] ?? '')) end += 1
  while (source[end - 1] === ':') end -= 1
  end = behindIndex(source, end, source[at] === '$')
  out.insert(source.slice(at, end))
  return end
}

/** The index behind `[0]`, `{key}`, `->{key}`; the same one where none stands there. */
function behindIndex(source: string, end: number, keyed: boolean): number {
  const open = source.startsWith('->', end) ? end + 2 : end
  const bracket = source[open]
  if (bracket !== '[' && !(bracket === '{' && keyed)) return end
  const close = near(source, bracket === '[' ? ']' : '}', open)
  return close > 0 ? close + 1 : end
}

/** `{expr!r:spec}` of an f-string; `{{` is a brace. What stands in the format is evaluated, too. */
function pythonField(source: string, at: number, out: Quoted): number {
  const c = source[at]
  if (c !== '{' && c !== '}') return at
  if (source[at + 1] === c) {
    out.add(c)
    return at + 2
  }
  return c === '}' ? at : field(source, at, out)
}

/** The field whose brace stands at `at`; in a format two braces are a field that begins with a set. */
function field(source: string, at: number, out: Quoted): number {
  const end = expressionEnd(source, at + 1)
  const expression = source.slice(at + 1, end)
  const shown = expression.trimEnd().endsWith('=') && !/[=!<>]=\s*$/.test(expression)
  const value = shown ? expression.slice(0, expression.lastIndexOf('=')) : expression
  let next = end
  while (source[next] !== ':' && source[next] !== '}' && next < source.length) next += 1
  const inner = new Quoted()
  if (source[next] === ':') next = formatEnd(source, next + 1, inner)
  const fields = inner.parts.filter((part) => typeof part !== 'string')
  out.insert(fields.length === 0 ? value : `(${value}\n,${fields.map((field) => `(${field.source}\n)`).join(',')})[0]`)
  return next + 1
}

/** The brace that closes a field, behind its format. */
function formatEnd(source: string, from: number, out: Quoted): number {
  let at = from
  while (at < source.length && source[at] !== '}') at = source[at] === '{' ? field(source, at, out) : at + 1
  return at
}

/** Where the expression of a field ends: at its brace, its conversion or its format. */
function expressionEnd(source: string, from: number): number {
  let depth = 0
  for (let at = from; at < source.length; at += 1) {
    const c = source[at] as string
    if (c === '#') at = lineEnd(source, at)
    else if (c === '"' || c === "'") at = stringEnd(source, at) - 1
    else if ('([{'.includes(c)) depth += 1
    else if (depth > 0 && ')]}'.includes(c)) depth -= 1
    else if (depth === 0 && (c === '}' || c === ':' || (c === '!' && source[at + 1] !== '='))) return at
  }
  throw new CodeLimit('an interpolation is not closed')
}

function lineEnd(source: string, at: number): number {
  const end = source.indexOf('\n', at)
  return end < 0 ? source.length : end
}

/** Behind a string of Python whose quote stands at `at`. */
function stringEnd(source: string, at: number): number {
  const quote = source[at] as string
  const close = source.startsWith(quote.repeat(3), at) ? quote.repeat(3) : quote
  const formatted = /[fFtT][rR]?$/.test(source.slice(Math.max(0, at - 2), at))
  return readQuoted(source, at + close.length, { close, escapes: 'none', ...(formatted ? { interpolates: 'braces' as const } : {}) }).end
}
