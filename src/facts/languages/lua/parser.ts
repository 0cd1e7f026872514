import { alwaysTrue, type Entry, NOTHING, type Node, type Param, textNode } from '../ast.ts'
import { lexBrace } from '../syntax/brace.ts'
import { type Dialect, levels, Parser, words } from '../syntax/parser.ts'

/** Lua statements and expressions. */
const DIALECT: Dialect = {
  lex: (source) => lexBrace('lua', source),
  binary: levels('or', 'and', '< > <= >= ~= ==', '|', '~', '&', '<< >>', '..', '+ -', '* / // %', '^'),
  prefix: words('not - # ~'),
  assign: new Set(),
  member: new Set(['.', ':']),
  keywords: words('and break do else elseif end for function goto if in local not or repeat return then until while'),
}

const CONSTANTS: ReadonlyMap<string, boolean | null> = new Map<string, boolean | null>([
  ['true', true],
  ['false', false],
  ['nil', null],
])

export class LuaParser extends Parser {
  constructor(source: string, embedding = 0) {
    super(DIALECT, source, embedding)
  }

  protected embedded(source: string, embedding: number): Parser {
    return new LuaParser(source, embedding)
  }

  protected statement(): Node {
    if (this.eat(';', 'end')) return NOTHING
    switch (this.token.kind === 'name' ? this.token.text : '') {
      case 'if':
        return this.branch()
      case 'while':
        return this.whileLoop()
      case 'for':
        return this.forLoop()
      case 'repeat':
        return this.repeatLoop()
      case 'do':
        this.at += 1
        return this.closed(this.until('end'))
      case 'local':
        this.at += 1
        return this.progress()
      case 'function':
        return this.define()
      case 'return':
        this.at += 1
        return { kind: 'return', value: this.is('end', ';', 'else', 'elseif', 'until') || this.token.kind === 'end' ? null : this.tuple() }
      case 'break':
      case 'goto':
        this.at += 1
        return { kind: 'stop', value: null }
      default:
        return this.assignment()
    }
  }

  private assignment(): Node {
    const target = this.tuple()
    return this.eat('=') ? { kind: 'assign', op: '=', target, value: this.tuple() } : target
  }

  private until(...stops: readonly string[]): Node {
    const body: Node[] = []
    while (this.token.kind !== 'end' && !this.is(...stops)) body.push(this.progress())
    return { kind: 'block', body }
  }

  private closed(node: Node): Node {
    this.eat('end')
    return node
  }

  private branch(): Node {
    const tests: Node[] = []
    const blocks: Node[] = []
    while (this.is('if', 'elseif', 'else')) {
      if (this.next().text !== 'else') tests.push(this.expression())
      this.eat('then')
      blocks.push(this.until('elseif', 'else', 'end'))
    }
    return this.closed({ kind: 'branch', tests, blocks })
  }

  private whileLoop(): Node {
    this.at += 1
    const test = this.expression()
    this.eat('do')
    return this.closed({ kind: 'loop', target: null, source: null, test, forever: alwaysTrue(test), body: this.until('end') })
  }

  private repeatLoop(): Node {
    this.at += 1
    const body = this.until('until')
    const test = this.eat('until') ? this.expression() : NOTHING
    return { kind: 'loop', target: null, source: null, test, forever: test.kind === 'constant' && test.value === false, body }
  }

  private forLoop(): Node {
    this.at += 1
    const target = this.tuple()
    const counted = this.eat('=')
    if (!counted) this.eat('in')
    const source = this.tuple()
    this.eat('do')
    const loop = { test: null, forever: false, body: this.until('end') }
    return this.closed(counted ? { kind: 'loop', target: null, source, ...loop } : { kind: 'loop', target, source, ...loop })
  }

  private define(): Node {
    this.at += 1
    const target = this.postfixName()
    return { kind: 'assign', op: '=', target, value: this.functionBody() }
  }

  private postfixName(): Node {
    let node: Node = this.nameOrNothing()
    while (this.is('.', ':')) node = this.memberOf(node)
    return node
  }

  private functionBody(): Node {
    const params: readonly Param[] = this.is('(')
      ? this.bracketed(')', () => ({ target: this.nameOrNothing(), fallback: null, rest: this.eat('...') }))
      : []
    return this.closed({ kind: 'function', fn: { name: null, params, body: this.until('end') } })
  }

  protected primary(): Node {
    const literal = this.literal()
    if (literal !== null) return literal
    const { kind, text } = this.token
    if (kind === 'operator') {
      if (text === '(') return { kind: 'group', items: this.bracketed(')', () => this.expression()), last: true }
      if (text === '...') this.at += 1
      return text === '{' ? this.table() : NOTHING
    }
    if (CONSTANTS.has(text)) {
      this.at += 1
      return { kind: 'constant', value: CONSTANTS.get(text) ?? null }
    }
    if (text === 'function') {
      this.at += 1
      return this.functionBody()
    }
    return this.nameOrNothing()
  }

  private table(): Node {
    const entries: Entry[] = []
    const items: Node[] = []
    this.bracketed('}', () => {
      if (this.eat(';')) return
      if (this.token.kind === 'name' && this.ahead().text === '=') {
        const key = textNode(this.next().text)
        this.at += 1
        entries.push({ key, value: this.expression() })
      } else if (this.is('[')) {
        this.at += 1
        const key = this.expression()
        this.skipTo(']')
        entries.push({ key, value: this.eat('=') ? this.expression() : NOTHING })
      } else items.push(this.expression())
    })
    if (entries.length === 0) return { kind: 'list', items }
    return { kind: 'dict', entries: [...entries, ...items.map((value, i) => ({ key: { kind: 'number' as const, value: i + 1 }, value }))] }
  }

  protected override ternary(test: Node): Node {
    return test
  }

  /** `f"text"` and `f{…}` are calls. */
  protected override link(node: Node): Node | null {
    const { kind, text } = this.token
    const callable = node.kind === 'name' || node.kind === 'member' || node.kind === 'call'
    if (callable && (kind === 'text' || (kind === 'operator' && text === '{'))) {
      return { kind: 'call', callee: node, args: [{ name: null, value: this.primary(), spread: '' }], make: false }
    }
    return super.link(node)
  }
}
