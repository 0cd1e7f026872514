import { type Argument, type Entry, NOTHING, type Node, nameNode, textNode } from '../ast.ts'
import { BraceParser } from '../syntax/brace-parser.ts'
import { type Dialect, levels, words } from '../syntax/parser.ts'
import type { Token } from '../syntax/token.ts'
import {
  BLOCK_FIRST,
  changeNode,
  changeOf,
  completed,
  givingLast,
  HANDLE_FIRST,
  lastOf,
  NO_OPERANDS,
  positional,
  rewriting,
} from './calls.ts'
import { lexPerl } from './lexer.ts'

/** Perl. Every sigil of a name is read as `$`: `$x[0]` and `@x` are the same list. */
const DIALECT: Dialect = {
  lex: lexPerl,
  binary: levels(
    '.. ...',
    '|| //',
    '&&',
    '| ^',
    '&',
    '== != <=> eq ne cmp',
    '< > <= >= lt gt le ge',
    '<< >>',
    '+ - .',
    '* / % x',
    '=~ !~',
    '**',
  ),
  prefix: words('! ~ \\ + - ++ -- defined ref scalar lc uc my our local state'),
  assign: words('= += -= *= /= .= %= **= ||= &&= //= |= &= ^= <<= >>='),
  member: new Set(['->']),
  keywords: words('and cmp else elsif eq for foreach ge gt if le lt ne or unless until while x xor'),
}

/** What `[0]` stands behind without an arrow. */
const INDEXED: ReadonlySet<Node['kind']> = new Set(['name', 'index', 'group', 'list'])

const LOOSE = ['or', 'and', 'xor'] as const
export const MODIFIERS = ['if', 'unless', 'while', 'until', 'for', 'foreach'] as const
export abstract class PerlExpressions extends BraceParser {
  constructor(source: string, embedding = 0) {
    super(DIALECT, source, embedding)
  }

  private negated(): Node {
    return this.eat('not') ? { kind: 'unary', op: 'not', value: this.nested(() => this.negated()) } : this.list()
  }

  protected loose(): Node {
    let node = this.negated()
    while (this.is(...LOOSE)) {
      this.take()
      node = { kind: 'choice', options: [node, this.nested(() => this.loose())] }
    }
    return node
  }

  /** Expressions separated by commas. */
  protected list(): Node {
    const first = this.expression()
    if (!this.is(',', '=>')) return first
    const items = [first]
    while (this.eat(',', '=>')) if (!this.ends()) items.push(this.expression())
    return { kind: 'list', items }
  }

  protected ends(): boolean {
    return this.token.kind === 'end' || this.is(')', ']', '}', ';', ':', ...LOOSE, ...MODIFIERS)
  }

  protected override sequence(): Node {
    return this.loose()
  }

  protected override valueOrNull(): Node | null {
    return this.ends() ? null : this.list()
  }

  protected override climb(min: number): Node {
    const node = super.climb(min)
    const found = changeOf(node)
    return found === null ? node : rewriting(found.subject, found.change)
  }

  /** A substitution changes what stands before it, or `$_`. */
  private substitution(): Node | null {
    const { kind, text } = this.token
    if (kind !== 'regex' || text === '') return null
    const bound = this.tokens[this.at - 1]?.text
    const change = changeNode(text, this.literal() ?? NOTHING)
    return bound === '=~' || bound === '!~' ? change : rewriting(nameNode('$_'), change)
  }

  protected primary(): Node {
    const literal = this.substitution() ?? this.literal()
    if (literal !== null) return literal
    const { kind, text } = this.token
    if (kind === 'operator') return this.punctuation(text)
    switch (text) {
      case 'sub':
        this.take()
        return { kind: 'function', fn: this.functionOf() }
      case 'do':
        return this.ahead().text === '{' ? lastOf(this.doLoop()) : this.bareCall()
      case 'eval':
        if (this.ahead().text !== '{') return this.bareCall()
        this.take()
        return lastOf(this.braces())
      case 'return':
        this.take()
        return { kind: 'return', value: this.valueOrNull() }
      case 'die':
      case 'exit':
      case 'last':
        this.take()
        return { kind: 'stop', value: this.valueOrNull() }
      default:
        return this.variableOrCall()
    }
  }

  private variableOrCall(): Node {
    const { text } = this.token
    if (this.dialect.keywords.has(text)) return NOTHING
    if (this.ahead().kind === 'operator' && this.ahead().text === '=>') {
      this.take()
      return textNode(text)
    }
    if (/^[$@%&]/.test(text)) {
      this.take()
      return text.startsWith('&') ? nameNode(text.slice(1)) : nameNode(`$${text.replace(/^(?:\$#|[$@%])/, '')}`)
    }
    return this.bareCall()
  }

  private punctuation(text: string): Node {
    switch (text) {
      case '(': {
        const items = this.commaItems(')')
        return items.length === 1 ? { kind: 'group', items, last: true } : { kind: 'list', items }
      }
      case '[':
        return { kind: 'list', items: this.commaItems(']') }
      case '{':
        return this.hash()
      case 'deref$':
      case 'deref@':
      case 'deref%':
      case 'deref&':
        this.take()
        return this.is('{') ? this.blockValue() : this.primary()
      case '<':
        return this.readLine()
      case '*':
        return this.glob()
      default:
        return NOTHING
    }
  }

  /** `*name`, `*{"name"}`: everything of that name. */
  private glob(): Node {
    this.take()
    return this.is('{') ? this.blockValue() : this.nameOrNothing()
  }

  private blockValue(): Node {
    return lastOf(this.braces())
  }

  private commaItems(close: string): readonly Node[] {
    const items: Node[] = []
    this.take()
    while (this.token.kind !== 'end' && !this.eat(close)) {
      const before = this.at
      if (!this.eat(',', '=>')) items.push(this.loose())
      if (this.at === before) this.skip()
    }
    const only = items[0]
    return items.length === 1 && only?.kind === 'list' ? only.items : items
  }

  private hash(): Node {
    const items = this.commaItems('}')
    const entries: Entry[] = []
    for (let i = 0; i + 1 < items.length; i += 2) entries.push({ key: items[i] as Node, value: items[i + 1] as Node })
    return { kind: 'dict', entries }
  }

  /** `<STDIN>`, `<$fh>`, `<*.c>`. */
  private readLine(): Node {
    this.take()
    const name = this.token.kind === 'name' ? this.nameOrNothing() : NOTHING
    this.pass('>', ';')
    this.eat('>')
    return { kind: 'call', callee: nameNode('readline'), args: [{ name: null, value: name, spread: '' }], make: false }
  }

  /** `name(…)`, `name LIST` or a bare word. */
  private bareCall(): Node {
    const name = this.take().text
    const callee = nameNode(name)
    if (this.is('(') || this.is('->', '=>')) return callee
    if (!this.startsTerm(this.token) && !(this.is('{') && (BLOCK_FIRST.has(name) || HANDLE_FIRST.has(name))))
      return NO_OPERANDS.has(name) ? completed(callee, []) : callee
    return completed(callee, this.bareArgs(name))
  }

  private startsTerm({ kind, text, fresh, spaced }: Token): boolean {
    // `kill -9` against `a - 9`.
    if (kind === 'operator' && text === '-') return spaced && !this.ahead().spaced
    if (kind === 'name') return !this.dialect.keywords.has(text) && !(fresh && !/^[$@%]/.test(text))
    if (kind === 'operator')
      return text.startsWith('deref') || text === '\\' || (text === '<' && this.ahead().kind === 'name' && this.ahead(2).text === '>')
    return kind !== 'end' && kind !== 'newline'
  }

  private bareArgs(name: string): readonly Argument[] {
    const args: Argument[] = []
    if (this.is('{') && BLOCK_FIRST.has(name))
      args.push(positional({ kind: 'function', fn: givingLast({ name: null, params: [], body: this.braces() }) }))
    const indirect = args.length === 0 && this.is('{')
    if (indirect) args.push(positional(this.blockValue()))
    while (!this.ends()) {
      const before = this.at
      if (!this.eat(',')) args.push(this.nested(() => this.argument()))
      if (this.at === before) break
    }
    // `exec { $program } $name, …`: the name is what the program is told it is called.
    if (indirect && (name === 'exec' || name === 'system') && args[1]?.value.kind === 'text') args.splice(1, 1)
    return args
  }

  /** A method needs no parentheses to be called. */
  protected override memberOf(node: Node): Node {
    const member = super.memberOf(node)
    return member.kind === 'member' && !this.is('(') ? { kind: 'call', callee: member, args: [], make: false } : member
  }

  protected override callOf(callee: Node): Node {
    return completed(callee, this.args())
  }

  /** In parentheses `and` and `or` bind what stands beside them. */
  protected override args(): readonly Argument[] {
    return this.bracketed(')', () => {
      if (this.is('not')) return positional(this.loose())
      const first = this.argument()
      if (!this.eat(...LOOSE)) return first
      return { ...first, value: { kind: 'choice', options: [first.value, this.nested(() => this.loose())] } }
    })
  }

  /** `Key => value` is a named argument. */
  protected override argument(): Argument {
    const value = this.expression()
    if (!this.eat('=>')) return { name: null, value, spread: '' }
    return { name: value.kind === 'text' ? value.text : null, value: this.expression(), spread: '' }
  }

  protected override link(node: Node): Node | null {
    const { kind, text } = this.token
    if (kind !== 'operator') return null
    if (text === '{' && (node.kind === 'index' || (node.kind === 'name' && node.name.startsWith('$')))) return this.keyOf(node)
    if (text === '++' || text === '--') {
      this.take()
      return { kind: 'assign', op: '+=', target: node, value: { kind: 'number', value: 1 } }
    }
    if (text === '->' && this.ahead().kind === 'operator') return this.arrow(node)
    return text === '[' && !INDEXED.has(node.kind) ? null : super.link(node)
  }

  /** `$x->{k}`, `$x->[0]`, `$x->(1)`. */
  private arrow(node: Node): Node {
    this.take()
    if (this.is('{')) return this.keyOf(node)
    if (this.is('[')) return this.indexOf(node)
    return this.is('(') ? this.callOf(node) : node
  }

  private keyOf(node: Node): Node {
    this.take()
    const bare = this.token.kind === 'name' && this.ahead().text === '}' && !this.token.text.startsWith('$')
    const at = bare ? textNode(this.take().text) : this.loose()
    this.skipTo('}')
    return { kind: 'index', of: node, at }
  }
}
