import { type Argument, callNode, type Entry, NOTHING, type Node, nameNode, type Param, textNode } from '../ast.ts'
import { lexBrace } from '../lex/brace.ts'
import { BraceParser } from './brace.ts'
import { type Dialect, levels, type Parser, words } from './parser.ts'

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

export class JavaScriptParser extends BraceParser {
  constructor(source: string, embedding = 0) {
    super(DIALECT, source, embedding)
  }

  protected embedded(source: string, embedding: number): Parser {
    return new JavaScriptParser(source, embedding)
  }

  protected statement(): Node {
    const { kind, text } = this.token
    if (kind === 'operator' && text === '{') return this.braces()
    if (kind === 'operator' && (text === ';' || text === '@')) {
      this.at += 1
      return NOTHING
    }
    if (kind === 'name') {
      const node = this.declaration(text) ?? this.keyword(text)
      if (node !== null) return this.ended(node)
    }
    return this.ended(this.sequence())
  }

  private ended(node: Node): Node {
    this.eat(';')
    return node
  }

  private declaration(word: string): Node | null {
    switch (word) {
      case 'const':
      case 'let':
      case 'var':
        this.at += 1
        return this.variables()
      case 'async':
        if (this.ahead().text !== 'function') return null
        this.at += 1
        return this.declaration('function')
      case 'function':
        this.at += 1
        this.eat('*')
        return this.definition(this.functionOf())
      case 'class':
        return this.classOf()
      case 'import':
        return this.ahead().text === '(' || this.ahead().text === '.' ? null : this.importOf()
      case 'export':
        this.at += 1
        this.eat('default')
        return this.eat('*') ? NOTHING : this.progress()
      case 'interface':
      case 'type':
        return this.ahead().kind === 'name' && !this.ahead().fresh ? this.typeDeclaration() : null
      default:
        return this.label()
    }
  }

  private label(): Node | null {
    if (this.ahead().kind !== 'operator' || this.ahead().text !== ':' || this.is('default')) return null
    this.at += 2
    return this.progress()
  }

  /** Interfaces and type aliases have no effect. */
  private typeDeclaration(): Node {
    while (this.token.kind !== 'end' && !this.is(';', '{', '=')) this.at += 1
    if (this.is('{')) this.at = Math.max(this.at, this.closes[this.at] ?? 0) + 1
    else if (this.eat('=')) this.typeAnnotation([';'])
    return NOTHING
  }

  private variables(): Node {
    const body: Node[] = []
    do {
      const target = this.postfix(this.primary())
      if (this.eat('!')) this.at += 0
      if (this.eat(':')) this.typeAnnotation(['=', ',', ';', 'of', 'in'])
      body.push(this.eat('=') ? { kind: 'assign', op: '=', target, value: this.expression() } : target)
    } while (this.eat(','))
    return body.length === 1 ? (body[0] as Node) : { kind: 'block', body }
  }

  /** Steps over a type up to one of the given tokens on the same level, or the end of the line. */
  private typeAnnotation(ends: readonly string[]): void {
    const start = this.at
    while (this.token.kind !== 'end' && !this.is(...ends, ')', '}', ']')) {
      if (this.at > start && this.token.fresh && !this.is('|', '&')) return
      this.at = Math.max(this.at, this.closes[this.at] ?? 0) + 1
    }
  }

  private classOf(): Node {
    this.at += 1
    const name = this.token.kind === 'name' && !this.is('extends') ? this.next().text : ''
    const bases = this.eat('extends') ? [this.postfix(this.primary())] : []
    while (this.token.kind !== 'end' && !this.is('{')) this.at += 1
    const body: Node[] = []
    if (this.eat('{')) while (this.token.kind !== 'end' && !this.eat('}')) body.push(this.member())
    return { kind: 'class', name, bases, body: { kind: 'block', body } }
  }

  private member(): Node {
    const before = this.at
    if (this.is('static') && this.ahead().text === '{') this.at += 1
    if (this.is('{')) return this.braces()
    this.modifiers()
    const key = this.key()
    const node: Node = this.is('(') ? this.definition({ ...this.functionOf(), name: keyText(key) }) : this.field(key)
    this.eat(';', ',')
    if (this.at === before) this.at += 1
    return node
  }

  private field(key: Node): Node {
    if (this.eat('?', '!')) this.at += 0
    if (this.eat(':')) this.typeAnnotation(['=', ';'])
    return this.eat('=') ? { kind: 'assign', op: '=', target: nameNode(keyText(key)), value: this.expression() } : key
  }

  private modifiers(): void {
    while (
      this.token.kind === 'name' &&
      MODIFIERS.has(this.token.text) &&
      (this.ahead().kind !== 'operator' || this.ahead().text === '[' || this.ahead().text === '*')
    )
      this.at += 1
    this.eat('*')
  }

  private importOf(): Node {
    this.at += 1
    const bindings: (readonly [string, string])[] = []
    let braced = false
    const typed = this.is('type') && this.ahead().text !== 'from' && this.ahead().text !== ','
    while (this.token.kind !== 'text' && this.token.kind !== 'end' && !this.is(';')) {
      if (this.is('{', '}')) braced = this.next().text === '{'
      else if (!this.eat(',', 'from', 'type')) {
        const name = this.next().text
        bindings.push([this.eat('as') ? this.next().text : name, braced && name !== 'default' ? name : ''])
      }
    }
    const module = this.token.kind === 'text' ? this.next().text : ''
    // A module of the program's own runs when it is imported.
    if (!typed && /^\.{0,2}\//.test(module)) return callNode(nameNode('require'), [textNode(module)])
    return { kind: 'import', bindings: bindings.map(([local, name]) => [local, name === '' ? module : `${module}.${name}`]), star: null }
  }

  protected eachHead(): { target: Node; source: Node } | null {
    const start = this.at
    if (!this.eat('(')) return { target: NOTHING, source: NOTHING }
    this.eat('const', 'let', 'var')
    const target = this.postfix(this.primary())
    if (!this.eat('of', 'in')) {
      this.at = start + 1
      return null
    }
    const source = this.sequence()
    this.skipTo(')')
    return { target, source }
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

  private key(): Node {
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
  private angles(): boolean {
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
}

function keyText(key: Node): string {
  return key.kind === 'text' ? key.text : ''
}
