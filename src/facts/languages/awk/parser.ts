import { alwaysTrue, callNode, NOTHING, type Node, nameNode, type Param } from '../ast.ts'
import { type Parser, words } from '../syntax/parser.ts'
import { AwkExpressions, field } from './expression.ts'
import { UNKNOWN_PART } from './lexer.ts'

/** awk programs. What reaches outside of the text becomes calls: `print>`, `print|`, `readline`, `readfile`, `readcommand`. */
const SPECIAL: ReadonlySet<string> = words('BEGIN END BEGINFILE ENDFILE')
const DIRECTIVES: ReadonlySet<string> = words('@include @load @namespace')
const REDIRECTIONS: ReadonlySet<string> = words('> >> | |&')

export class AwkParser extends AwkExpressions {
  /** It reads an unknown part inside of a string. */
  private readonly inner: boolean

  constructor(source: string, embedding = 0) {
    super(source, embedding)
    this.inner = embedding > 0
  }

  protected embedded(source: string, embedding: number): Parser {
    return new AwkParser(source, embedding)
  }

  /** Functions first: they may be called before they are written. */
  override program(): Node {
    if (this.inner) return this.whole({ kind: 'block', body: [this.expression()] })
    const items: Node[] = []
    while (this.token.kind !== 'end') {
      const before = this.at
      items.push(this.nested(() => this.item()))
      if (this.at === before) this.skip()
    }
    const rank = (node: Node): number => (node.kind === 'assign' ? 0 : 1)
    return this.whole({ kind: 'block', body: items.toSorted((a, b) => rank(a) - rank(b)) })
  }

  private item(): Node {
    if (this.token.kind === 'newline' || this.is(';')) {
      this.take()
      return NOTHING
    }
    if (this.token.kind === 'name' && DIRECTIVES.has(this.token.text)) return this.directive()
    if (this.is('function', 'func')) return this.define()
    if (this.token.kind === 'name' && SPECIAL.has(this.token.text)) {
      const once = this.is('BEGIN', 'END')
      this.take()
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
    return alone ? callNode(nameNode('unknown-code'), [this.expression()]) : this.expression()
  }

  /** `@include "file"`, `@load "library"`; an indirect call stands inside of a rule. */
  private directive(): Node {
    const name = this.take().text
    return callNode(nameNode(name), this.token.kind === 'text' ? [this.primary()] : [])
  }

  private define(): Node {
    this.take()
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
      this.take()
      return NOTHING
    }
    if (this.is('{')) return this.block()
    if (kind === 'name' && text === UNKNOWN_PART && /^(?:end|newline)$|^operator[;}]/.test(this.ahead().kind + this.ahead().text)) {
      this.take()
      return callNode(nameNode('unknown-code'), [])
    }
    return kind === 'name' && this.dialect.keywords.has(text) ? this.keyword(text) : this.expression()
  }

  private result(): Node | null {
    return this.ends() ? null : this.expression()
  }

  private keyword(text: string): Node {
    if (text === 'getline') return this.expression()
    this.take()
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
        return { kind: 'return', value: this.result() }
      case 'exit':
        return { kind: 'stop', value: this.result() }
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
    if (this.token.kind !== 'operator' || !REDIRECTIONS.has(this.token.text)) return callNode(nameNode('print'), [content])
    const op = this.take().text
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

  /** The body of a control structure: one statement, on this line or the next. */
  private body(): Node {
    while (this.token.kind === 'newline') this.take()
    return this.eat(';') ? NOTHING : this.progress()
  }

  private branch(): Node {
    const tests = [...this.tests()]
    const blocks = [this.body()]
    const before = this.at
    while (this.token.kind === 'newline' || this.is(';')) this.take()
    if (this.eat('else')) blocks.push(this.body())
    else this.back(before)
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
    while (this.token.kind === 'newline' || this.is(';')) this.take()
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
      this.take()
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
        if (this.at === before) this.skip()
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
}

/** Runs for each line of input. */
function perLine(body: Node): Node {
  return { kind: 'loop', target: null, source: null, test: null, forever: false, body }
}
