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

const CALLABLE: ReadonlySet<string> = words('name member call index group')

export class LuaParser extends Parser {
  constructor(source: string, embedding = 0) {
    super(DIALECT, source, embedding)
  }

  protected embedded(source: string, embedding: number): Parser {
    return new LuaParser(source, embedding)
  }

  protected statement(): Node {
    if (this.is(';', '::')) {
      this.take(this.is(';') ? 1 : 3)
      return NOTHING
    }
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
        return this.take() && this.closed(this.until('end'))
      case 'local':
        return this.locals()
      case 'function':
        return this.define()
      default:
        return this.jump() ?? this.assignment()
    }
  }

  private jump(): Node | null {
    if (this.eat('return')) {
      const empty = this.stands('end') || this.is('end', ';', 'else', 'elseif', 'until')
      return { kind: 'return', value: empty ? null : this.tuple() }
    }
    if (!this.is('break', 'goto')) return null
    this.take(this.is('goto') ? 2 : 1)
    return { kind: 'stop', value: null }
  }

  /** `local a <const>, b = …`. */
  private locals(): Node {
    this.take()
    if (this.is('function')) return this.define()
    const items: Node[] = []
    do {
      items.push(this.nameOrNothing())
      if (this.eat('<')) {
        this.take()
        this.eat('>')
      }
    } while (this.eat(','))
    const target: Node = items.length === 1 ? (items[0] as Node) : { kind: 'list', items }
    return this.eat('=') ? { kind: 'assign', op: '=', target, value: this.tuple() } : target
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
      if (this.take().text !== 'else') tests.push(this.expression())
      this.eat('then')
      blocks.push(this.until('elseif', 'else', 'end'))
    }
    return this.closed({ kind: 'branch', tests, blocks })
  }

  private whileLoop(): Node {
    this.take()
    const test = this.expression()
    this.eat('do')
    return this.closed({ kind: 'loop', target: null, source: null, test, forever: alwaysTrue(test), body: this.until('end') })
  }

  private repeatLoop(): Node {
    this.take()
    const body = this.until('until')
    const test = this.eat('until') ? this.expression() : NOTHING
    return { kind: 'loop', target: null, source: null, test, forever: test.kind === 'constant' && test.value === false, body }
  }

  private forLoop(): Node {
    this.take()
    const target = this.tuple()
    const counted = this.eat('=')
    if (!counted) this.eat('in')
    const source = this.tuple()
    this.eat('do')
    const loop = { test: null, forever: false, body: this.until('end') }
    return this.closed(counted ? { kind: 'loop', target: null, source, ...loop } : { kind: 'loop', target, source, ...loop })
  }

  private define(): Node {
    this.take()
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
      if (text === '...') this.take()
      return text === '{' ? this.table() : NOTHING
    }
    if (CONSTANTS.has(text)) {
      this.take()
      return { kind: 'constant', value: CONSTANTS.get(text) ?? null }
    }
    if (text === 'function') {
      this.take()
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
        const key = textNode(this.take().text)
        this.take()
        entries.push({ key, value: this.expression() })
      } else if (this.is('[')) {
        this.take()
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
    const callable = CALLABLE.has(node.kind)
    if (callable && (kind === 'text' || (kind === 'operator' && text === '{'))) {
      return { kind: 'call', callee: node, args: [{ name: null, value: this.primary(), spread: '' }], make: false }
    }
    return super.link(node)
  }
}
