/** Expressions of a justfile: read from a place in its text, and evaluated to what a shell reads in their stead. */

export type Expression =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'command'; readonly command: string }
  | { readonly kind: 'call'; readonly name: string; readonly args: readonly Expression[] }
  | { readonly kind: 'joined'; readonly sign: string; readonly left: Expression; readonly right: Expression }
  | { readonly kind: 'choice'; readonly test: Condition | null; readonly yes: Expression; readonly no: Expression }
  /** A text with expressions in it. */
  | { readonly kind: 'parts'; readonly parts: readonly Expression[] }

export interface Condition {
  readonly sign: string
  readonly left: Expression
  readonly right: Expression
}

/** The text is no justfile, from there on. */
export class JustUnread extends Error {
  override readonly name = 'JustUnread'
}

const MAX_DEPTH = 32
const NAME = /[A-Za-z_][\w-]*/y

/** Reads on from a place. */
export class JustReader {
  readonly text: string
  at = 0
  #depth = 0
  /** Brackets that are open: line ends are blanks within them. */
  #brackets = 0

  constructor(text: string) {
    this.text = text
  }

  get done(): boolean {
    return this.at >= this.text.length
  }

  blanks(): void {
    for (;;) {
      this.#match(this.#brackets > 0 ? /[ \t\r\n]+/y : /[ \t\r]+/y)
      if (this.#brackets > 0 && this.text[this.at] === '#') this.#match(/[^\n]+/y)
      else if (!this.takes('\\\n')) return
    }
  }

  /** Takes a text that stands here. */
  takes(sign: string): boolean {
    if (!this.text.startsWith(sign, this.at)) return false
    this.at += sign.length
    return true
  }

  needs(sign: string): void {
    this.blanks()
    if (!this.takes(sign)) throw new JustUnread(`\`${sign}\` is missing`)
  }

  name(): string | null {
    return this.#match(NAME)
  }

  /** The rest of the line, the line end taken. */
  line(): string {
    const end = this.text.indexOf('\n', this.at)
    const line = this.text.slice(this.at, end < 0 ? this.text.length : end)
    this.at = end < 0 ? this.text.length : end + 1
    return line.endsWith('\r') ? line.slice(0, -1) : line
  }

  expression(): Expression {
    if (++this.#depth > MAX_DEPTH) throw new JustUnread('expressions are nested too deep')
    let left = this.#operand()
    for (this.blanks(); ; this.blanks()) {
      const sign = ['&&', '||', '+', '/'].find((mark) => this.text.startsWith(mark, this.at))
      if (sign === undefined) break
      this.at += sign.length
      this.blanks()
      left = { kind: 'joined', sign, left, right: this.#operand() }
    }
    this.#depth -= 1
    return left
  }

  /** One value, as defaults of parameters and arguments of dependencies are. */
  value(): Expression {
    const strings = this.#string()
    if (strings !== null) return strings
    if (this.text[this.at] === '(') return this.#bracketed('(', ')', () => this.expression())
    const name = this.name()
    if (name === null) throw new JustUnread('a value is missing')
    if (this.text[this.at] !== '(') return { kind: 'name', name }
    return this.#bracketed('(', ')', () => this.#call(name))
  }

  #operand(): Expression {
    this.blanks()
    // `/ "x"` is a path from the root.
    if (this.takes('/')) return { kind: 'joined', sign: '/', left: { kind: 'text', text: '' }, right: this.#operand() }
    if (/^if\b/.test(this.text.slice(this.at, this.at + 3))) return this.#choice()
    if (/^assert\s*\(/.test(this.text.slice(this.at, this.at + 16))) return this.#assertion()
    return this.value()
  }

  #choice(): Expression {
    this.at += 2
    const test = this.#condition()
    this.blanks()
    const yes = this.#bracketed('{', '}', () => this.expression())
    this.blanks()
    if (this.name() !== 'else') throw new JustUnread('`else` is missing')
    this.blanks()
    const no = this.text[this.at] === '{' ? this.#bracketed('{', '}', () => this.expression()) : this.#choice()
    return { kind: 'choice', test, yes, no }
  }

  #condition(): Condition {
    const left = this.expression()
    this.blanks()
    const sign = ['==', '!=', '=~', '!~'].find((mark) => this.text.startsWith(mark, this.at))
    if (sign === undefined) throw new JustUnread('a condition is missing')
    this.at += 2
    return { sign, left, right: this.expression() }
  }

  /** Both sides are computed, and then the message may be. */
  #assertion(): Expression {
    this.name()
    this.blanks()
    return this.#bracketed('(', ')', () => {
      const { left, right } = this.#condition()
      this.needs(',')
      const message = this.expression()
      return { kind: 'call', name: 'assert', args: [left, right, message] }
    })
  }

  #call(name: string): Expression {
    const args: Expression[] = []
    for (this.blanks(); this.text[this.at] !== ')'; this.blanks()) {
      args.push(this.expression())
      this.blanks()
      if (!this.takes(',')) break
    }
    return { kind: 'call', name, args }
  }

  #bracketed<T>(open: string, close: string, inner: () => T): T {
    this.needs(open)
    this.#brackets += 1
    const result = inner()
    this.needs(close)
    this.#brackets -= 1
    return result
  }

  /** A string or a command between backticks; null where none begins here. */
  #string(): Expression | null {
    const start = /[xf]?(?=["'])|(?=`)/y
    start.lastIndex = this.at
    const mark = start.exec(this.text)
    if (mark === null) return null
    const kind = mark[0]
    this.at += kind.length
    const quote = this.text[this.at] ?? ''
    const triple = quote.repeat(3)
    const delimiter = this.text.startsWith(triple, this.at) ? triple : quote
    this.at += delimiter.length
    let text = this.#until(delimiter, quote === '"')
    if (delimiter === triple) text = unindented(text)
    if (quote === '`') return { kind: 'command', command: text }
    if (kind === 'f') return { kind: 'parts', parts: partsOf(text) }
    return { kind: 'text', text }
  }

  #until(delimiter: string, escapes: boolean): string {
    let text = ''
    for (; !this.done; this.at += 1) {
      if (this.takes(delimiter)) return text
      const c = this.text[this.at] ?? ''
      if (c === '\\' && escapes) {
        this.at += 1
        text += ESCAPED.get(this.text[this.at] ?? '') ?? this.text[this.at] ?? ''
      } else text += c
    }
    throw new JustUnread('a string is not closed')
  }

  #match(pattern: RegExp): string | null {
    pattern.lastIndex = this.at
    const found = pattern.exec(this.text)?.[0] ?? null
    if (found !== null) this.at += found.length
    return found
  }
}

const ESCAPED: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['r', '\r'],
  ['\n', ''],
])

/** Without the blanks that all lines begin with. */
export function unindented(text: string): string {
  const lines = text.replace(/^\r?\n/, '').split('\n')
  const indents = lines.filter((line) => line.trim() !== '').map((line) => /^[ \t]*/.exec(line)?.[0].length ?? 0)
  const least = indents.length === 0 ? 0 : indents.reduce((a, b) => Math.min(a, b))
  return lines.map((line) => line.slice(least)).join('\n')
}

/** A line with `{{expressions}}` in it; `{{{{` is two brackets. */
export function partsOf(line: string): readonly Expression[] {
  const parts: Expression[] = []
  let from = 0
  for (let at = line.indexOf('{{'); at >= 0; at = line.indexOf('{{', from)) {
    parts.push({ kind: 'text', text: line.slice(from, at) })
    if (line.startsWith('{{{{', at)) {
      parts.push({ kind: 'text', text: '{{' })
      from = at + 4
      continue
    }
    const reader = new JustReader(line)
    reader.at = at + 2
    parts.push(reader.expression())
    reader.needs('}}')
    from = reader.at
  }
  parts.push({ kind: 'text', text: line.slice(from) })
  return parts
}
