import { type Entry, NOTHING, type Node, nameNode, type Param, textNode } from '../ast.ts'
import { lexBrace } from '../syntax/brace.ts'
import { BraceParser } from '../syntax/brace-parser.ts'
import { type Dialect, levels, type Parser, words } from '../syntax/parser.ts'

/** PHP statements and expressions. */
const DIALECT: Dialect = {
  lex: (source) => lexBrace('php', source),
  binary: levels(
    'or xor',
    'and',
    '??',
    '||',
    '&&',
    '|',
    '^',
    '&',
    '== != === !== <=>',
    '< > <= >=',
    '<< >>',
    '. + -',
    '* / %',
    '**',
    'instanceof',
  ),
  prefix: words('! ~ + - ++ -- @ & print clone throw yield'),
  assign: words('= .= += -= *= /= %= **= <<= >>= &= |= ^= ??='),
  member: new Set(['->', '?->', '::']),
  keywords: words('as case catch do else elseif endif endfor endforeach endwhile finally for foreach if return switch try while'),
}

const CONSTANTS: ReadonlyMap<string, boolean | null> = new Map<string, boolean | null>([
  ['true', true],
  ['false', false],
  ['null', null],
])

/** Constructs that take their operand without parentheses. */
const OPERATORS: ReadonlySet<string> = words('echo print include include_once require require_once')

const MODIFIERS = words('public private protected static final abstract readonly const var')

export class PhpParser extends BraceParser {
  constructor(source: string, embedding = 0) {
    super(DIALECT, source, embedding)
  }

  protected embedded(source: string, embedding: number): Parser {
    return new PhpParser(source, embedding)
  }

  protected statement(): Node {
    const { kind, text } = this.token
    if (kind === 'operator' && text === '{') return this.braces()
    if (kind === 'operator' && (text === ';' || text === ':')) {
      this.at += 1
      return NOTHING
    }
    const node = kind === 'name' ? (this.declaration(text.toLowerCase()) ?? this.keyword(text.toLowerCase())) : null
    const result = node ?? this.sequence()
    this.eat(';')
    return result
  }

  private declaration(word: string): Node | null {
    switch (word) {
      case 'function':
        if (this.ahead().kind !== 'name' && this.ahead().text !== '&') return null
        this.at += 1
        this.eat('&')
        return this.definition(this.functionOf())
      case 'class':
      case 'interface':
      case 'trait':
        return this.classOf()
      case 'namespace':
      case 'use':
      case 'declare':
        while (this.token.kind !== 'end' && !this.is(';', '{')) this.at += 1
        return NOTHING
      case 'global':
      case 'static':
        if (this.ahead().text.startsWith('$')) this.at += 1
        return null
      default:
        return null
    }
  }

  private classOf(): Node {
    this.at += 1
    const name = this.token.kind === 'name' && !this.is('extends', 'implements') ? this.next().text : ''
    while (this.token.kind !== 'end' && !this.is('{')) this.at += 1
    const body: Node[] = []
    if (this.eat('{'))
      while (this.token.kind !== 'end' && !this.eat('}')) {
        while (this.token.kind === 'name' && MODIFIERS.has(this.token.text)) this.at += 1
        body.push(this.progress())
      }
    return { kind: 'class', name, bases: [], body: { kind: 'block', body } }
  }

  /** `foreach ($list as $key => $value)`. */
  protected eachHead(): { target: Node; source: Node } | null {
    const loop = this.tokens[this.at - 1]?.text
    if (!this.eat('(')) return { target: NOTHING, source: NOTHING }
    if (loop === 'for') return null
    const source = this.expression()
    this.eat('as')
    const first = this.expression()
    const target: Node = this.eat('=>') ? { kind: 'list', items: [first, this.expression()] } : first
    this.skipTo(')')
    return { target, source }
  }

  protected params(): readonly Param[] {
    return this.bracketed(')', () => {
      let rest = false
      while (this.token.kind !== 'end' && !this.is(',', ')') && !this.token.text.startsWith('$')) {
        rest = rest || this.is('...')
        this.at += 1
      }
      const target = this.nameOrNothing()
      return { target, fallback: this.eat('=') ? this.expression() : null, rest }
    })
  }

  protected primary(): Node {
    const literal = this.literal()
    if (literal !== null) return literal
    const { kind, text } = this.token
    if (kind === 'operator') return this.punctuation(text)
    if (text === '$' && this.ahead().text.startsWith('$')) {
      this.at += 1
      return { kind: 'unary', op: '$', value: this.primary() }
    }
    const word = text.toLowerCase()
    if (CONSTANTS.has(word)) {
      this.at += 1
      return { kind: 'constant', value: CONSTANTS.get(word) ?? null }
    }
    if (OPERATORS.has(word)) return this.operatorCall(word)
    if (word === 'exit' || word === 'die') return { kind: 'stop', value: this.next() && this.is('(') ? this.condition() : null }
    switch (word) {
      case 'new':
        return this.make()
      case 'static':
        this.at += 1
        return this.primary()
      case 'function':
      case 'fn':
        return this.closure()
      case 'array':
      case 'list':
        if (this.ahead().text !== '(') return this.nameOrNothing()
        this.at += 1
        return this.array(')')
      default:
        return this.nameOrNothing()
    }
  }

  private operatorCall(word: string): Node {
    this.at += 1
    const items = [this.expression()]
    while (word === 'echo' && this.eat(',')) items.push(this.expression())
    return { kind: 'call', callee: nameNode(word), args: items.map((value) => ({ name: null, value, spread: '' })), make: false }
  }

  private closure(): Node {
    const arrow = this.next().text === 'fn'
    this.eat('&')
    if (!arrow) return { kind: 'function', fn: this.functionOf() }
    const params = this.params()
    while (this.token.kind !== 'end' && !this.eat('=>')) this.at += 1
    return { kind: 'function', fn: { name: null, params, body: { kind: 'return', value: this.expression() } } }
  }

  private punctuation(text: string): Node {
    if (text === '(') {
      if (this.closes[this.at] === this.at + 2 && CASTS.has(this.ahead().text)) {
        this.at += 3
        return this.prefixed()
      }
      return { kind: 'group', items: this.bracketed(')', () => this.expression()), last: true }
    }
    if (text === '[') return this.array(']')
    if (text === '$') {
      this.at += 1
      return this.is('{') ? { kind: 'group', items: [this.braces()], last: false } : { kind: 'unary', op: '$', value: this.primary() }
    }
    return NOTHING
  }

  private array(close: string): Node {
    const entries: Entry[] = []
    const items = this.bracketed(close, () => {
      if (this.eat('...')) return { kind: 'spread', value: this.expression() } as Node
      const first = this.expression()
      if (!this.eat('=>')) return first
      entries.push({ key: first, value: this.expression() })
      return null
    })
    const plain = items.filter((item) => item !== null)
    if (entries.length === 0) return { kind: 'list', items: plain }
    return { kind: 'dict', entries: [...entries, ...plain.map((value, i) => ({ key: { kind: 'number' as const, value: i }, value }))] }
  }

  /** `new class($x) {…}`: what its constructor is given. */
  private anonymousArgs(): readonly Node[] {
    this.at += 1
    const args = this.args().map((a) => a.value)
    this.at -= 1
    return args
  }

  private make(): Node {
    this.at += 1
    if (this.is('class')) {
      const args = this.ahead().text === '(' ? this.anonymousArgs() : []
      const made = this.classOf()
      return { kind: 'group', items: [...args, made], last: true }
    }
    const name = this.nameOrNothing()
    const callee = name.kind === 'name' && !name.name.startsWith('$') ? nameNode(name.name.toLowerCase()) : name
    return { kind: 'call', callee, args: this.is('(') ? this.args() : [], make: true }
  }

  protected override link(node: Node): Node | null {
    if (this.token.kind === 'operator' && (this.is('++') || this.is('--'))) {
      this.at += 1
      return { kind: 'assign', op: '+=', target: node, value: { kind: 'number', value: 1 } }
    }
    if (this.is('{') && node.kind === 'name' && node.name.startsWith('$') && this.closes[this.at] === this.at + 2) {
      this.at += 1
      const at = this.expression()
      this.skipTo('}')
      return { kind: 'index', of: node, at }
    }
    return super.link(node)
  }

  protected override nameOrNothing(): Node {
    const node = super.nameOrNothing()
    return node.kind === 'name' && !node.name.startsWith('$') && this.is('(') ? nameNode(node.name.toLowerCase()) : node
  }

  protected override interpolated(source: string): Node {
    const quoted = /^(\$\w+)\[(\w+)\]$/.exec(source)
    if (quoted === null) return super.interpolated(source)
    return { kind: 'index', of: nameNode(quoted[1] as string), at: textNode(quoted[2] as string) }
  }
}

const CASTS = words('string int integer float double bool boolean array object binary')
