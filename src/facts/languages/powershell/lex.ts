import type { Node, Piece, Script } from './tree.ts'

/** The words of PowerShell: strings, variables, types, parameters, operators, blanks and comments. */

export class Broken extends Error {}

const BLANK = /[ \t\r\u00a0]/
/** Ends a bare word. */
const STOP = /[\s;|&(){},'"`$]/
const NAME = /[\w:?]/
const IN_TYPE = /[\w.,+&*:\s=`-]/

/** True for a blank that is no line end. */
export function isBlank(character: string): boolean {
  return BLANK.test(character)
}

/** Reads words at a position of the source; scripts inside of them are read by the parser that extends it. */
export abstract class WordReader {
  protected readonly source: string
  protected at = 0
  /** Every script that was read, inner ones first. */
  readonly scripts: Script[] = []

  constructor(source: string) {
    this.source = source
  }

  /** Reads statements up to the closing bracket, which is taken. */
  protected abstract inner(end: string): Script

  protected abstract node(expression: boolean): Node

  /** Reads what stands up to `)`, which is taken: expressions between commas. */
  protected abstract arguments(): Script[]

  /** `[int]`, `[a.b[c, d]]`, `[ValidateScript({ … })]`: what stands between parentheses is read as arguments. */
  protected typeName(): Node {
    const start = ++this.at
    const blocks: Script[] = []
    let name = ''
    for (let depth = 1; depth > 0; ) {
      const character = this.source[this.at++] ?? ''
      if (character === '[') depth++
      else if (character === ']') depth--
      else if (character === '(') {
        name ||= this.source.slice(start, this.at - 1)
        blocks.push(...this.arguments())
      } else if (!IN_TYPE.test(character)) throw new Broken(`unexpected \`${character}\` in a type`)
    }
    name ||= this.source.slice(start, this.at - 1)
    return { kind: 'type', blocks, name: name.trim().toLowerCase() }
  }

  /** `-Name`, `-Name:value`; an operator such as `-join` in an expression. */
  protected dashed(expression: boolean): Node {
    const start = ++this.at
    while (/[\w?]/.test(this.source[this.at] ?? '')) this.at++
    const name = this.source.slice(start, this.at).toLowerCase()
    if (expression) return { kind: 'operator', text: `-${name}` }
    if (this.source[this.at] === ':') {
      this.at++
      this.blanks(false)
      // What is given so is a value, whatever it begins with: `-Filter:-x`.
      return { kind: 'parameter', name, value: this.source[this.at] === '-' ? this.bareText() : this.node(false) }
    }
    if (this.source[this.at] !== undefined && !STOP.test(this.source[this.at] ?? '')) {
      // A word of another program: `-o=file`, `-x/y`.
      this.at = start - 1
      return this.bareText()
    }
    return { kind: 'parameter', name, value: null }
  }

  /** A number or an operator inside an expression; a word where neither. */
  protected operand(): Node {
    const rest = this.source.slice(this.at, this.at + 32)
    const number = /^(?:0x[\da-f]+|\d[\d.]*(?:kb|mb|gb|tb)?)/i.exec(rest)?.[0]
    if (number !== undefined) {
      this.at += number.length
      return { kind: 'string', pieces: [{ kind: 'text', text: number }], bare: false }
    }
    const sign = /^(?:\.\.|[-+*/%!=<>?:.]+)/.exec(rest)?.[0]
    if (sign === undefined) return this.bareText()
    this.at += sign.length
    return { kind: 'operator', text: sign }
  }

  protected variable(): Node {
    this.at++
    if (this.source[this.at] === '{') {
      const end = this.source.indexOf('}', this.at)
      if (end < 0) throw new Broken('`}` is missing')
      const name = this.source.slice(this.at + 1, end)
      this.at = end + 1
      return { kind: 'variable', name: name.toLowerCase() }
    }
    return { kind: 'variable', name: this.variableName() }
  }

  protected variableName(): string {
    const start = this.at
    if (/[$?^_]/.test(this.source[this.at] ?? '') && !/\w/.test(this.source[this.at + 1] ?? '')) this.at++
    else while (NAME.test(this.source[this.at] ?? '') && !this.source.startsWith('::', this.at)) this.at++
    return this.source.slice(start, this.at).toLowerCase().replace(/:$/, '')
  }

  protected quoted(quote: string): Node {
    this.at++
    const pieces: Piece[] = []
    let text = ''
    for (;;) {
      const character = this.source[this.at]
      if (character === undefined) throw new Broken(`\`${quote}\` is missing`)
      if (character === quote) {
        if (this.source[this.at + 1] !== quote) break
        text += quote
        this.at += 2
      } else if (quote === '"' && character === '`') text += this.escaped()
      else if (quote === '"' && character === '$') {
        const piece = this.interpolated()
        if (piece.kind === 'text') text += piece.text
        else {
          pieces.push({ kind: 'text', text }, piece)
          text = ''
        }
      } else {
        text += character
        this.at++
      }
    }
    this.at++
    return { kind: 'string', pieces: [...pieces, { kind: 'text', text }], bare: false }
  }

  protected interpolated(): Piece {
    const next = this.source[this.at + 1] ?? ''
    if (next === '(') {
      this.at += 2
      return { kind: 'script', script: this.inner(')') }
    }
    if (!/[\w{$?]/.test(next)) {
      this.at++
      return { kind: 'text', text: '$' }
    }
    const node = this.variable()
    return { kind: 'variable', name: node.kind === 'variable' ? node.name : '' }
  }

  protected escaped(): string {
    const character = this.source[this.at + 1] ?? ''
    this.at += 2
    return { n: '\n', r: '\r', t: '\t', '0': '\0', '\n': '' }[character] ?? character
  }

  protected hereString(quote: string): Node {
    const end = this.source.indexOf(`\n${quote}@`, this.at + 2)
    const start = this.source.indexOf('\n', this.at)
    if (end < 0 || start < 0) throw new Broken('a here-string without its end')
    const pieces: Piece[] = []
    let text = ''
    this.at = start + 1
    while (this.at < end) {
      const character = this.source[this.at] as string
      if (quote === '"' && character === '`') text += this.escaped()
      else if (quote === '"' && character === '$') {
        pieces.push({ kind: 'text', text }, this.interpolated())
        text = ''
      } else {
        text += character
        this.at++
      }
    }
    if (this.at > end && end > start) throw new Broken('a here-string without its end')
    this.at = end + 3
    return { kind: 'string', pieces: [...pieces, { kind: 'text', text }], bare: false }
  }

  /** A bare word, with quotes, variables and escapes inside: `a"b"$c`. */
  protected bareText(): Node {
    const pieces: Piece[] = []
    let text = ''
    const start = this.at
    for (let character = this.source[this.at]; character !== undefined; character = this.source[this.at]) {
      if (character === '`') text += this.escaped()
      else if (character === '$' && /[\w{(?]/.test(this.source[this.at + 1] ?? '')) {
        pieces.push({ kind: 'text', text }, this.interpolated())
        text = ''
      } else if ((character === '"' || character === "'") && this.at > start) {
        const inner = this.quoted(character)
        if (inner.kind === 'string') pieces.push({ kind: 'text', text }, ...inner.pieces)
        text = ''
      } else if (STOP.test(character) && character !== '$' && this.at > start) break
      else {
        text += character
        this.at++
      }
    }
    return { kind: 'string', pieces: [...pieces, { kind: 'text', text }], bare: true }
  }

  /** Skips blanks, comments and continued lines; line ends too where `lines` is set. */
  protected blanks(lines: boolean): void {
    for (;;) {
      const character = this.source[this.at] ?? ''
      if (BLANK.test(character) || (lines && character === '\n')) this.at++
      else if (character === '`' && this.source[this.at + 1] === '\n') this.at += 2
      else if (character === '#') this.skipTo('\n', 0)
      else if (character === '<' && this.source[this.at + 1] === '#') this.skipTo('#>', 2)
      else return
    }
  }

  protected skipTo(end: string, over: number): void {
    const found = this.source.indexOf(end, this.at)
    this.at = found < 0 ? this.source.length : found + over
  }
}
