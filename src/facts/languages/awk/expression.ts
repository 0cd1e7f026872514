import { callNode, NOTHING, type Node, nameNode } from '../ast.ts'
import { type Dialect, Parser, words } from '../syntax/parser.ts'
import { lexAwk } from './lexer.ts'

/** awk expressions, loosest first: assignment, choice, comparison, pipes into `getline`, values side by side, arithmetic. */
const DIALECT: Dialect = {
  lex: lexAwk,
  binary: new Map(),
  prefix: words('! - +'),
  assign: words('= += -= *= /= %= ^= **='),
  member: new Set(),
  keywords: words(
    'BEGIN END BEGINFILE ENDFILE break case continue default delete do else exit for func function getline if in next ' +
      'nextfile print printf return switch while',
  ),
}

/** Binary operators, loosest first; below them stand pipes, concatenation and arithmetic. */
const LEVELS: readonly ReadonlySet<string>[] = [words('||'), words('&&'), words('in'), words('~ !~'), words('< <= == != > >=')]
const ARITHMETIC: readonly ReadonlySet<string>[] = [words('+ -'), words('* / %')]

/** Builtins may stand apart from their parenthesis. */
const BUILTINS: ReadonlySet<string> = words('system substr sprintf length index split sub gsub match tolower toupper close fflush gensub')

/** Statements build on this. */
export abstract class AwkExpressions extends Parser {
  /** `>` compares; after `print` it names a file. */
  private compares = true

  constructor(source: string, embedding: number) {
    super(DIALECT, source, embedding)
  }

  protected unmatched<T>(parse: () => T): T {
    const before = this.compares
    this.compares = false
    const result = parse()
    this.compares = before
    return result
  }

  protected inParentheses(): readonly Node[] {
    const before = this.compares
    this.compares = true
    const items = this.bracketed(')', () => this.expression())
    this.compares = before
    return items
  }

  protected override climb(): Node {
    return this.level(0)
  }

  private level(at: number): Node {
    const operators = LEVELS[at]
    if (operators === undefined) return this.piped()
    const first = this.level(at + 1)
    const items = [first]
    while (this.operates(operators)) {
      this.take()
      this.newlines()
      items.push(this.level(at + 1))
    }
    return items.length === 1 ? first : { kind: 'group', items, last: false }
  }

  private operates(operators: ReadonlySet<string>): boolean {
    const { kind, text } = this.token
    if (kind !== 'operator' && text !== 'in') return false
    return operators.has(text) && (this.compares || text !== '>')
  }

  /** `"command" | getline line`. */
  private piped(): Node {
    let left = this.concatenation()
    while (this.is('|', '|&') && this.ahead().text === 'getline') {
      this.take(2)
      left = this.into(callNode(nameNode('readcommand'), [left]))
    }
    return left
  }

  /** What `getline` reads goes into a variable, or into the line. */
  private into(value: Node): Node {
    const named = this.token.kind === 'name' && !this.dialect.keywords.has(this.token.text)
    if (!named && !this.is('$')) return { kind: 'assign', op: '=', target: nameNode('$0'), value }
    const target = this.prefixed()
    return { kind: 'assign', op: '=', target: target.kind === 'call' ? nameNode('$0') : target, value }
  }

  /** Values that stand side by side are one text. */
  protected concatenation(): Node {
    const first = this.arithmetic(0)
    const rest: { op: string; value: Node }[] = []
    while (this.startsValue()) rest.push({ op: '..', value: this.arithmetic(0) })
    return rest.length === 0 ? first : { kind: 'chain', first, rest }
  }

  private startsValue(): boolean {
    const { kind, text } = this.token
    if (kind === 'name') return !this.dialect.keywords.has(text)
    return kind === 'text' || kind === 'template' || kind === 'number' || (kind === 'operator' && (text === '(' || text === '$'))
  }

  private arithmetic(at: number): Node {
    const operators = ARITHMETIC[at]
    if (operators === undefined) return this.power()
    const first = this.arithmetic(at + 1)
    const rest: { op: string; value: Node }[] = []
    while (this.token.kind === 'operator' && operators.has(this.token.text)) {
      rest.push({ op: this.take().text, value: this.arithmetic(at + 1) })
    }
    return rest.length === 0 ? first : { kind: 'chain', first, rest }
  }

  private power(): Node {
    const base = this.prefixed()
    if (!this.is('^', '**')) return base
    this.take()
    return { kind: 'group', items: [base, this.nested(() => this.power())], last: false }
  }

  protected override postfix(start: Node): Node {
    const node = start.kind === 'name' || start.kind === 'index' ? super.postfix(start) : start
    if (this.is('++', '--') && (node.kind === 'name' || node.kind === 'index' || node.kind === 'call')) this.take()
    return node
  }

  /** Only a name directly before its parenthesis is called. */
  protected override link(node: Node): Node | null {
    if (this.is('(')) return node.kind === 'name' && (!this.token.spaced || BUILTINS.has(node.name)) ? this.callOf(node) : null
    return this.is('[') ? this.indexOf(node) : null
  }

  protected override callOf(callee: Node): Node {
    const args = this.inParentheses()
    const target = callee.kind === 'name' && (callee.name === 'sub' || callee.name === 'gsub') ? args[2] : undefined
    const value = callNode(callee, args)
    return target?.kind === 'name' ? { kind: 'assign', op: '=', target, value } : value
  }

  protected override indexOf(of: Node): Node {
    this.take()
    const items: Node[] = []
    while (this.token.kind !== 'end' && !this.eat(']')) {
      const before = this.at
      items.push(this.expression())
      this.eat(',')
      if (this.at === before) this.skip()
    }
    return { kind: 'index', of, at: items.length === 1 ? (items[0] ?? NOTHING) : { kind: 'group', items, last: false } }
  }

  protected primary(): Node {
    const literal = this.literal()
    if (literal !== null) return literal
    const { kind, text } = this.token
    if (kind === 'operator') return this.operated(text)
    if (text === 'getline') return this.getline()
    if (text.startsWith('@')) {
      this.take()
      return callNode(nameNode('@'), [nameNode(text.slice(1)), ...(this.is('(') ? this.inParentheses() : [])])
    }
    return this.nameOrNothing()
  }

  private operated(text: string): Node {
    if (text === '(') {
      const items = this.inParentheses()
      return { kind: 'group', items, last: items.length === 1 }
    }
    if (text === '$') {
      this.take()
      return field(this.nested(() => this.prefixed()))
    }
    if (text === '++' || text === '--') {
      this.take()
      return { kind: 'group', items: [this.nested(() => this.prefixed())], last: false }
    }
    return NOTHING
  }

  /** `getline`, `getline line`, `getline line < file`. */
  private getline(): Node {
    this.take()
    const start = this.at
    const named = (this.token.kind === 'name' && !this.dialect.keywords.has(this.token.text)) || this.is('$')
    if (named) this.prefixed()
    const end = this.at
    const value = this.eat('<') ? callNode(nameNode('readfile'), [this.prefixed()]) : callNode(nameNode('readline'), [])
    const after = this.at
    this.back(start)
    const read = this.into(value)
    this.take((named ? Math.max(after, end) : after) - this.at)
    return read
  }
}

export function field(at: Node): Node {
  if (at.kind === 'number' && at.value === 0) return nameNode('$0')
  return callNode(nameNode('$'), [at])
}
