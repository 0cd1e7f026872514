import { CodeLimit } from '../limits.ts'
import { type QuoteStyle, readBody, readQuoted } from './quoted.ts'
import { isNamePart, type Part, Scanner } from './token.ts'

/** What the quoting of Perl and Ruby has in common: chosen delimiters, heredocs that start on the next line, embedded code. */
const CLOSING: ReadonlyMap<string, string> = new Map(Object.entries({ '(': ')', '[': ']', '{': '}', '<': '>' }))

/** Stands before what can be read in two ways: no grammar has a place for it, so that it is told. */
export const AMBIGUOUS = '\ue001'

/** Times that the whole text is looked through for what a name stands for. */
const MAX_LOOKS = 64

/** What would be read in another way, were the sign before it the opening of a text. */
const OPENS = /["'`#]|\b(?:q[qwxr]?|m|s|y|tr)\b/

export type Interpolation = NonNullable<QuoteStyle['interpolates']>

export interface Heredoc {
  readonly tag: string
  readonly raw: boolean
  readonly command: boolean
  readonly interpolates: Interpolation
}

export class ScriptScanner extends Scanner {
  private bodiesEnd = 0
  private looks = 0

  /** True where a pattern that opened at a slash would close on its line, and what it holds opens texts or comments. */
  slashMatters(): boolean {
    const end = this.source.indexOf('\n', this.at)
    const rest = this.source.slice(this.at + 1, end < 0 ? undefined : Math.min(end, this.at + 4096))
    return rest.includes('/') && OPENS.test(rest)
  }

  /** Counts a look through the whole text; true once there were so many that the answer is taken for yes. */
  looked(): boolean {
    this.looks += 1
    return this.looks > MAX_LOOKS
  }

  /** Tells that what stands here can be read in another way. */
  doubt(): void {
    this.push('operator', AMBIGUOUS)
  }

  /** True where a line further down is the end of a heredoc. */
  endsWith(tag: string): boolean {
    if (this.looked()) return true
    return this.source
      .slice(this.at)
      .split('\n')
      .slice(1)
      .some((line) => line.trim() === tag)
  }

  /** Steps over the end of a line and over the heredoc bodies that follow it. */
  override line(): void {
    super.line()
    if (this.bodiesEnd > this.at) this.at = this.bodiesEnd
  }

  /** Skips documentation that starts at the beginning of a line: `=pod … =cut`. */
  documentation(close: string): boolean {
    if (this.current !== '=' || !isNamePart(this.peek()) || (this.at > 0 && this.source[this.at - 1] !== '\n')) return false
    this.skipPast(`\n${close}`)
    this.skipLine()
    return true
  }

  /** At an opening delimiter: reads to the one that closes it. */
  delimited(style: Pick<QuoteStyle, 'escapes' | 'interpolates'>): readonly Part[] {
    const open = this.current as string
    const close = CLOSING.get(open)
    const { parts, end } = readQuoted(this.source, this.at + 1, { ...style, close: close ?? open, ...(close ? { nest: open } : {}) })
    this.at = end
    return parts
  }

  /** Takes the body of a heredoc from the lines after this one. */
  heredoc({ tag, raw, command, interpolates }: Heredoc): void {
    const lineEnd = this.source.indexOf('\n', this.at)
    const from = Math.max(this.bodiesEnd, lineEnd < 0 ? this.source.length : lineEnd + 1)
    let at = from
    let end = this.source.length
    while (at < this.source.length) {
      const next = this.source.indexOf('\n', at)
      const lineStop = next < 0 ? this.source.length : next
      if (lineStop - at < 200 && this.source.slice(at, lineStop).trim() === tag) {
        end = at
        at = lineStop + 1
        break
      }
      at = lineStop + 1
    }
    this.bodiesEnd = Math.min(at, this.source.length)
    const body = this.source.slice(from, end)
    this.pushString(raw ? [body] : readBody(body, { escapes: 'all', interpolates }), command ? 'command' : 'template')
  }

  /** White space between a quote operator and its delimiter may be skipped, except before `#`. */
  skipToDelimiter(): void {
    while (this.current === ' ' || this.current === '\t' || this.current === '\n') this.at += 1
    if (this.done) throw new CodeLimit('a string is not closed')
  }

  /** Letters directly behind a regular expression. */
  flags(): string {
    return this.name()
  }
}

/** Text of pieces as written, interpolations left out. */
export function literalText(parts: readonly Part[]): string {
  return parts.filter((p) => typeof p === 'string').join('')
}

/** Code that a regular expression runs while matching: `(?{ … })`, `(??{ … })`. */
export function embeddedCode(pattern: string, closing: (source: string, from: number) => number): readonly Part[] {
  const found: Part[] = []
  let at = pattern.indexOf('(?')
  while (at >= 0) {
    const open = pattern[at + 2] === '?' ? at + 3 : at + 2
    let next = at + 2
    if (pattern[open] === '{') {
      next = closing(pattern, open + 1)
      found.push({ source: pattern.slice(open + 1, next) })
    }
    at = pattern.indexOf('(?', next)
  }
  return found
}
