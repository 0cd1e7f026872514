import type { Argument, Node } from '../ast.ts'
import { NOTHING, nameNode, textNode } from '../ast.ts'
import { CodeLimit, LIMITS } from '../limits.ts'
import { joined } from './chain.ts'
import { Coverage } from './coverage.ts'
import type { Token, TokenKind } from './token.ts'

/**
 * The expression parser that every language's parser builds on: a precedence climber that always moves forward. A token is
 * taken, where the grammar has a place for it, or skipped, which is told; an expression that was read and put nowhere is
 * evaluated all the same.
 */
export interface Dialect {
  /** Turns source text into tokens; interpolations are read with it too. */
  readonly lex: (source: string) => readonly Token[]
  readonly binary: ReadonlyMap<string, number>
  readonly prefix: ReadonlySet<string>
  readonly assign: ReadonlySet<string>
  /** Operators between an object and its member's name. */
  readonly member: ReadonlySet<string>
  /** Names that never are values: they end an expression. */
  readonly keywords: ReadonlySet<string>
}

/** Tokens that say nothing where none is expected. */
const MARKS: ReadonlySet<TokenKind> = new Set(['newline', 'indent', 'dedent', 'end'])
const SEPARATORS: ReadonlySet<string> = new Set([',', ';'])

const CLOSERS: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' }

/**
 * What reading may take, in expressions and statements for each token and for any text. Where two readings are tried, what
 * nests in itself would double with each level; ordinary code takes less than one for each token.
 */
const WORK_PER_TOKEN = 3
const LEAST_WORK = 500

export abstract class Parser {
  readonly dialect: Dialect
  readonly tokens: readonly Token[]
  /** For each opening bracket the index of the one that closes it; 0 where none does. */
  readonly closes: Uint32Array
  private readonly embedding: number
  private readonly coverage = new Coverage()
  private cursor = 0
  private depth = 0
  /** Expressions and statements read so far, also those that were read again. */
  private work = 0

  constructor(dialect: Dialect, source: string, embedding = 0) {
    if (embedding > LIMITS.interpolations) throw new CodeLimit('interpolations are nested too deeply')
    this.dialect = dialect
    this.embedding = embedding
    this.tokens = dialect.lex(source)
    this.closes = matchBrackets(this.tokens)
  }

  /** A parser of the same language for the source of an interpolation. */
  protected abstract embedded(source: string, embedding: number): Parser
  protected abstract statement(): Node
  protected abstract primary(): Node

  /** The whole text as one block. */
  program(): Node {
    const body: Node[] = []
    while (this.token.kind !== 'end') body.push(this.progress())
    return this.whole({ kind: 'block', body })
  }

  /** The program, with what was read and is not in it. */
  protected whole(root: Node): Node {
    return this.coverage.complete(root)
  }

  /** One statement; a token that fits nowhere is stepped over. */
  protected progress(): Node {
    const before = this.at
    const node = this.nested(() => this.statement())
    if (this.at === before) this.skip()
    return node
  }

  protected get token(): Token {
    return this.tokens[Math.min(this.at, this.tokens.length - 1)] as Token
  }

  protected ahead(offset = 1): Token {
    return this.tokens[Math.min(this.at + offset, this.tokens.length - 1)] as Token
  }

  /** Where the token stands that is read next. */
  protected get at(): number {
    return this.cursor
  }

  /** Takes tokens that the grammar has a place for; gives the first. */
  protected take(count = 1): Token {
    const token = this.token
    this.cursor += count
    return token
  }

  /** Gives back the token that was taken last. */
  protected untake(): void {
    this.cursor -= 1
  }

  /** Reads again from there, in another way. */
  protected back(to: number): void {
    this.cursor = to
    this.coverage.back(to)
  }

  /** Steps over a token that fits nowhere. */
  protected skip(): void {
    const { kind, text } = this.token
    if (!MARKS.has(kind) && (kind !== 'operator' || !SEPARATORS.has(text))) this.coverage.skipped(this.cursor)
    this.cursor += 1
  }

  /** Steps over what runs nothing, up to one of the given: names, types, numbers. What can hold code is skipped. */
  protected pass(...stops: readonly string[]): void {
    while (this.token.kind !== 'end' && !this.is(...stops)) {
      const { kind, text, parts } = this.token
      const plain =
        kind === 'operator' ? !Object.hasOwn(CLOSERS, text) : parts.every((part) => typeof part === 'string') && kind !== 'command'
      if (plain) this.take()
      else this.skip()
    }
  }

  protected is(...texts: readonly string[]): boolean {
    const { kind, text } = this.token
    return (kind === 'operator' || kind === 'name') && texts.includes(text)
  }

  protected stands(kind: TokenKind): boolean {
    return this.token.kind === kind
  }

  protected eat(...texts: readonly string[]): boolean {
    if (!this.is(...texts)) return false
    this.take()
    return true
  }

  protected nested<T>(parse: () => T): T {
    this.depth += 1
    this.work += 1
    if (this.work > WORK_PER_TOKEN * this.tokens.length + LEAST_WORK) throw new CodeLimit('the code would be read again and again')
    if (this.depth > LIMITS.depth) throw new CodeLimit('the code is nested too deeply')
    const result = parse()
    this.depth -= 1
    this.coverage.made(result, this.cursor)
    return result
  }

  expression(): Node {
    return this.nested(() => {
      const left = this.ternary(this.climb(0))
      const { kind, text } = this.token
      if (kind !== 'operator' || !this.dialect.assign.has(text)) return left
      this.take()
      this.newlines()
      return { kind: 'assign', op: text, target: left, value: this.expression() }
    })
  }

  /** `a ? b : c`; languages without it override. */
  protected ternary(test: Node): Node {
    if (!this.is('?')) return test
    this.take()
    this.newlines()
    if (this.eat(':')) return { kind: 'choice', options: [test, this.expression()] }
    const yes = this.expression()
    this.newlines()
    if (!this.eat(':')) return { kind: 'choice', options: [yes] }
    this.newlines()
    return { kind: 'group', items: [test, { kind: 'choice', options: [yes, this.expression()] }], last: true }
  }

  protected climb(min: number): Node {
    let left = this.prefixed()
    for (;;) {
      const op = this.binaryOperator()
      const level = op === null ? undefined : this.dialect.binary.get(op)
      if (op === null || level === undefined || level < min) return left
      this.take(op === 'not in' || op === 'is not' ? 2 : 1)
      this.newlines()
      left = joined(left, { op, level }, this.climb(level + 1))
    }
  }

  /** The binary operator that stands here, or null. */
  protected binaryOperator(): string | null {
    const { kind, text } = this.token
    return kind === 'operator' || kind === 'name' ? text : null
  }

  protected prefixed(): Node {
    const { kind, text } = this.token
    if ((kind === 'operator' || kind === 'name') && this.dialect.prefix.has(text)) {
      this.take()
      return this.nested(() => ({ kind: 'unary', op: text, value: this.prefixed() }))
    }
    return this.postfix(this.primary())
  }

  /** Members, calls and indices behind a value. */
  protected postfix(start: Node): Node {
    let node = start
    for (let links = 0; links <= LIMITS.chain; links += 1) {
      const next = this.link(node)
      if (next === null) {
        this.coverage.made(node, this.cursor)
        return node
      }
      node = next
    }
    throw new CodeLimit('a chain of calls is too long')
  }

  /** One link of the chain, or null where it ends. */
  protected link(node: Node): Node | null {
    const token = this.token
    if (token.kind !== 'operator') return null
    if (token.text === '(') return this.callOf(node)
    if (token.text === '[' && !this.separates(token)) return this.indexOf(node)
    if (this.dialect.member.has(token.text)) return this.memberOf(node)
    return null
  }

  /** True where a bracket starts something new instead of continuing the value before it. */
  protected separates(_token: Token): boolean {
    return false
  }

  protected callOf(callee: Node): Node {
    return { kind: 'call', callee, args: this.args(), make: false }
  }

  protected memberOf(node: Node): Node {
    this.take()
    this.newlines()
    const { kind, text } = this.token
    if (kind === 'name' || kind === 'text') {
      this.take()
      return { kind: 'member', of: node, name: text }
    }
    return this.is('(', '[') ? node : { kind: 'member', of: node, name: '' }
  }

  protected indexOf(node: Node): Node {
    this.take()
    if (this.eat(']')) return { kind: 'index', of: node, at: NOTHING }
    const at = this.expression()
    this.skipTo(']')
    return { kind: 'index', of: node, at }
  }

  protected args(): readonly Argument[] {
    return this.bracketed(')', () => this.argument())
  }

  protected argument(): Argument {
    if (this.eat('...')) return { name: null, value: this.expression(), spread: '*' }
    return { name: null, value: this.expression(), spread: '' }
  }

  /** Items between the bracket that stands here and `close`, separated by commas; tolerant of what does not fit. */
  protected bracketed<T>(close: string, item: () => T): readonly T[] {
    const items: T[] = []
    this.take()
    for (;;) {
      this.newlines()
      while (this.eat(',')) this.newlines()
      if (this.token.kind === 'end' || this.eat(close)) return items
      const before = this.at
      items.push(this.nested(item))
      if (this.at === before) this.skip()
    }
  }

  protected skipTo(close: string): void {
    this.newlines()
    while (this.token.kind !== 'end' && !this.eat(close)) {
      const before = this.at
      this.expression()
      if (this.at === before) this.skip()
    }
  }

  protected newlines(): void {
    while (this.token.kind === 'newline') this.take()
  }

  /** Expressions separated by commas; one alone is itself, several are a list. */
  protected tuple(): Node {
    const first = this.expression()
    if (!this.is(',')) return first
    const items = [first]
    while (this.eat(',')) {
      if (this.endsTuple()) break
      items.push(this.expression())
    }
    return { kind: 'list', items }
  }

  protected endsTuple(): boolean {
    return this.is(')', ']', '}', '=', ';', ':') || this.token.kind === 'newline' || this.token.kind === 'end'
  }

  /** Literals that look the same in every language; null for anything else. */
  protected literal(): Node | null {
    const token = this.token
    switch (token.kind) {
      case 'text':
        this.take()
        return textNode(token.text, token.bytes)
      case 'template':
      case 'command':
        this.take()
        return { kind: token.kind, parts: token.parts.map((p) => (typeof p === 'string' ? textNode(p) : this.interpolated(p.source))) }
      case 'words':
        this.take()
        return { kind: 'list', items: token.parts.map((p) => (typeof p === 'string' ? textNode(p) : this.interpolated(p.source))) }
      case 'regex':
        this.take()
        return {
          kind: 'group',
          items: token.parts.map((p) => (typeof p === 'string' ? textNode(p) : this.interpolated(p.source))),
          last: false,
        }
      case 'number':
        this.take()
        return numberNode(token.text)
      default:
        return null
    }
  }

  protected interpolated(source: string): Node {
    const program = this.embedded(source, this.embedding + 1).program()
    const items = program.kind === 'block' ? program.body.filter((node) => node !== NOTHING) : [program]
    return items.length === 1 ? (items[0] as Node) : { kind: 'group', items, last: true }
  }

  /** A name, or nothing where a keyword or punctuation stands. */
  protected nameOrNothing(): Node {
    const { kind, text } = this.token
    if (kind !== 'name' || this.dialect.keywords.has(text)) return NOTHING
    this.take()
    return nameNode(text)
  }
}

function numberNode(text: string): Node {
  const digits = text.replace(/_/g, '')
  const value = /^0[0-7]+$/.test(digits) ? Number.parseInt(digits, 8) : Number(digits.replace(/n$/, ''))
  return { kind: 'number', value }
}

function matchBrackets(tokens: readonly Token[]): Uint32Array {
  const closes = new Uint32Array(tokens.length)
  const open: number[] = []
  for (let i = 0; i < tokens.length; i += 1) {
    const { kind, text } = tokens[i] as Token
    if (kind !== 'operator' || text.length !== 1) continue
    if (Object.hasOwn(CLOSERS, text)) open.push(i)
    else if (text === ')' || text === ']' || text === '}') {
      const top = open.at(-1)
      if (top !== undefined && CLOSERS[tokens[top]?.text ?? ''] === text) {
        closes[top] = i
        open.pop()
      }
    }
  }
  return closes
}

/** A precedence table from operators grouped by level, loosest first. */
export function levels(...groups: readonly string[]): ReadonlyMap<string, number> {
  return new Map(groups.flatMap((group, level) => group.split(' ').map((op) => [op, level + 1] as const)))
}

/** A set of words separated by spaces. */
export function words(text: string): ReadonlySet<string> {
  return new Set(text.split(' '))
}
