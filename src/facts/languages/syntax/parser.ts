import type { Argument, Node } from '../ast.ts'
import { NOTHING, nameNode, textNode } from '../ast.ts'
import { CodeLimit, LIMITS } from '../limits.ts'
import type { Token, TokenKind } from './token.ts'

/** The expression parser that every language's parser builds on: a tolerant precedence climber that always moves forward. */
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

/** Operators that give one of their operands. */
const CHOOSING: ReadonlySet<string> = new Set(['||', '&&', '??', 'or', 'and'])

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
  protected at = 0
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
    return { kind: 'block', body }
  }

  /** One statement; a token that fits nowhere is stepped over. */
  protected progress(): Node {
    const before = this.at
    const node = this.nested(() => this.statement())
    if (this.at === before) this.at += 1
    return node
  }

  protected get token(): Token {
    return this.tokens[Math.min(this.at, this.tokens.length - 1)] as Token
  }

  protected ahead(offset = 1): Token {
    return this.tokens[Math.min(this.at + offset, this.tokens.length - 1)] as Token
  }

  protected next(): Token {
    const token = this.token
    this.at += 1
    return token
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
    this.at += 1
    return true
  }

  protected nested<T>(parse: () => T): T {
    this.depth += 1
    this.work += 1
    if (this.work > WORK_PER_TOKEN * this.tokens.length + LEAST_WORK) throw new CodeLimit('the code would be read again and again')
    if (this.depth > LIMITS.depth) throw new CodeLimit('the code is nested too deeply')
    const result = parse()
    this.depth -= 1
    return result
  }

  expression(): Node {
    return this.nested(() => {
      const left = this.ternary(this.climb(0))
      const { kind, text } = this.token
      if (kind !== 'operator' || !this.dialect.assign.has(text)) return left
      this.at += 1
      this.newlines()
      return { kind: 'assign', op: text, target: left, value: this.expression() }
    })
  }

  /** `a ? b : c`; languages without it override. */
  protected ternary(test: Node): Node {
    if (!this.is('?')) return test
    this.at += 1
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
      this.at += op === 'not in' || op === 'is not' ? 2 : 1
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
      this.at += 1
      return this.nested(() => ({ kind: 'unary', op: text, value: this.prefixed() }))
    }
    return this.postfix(this.primary())
  }

  /** Members, calls and indices behind a value. */
  protected postfix(start: Node): Node {
    let node = start
    for (let links = 0; links <= LIMITS.chain; links += 1) {
      const next = this.link(node)
      if (next === null) return node
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
    this.at += 1
    const { kind, text } = this.token
    if (kind === 'name' || kind === 'text') {
      this.at += 1
      return { kind: 'member', of: node, name: text }
    }
    return this.is('(', '[') ? node : { kind: 'member', of: node, name: '' }
  }

  protected indexOf(node: Node): Node {
    this.at += 1
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
    this.at += 1
    for (;;) {
      this.newlines()
      while (this.eat(',')) this.newlines()
      if (this.token.kind === 'end' || this.eat(close)) return items
      const before = this.at
      items.push(this.nested(item))
      if (this.at === before) this.at += 1
    }
  }

  protected skipTo(close: string): void {
    this.newlines()
    while (this.token.kind !== 'end' && !this.eat(close)) {
      const before = this.at
      this.expression()
      if (this.at === before) this.at += 1
    }
  }

  protected newlines(): void {
    while (this.token.kind === 'newline') this.at += 1
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
        this.at += 1
        return textNode(token.text, token.bytes)
      case 'template':
      case 'command':
        this.at += 1
        return { kind: token.kind, parts: token.parts.map((p) => (typeof p === 'string' ? textNode(p) : this.interpolated(p.source))) }
      case 'words':
        this.at += 1
        return { kind: 'list', items: token.parts.map((p) => textNode(typeof p === 'string' ? p : '')) }
      case 'regex':
        this.at += 1
        return {
          kind: 'group',
          items: token.parts.map((p) => (typeof p === 'string' ? textNode(p) : this.interpolated(p.source))),
          last: false,
        }
      case 'number':
        this.at += 1
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
    this.at += 1
    return nameNode(text)
  }
}

function joined(left: Node, { op, level }: { op: string; level: number }, right: Node): Node {
  if (CHOOSING.has(op)) {
    if (left.kind !== 'choice' || CHAIN_LEVEL.get(left) !== level) return remembered({ kind: 'choice', options: [left, right] }, level)
    ;(left.options as Node[]).push(right)
    return left
  }
  if (left.kind === 'chain' && CHAIN_LEVEL.get(left) === level) {
    ;(left.rest as { op: string; value: Node }[]).push({ op, value: right })
    return left
  }
  return remembered({ kind: 'chain', first: left, rest: [{ op, value: right }] }, level)
}

function remembered(node: Node, level: number): Node {
  CHAIN_LEVEL.set(node, level)
  return node
}

/** The precedence a chain was read with: a parenthesised chain is another one. */
const CHAIN_LEVEL = new WeakMap<Node, number>()

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
