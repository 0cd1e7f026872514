import { type Argument, type Entry, NOTHING, type Node, nameNode, type Param, textNode } from '../ast.ts'
import { lexBrace } from '../syntax/brace.ts'
import { BraceParser } from '../syntax/brace-parser.ts'
import { type Dialect, levels, words } from '../syntax/parser.ts'

/** JavaScript, and TypeScript as far as its types can be stepped over. */
const DIALECT: Dialect = {
  lex: (source) => lexBrace('node', source),
  binary: levels(
    '??',
    '||',
    '&&',
    '|',
    '^',
    '&',
    '== != === !==',
    '< > <= >= instanceof in',
    '<< >> >>>',
    '+ -',
    '* / %',
    '**',
    'as satisfies',
  ),
  prefix: words('! ~ + - ++ -- typeof void delete await yield'),
  assign: words('= += -= *= /= %= **= <<= >>= >>>= &= |= ^= &&= ||= ??='),
  member: new Set(['.', '?.']),
  keywords: words(
    'case catch const default do else export extends finally for if import in instanceof let of return switch throw try var while',
  ),
}

const CONSTANTS: ReadonlyMap<string, boolean | null> = new Map<string, boolean | null>([
  ['true', true],
  ['false', false],
  ['null', null],
  ['undefined', null],
])

const MODIFIERS = words('async static get set public private protected readonly override abstract declare')
export abstract class JavaScriptExpressions extends BraceParser {
  constructor(source: string, embedding = 0) {
    super(DIALECT, source, embedding)
  }

  /** Steps over a type up to one of the given tokens on the same level, or the end of the line. */
  protected typeAnnotation(ends: readonly string[]): void {
    const start = this.at
    while (this.token.kind !== 'end' && !this.is(...ends, ')', '}', ']')) {
      if (this.at > start && this.token.fresh && !this.is('|', '&')) return
      this.at = Math.max(this.at, this.closes[this.at] ?? 0) + 1
    }
  }

  protected modifiers(): void {
    while (
      this.token.kind === 'name' &&
      MODIFIERS.has(this.token.text) &&
      (this.ahead().kind !== 'operator' || this.ahead().text === '[' || this.ahead().text === '*')
    )
      this.at += 1
    this.eat('*')
  }

  protected params(): readonly Param[] {
    return this.bracketed(')', () => {
      this.modifiers()
      const rest = this.eat('...')
      const target = this.primary()
      if (this.eat('?')) this.at += 0
      if (this.eat(':')) this.typeAnnotation(['=', ','])
      return { target, fallback: this.eat('=') ? this.expression() : null, rest }
    })
  }

  protected primary(): Node {
    const literal = this.literal()
    if (literal !== null) return literal
    const { kind, text } = this.token
    if (kind === 'operator') return this.punctuation(text)
    if (kind === 'name' && CONSTANTS.has(text)) {
      this.at += 1
      return { kind: 'constant', value: CONSTANTS.get(text) ?? null }
    }
    switch (text) {
      case 'new':
        return this.make()
      case 'async':
        if (this.ahead().text === 'function' || this.ahead().kind === 'name' || this.ahead().text === '(') this.at += 1
        return this.arrow() ?? (this.is('function') ? this.primary() : nameNode('async'))
      case 'function':
        this.at += 1
        this.eat('*')
        return { kind: 'function', fn: this.functionOf() }
      case 'class':
        return this.classOf()
      case 'import':
        this.at += 1
        return nameNode('import')
      default:
        return this.arrow() ?? this.nameOrNothing()
    }
  }

  private punctuation(text: string): Node {
    if (text === '(') {
      const arrow = this.arrow()
      if (arrow !== null) return arrow
      return { kind: 'group', items: this.bracketed(')', () => this.expression()), last: true }
    }
    if (text === '[') return { kind: 'list', items: this.bracketed(']', () => this.element()) }
    if (text === '{') return { kind: 'dict', entries: this.bracketed('}', () => this.entry()) }
    return NOTHING
  }

  private element(): Node {
    return this.eat('...') ? { kind: 'spread', value: this.expression() } : this.expression()
  }

  /** `x => …` and `(a, b) => …`; null where no arrow follows. */
  private arrow(): Node | null {
    if (this.token.kind === 'name' && this.ahead().text === '=>') {
      const target = nameNode(this.next().text)
      return this.arrowBody([{ target, fallback: null, rest: false }])
    }
    if (!this.is('(')) return null
    const close = this.closes[this.at] ?? 0
    const after = this.tokens[close + 1]?.text
    const typed =
      after === ':' && this.tokens.slice(close + 2, close + 14).some((t) => t.text === '=>') && this.tokens[close + 2]?.kind === 'name'
    if (close === 0 || (after !== '=>' && !typed)) return null
    const params = this.params()
    while (this.token.kind !== 'end' && !this.is('=>')) this.at += 1
    return this.arrowBody(params)
  }

  private arrowBody(params: readonly Param[]): Node {
    this.eat('=>')
    const body: Node = this.is('{') ? this.braces() : { kind: 'return', value: this.expression() }
    return { kind: 'function', fn: { name: null, params, body } }
  }

  /** `new X(…)`, `new a.b.X`. */
  private make(): Node {
    this.at += 1
    let callee = this.primary()
    while (this.is('.')) callee = this.memberOf(callee)
    const args: readonly Argument[] = this.is('(') ? this.args() : []
    return { kind: 'call', callee, args, make: true }
  }

  protected key(): Node {
    const token = this.token
    if (token.kind === 'operator' && token.text === '[') {
      this.at += 1
      const key = this.expression()
      this.skipTo(']')
      return key
    }
    if (token.kind === 'operator') return NOTHING
    this.at += 1
    return textNode(token.text)
  }

  private entry(): Entry {
    if (this.eat('...')) return { key: { kind: 'spread', value: this.expression() }, value: NOTHING }
    const start = this.at
    this.modifiers()
    const key = this.key()
    const behind = this.tokens[(this.closes[this.at] ?? 0) + 1]?.text
    // A call in braces is no method: `<p>{f(x)}</p>`.
    if (this.is('(') && behind !== '{' && behind !== ':') {
      this.at = start
      return { key: NOTHING, value: this.expression() }
    }
    if (this.is('(')) return { key, value: { kind: 'function', fn: this.functionOf() } }
    if (this.eat(':')) return { key, value: this.expression() }
    const target = nameNode(keyText(key))
    return { key, value: this.eat('=') ? { kind: 'assign', op: '=', target, value: this.expression() } : target }
  }

  /** `x as T` and `x satisfies T` are `x`. */
  private typed(node: Node): Node {
    this.at += 1
    do {
      if (this.is('{', '(', '[')) this.at = Math.max(this.at, this.closes[this.at] ?? 0) + 1
      else if (this.token.kind !== 'operator' && this.token.kind !== 'end') this.at += 1
      while (this.eat('.')) this.at += 1
      if (this.is('<')) this.angles()
      while (this.is('[') && !this.token.fresh) this.at = Math.max(this.at, this.closes[this.at] ?? 0) + 1
    } while (this.eat('|', '&', '=>'))
    return node
  }

  /** `f<T>(x)` is `f(x)`. */
  private genericCall(node: Node): Node | null {
    const start = this.at
    if (this.angles() && this.is('(')) return this.callOf(node)
    this.at = start
    return null
  }

  protected override typeParameters(): void {
    if (this.is('<')) this.angles()
  }

  /** Steps over type arguments; false where none end within 60 tokens. */
  protected angles(): boolean {
    let depth = 0
    for (const stop = this.at + 60; this.at < stop && this.token.kind !== 'end'; this.at += 1) {
      if (this.is('<')) depth += 1
      else if (this.is('>')) depth -= 1
      else if (this.is('>>')) depth -= 2
      else if (this.is(';')) return false
      if (depth <= 0) {
        this.at += 1
        return true
      }
    }
    return false
  }

  protected override link(node: Node): Node | null {
    const { kind, text, fresh, spaced } = this.token
    if (kind === 'name' && !fresh && (text === 'as' || text === 'satisfies')) return this.typed(node)
    if (text === '<' && kind === 'operator' && !spaced) return this.genericCall(node)
    if (kind === 'template' || kind === 'text') {
      if (node.kind !== 'name' && node.kind !== 'member') return null
      return fresh
        ? null
        : { kind: 'call', callee: node, args: [{ name: null, value: this.literal() ?? NOTHING, spread: '' }], make: false }
    }
    if (kind === 'operator' && (text === '++' || text === '--') && !fresh) {
      this.at += 1
      return { kind: 'assign', op: '+=', target: node, value: { kind: 'number', value: 1 } }
    }
    if (kind === 'operator' && text === '!' && !fresh && this.ahead().text !== '=') {
      this.at += 1
      return node
    }
    return super.link(node)
  }
  protected abstract classOf(): Node
}

export function keyText(key: Node): string {
  return key.kind === 'text' ? key.text : ''
}
