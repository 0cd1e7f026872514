import { callNode, NOTHING, type Node, nameNode, textNode } from '../ast.ts'
import type { Parser } from '../syntax/parser.ts'
import { JavaScriptExpressions, keyText } from './expression.ts'

/** JavaScript and TypeScript statements, classes and modules. */
export class JavaScriptParser extends JavaScriptExpressions {
  protected embedded(source: string, embedding: number): Parser {
    return new JavaScriptParser(source, embedding)
  }

  protected statement(): Node {
    const { kind, text } = this.token
    if (kind === 'operator' && text === '{') return this.braces()
    if (kind === 'operator' && (text === ';' || text === '@')) {
      this.at += 1
      return NOTHING
    }
    if (kind === 'name') {
      const node = this.declaration(text) ?? this.keyword(text)
      if (node !== null) return this.ended(node)
    }
    return this.ended(this.sequence())
  }

  private ended(node: Node): Node {
    this.eat(';')
    return node
  }

  private declaration(word: string): Node | null {
    switch (word) {
      case 'const':
      case 'let':
      case 'var':
        this.at += 1
        return this.variables()
      case 'async':
        if (this.ahead().text !== 'function') return null
        this.at += 1
        return this.declaration('function')
      case 'function':
        this.at += 1
        this.eat('*')
        return this.definition(this.functionOf())
      case 'class':
        return this.classOf()
      case 'import':
        return this.ahead().text === '(' || this.ahead().text === '.' ? null : this.importOf()
      case 'export':
        this.at += 1
        this.eat('default')
        return this.eat('*') ? NOTHING : this.progress()
      case 'interface':
      case 'type':
        return this.ahead().kind === 'name' && !this.ahead().fresh ? this.typeDeclaration() : null
      default:
        return this.label()
    }
  }

  private label(): Node | null {
    if (this.ahead().kind !== 'operator' || this.ahead().text !== ':' || this.is('default')) return null
    this.at += 2
    return this.progress()
  }

  /** Interfaces and type aliases have no effect. */
  private typeDeclaration(): Node {
    while (this.token.kind !== 'end' && !this.is(';', '{', '=')) this.at += 1
    if (this.is('{')) this.at = Math.max(this.at, this.closes[this.at] ?? 0) + 1
    else if (this.eat('=')) this.typeAnnotation([';'])
    return NOTHING
  }

  private variables(): Node {
    const body: Node[] = []
    do {
      const target = this.postfix(this.primary())
      if (this.eat('!')) this.at += 0
      if (this.eat(':')) this.typeAnnotation(['=', ',', ';', 'of', 'in'])
      body.push(this.eat('=') ? { kind: 'assign', op: '=', target, value: this.expression() } : target)
    } while (this.eat(','))
    return body.length === 1 ? (body[0] as Node) : { kind: 'block', body }
  }

  protected classOf(): Node {
    this.at += 1
    const name = this.token.kind === 'name' && !this.is('extends') ? this.next().text : ''
    const bases = this.eat('extends') ? [this.postfix(this.primary())] : []
    while (this.token.kind !== 'end' && !this.is('{')) this.at += 1
    const body: Node[] = []
    if (this.eat('{')) while (this.token.kind !== 'end' && !this.eat('}')) body.push(this.member())
    return { kind: 'class', name, bases, body: { kind: 'block', body } }
  }

  private member(): Node {
    const before = this.at
    if (this.is('static') && this.ahead().text === '{') this.at += 1
    if (this.is('{')) return this.braces()
    this.modifiers()
    const key = this.key()
    const node: Node = this.is('(') ? this.definition({ ...this.functionOf(), name: keyText(key) }) : this.field(key)
    this.eat(';', ',')
    if (this.at === before) this.at += 1
    return node
  }

  private field(key: Node): Node {
    if (this.eat('?', '!')) this.at += 0
    if (this.eat(':')) this.typeAnnotation(['=', ';'])
    return this.eat('=') ? { kind: 'assign', op: '=', target: nameNode(keyText(key)), value: this.expression() } : key
  }

  private importOf(): Node {
    this.at += 1
    const bindings: (readonly [string, string])[] = []
    let braced = false
    const typed = this.is('type') && this.ahead().text !== 'from' && this.ahead().text !== ','
    while (this.token.kind !== 'text' && this.token.kind !== 'end' && !this.is(';')) {
      if (this.is('{', '}')) braced = this.next().text === '{'
      else if (!this.eat(',', 'from', 'type')) {
        const name = this.next().text
        bindings.push([this.eat('as') ? this.next().text : name, braced && name !== 'default' ? name : ''])
      }
    }
    const module = this.token.kind === 'text' ? this.next().text : ''
    // A module of the program's own runs when it is imported.
    if (!typed && /^\.{0,2}\//.test(module)) return callNode(nameNode('require'), [textNode(module)])
    return {
      kind: 'import',
      bindings: bindings.map(([local, name]) => [local, name === '' ? module : `${module}.${name}`]),
      star: null,
      loads: [],
    }
  }

  protected eachHead(): { target: Node; source: Node } | null {
    const start = this.at
    if (!this.eat('(')) return { target: NOTHING, source: NOTHING }
    this.eat('const', 'let', 'var')
    const target = this.postfix(this.primary())
    if (!this.eat('of', 'in')) {
      this.at = start + 1
      return null
    }
    const source = this.sequence()
    this.skipTo(')')
    return { target, source }
  }
}
