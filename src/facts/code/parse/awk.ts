import { alwaysTrue, callNode, NOTHING, type Node, nameNode, type Param } from '../ast.ts'
import { lexAwk, UNKNOWN_PART } from '../lex/awk.ts'
import { type Dialect, Parser, words } from './parser.ts'

/** awk programs. What reaches outside of the text becomes calls: `print>`, `print|`, `readline`, `readfile`, `readcommand`. */
const DIALECT: Dialect = {
  lex: lexAwk,
  binary: new Map(),
  prefix: words('! - +'),
  assign: words('= += -= *= /= %= ^= **='),
  member: new Set(),
  keywords: words(
    'BEGIN END BEGINFILE ENDFILE break case continue default delete do else exit for func function getline if in next nextfile print printf return switch while',
  ),
}

/** Binary operators, loosest first; below them stand pipes, concatenation and arithmetic. */
const LEVELS: readonly ReadonlySet<string>[] = [words('||'), words('&&'), words('in'), words('~ !~'), words('< <= == != > >=')]
const ARITHMETIC: readonly ReadonlySet<string>[] = [words('+ -'), words('* / %')]

const SPECIAL: ReadonlySet<string> = words('BEGIN END BEGINFILE ENDFILE')
const REDIRECTIONS: ReadonlySet<string> = words('> >> | |&')

export class AwkParser extends Parser {
  /** `>` compares; after `print` it names a file. */
  private compares = true

  /** It reads an unknown part inside of a string. */
  private readonly inner: boolean

  constructor(source: string, embedding = 0) {
    super(DIALECT, source, embedding)
    this.inner = embedding > 0
  }

  protected embedded(source: string, embedding: number): Parser {
    return new AwkParser(source, embedding)
  }

  /** Functions first: they may be called before they are written. */
  override program(): Node {
    if (this.inner) return { kind: 'block', body: [this.expression()] }
    const items: Node[] = []
    while (this.token.kind !== 'end') {
      const before = this.at
      items.push(this.nested(() => this.item()))
      if (this.at === before) this.at += 1
    }
    const rank = (node: Node): number => (node.kind === 'assign' ? 0 : 1)
    return { kind: 'block', body: items.toSorted((a, b) => rank(a) - rank(b)) }
  }

  private item(): Node {
    if (this.token.kind === 'newline' || this.is(';')) {
      this.at += 1
      return NOTHING
    }
    if (this.token.kind === 'name' && this.token.text.startsWith('@')) return this.directive()
    if (this.is('function', 'func')) return this.define()
    if (this.token.kind === 'name' && SPECIAL.has(this.token.text)) {
      const once = this.is('BEGIN', 'END')
      this.at += 1
      this.newlines()
      const body = this.block()
      return once ? body : perLine(body)
    }
    return this.rule()
  }

  /** `pattern { … }`: for each line where the pattern holds. */
  private rule(): Node {
    const tests: Node[] = []
    if (!this.is('{')) {
      tests.push(this.condition())
      if (this.eat(',')) {
        this.newlines()
        tests.push(this.condition())
      }
    }
    const body = this.is('{') ? this.block() : NOTHING
    return perLine(tests.length === 0 ? body : { kind: 'branch', tests: [{ kind: 'group', items: tests, last: false }], blocks: [body] })
  }

  /** A pattern of which nothing is known could be any program. */
  private condition(): Node {
    const alone = this.token.text === UNKNOWN_PART && /^(?:end|newline)$/.test(this.ahead().kind)
    return alone ? callNode(nameNode('unknown code'), [this.expression()]) : this.expression()
  }

  /** `@include "file"`, `@load "library"`; an indirect call stands inside of a rule. */
  private directive(): Node {
    const name = this.next().text
    return callNode(nameNode(name), this.token.kind === 'text' ? [this.primary()] : [])
  }

  private define(): Node {
    this.at += 1
    const target = this.nameOrNothing()
    const params: readonly Param[] = this.is('(')
      ? this.bracketed(')', () => ({ target: this.nameOrNothing(), fallback: null, rest: false }))
      : []
    this.newlines()
    return { kind: 'assign', op: '=', target, value: { kind: 'function', fn: { name: null, params, body: this.block() } } }
  }

  private block(): Node {
    if (!this.eat('{')) return NOTHING
    const body: Node[] = []
    while (this.token.kind !== 'end' && !this.eat('}')) body.push(this.progress())
    return { kind: 'block', body }
  }

  protected statement(): Node {
    const { kind, text } = this.token
    if (kind === 'newline' || this.is(';')) {
      this.at += 1
      return NOTHING
    }
    if (this.is('{')) return this.block()
    if (kind === 'name' && text === UNKNOWN_PART && /^(?:end|newline)$|^operator[;}]/.test(this.ahead().kind + this.ahead().text)) {
      this.at += 1
      return callNode(nameNode('unknown code'), [])
    }
    return kind === 'name' && this.dialect.keywords.has(text) ? this.keyword(text) : this.expression()
  }

  private keyword(text: string): Node {
    if (text === 'getline') return this.expression()
    this.at += 1
    switch (text) {
      case 'print':
      case 'printf':
        return this.print(text)
      case 'if':
        return this.branch()
      case 'while':
        return this.whileLoop()
      case 'do':
        return this.doLoop()
      case 'for':
        return this.forLoop()
      case 'switch':
        return this.selection()
      case 'delete':
        return { kind: 'group', items: [this.expression()], last: false }
      case 'return':
        return { kind: 'return', value: this.ends() ? null : this.expression() }
      case 'exit':
        return { kind: 'stop', value: this.ends() ? null : this.expression() }
      case 'case':
        this.expression()
        this.eat(':')
        return NOTHING
      case 'default':
        this.eat(':')
        return NOTHING
      default:
        return { kind: 'stop', value: null }
    }
  }

  private ends(): boolean {
    return this.token.kind === 'newline' || this.token.kind === 'end' || this.is(';', '}')
  }

  private print(name: string): Node {
    const items = this.printed()
    const content: Node =
      name === 'printf'
        ? callNode(nameNode('sprintf'), items)
        : items.length === 0
          ? field({ kind: 'number', value: 0 })
          : { kind: 'chain', first: items[0] ?? NOTHING, rest: items.slice(1).map((value) => ({ op: '..', value })) }
    if (this.token.kind !== 'operator' || !REDIRECTIONS.has(this.token.text)) return { kind: 'group', items: [content], last: false }
    const op = this.next().text
    return callNode(nameNode(`print${op}`), [this.unmatched(() => this.concatenation()), content])
  }

  /** What is printed; the parentheses of `print (a, b) > f` belong to it. */
  private printed(): readonly Node[] {
    if (this.is('(')) {
      const close = this.closes[this.at] ?? 0
      const after = this.tokens[close + 1]
      const whole = after === undefined || after.kind === 'newline' || after.kind === 'end' || /^(?:;|\}|>|>>|\||\|&)$/.test(after.text)
      if (close > 0 && whole) return this.inParentheses()
    }
    if (this.ends() || (this.token.kind === 'operator' && REDIRECTIONS.has(this.token.text))) return []
    return this.unmatched(() => {
      const items = [this.expression()]
      while (this.eat(',')) {
        this.newlines()
        items.push(this.expression())
      }
      return items
    })
  }

  private unmatched<T>(parse: () => T): T {
    const before = this.compares
    this.compares = false
    const result = parse()
    this.compares = before
    return result
  }

  private inParentheses(): readonly Node[] {
    const before = this.compares
    this.compares = true
    const items = this.bracketed(')', () => this.expression())
    this.compares = before
    return items
  }

  /** The body of a control structure: one statement, on this line or the next. */
  private body(): Node {
    while (this.token.kind === 'newline') this.at += 1
    return this.eat(';') ? NOTHING : this.progress()
  }

  private branch(): Node {
    const tests = [...this.tests()]
    const blocks = [this.body()]
    const before = this.at
    while (this.token.kind === 'newline' || this.is(';')) this.at += 1
    if (this.eat('else')) blocks.push(this.body())
    else this.at = before
    return { kind: 'branch', tests, blocks }
  }

  private tests(): readonly Node[] {
    return this.is('(') ? this.inParentheses() : []
  }

  private whileLoop(): Node {
    const test = this.tests()[0] ?? NOTHING
    return { kind: 'loop', target: null, source: null, test, forever: alwaysTrue(test), body: this.body() }
  }

  private doLoop(): Node {
    const body = this.body()
    while (this.token.kind === 'newline' || this.is(';')) this.at += 1
    const test = this.eat('while') ? (this.tests()[0] ?? NOTHING) : NOTHING
    return { kind: 'loop', target: null, source: null, test, forever: alwaysTrue(test), body }
  }

  /** `for (k in a)`, `for (i = 0; i < n; i++)`. */
  private forLoop(): Node {
    const parts: Node[] = []
    const close = this.closes[this.at] ?? 0
    const bare = this.ahead(2).text === 'in' && this.ahead(4).text === ')'
    this.eat('(')
    const target = bare ? this.nameOrNothing() : null
    if (bare) {
      this.at += 1
      const source = this.primary()
      this.eat(')')
      const keys = callNode(nameNode('keys'), [source])
      return { kind: 'loop', target, source: keys, test: null, forever: false, body: this.body() }
    }
    while (this.token.kind !== 'end' && this.at < close) {
      if (this.eat(';')) parts.push(NOTHING)
      else {
        const before = this.at
        parts.push(this.expression())
        if (this.at === before) this.at += 1
      }
    }
    this.eat(')')
    const forever = parts.every((part) => part === NOTHING)
    return {
      kind: 'loop',
      target: null,
      source: null,
      test: { kind: 'group', items: parts, last: false },
      forever,
      body: this.body(),
    }
  }

  private selection(): Node {
    const tests = [...this.tests()]
    this.newlines()
    return { kind: 'branch', tests, blocks: [this.block()] }
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
      this.at += 1
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
      this.at += 2
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
  private concatenation(): Node {
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
      rest.push({ op: this.next().text, value: this.arithmetic(at + 1) })
    }
    return rest.length === 0 ? first : { kind: 'chain', first, rest }
  }

  private power(): Node {
    const base = this.prefixed()
    if (!this.is('^', '**')) return base
    this.at += 1
    return { kind: 'group', items: [base, this.nested(() => this.power())], last: false }
  }

  protected override postfix(start: Node): Node {
    const node = start.kind === 'name' || start.kind === 'index' ? super.postfix(start) : start
    if (this.is('++', '--') && (node.kind === 'name' || node.kind === 'index' || node.kind === 'call')) this.at += 1
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
    this.at += 1
    const items: Node[] = []
    while (this.token.kind !== 'end' && !this.eat(']')) {
      const before = this.at
      items.push(this.expression())
      this.eat(',')
      if (this.at === before) this.at += 1
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
      this.at += 1
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
      this.at += 1
      return field(this.nested(() => this.prefixed()))
    }
    if (text === '++' || text === '--') {
      this.at += 1
      return { kind: 'group', items: [this.nested(() => this.prefixed())], last: false }
    }
    return NOTHING
  }

  /** `getline`, `getline line`, `getline line < file`. */
  private getline(): Node {
    this.at += 1
    const start = this.at
    const named = (this.token.kind === 'name' && !this.dialect.keywords.has(this.token.text)) || this.is('$')
    if (named) this.prefixed()
    const end = this.at
    const value = this.eat('<') ? callNode(nameNode('readfile'), [this.prefixed()]) : callNode(nameNode('readline'), [])
    const after = this.at
    this.at = start
    const read = this.into(value)
    this.at = named ? Math.max(after, end) : after
    return read
  }
}

/** Builtins may stand apart from their parenthesis. */
const BUILTINS: ReadonlySet<string> = words('system substr sprintf length index split sub gsub match tolower toupper close fflush gensub')

function field(at: Node): Node {
  if (at.kind === 'number' && at.value === 0) return nameNode('$0')
  return callNode(nameNode('$'), [at])
}

/** Runs for each line of input. */
function perLine(body: Node): Node {
  return { kind: 'loop', target: null, source: null, test: null, forever: false, body }
}
