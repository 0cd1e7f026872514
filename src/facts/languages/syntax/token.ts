import { HOLE } from '../../resources/text/hole.ts'
import { CodeLimit, LIMITS } from '../limits.ts'

/** Tokens of every syntax family, and the scanning they share: identifiers, quoted text, escapes, interpolations. */
export type TokenKind =
  | 'name'
  | 'number'
  | 'text'
  | 'template'
  | 'command'
  | 'words'
  | 'regex'
  | 'operator'
  | 'newline'
  | 'indent'
  | 'dedent'
  | 'end'

/** A literal piece of an interpolated string, or the source of an expression in it. */
export type Part = string | { readonly source: string }

export interface Token {
  readonly kind: TokenKind
  /** Decoded text of a string; spelling of anything else. */
  readonly text: string
  /** Pieces of a template or a command; items of a word list. */
  readonly parts: readonly Part[]
  /** White space stands before it. */
  readonly spaced: boolean
  /** It is the first on its line. */
  readonly fresh: boolean
  /** It is a byte string. */
  readonly bytes: boolean
}

const NAME_START = /[\p{L}_]/u
const NAME_PART = /[\p{L}\p{N}_]/u

export function isNameStart(c: string | undefined): boolean {
  if (c === undefined || c === '') return false
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c === '_' || (c > '\x7f' && NAME_START.test(c))
}

export function isNamePart(c: string | undefined): boolean {
  return isNameStart(c) || isDigit(c) || (c !== undefined && c > '\x7f' && NAME_PART.test(c))
}

export function isDigit(c: string | undefined): boolean {
  return c !== undefined && c >= '0' && c <= '9'
}

/** The ASCII letters, digits and `_`. */
function isPlainPart(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a) || (code >= 0x30 && code <= 0x39) || code === 0x5f
}

/** A number ends where its own signs end: `1if x` and `0or x` are a number and a word. */
const NUMBER =
  /0[xX][0-9a-fA-F_]*(?:\.[0-9a-fA-F]+)?(?:[pP][-+]?\d+)?|0[bB][01_]+|0[oO][0-7_]+|(?:\d[\d_]*(?:\.\d[\d_]*)?|\.\d[\d_]*)(?:[eE][-+]?\d[\d_]*)?(?:[jJnri]\b)?/y

/** The character at a place, which may take two units. */
function characterAt(source: string, at: number): string {
  const code = source.charCodeAt(at)
  return code >= 0xd800 && code < 0xdc00 ? source.slice(at, at + 2) : (source[at] ?? '')
}

const shelves = new WeakMap<readonly string[], ReadonlyMap<string, readonly string[]>>()
const NONE: readonly string[] = []

/** The operators of a list that begin with a character, in their order. */
function beginning(list: readonly string[], first: string): readonly string[] {
  const known = shelves.get(list)
  if (known !== undefined) return known.get(first) ?? NONE
  const shelf = new Map<string, string[]>()
  for (const operator of list) {
    const others = shelf.get(operator.charAt(0))
    if (others === undefined) shelf.set(operator.charAt(0), [operator])
    else others.push(operator)
  }
  shelves.set(list, shelf)
  return shelf.get(first) ?? NONE
}

/** What reading the code inside of a text takes at least, as tokens. */
const PER_PART = 4

/** A cursor over source text that collects tokens within the limit. */
export class Scanner {
  readonly source: string
  readonly tokens: Token[] = []
  at = 0
  /** What code inside of texts will take, as tokens: it is read later, by itself. */
  private inner = 0
  private spaced = false
  private fresh = true

  constructor(source: string) {
    this.source = source
  }

  get current(): string | undefined {
    return this.source[this.at]
  }

  get done(): boolean {
    return this.at >= this.source.length
  }

  peek(offset = 1): string | undefined {
    return this.source[this.at + offset]
  }

  starts(text: string): boolean {
    return this.source.startsWith(text, this.at)
  }

  /** Steps over white space; the next token knows that it was there. */
  space(count = 1): void {
    this.at += count
    this.spaced = true
  }

  /** Steps over the end of a line. */
  line(): void {
    this.at += 1
    this.spaced = true
    this.fresh = true
  }

  /** Steps to the end of the line, which is not taken. */
  skipLine(): void {
    const end = this.source.indexOf('\n', this.at)
    this.at = end < 0 ? this.source.length : end
    this.spaced = true
  }

  /** Steps over a comment of PHP, which the end of the code ends, too. */
  skipComment(): void {
    const line = this.source.indexOf('\n', this.at)
    const code = this.source.indexOf('?>', this.at)
    const ends = [line, code].filter((at) => at >= 0)
    this.at = ends.length === 0 ? this.source.length : Math.min(...ends)
    this.spaced = true
  }

  /** Steps behind `close`, or to the end of the text. */
  skipPast(close: string): void {
    const end = this.source.indexOf(close, this.at)
    this.at = end < 0 ? this.source.length : end + close.length
    this.spaced = true
  }

  name(): string {
    const start = this.at
    let end = start
    while (isPlainPart(this.source.charCodeAt(end)) || isNamePart(characterAt(this.source, end)))
      end += characterAt(this.source, end).length
    this.at = end
    return this.source.slice(start, end)
  }

  number(): string {
    NUMBER.lastIndex = this.at
    const text = NUMBER.exec(this.source)?.[0] ?? this.source.slice(this.at, this.at + 1)
    this.at += text.length
    return text
  }

  push(kind: TokenKind, text: string, extra: { parts?: readonly Part[]; bytes?: boolean } = {}): void {
    if (this.tokens.length + this.inner >= LIMITS.tokens) throw new CodeLimit('the code has more tokens than are analysed')
    for (const part of extra.parts ?? []) if (typeof part !== 'string') this.inner += PER_PART
    this.tokens.push({ kind, text, parts: extra.parts ?? [], spaced: this.spaced, fresh: this.fresh, bytes: extra.bytes ?? false })
    this.spaced = false
    this.fresh = kind === 'newline'
  }

  /** A string token: plain text where nothing is interpolated. */
  pushString(parts: readonly Part[], kind: 'template' | 'command' = 'template', bytes = false): void {
    const plain = parts.every((p) => typeof p === 'string')
    if (kind === 'template' && plain) this.push('text', parts.join(''), { bytes })
    else this.push(kind, '', { parts, bytes })
  }

  last(): Token | undefined {
    return this.tokens.at(-1)
  }

  /** The longest operator of the list that stands here, or the character itself. */
  operator(list: readonly string[]): void {
    if (this.current === HOLE) throw new CodeLimit('part of the code is not known before it runs')
    const found = beginning(list, this.current ?? '').find((op) => this.starts(op)) ?? this.current ?? ''
    this.at += found.length
    this.push('operator', found)
  }
}

/** The index of the brace that closes an interpolation opened before `from`; strings and templates inside are stepped over. */
export function closingBrace(source: string, from: number): number {
  const open: string[] = ['{']
  let i = from
  while (i < source.length) {
    const c = source[i] as string
    const inTemplate = open.at(-1) === '`'
    if (c === '\\') i += 1
    else if (inTemplate) {
      if (c === '`') open.pop()
      else if (c === '$' && source[i + 1] === '{') {
        open.push('{')
        i += 1
      }
    } else if (c === '{' || c === '`') open.push(c)
    else if (c === '}') {
      open.pop()
      if (open.length === 0) return i
    } else if (c === '"' || c === "'") i = quoteEnd(source, i)
    i += 1
  }
  throw new CodeLimit('an interpolation is not closed')
}

function quoteEnd(source: string, from: number): number {
  const quote = source[from]
  let i = from + 1
  while (i < source.length && source[i] !== quote && source[i] !== '\n') i += source[i] === '\\' ? 2 : 1
  return i
}

const SIMPLE: ReadonlyMap<string, string> = new Map(
  Object.entries({ n: '\n', t: '\t', r: '\r', a: '\x07', b: '\b', f: '\f', v: '\v', e: '\x1b', '\n': '' }),
)

const HEX = /^[0-9a-fA-F]+$/

function codePoint(hex: string): string {
  const value = Number.parseInt(hex, 16)
  return HEX.test(hex) && value <= 0x10ffff ? String.fromCodePoint(value) : ''
}

/** The index of a character within the next 60, or -1: a search that cannot become quadratic. */
export function near(source: string, what: string, from: number): number {
  const found = source.slice(from, from + 60).indexOf(what)
  return found < 0 ? -1 : from + found
}

/** Decodes the escape whose backslash stands at `at`; gives its text and the index behind it. */
export function decodeEscape(source: string, at: number): readonly [string, number] {
  const c = source[at + 1] ?? ''
  if ((c === 'x' || c === 'u') && source[at + 2] === '{') {
    const close = near(source, '}', at)
    return close < 0 ? [c, at + 2] : [codePoint(source.slice(at + 3, close)), close + 1]
  }
  const digits = DIGITS.get(c)
  if (digits !== undefined) return number(source, at + 2, digits)
  if (c < '0' || c > '7') return [SIMPLE.get(c) ?? c, at + 2]
  let end = at + 2
  while (end < at + 4 && (source[end] ?? '') >= '0' && (source[end] ?? '') <= '7') end += 1
  return [String.fromCharCode(Number.parseInt(source.slice(at + 1, end), 8)), end]
}

/** How many hexadecimal digits stand behind `\x`, `\u` and `\U`. */
const DIGITS: ReadonlyMap<string, number> = new Map([
  ['x', 2],
  ['u', 4],
  ['U', 8],
])

function number(source: string, from: number, digits: number): readonly [string, number] {
  const hex = source.slice(from, from + digits)
  let length = 0
  while (length < hex.length && HEX.test(hex[length] as string)) length += 1
  return length === 0 ? [source[from - 1] ?? '', from] : [codePoint(hex.slice(0, length)), from + length]
}
