import { type Argument, type Entry, NOTHING, type Node, nameNode, type Param } from '../ast.ts'
import { type Dialect, levels, Parser, words } from '../syntax/parser.ts'
import type { Token } from '../syntax/token.ts'
import { attribute } from './calls.ts'
import { lexRuby } from './lexer.ts'

/** Ruby expressions: calls without parentheses, blocks, literals. */
const DIALECT: Dialect = {
  lex: lexRuby,
  binary: levels('or and', '.. ...', '||', '&&', '== != === =~ !~ <=>', '< > <= >=', '| ^', '&', '<< >>', '+ -', '* / %', '**'),
  prefix: words('! ~ + - & * ** not defined?'),
  assign: words('= += -= *= /= %= **= ||= &&= |= &= ^= <<= >>='),
  member: new Set(['.', '&.', '::']),
  keywords: words('and do else elsif end ensure if in or rescue then unless until when while'),
}

const CONSTANTS: ReadonlyMap<string, boolean | null> = new Map<string, boolean | null>([
  ['true', true],
  ['false', false],
  ['nil', null],
])

/** Methods that do something without any argument. */
const BARE = words('fork gets readline readlines')

export const MODIFIERS = ['if', 'unless', 'while', 'until', 'rescue'] as const
const COMPOUND: ReadonlySet<string> = words('if unless while until for case begin def class module do')
/** Signs that stand before a value as well as between two. */
const SIGNS: ReadonlySet<string> = new Set(['-', '+', '*', '**', '&', '!', '~'])

const isCallable = ({ kind }: Node): boolean => kind === 'name' || kind === 'member'

/** In the same line, and not close to what stands before it: an argument perhaps. */
const handsOn = ({ spaced, fresh }: Token): boolean => spaced && !fresh

export abstract class RubyExpressions extends Parser {
  /** Inside the head of a loop, where `do` opens the body and no block. */
  protected heading = false

  constructor(source: string, embedding = 0) {
    super(DIALECT, source, embedding)
  }

  protected ends(): boolean {
    const { kind } = this.token
    return kind === 'newline' || kind === 'end' || this.is(';', '}', ')', ']', 'end', 'do', 'then', ...MODIFIERS)
  }

  protected primary(): Node {
    const literal = this.literal()
    if (literal !== null) return this.adjacent(literal)
    const { kind, text } = this.token
    if (kind === 'operator') return this.punctuation(text)
    if (COMPOUND.has(text) && text !== 'do') return this.compound()
    if (CONSTANTS.has(text)) {
      this.take()
      return { kind: 'constant', value: CONSTANTS.get(text) ?? null }
    }
    if (text === 'lambda' || text === 'proc') {
      this.take()
      return this.block() ?? nameNode(text)
    }
    return this.nameOrNothing()
  }

  /** A method needs no parentheses to be called; what begins with a capital is a constant. */
  protected override postfix(start: Node): Node {
    const node = super.postfix(start)
    if (node.kind === 'name' && BARE.has(node.name)) return { kind: 'call', callee: node, args: [], make: false }
    const { kind, text } = this.token
    return kind === 'operator' && this.dialect.assign.has(text) ? node : attribute(node)
  }

  protected override indexOf(node: Node): Node {
    return super.indexOf(attribute(node))
  }

  protected override memberOf(node: Node): Node {
    return super.memberOf(attribute(node))
  }

  private adjacent(first: Node): Node {
    const parts = [first]
    while ((this.token.kind === 'text' || this.token.kind === 'template') && this.ahead().text !== '=>')
      parts.push(this.literal() ?? NOTHING)
    return parts.length === 1 ? first : { kind: 'template', parts }
  }

  private punctuation(text: string): Node {
    if (text === '(') {
      this.take()
      const body = this.until(')')
      this.eat(')')
      return { kind: 'group', items: body.kind === 'block' ? body.body : [body], last: true }
    }
    if (text === '[') return { kind: 'list', items: this.bracketed(']', () => this.argument().value) }
    if (text === '{') return this.hash()
    if (text === '::') {
      this.take()
      return this.nameOrNothing()
    }
    if (text === '...' || text === '..') {
      this.take()
      return this.ends() || this.is(',') ? NOTHING : this.climb(6)
    }
    if (text === '->') {
      this.take()
      const params = this.is('(') ? this.bracketed(')', () => this.param()) : this.openParams()
      const body = this.block()
      return body?.kind === 'function' ? { kind: 'function', fn: { ...body.fn, params } } : NOTHING
    }
    return NOTHING
  }

  private hash(): Node {
    const entries: Entry[] = []
    this.bracketed('}', () => {
      const key = this.expression()
      entries.push({ key, value: this.eat('=>') ? this.expression() : NOTHING })
      // In a pattern what was found is given a name.
      if (this.eat('=>')) entries.push({ key: this.expression(), value: NOTHING })
    })
    return { kind: 'dict', entries }
  }

  /** `{ |x| … }` or `do |x| … end`, as a function; null where none stands. */
  private block(): Node | null {
    const close = this.is('{') ? '}' : 'end'
    if (!this.eat('{', 'do')) return null
    const params: Param[] = []
    this.newlines()
    if (this.eat('|')) {
      while (this.token.kind !== 'end' && !this.eat('|')) {
        const before = this.at
        if (!this.eat(',', '(', ')')) params.push(this.param())
        if (this.at === before) this.skip()
      }
    }
    const body = this.until(close, 'rescue', 'ensure')
    const rest = close === 'end' ? this.begin() : this.closeBrace()
    const items = [...(body.kind === 'block' ? body.body : []), rest].filter((n) => n.kind !== 'block' || n.body.length > 0)
    return { kind: 'function', fn: { name: null, params, body: { kind: 'group', items, last: true } } }
  }

  private closeBrace(): Node {
    this.eat('}')
    return { kind: 'block', body: [] }
  }

  protected override argument(): Argument {
    const value = this.expression()
    if (!this.eat('=>')) return { name: null, value, spread: '' }
    this.newlines()
    if (this.is(',', ')', ']')) return { name: null, value, spread: '' }
    return { name: value.kind === 'text' ? value.text : null, value: this.expression(), spread: '' }
  }

  protected override link(node: Node): Node | null {
    const token = this.token
    if (token.kind === 'newline') return this.leadingDot(node)
    if (token.kind === 'operator') return this.operatorLink(node, token)
    if (token.kind === 'name' && token.text === 'do') return this.heading ? null : this.withBlock(node)
    return isCallable(node) && handsOn(token) && this.startsTerm(token) ? this.bareCall(node) : null
  }

  private operatorLink(node: Node, token: Token): Node | null {
    if (this.isRooted(node, token) || this.isSigned(node, token)) return this.bareCall(node)
    const listed = token.text === '[' && handsOn(token) && isCallable(node)
    return token.text === '{' || token.text === '(' || listed ? this.callLink(node, token) : super.link(node)
  }

  private bareCall(callee: Node): Node {
    return { kind: 'call', callee, args: this.bareArgs(), make: false }
  }

  /** `f ::Name`. */
  private isRooted(node: Node, token: Token): boolean {
    return token.text === '::' && token.spaced && !this.ahead().spaced && node.kind === 'name'
  }

  /** `f -x`, `f *list`, `f &block`, `f !x`: what stands close to its sign is handed over. */
  private isSigned(node: Node, token: Token): boolean {
    if (!SIGNS.has(token.text) || !handsOn(token) || this.ahead().spaced) return false
    return node.kind === 'member' || (node.kind === 'name' && /^[a-z_]/.test(node.name))
  }

  private callLink(node: Node, token: Token): Node | null {
    if (token.text === '{') return node.kind === 'call' || node.kind === 'member' || node.kind === 'name' ? this.withBlock(node) : null
    return token.spaced && (node.kind === 'name' || node.kind === 'member')
      ? { kind: 'call', callee: node, args: this.bareArgs(), make: false }
      : this.callOf(node)
  }

  private leadingDot(node: Node): Node | null {
    let offset = 0
    while (this.ahead(offset).kind === 'newline') offset += 1
    const { kind, text } = this.ahead(offset)
    if (kind !== 'operator' || (text !== '.' && text !== '&.')) return null
    this.take(offset)
    return super.link(node)
  }

  /** A block behind a call is its last argument. */
  private withBlock(node: Node): Node | null {
    const value = this.block()
    if (value === null) return null
    const last: Argument = { name: null, value, spread: '' }
    return node.kind === 'call' ? { ...node, args: [...node.args, last] } : { kind: 'call', callee: node, args: [last], make: false }
  }

  private startsTerm({ kind, text }: Token): boolean {
    if (kind === 'name') return !this.dialect.keywords.has(text)
    if (kind === 'operator') return text === '->' || text === '::'
    return kind !== 'end' && kind !== 'newline'
  }

  private bareArgs(): readonly Argument[] {
    const args: Argument[] = []
    while (!this.ends()) {
      const before = this.at
      const comma = this.eat(',')
      if (comma) this.newlines()
      else args.push(this.nested(() => this.argument()))
      if (this.at === before || (!comma && !this.is(','))) break
    }
    return args
  }

  /** A line that ends in a comma goes on. */
  protected override endsTuple(): boolean {
    this.newlines()
    return super.endsTuple()
  }

  protected override separates(token: Token): boolean {
    return token.fresh
  }
  protected abstract compound(): Node
  protected abstract until(...stops: readonly string[]): Node
  protected abstract begin(): Node
  protected abstract param(): Param
  protected abstract openParams(): readonly Param[]
}
