import { CodeLimit, LIMITS } from '../limits.ts'

/** Splits source text of any language into words, texts, numbers and signs: all that reading by words needs. */

/** How a language writes what matters here. */
export interface Shape {
  /** A name at the current place; sticky. */
  readonly names: RegExp
  /** What begins a comment to the end of the line. */
  readonly comments: readonly string[]
  readonly block?: readonly [string, string]
  /** Signs that enclose texts in which a backslash escapes. */
  readonly quotes: string
  /** Signs that enclose texts without escapes. */
  readonly raw?: string
  /** `'` after a value is an operator, elsewhere it encloses a text. */
  readonly transpose?: true
  /** What begins code inside of texts; it ends with the bracket that closes it. */
  readonly inside?: string
  /** What a backtick encloses. */
  readonly backtick?: 'name' | 'command'
  /** `~c"…"`: a letter says what kind of text follows. */
  readonly sigils?: true
}

export interface Token {
  readonly kind: 'name' | 'text' | 'number' | 'sign' | 'command'
  readonly text: string
  /** False for a text or command with unknown parts. */
  readonly exact: boolean
  /** Where it stands in the text that is lexed with it. */
  readonly at: number
  readonly end: number
}

const NUMBER = /(?:0[xX][\da-fA-F]+|\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)/y
const SIGN = /<<?-|->>?|=>|[=!<>]=|\|>|%[\w<>*/|]{0,10}%|<>|&&|\|\||::|\.\.\.?/y
const CLOSING: ReadonlyMap<string, string> = new Map([
  ['(', ')'],
  ['{', '}'],
  ['[', ']'],
])

/** Where an inner text stands in the whole one. */
interface Place {
  readonly depth: number
  readonly offset: number
}

export function lexWords(source: string, shape: Shape, place: Place = { depth: 0, offset: 0 }): readonly Token[] {
  return new Lexer(source, shape, place).all()
}

class Lexer {
  private readonly source: string
  private readonly shape: Shape
  private readonly place: Place
  private readonly tokens: Token[] = []
  private at = 0

  constructor(source: string, shape: Shape, place: Place) {
    this.source = source
    this.shape = shape
    this.place = place
  }

  all(): readonly Token[] {
    if (this.place.depth > LIMITS.interpolations) throw new CodeLimit('texts in code in texts are nested too deeply')
    while (this.at < this.source.length) this.next()
    return this.tokens
  }

  private push(kind: Token['kind'], text: string, { end, exact = true }: { readonly end: number; readonly exact?: boolean }): void {
    const { offset } = this.place
    this.tokens.push({ kind, text, exact, at: this.at + offset, end: end + offset })
    if (this.tokens.length > LIMITS.tokens) throw new CodeLimit('the code is longer than what is analysed')
    this.at = end
  }

  private match(pattern: RegExp): string | null {
    pattern.lastIndex = this.at
    return pattern.exec(this.source)?.[0] ?? null
  }

  private next(): void {
    const { source, shape } = this
    const char = source[this.at] ?? ''
    if (char === ' ' || char === '\t' || char === '\r') this.at++
    else if (this.comment()) return
    else if (shape.quotes.includes(char) || shape.raw?.includes(char) === true) this.quoted(char)
    else if (char === "'" && shape.transpose === true) this.apostrophe()
    else if (char === '`' && shape.backtick !== undefined) this.backtick()
    else if (char === '~' && shape.sigils === true && /^~[a-zA-Z]["']/.test(source.slice(this.at, this.at + 3))) this.at += 2
    else this.word(char)
  }

  /** A name, a number or a sign. */
  private word(char: string): void {
    const name = this.match(this.shape.names)
    const number = name === null ? this.match(NUMBER) : null
    if (name !== null && name !== '') this.push('name', name, { end: this.at + name.length })
    else if (number !== null) this.push('number', number, { end: this.at + number.length })
    else {
      const sign = this.match(SIGN) ?? char
      this.push('sign', sign, { end: this.at + sign.length })
    }
  }

  private comment(): boolean {
    const { source, shape } = this
    if (shape.block !== undefined && source.startsWith(shape.block[0], this.at)) {
      const end = source.indexOf(shape.block[1], this.at + 2)
      this.at = end < 0 ? source.length : end + shape.block[1].length
      return true
    }
    if (!shape.comments.some((open) => source.startsWith(open, this.at))) return false
    const end = source.indexOf('\n', this.at)
    this.at = end < 0 ? source.length : end
    return true
  }

  private apostrophe(): void {
    const before = this.tokens.at(-1)
    const value =
      before !== undefined &&
      before.end === this.at + this.place.offset &&
      before.kind !== 'text' &&
      (before.kind !== 'sign' || /^[)\]}'.]$/.test(before.text))
    if (value) this.push('sign', "'", { end: this.at + 1 })
    else this.quoted("'")
  }

  private quoted(quote: string): void {
    const { source } = this
    const start = this.at
    const triple = quote.repeat(3)
    const close = source.startsWith(triple, start) ? triple : quote
    const raw = this.shape.raw?.includes(quote) === true
    const inside: number[] = []
    let text = ''
    let at = start + close.length
    for (; !source.startsWith(close, at); at++) {
      if (at >= source.length) throw new CodeLimit('a string is not closed')
      const char = source[at] ?? ''
      if (char === '\\' && !raw) {
        const escaped = source[++at] ?? ''
        text += ESCAPES.get(escaped) ?? escaped
        if (!ESCAPES.has(escaped)) inside.push(0)
      } else if (!raw && this.shape.inside !== undefined && source.startsWith(this.shape.inside, at)) {
        const from = at + this.shape.inside.length
        at = closing(source, from, this.shape.inside.at(-1) ?? '')
        inside.push(from, at)
      } else text += char
    }
    this.push('text', text, { end: at + close.length, exact: inside.length === 0 })
    this.embedAll(inside.filter((place) => place > 0))
  }

  /** Code within a text: where each piece begins and ends, in turn. */
  private embedAll(ranges: readonly number[]): void {
    for (let next = 0; next + 1 < ranges.length; next += 2) this.embed(ranges[next] ?? 0, ranges[next + 1] ?? 0)
  }

  /** Code inside of a text, as if it stood in brackets after it. */
  private embed(from: number, to: number): void {
    const offset = this.place.offset
    const open = this.shape.inside?.at(-1) ?? ''
    const sign = (text: string, at: number): Token => ({ kind: 'sign', text, exact: true, at: at + offset, end: at + offset })
    const inner = lexWords(this.source.slice(from, to), this.shape, { depth: this.place.depth + 1, offset: offset + from })
    this.tokens.push(sign(',', from), sign(open, from), ...inner, sign(CLOSING.get(open) ?? '', to))
    if (this.tokens.length > LIMITS.tokens) throw new CodeLimit('the code is longer than what is analysed')
  }

  private backtick(): void {
    const end = this.source.indexOf('`', this.at + 1)
    if (end < 0) throw new CodeLimit('a string is not closed')
    const text = this.source.slice(this.at + 1, end)
    if (this.shape.backtick === 'name') this.push('name', text, { end: end + 1 })
    else this.push('command', text.replace(/\$(?:\w+|\([^()]*\))/g, '$UNKNOWN_VALUE'), { end: end + 1 })
  }
}

/** Escapes that are harmless to undo; a text with any other is not known exactly. */
const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['"', '"'],
  ["'", "'"],
  ['\\', '\\'],
  ['$', '$'],
  ['/', '/'],
])

/** Where the bracket closes that was opened before `from`; texts in between are stepped over. */
function closing(source: string, from: number, open: string): number {
  const close = CLOSING.get(open) ?? '}'
  let depth = 1
  for (let at = from; at < source.length; at++) {
    const char = source[at]
    if (char === open) depth++
    else if (char === close && --depth === 0) return at
  }
  throw new CodeLimit('a string is not closed')
}
