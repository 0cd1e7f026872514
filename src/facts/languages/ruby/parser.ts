import { alwaysTrue, type FunctionNode, NOTHING, type Node, nameNode, type Param } from '../ast.ts'
import { CodeLimit } from '../limits.ts'
import type { Parser } from '../syntax/parser.ts'
import { called, shovelled } from './calls.ts'

import { MODIFIERS, RubyExpressions } from './expression.ts'

/** Ruby statements and definitions. */
/** Signs between the names of several targets. */
const TARGET_SIGNS: ReadonlySet<string> = new Set([',', '*', '.', '&.', '::', '(', '['])

/** The level of operators above `|`, which ends the parameters of a block. */
const ABOVE_BAR = 8

/** The most tokens that are looked at for the `=` of several targets. */
const LONGEST_TARGETS = 200

/** Another name for what runs programs or code is not followed. */
const RUNS = /^:?(?:system|exec|spawn|fork|eval|send|__send__|public_send|syscall|`|(?:instance|class|module)_(?:eval|exec))$/

export class RubyParser extends RubyExpressions {
  protected embedded(source: string, embedding: number): Parser {
    return new RubyParser(source, embedding)
  }

  protected statement(): Node {
    if (this.token.kind === 'newline' || this.is(';')) {
      this.take()
      return NOTHING
    }
    let node = this.jump() ?? shovelled(called(this.assignment()))
    while (this.is(...MODIFIERS)) node = this.modified(node)
    return node
  }

  private modified(body: Node): Node {
    const word = this.take().text
    const test = this.expression()
    if (word === 'while' || word === 'until')
      return { kind: 'loop', target: null, source: null, test, forever: word === 'while' && alwaysTrue(test), body }
    return word === 'rescue' ? { kind: 'choice', options: [body, test] } : { kind: 'branch', tests: [test], blocks: [body] }
  }

  private jump(): Node | null {
    if (this.is('return')) {
      this.take()
      return { kind: 'return', value: this.ends() ? null : this.tuple() }
    }
    if (this.is('alias', 'undef')) return this.renaming()
    if (this.eat('next', 'redo', 'retry')) return { kind: 'group', items: this.ends() ? [] : [this.tuple()], last: false }
    if (!this.is('break', 'raise', 'exit', 'abort', 'exit!')) return null
    this.take()
    return { kind: 'stop', value: this.ends() ? null : this.tuple() }
  }

  /** `alias new old`, `undef a, b`: names, symbols, signs. */
  private renaming(): Node {
    const isUndef = this.take().text === 'undef'
    this.methodName()
    const runs = !isUndef && RUNS.test(this.token.text)
    if (!isUndef) this.methodName()
    while (isUndef && this.eat(',')) this.methodName()
    return runs ? { kind: 'unread' } : NOTHING
  }

  private assignment(): Node {
    const targets = this.targets()
    if (targets === null) return this.tuple()
    return { kind: 'assign', op: '=', target: targets, value: this.tuple() }
  }

  /** `a, (b, *c) =`: several targets; null where something else stands, and nothing is taken. */
  private targets(): Node | null {
    const start = this.at
    if ((this.token.kind !== 'name' && !this.is('(', '*')) || !this.hasTargets()) return null
    const items: Node[] = []
    do {
      if (this.ends() || this.is('=')) break
      items.push(this.nested(() => this.target()))
    } while (this.eat(','))
    if (items.length > 1 && this.eat('=')) return { kind: 'list', items }
    this.back(start)
    return null
  }

  /** True where names, members and indices with commas between them stand before a `=`: nothing is read twice to find out. */
  private hasTargets(): boolean {
    let several = this.is('(', '*')
    let named = false
    for (let at = this.at, seen = 0; seen < LONGEST_TARGETS; seen++) {
      const { kind, text } = this.tokens[at] ?? this.token
      if (kind === 'operator' && text === '=') return several
      const isName = kind === 'name'
      if (isName ? named : kind !== 'operator' || !TARGET_SIGNS.has(text)) return false
      named = isName
      if (text === ',') several = true
      const closing = text === '(' || text === '[' ? (this.closes[at] ?? 0) : at
      if (closing < at) return false
      at = closing + 1
    }
    throw new CodeLimit('more is given a value at once than is followed')
  }

  private target(): Node {
    if (this.is('(')) return { kind: 'list', items: this.bracketed(')', () => this.target()) }
    const rest = this.eat('*')
    const node = this.postfix(this.primary())
    return rest ? { kind: 'spread', value: node } : node
  }

  /** Statements up to one of the words, which is not taken. */
  protected until(...stops: readonly string[]): Node {
    const body: Node[] = []
    while (this.token.kind !== 'end' && !this.is(...stops)) body.push(this.progress())
    return { kind: 'block', body }
  }

  protected compound(): Node {
    const word = this.take().text
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
      this.thenOf()
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
      if (this.take().text !== 'else') tests.push(...this.pattern())
      this.thenOf()
      blocks.push(this.until('when', 'in', 'else', 'end'))
    }
    return this.closed({ kind: 'branch', tests, blocks })
  }

  /** What `when` and `in` ask for: values, names for what was found, a condition. */
  private pattern(): readonly Node[] {
    const tests = [this.tuple()]
    while (this.eat('=>', 'if', 'unless')) tests.push(this.expression())
    return tests
  }

  /** `begin … rescue … ensure … end`; the rescue parts may run. */
  protected begin(): Node {
    const body: Node[] = [this.until('rescue', 'ensure', 'else', 'end')]
    while (this.is('rescue', 'ensure', 'else')) {
      const rescue = this.take().text === 'rescue'
      if (rescue) this.rescued()
      const part = this.until('rescue', 'ensure', 'else', 'end')
      body.push(rescue ? { kind: 'branch', tests: [], blocks: [part] } : part)
    }
    return this.closed({ kind: 'block', body })
  }

  /** `then` may stand on a line of its own. */
  private thenOf(): void {
    const before = this.at
    this.newlines()
    if (!this.eat('then')) this.back(before)
  }

  /** `rescue A, B => e then`: what is rescued may be any expression. */
  private rescued(): void {
    while (!this.ends()) {
      const before = this.at
      if (this.eat(',')) this.newlines()
      else if (!this.eat('=>', '*')) this.expression()
      if (this.at === before) this.skip()
    }
    this.eat('then')
  }

  private define(): Node {
    let name = this.methodName()
    if (this.eat('.', '::')) name = this.methodName()
    const params = this.is('(') ? this.bracketed(')', () => this.param()) : this.openParams()
    if (this.eat('=')) return this.defined({ name, params, body: { kind: 'return', value: this.expression() } })
    const body = this.begin()
    const last = body.kind === 'block' ? body.body : [body]
    return this.defined({ name, params, body: { kind: 'group', items: last, last: true } })
  }

  /** `name`, `name=`, `[]=`, `<=>`, `!`: what a method may be called. */
  private methodName(): string {
    if (this.is('(')) {
      const owner = this.primary()
      return owner.kind
    }
    let name = this.take().text
    if (name === '[' && this.eat(']')) name = '[]'
    const { text, spaced } = this.token
    if (text === '=' && !spaced) name += this.take().text
    if (text === '@' && !spaced) this.take()
    return name
  }

  private defined(fn: FunctionNode): Node {
    return { kind: 'assign', op: '=', target: nameNode(fn.name ?? ''), value: { kind: 'function', fn } }
  }

  protected openParams(): readonly Param[] {
    const params: Param[] = []
    while (this.token.kind === 'name' || this.token.kind === 'text') {
      params.push(this.param())
      if (!this.eat(',')) break
    }
    return params
  }

  protected param(): Param {
    if (this.is('('))
      return { target: { kind: 'list', items: this.bracketed(')', () => this.param().target) }, fallback: null, rest: false }
    if (this.eat('...')) return { target: NOTHING, fallback: null, rest: true }
    const rest = this.eat('*', '**', '&')
    const keyword = this.token.kind === 'text'
    const target = keyword ? nameNode(this.take().text) : this.nameOrNothing()
    if (keyword) return { target, fallback: this.eat('=>') && !this.is(',', ')') ? this.expression() : null, rest }
    return { target, fallback: this.eat('=') ? this.climb(ABOVE_BAR) : null, rest }
  }

  private classOf(): Node {
    const name = this.eat('<<') ? '' : this.token.text
    this.tuple()
    if (this.eat('<')) this.expression()
    return this.closed({ kind: 'class', name, bases: [], body: this.until('end') })
  }
}
