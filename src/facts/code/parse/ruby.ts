import { type Argument, alwaysTrue, type Entry, type FunctionNode, NOTHING, type Node, nameNode, type Param } from '../ast.ts'
import { lexRuby } from '../lex/ruby.ts'
import type { Token } from '../lex/token.ts'
import { type Dialect, levels, Parser, words } from './parser.ts'
import { attribute, called, shovelled } from './ruby-calls.ts'

/** Ruby statements and expressions. */
const DIALECT: Dialect = {
  lex: lexRuby,
  binary: levels('or and', '.. ...', '||', '&&', '== != === =~ !~ <=>', '< > <= >=', '| ^', '&', '<< >>', '+ -', '* / %', '**'),
  prefix: words('! ~ + - & * ** not defined?'),
  assign: words('= += -= *= /= %= **= ||= &&= |= &= <<= >>='),
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

const MODIFIERS = ['if', 'unless', 'while', 'until', 'rescue'] as const
const COMPOUND: ReadonlySet<string> = words('if unless while until for case begin def class module do')

export class RubyParser extends Parser {
  /** Inside the head of a loop, where `do` opens the body and no block. */
  private heading = false

  constructor(source: string, embedding = 0) {
    super(DIALECT, source, embedding)
  }

  protected embedded(source: string, embedding: number): Parser {
    return new RubyParser(source, embedding)
  }

  protected statement(): Node {
    if (this.token.kind === 'newline' || this.is(';')) {
      this.at += 1
      return NOTHING
    }
    let node = this.jump() ?? shovelled(called(this.assignment()))
    while (this.is(...MODIFIERS)) node = this.modified(node)
    return node
  }

  private modified(body: Node): Node {
    const word = this.next().text
    const test = this.expression()
    if (word === 'while' || word === 'until')
      return { kind: 'loop', target: null, source: null, test, forever: word === 'while' && alwaysTrue(test), body }
    return word === 'rescue' ? { kind: 'choice', options: [body, test] } : { kind: 'branch', tests: [test], blocks: [body] }
  }

  private jump(): Node | null {
    if (this.is('return')) {
      this.at += 1
      return { kind: 'return', value: this.ends() ? null : this.tuple() }
    }
    if (!this.is('break', 'raise', 'exit', 'abort', 'exit!')) return null
    this.at += 1
    return { kind: 'stop', value: this.ends() ? null : this.tuple() }
  }

  private assignment(): Node {
    const targets = this.targets()
    if (targets === null) return this.tuple()
    return { kind: 'assign', op: '=', target: targets, value: this.tuple() }
  }

  /** `a, (b, *c) =`: several targets; null where something else stands, and nothing is taken. */
  private targets(): Node | null {
    const start = this.at
    if (this.token.kind !== 'name' && !this.is('(', '*')) return null
    const items: Node[] = []
    do {
      if (this.ends() || this.is('=')) break
      items.push(this.nested(() => this.target()))
    } while (this.eat(','))
    if (items.length > 1 && this.eat('=')) return { kind: 'list', items }
    this.at = start
    return null
  }

  private target(): Node {
    if (this.is('(')) return { kind: 'list', items: this.bracketed(')', () => this.target()) }
    const rest = this.eat('*')
    const node = this.postfix(this.primary())
    return rest ? { kind: 'spread', value: node } : node
  }

  private ends(): boolean {
    const { kind } = this.token
    return kind === 'newline' || kind === 'end' || this.is(';', '}', ')', ']', 'end', 'do', 'then', ...MODIFIERS)
  }

  /** Statements up to one of the words, which is not taken. */
  private until(...stops: readonly string[]): Node {
    const body: Node[] = []
    while (this.token.kind !== 'end' && !this.is(...stops)) body.push(this.progress())
    return { kind: 'block', body }
  }

  private compound(): Node {
    const word = this.next().text
    switch (word) {
      case 'if':
      case 'unless':
        return this.branch()
      case 'while':
      case 'until': {
        const test = this.head()
        this.eat('do')
        return this.closed({
          kind: 'loop',
          target: null,
          source: null,
          test,
          forever: word === 'while' && alwaysTrue(test),
          body: this.until('end'),
        })
      }
      case 'for':
        return this.forLoop()
      case 'case':
        return this.caseOf()
      case 'def':
        return this.define()
      case 'class':
      case 'module':
        return this.classOf()
      default:
        return this.begin()
    }
  }

  private head(): Node {
    const before = this.heading
    this.heading = true
    const node = this.expression()
    this.heading = before
    return node
  }

  private closed(node: Node): Node {
    this.eat('end')
    return node
  }

  private branch(): Node {
    const tests: Node[] = []
    const blocks: Node[] = []
    let head = true
    do {
      if (head) tests.push(this.expression())
      this.eat('then')
      blocks.push(this.until('elsif', 'else', 'end'))
      head = this.is('elsif')
    } while (this.eat('elsif', 'else'))
    return this.closed({ kind: 'branch', tests, blocks })
  }

  private forLoop(): Node {
    const target = this.tuple()
    this.eat('in')
    const source = this.head()
    this.eat('do')
    return this.closed({ kind: 'loop', target, source, test: null, forever: false, body: this.until('end') })
  }

  private caseOf(): Node {
    const tests: Node[] = this.ends() ? [] : [this.expression()]
    const blocks: Node[] = []
    this.until('when', 'in', 'else', 'end')
    while (this.is('when', 'in', 'else')) {
      if (this.next().text !== 'else') tests.push(this.tuple())
      this.eat('then')
      blocks.push(this.until('when', 'in', 'else', 'end'))
    }
    return this.closed({ kind: 'branch', tests, blocks })
  }

  /** `begin … rescue … ensure … end`; the rescue parts may run. */
  private begin(): Node {
    const body: Node[] = [this.until('rescue', 'ensure', 'else', 'end')]
    while (this.is('rescue', 'ensure', 'else')) {
      const rescue = this.next().text === 'rescue'
      if (rescue) while (this.token.kind !== 'newline' && this.token.kind !== 'end' && !this.is(';') && !this.eat('then')) this.at += 1
      const part = this.until('rescue', 'ensure', 'else', 'end')
      body.push(rescue ? { kind: 'branch', tests: [], blocks: [part] } : part)
    }
    return this.closed({ kind: 'block', body })
  }

  private define(): Node {
    let name = this.next().text
    if (this.eat('.')) name = this.next().text
    const params = this.is('(') ? this.bracketed(')', () => this.param()) : this.openParams()
    if (this.eat('=')) return this.defined({ name, params, body: { kind: 'return', value: this.expression() } })
    const body = this.begin()
    const last = body.kind === 'block' ? body.body : [body]
    return this.defined({ name, params, body: { kind: 'group', items: last, last: true } })
  }

  private defined(fn: FunctionNode): Node {
    return { kind: 'assign', op: '=', target: nameNode(fn.name ?? ''), value: { kind: 'function', fn } }
  }

  private openParams(): readonly Param[] {
    const params: Param[] = []
    while (this.token.kind === 'name' || this.token.kind === 'text') {
      params.push(this.param())
      if (!this.eat(',')) break
    }
    return params
  }

  private param(): Param {
    const rest = this.eat('*', '**', '&')
    const keyword = this.token.kind === 'text'
    const target = keyword ? nameNode(this.next().text) : this.nameOrNothing()
    if (keyword) return { target, fallback: this.eat('=>') && !this.is(',', ')') ? this.expression() : null, rest }
    return { target, fallback: this.eat('=') ? this.expression() : null, rest }
  }

  private classOf(): Node {
    const name = this.eat('<<') ? '' : this.token.text
    this.tuple()
    if (this.eat('<')) this.expression()
    return this.closed({ kind: 'class', name, bases: [], body: this.until('end') })
  }

  protected primary(): Node {
    const literal = this.literal()
    if (literal !== null) return this.adjacent(literal)
    const { kind, text } = this.token
    if (kind === 'operator') return this.punctuation(text)
    if (COMPOUND.has(text) && text !== 'do') return this.compound()
    if (CONSTANTS.has(text)) {
      this.at += 1
      return { kind: 'constant', value: CONSTANTS.get(text) ?? null }
    }
    if (text === 'lambda' || text === 'proc') {
      this.at += 1
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
      this.at += 1
      const body = this.until(')')
      this.eat(')')
      return { kind: 'group', items: body.kind === 'block' ? body.body : [body], last: true }
    }
    if (text === '[') return { kind: 'list', items: this.bracketed(']', () => this.argument().value) }
    if (text === '{') return this.hash()
    if (text === '::') {
      this.at += 1
      return this.nameOrNothing()
    }
    if (text === '->') {
      this.at += 1
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
        if (this.at === before) this.at += 1
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
    return { name: value.kind === 'text' ? value.text : null, value: this.expression(), spread: '' }
  }

  protected override link(node: Node): Node | null {
    const token = this.token
    if (token.kind === 'newline') return this.leadingDot(node)
    if (token.kind === 'operator') {
      const listed = token.text === '[' && token.spaced && !token.fresh && (node.kind === 'name' || node.kind === 'member')
      if (token.text === '{' || token.text === '(' || listed) return this.callLink(node, token)
      return super.link(node)
    }
    if (token.kind === 'name' && token.text === 'do') return this.heading ? null : this.withBlock(node)
    const callable = node.kind === 'name' || node.kind === 'member'
    if (!callable || token.fresh || !token.spaced || !this.startsTerm(token)) return null
    return { kind: 'call', callee: node, args: this.bareArgs(), make: false }
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
    this.at += offset
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
      if (this.eat(',')) this.newlines()
      else args.push(this.nested(() => this.argument()))
      if (this.at === before || (!this.is(',') && this.tokens[this.at - 1]?.text !== ',')) break
    }
    return args
  }

  protected override separates(token: Token): boolean {
    return token.fresh
  }
}
