import { alwaysTrue, type FunctionNode, NOTHING, type Node, nameNode, type Param } from '../ast.ts'
import { Parser } from './parser.ts'

const STOPS: ReadonlySet<string> = new Set(['break', 'last', 'throw', 'exit', 'die'])

/** Statements that JavaScript, PHP and Perl write alike: blocks in braces, conditions in parentheses. */
export abstract class BraceParser extends Parser {
  /** What a `for` head means in this language, behind its opening parenthesis; `null` for the three-part form. */
  protected abstract eachHead(): { target: Node; source: Node } | null

  protected braces(): Node {
    if (!this.eat('{')) return this.progress()
    const body: Node[] = []
    while (this.token.kind !== 'end' && !this.eat('}')) body.push(this.progress())
    return { kind: 'block', body }
  }

  /** A statement that a keyword starts; null where `word` starts none. */
  protected keyword(word: string): Node | null {
    switch (word) {
      case 'if':
      case 'unless':
        return this.branch()
      case 'while':
      case 'until':
        return this.whileLoop()
      case 'for':
      case 'foreach':
        return this.forLoop()
      case 'do':
        return this.doLoop()
      case 'try':
        return this.tryBlock()
      case 'switch':
        return this.switchBlock()
      case 'return':
        this.take()
        return { kind: 'return', value: this.valueOrNull() }
      default:
        return STOPS.has(word) ? this.stop() : null
    }
  }

  private stop(): Node {
    this.take()
    return { kind: 'stop', value: this.valueOrNull() }
  }

  protected valueOrNull(): Node | null {
    return this.is(';', '}') || this.token.kind === 'end' ? null : this.sequence()
  }

  /** Expressions separated by commas, the last one giving the value. */
  protected sequence(): Node {
    const first = this.expression()
    if (!this.is(',')) return first
    const items = [first]
    while (this.eat(',')) items.push(this.expression())
    return { kind: 'group', items, last: true }
  }

  protected condition(): Node {
    if (!this.eat('(')) return NOTHING
    const test = this.is(')') ? NOTHING : this.sequence()
    this.skipTo(')')
    return test
  }

  private branch(): Node {
    const tests: Node[] = []
    const blocks: Node[] = []
    this.take()
    for (;;) {
      tests.push(this.condition())
      blocks.push(this.braces())
      if (this.eat('elsif', 'elseif')) continue
      if (!this.eat('else')) break
      if (this.eat('if')) continue
      blocks.push(this.braces())
      break
    }
    return { kind: 'branch', tests, blocks }
  }

  private whileLoop(): Node {
    const until = this.take().text === 'until'
    const test = this.condition()
    const forever = !until && (alwaysTrue(test) || test === NOTHING)
    return { kind: 'loop', target: null, source: null, test, forever, body: this.braces() }
  }

  private forLoop(): Node {
    this.take()
    this.eat('await')
    const each = this.eachHead()
    if (each !== null) return { kind: 'loop', ...each, test: null, forever: false, body: this.braces() }
    const heads: Node[] = []
    while (this.token.kind !== 'end' && !this.eat(')')) {
      const before = this.at
      if (this.eat(';')) heads.push(NOTHING)
      else heads.push(this.progress())
      if (this.at === before) this.skip()
    }
    const forever = heads.length > 1 && (heads[1] === NOTHING || alwaysTrue(heads[1] as Node))
    const [start = NOTHING, ...rest] = heads
    const loop: Node = {
      kind: 'loop',
      target: null,
      source: null,
      test: { kind: 'group', items: rest, last: false },
      forever,
      body: this.braces(),
    }
    return { kind: 'block', body: [start, loop] }
  }

  /** `do {…} while (…)`; in Perl also `do {…}` and `do FILE` as a value. */
  protected doLoop(): Node {
    this.take()
    const body = this.braces()
    if (!this.eat('while', 'until')) return body
    const test = this.condition()
    return { kind: 'loop', target: null, source: null, test, forever: alwaysTrue(test), body }
  }

  private tryBlock(): Node {
    this.take()
    const body: Node[] = [this.braces()]
    while (this.is('catch', 'finally')) {
      const finish = this.take().text === 'finally'
      if (this.is('(')) {
        this.take()
        this.pass(')')
        this.eat(')')
      }
      const block = this.braces()
      body.push(finish ? block : { kind: 'branch', tests: [], blocks: [block] })
    }
    return { kind: 'block', body }
  }

  private switchBlock(): Node {
    this.take()
    const tests = [this.condition()]
    const blocks: Node[] = []
    if (!this.eat('{')) return { kind: 'branch', tests, blocks }
    let body: Node[] = []
    while (this.token.kind !== 'end' && !this.eat('}')) {
      if (this.eat('case', 'default')) {
        blocks.push({ kind: 'block', body })
        body = []
        if (!this.is(':')) tests.push(this.expression())
        this.eat(':')
      } else body.push(this.progress())
    }
    return { kind: 'branch', tests, blocks: [...blocks, { kind: 'block', body }] }
  }

  /** `name(params) {body}` behind the keyword, as a definition or as a value. */
  protected functionOf(prefix = ''): FunctionNode {
    const name = this.token.kind === 'name' ? prefix + this.take().text : null
    const params = this.is('(') ? this.params() : []
    this.signatureEnd()
    return { name, params, body: this.is('{') ? this.braces() : NOTHING }
  }

  protected abstract params(): readonly Param[]

  /** Return types, captured variables. */
  protected signatureEnd(): void {
    this.pass('{', ';', '}')
  }

  protected definition(fn: FunctionNode): Node {
    const value: Node = { kind: 'function', fn }
    return fn.name === null ? value : { kind: 'assign', op: '=', target: nameNode(fn.name), value }
  }
}
