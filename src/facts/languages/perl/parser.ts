import { alwaysTrue, type FunctionNode, NOTHING, type Node, nameNode, type Param } from '../ast.ts'
import type { Parser } from '../syntax/parser.ts'
import { completed, constants, givingLast, positional, readInto } from './calls.ts'

import { MODIFIERS, PerlExpressions } from './expression.ts'

/** Perl statements and definitions. */

/** Modules that say how the language is read, not what is called. */
const PRAGMA = /^[a-z_:0-9]+$/

export class PerlParser extends PerlExpressions {
  protected embedded(source: string, embedding: number): Parser {
    return new PerlParser(/^\w+$/.test(source) ? `$${source}` : source, embedding)
  }

  protected statement(): Node {
    const { kind, text } = this.token
    if (kind === 'operator' && text === '{') return this.braces()
    if (kind === 'operator' && text === ';') {
      this.take()
      return NOTHING
    }
    if (kind === 'name' && this.labels(text)) return NOTHING
    const node = kind === 'name' ? this.declaration(text) : null
    const result = node ?? this.modified(this.loose())
    this.eat(';')
    return result
  }

  /** `NAME:` before a statement. */
  private labels(name: string): boolean {
    if (!/^[A-Za-z_]\w*$/.test(name) || name === 'default' || this.ahead().kind !== 'operator' || this.ahead().text !== ':') return false
    this.take(2)
    return true
  }

  private declaration(word: string): Node | null {
    switch (word) {
      case 'sub':
        if (this.ahead().kind !== 'name') return null
        this.take()
        return this.definition(this.functionOf())
      case 'use':
      case 'no':
        return this.use()
      case 'package':
        this.take(2)
        return NOTHING
      case 'BEGIN':
      case 'END':
        this.take()
        return this.braces()
      case 'do':
      case 'exit':
      case 'die':
      case 'return':
      case 'last':
        return null
      default:
        return this.ahead().text === '(' || this.ahead().kind === 'name' ? this.keyword(word) : null
    }
  }

  /** Names of a module's functions may be said without the module from here on. */
  private use(): Node {
    const loads = this.take().text === 'use'
    const module = this.token.kind === 'name' ? this.take().text : ''
    const list = this.is(';') || this.token.kind === 'end' ? NOTHING : this.list()
    this.pass(';')
    if (!loads || module === '') return NOTHING
    if (module === 'constant') return constants(list)
    if (module === 'Inline') return completed(nameNode('Inline'), list.kind === 'list' ? list.items.map(positional) : [positional(list)])
    return PRAGMA.test(module) ? NOTHING : { kind: 'import', bindings: [], star: module, loads: [] }
  }

  /** `x() if y`, `x() while 1`: the statement before the modifier is its body. */
  private modified(body: Node): Node {
    if (!this.is(...MODIFIERS)) return body
    const word = this.take().text
    const test = word === 'while' ? readInto(this.loose()) : this.loose()
    if (word === 'if' || word === 'unless') return { kind: 'branch', tests: [test], blocks: [body] }
    if (word === 'while' || word === 'until')
      return { kind: 'loop', target: null, source: null, test, forever: word === 'while' && alwaysTrue(test), body }
    return { kind: 'loop', target: nameNode('$_'), source: test, test: null, forever: false, body }
  }

  protected eachHead(): { target: Node; source: Node } | null {
    this.eat('my', 'our')
    const target = this.token.text.startsWith('$') ? this.nameOrNothing() : nameNode('$_')
    if (this.is('(') && target.kind === 'name' && target.name === '$_' && this.threeParts()) {
      this.take()
      return null
    }
    return { target, source: this.condition() }
  }

  private threeParts(): boolean {
    const close = this.closes[this.at] ?? 0
    return this.tokens.slice(this.at, Math.min(close, this.at + 200)).some((t) => t.kind === 'operator' && t.text === ';')
  }

  protected override condition(): Node {
    return readInto(super.condition())
  }

  protected override functionOf(): FunctionNode {
    return givingLast(super.functionOf())
  }

  protected params(): readonly Param[] {
    return this.bracketed(')', () => {
      const target = this.primary()
      return { target, fallback: this.eat('=') ? this.expression() : null, rest: false }
    })
  }
}
