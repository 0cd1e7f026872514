import { type Argument, type Clause, type Entry, NOTHING, type Node, type Param, textNode } from '../ast.ts'
import { type Dialect, levels, Parser, words } from '../syntax/parser.ts'
import { lexPython } from './lexer.ts'

/** Python expressions. */
export const PYTHON: Dialect = {
  lex: lexPython,
  binary: new Map([
    ...levels(':=', 'or', 'and', 'in < > <= >= == != is', '|', '^', '&', '<< >>', '+ -', '* / // % @', '**'),
    ['not in', 4],
    ['is not', 4],
  ]),
  prefix: words('not - + ~ await'),
  assign: new Set(),
  member: new Set(['.']),
  keywords: words(
    'and as assert break class continue def del elif else except finally for from global if import in is lambda nonlocal ' +
      'not or pass raise return try while with yield',
  ),
}

const CONSTANTS: ReadonlyMap<string, boolean | null> = new Map<string, boolean | null>([
  ['True', true],
  ['False', false],
  ['None', null],
])

export abstract class PythonExpressions extends Parser {
  override expression(): Node {
    return this.nested(() => {
      if (this.is('lambda')) return this.lambda()
      if (this.eat('yield')) {
        this.eat('from')
        return this.endsTuple() ? NOTHING : this.expression()
      }
      const value = this.climb(0)
      if (!this.eat('if')) return value
      const test = this.climb(0)
      const other = this.eat('else') ? this.expression() : NOTHING
      return { kind: 'group', items: [test, { kind: 'choice', options: [value, other] }], last: true }
    })
  }

  private lambda(): Node {
    this.take()
    const params: Param[] = []
    while (!this.is(':') && this.token.kind !== 'end' && this.token.kind !== 'newline') {
      const before = this.at
      params.push(this.param(false))
      this.eat(',')
      if (this.at === before) this.skip()
    }
    this.eat(':')
    return { kind: 'function', fn: { name: null, params, body: { kind: 'return', value: this.expression() } } }
  }

  protected override binaryOperator(): string | null {
    const { kind, text } = this.token
    if (kind !== 'operator' && kind !== 'name') return null
    if (text === 'not') return this.ahead().text === 'in' ? 'not in' : null
    return text === 'is' && this.ahead().text === 'not' ? 'is not' : text
  }

  protected primary(): Node {
    const literal = this.strings()
    if (literal !== null) return literal
    const { kind, text } = this.token
    if (kind === 'name' && CONSTANTS.has(text)) {
      this.take()
      return { kind: 'constant', value: CONSTANTS.get(text) ?? null }
    }
    if (text === '(' && kind === 'operator') return this.parenthesised()
    if (text === '[' && kind === 'operator') return this.listOf(']')
    if (text === '{' && kind === 'operator') return this.braced()
    if (this.eat('*', '**')) return { kind: 'spread', value: this.climb(0) }
    if (this.eat('...')) return NOTHING
    return this.nameOrNothing()
  }

  /** Literals; strings next to each other are one. */
  private strings(): Node | null {
    const first = this.literal()
    if (first === null || (first.kind !== 'text' && first.kind !== 'template')) return first
    const parts: Node[] = [first]
    while (this.token.kind === 'text' || this.token.kind === 'template') parts.push(this.literal() ?? NOTHING)
    if (parts.length === 1) return first
    if (parts.every((p) => p.kind === 'text'))
      return textNode(parts.map((p) => (p.kind === 'text' ? p.text : '')).join(''), first.kind === 'text' && first.bytes)
    return { kind: 'template', parts }
  }

  private parenthesised(): Node {
    const close = this.closes[this.at]
    const node = this.listOf(')')
    if (node.kind !== 'list' || node.items.length !== 1 || this.tokens[(close ?? 1) - 1]?.text === ',') return node
    const only = node.items[0] as Node
    return only.kind === 'spread' ? node : { kind: 'group', items: [only], last: true }
  }

  private listOf(close: string): Node {
    this.take()
    const items: Node[] = []
    while (this.token.kind !== 'end' && !this.eat(close)) {
      const before = this.at
      if (!this.eat(',')) items.push(this.expression())
      if (this.is('for', 'async') && items.length > 0) return this.comprehension({ shape: 'list', element: items[0] as Node, close })
      if (this.at === before) this.skip()
    }
    return { kind: 'list', items }
  }

  private braced(): Node {
    this.take()
    const entries: Entry[] = []
    const items: Node[] = []
    while (this.token.kind !== 'end' && !this.eat('}')) {
      const before = this.at
      if (!this.eat(',')) {
        const key = this.expression()
        if (this.eat(':')) entries.push({ key, value: this.expression() })
        else items.push(key)
        if (this.is('for', 'async')) {
          const element: Node = entries.length > 0 ? { kind: 'list', items: [key, entries[0]?.value ?? NOTHING] } : key
          return this.comprehension({ shape: entries.length > 0 ? 'dict' : 'list', element, close: '}' })
        }
      }
      if (this.at === before) this.skip()
    }
    for (const item of items) if (item.kind === 'spread') entries.push({ key: item, value: NOTHING })
    return entries.length > 0 || items.length === 0 ? { kind: 'dict', entries } : { kind: 'list', items }
  }

  private comprehension({ shape, element, close }: { shape: 'list' | 'dict'; element: Node; close: string }): Node {
    const clauses: Clause[] = []
    while (this.eat('async') || this.is('for')) {
      if (!this.eat('for')) break
      const target = this.targets()
      this.eat('in')
      const source = this.climb(1)
      const tests: Node[] = []
      while (this.eat('if')) tests.push(this.climb(1))
      clauses.push({ target, source, tests })
    }
    this.skipTo(close)
    return { kind: 'comprehension', shape, element, clauses }
  }

  protected override indexOf(node: Node): Node {
    const parts = this.bracketed(']', () => this.bounds())
    const [only = [NOTHING]] = parts
    if (parts.length > 1) {
      const items = parts.map((marks): Node => ({ kind: 'group', items: marks.map((mark) => mark ?? NOTHING), last: true }))
      return { kind: 'index', of: node, at: { kind: 'list', items } }
    }
    if (only.length === 1) return { kind: 'index', of: node, at: only[0] ?? NOTHING }
    return { kind: 'slice', of: node, from: only[0] ?? null, to: only[1] ?? null, step: only[2] ?? null }
  }

  /** `i`, or `from:to:step` of which each may be missing. */
  private bounds(): readonly (Node | null)[] {
    const marks: (Node | null)[] = [null]
    while (this.token.kind !== 'end' && !this.is(',', ']')) {
      const before = this.at
      if (this.eat(':')) marks.push(null)
      else marks[marks.length - 1] = this.expression()
      if (this.at === before) this.skip()
    }
    return marks
  }

  protected override args(): readonly Argument[] {
    return this.bracketed(')', () => this.argument())
  }

  protected override argument(): Argument {
    const { kind, text } = this.token
    if (kind === 'name' && this.ahead().kind === 'operator' && this.ahead().text === '=') {
      this.take(2)
      return { name: text, value: this.expression(), spread: '' }
    }
    const spread = this.is('*', '**') ? (this.take().text as '*' | '**') : ''
    const value = this.expression()
    if (this.is('for', 'async')) {
      const node = this.comprehension({ shape: 'list', element: value, close: ')' })
      this.untake()
      return { name: null, value: node, spread: '' }
    }
    return { name: null, value, spread }
  }

  protected param(annotated: boolean): Param {
    const rest = this.eat('*', '**')
    const target = this.nameOrNothing()
    if (this.is('/') || this.is('|')) this.take()
    if (annotated && this.eat(':')) this.expression()
    return { target, fallback: this.eat('=') ? this.expression() : null, rest }
  }

  /** Loop variables, up to `in`. */
  protected targets(): Node {
    const items: Node[] = []
    do {
      if (this.is('in')) break
      this.eat('*')
      items.push(this.postfix(this.primary()))
    } while (this.eat(','))
    return items.length === 1 ? (items[0] as Node) : { kind: 'list', items }
  }
}
