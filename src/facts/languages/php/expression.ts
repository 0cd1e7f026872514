import { type Argument, type Entry, NOTHING, type Node, nameNode, textNode } from '../ast.ts'
import { lexBrace } from '../syntax/brace.ts'
import { BraceParser } from '../syntax/brace-parser.ts'
import { type Dialect, levels, words } from '../syntax/parser.ts'

/** PHP expressions. */
export const CODE: Dialect = {
  lex: (source) => lexBrace('php', source),
  binary: levels(
    'or xor',
    ...'and ?? || && | ^ &'.split(' '),
    '== != === !== <=>',
    '< > <= >=',
    '<< >>',
    '. + -',
    '* / %',
    '**',
    'instanceof',
  ),
  prefix: words('! ~ + - ++ -- @ & print clone throw'),
  assign: words('= .= += -= *= /= %= **= <<= >>= &= |= ^= ??='),
  member: new Set(['->', '?->', '::']),
  keywords: words('as case catch do else elseif endif endfor endforeach endwhile finally for foreach if return switch try while'),
}

/** A file begins with text. */
export const FILE: Dialect = { ...CODE, lex: (source) => lexBrace('php', source, true) }

const CONSTANTS: ReadonlyMap<string, boolean | null> = new Map<string, boolean | null>([
  ['true', true],
  ['false', false],
  ['null', null],
])

/** Constructs that take their operand without parentheses. */
const OPERATORS: ReadonlySet<string> = words('echo print include include_once require require_once')

const CASTS = words('string int integer float double bool boolean array object binary')

export abstract class PhpExpressions extends BraceParser {
  /** `#[Name(…)]`: what it is given is computed when somebody asks for it. */
  protected attributes(): Node {
    this.take()
    return { kind: 'group', items: this.is('[') ? this.bracketed(']', () => this.expression()) : [], last: false }
  }

  /** `match (x) { a, b => c, default => d }`. */
  private match(): Node | null {
    if (this.ahead().text !== '(' || this.tokens[(this.closes[this.at + 1] ?? 0) + 1]?.text !== '{') return null
    this.take()
    const items: Node[] = [this.condition()]
    const options = this.is('{')
      ? this.bracketed('}', () => {
          while (!this.eat('=>') && this.token.kind !== 'end' && !this.is('}')) {
            const before = this.at
            if (!this.eat(',', 'default')) items.push(this.expression())
            if (this.at === before) this.skip()
          }
          return this.expression()
        })
      : []
    return { kind: 'group', items: [...items, { kind: 'choice', options }], last: true }
  }

  protected primary(): Node {
    const literal = this.literal()
    if (literal !== null) return literal
    const { kind, text } = this.token
    if (kind === 'operator') return this.punctuation(text)
    if (text === '$' && this.ahead().text.startsWith('$')) {
      this.take()
      return { kind: 'unary', op: '$', value: this.primary() }
    }
    return this.worded(text.toLowerCase())
  }

  private worded(word: string): Node {
    if (CONSTANTS.has(word)) {
      this.take()
      return { kind: 'constant', value: CONSTANTS.get(word) ?? null }
    }
    if (this.eat('exit', 'die')) return { kind: 'stop', value: this.is('(') ? this.condition() : null }
    return OPERATORS.has(word) ? this.operatorCall(word) : this.construct(word)
  }

  private construct(word: string): Node {
    switch (word) {
      case 'match':
        return this.match() ?? this.nameOrNothing()
      case 'new':
        return this.make()
      case 'yield':
        return this.yielded()
      case 'static':
        return this.isFunction(this.ahead().text) && this.take() ? this.primary() : this.nameOrNothing()
      case 'function':
      case 'fn':
        return this.closure()
      case 'array':
      case 'list':
        return this.ahead().text === '(' && this.take() ? this.array(')') : this.nameOrNothing()
      default:
        return this.nameOrNothing()
    }
  }

  /** `yield`, `yield $value`, `yield $key => $value`, `yield from $list`. */
  private yielded(): Node {
    this.take()
    this.eat('from')
    const items: Node[] = this.endsTuple() ? [] : [this.expression()]
    if (this.eat('=>')) items.push(this.expression())
    return { kind: 'group', items, last: true }
  }

  private operatorCall(word: string): Node {
    this.take()
    const items = [this.expression()]
    while (word === 'echo' && this.eat(',')) items.push(this.expression())
    return { kind: 'call', callee: nameNode(word), args: items.map((value) => ({ name: null, value, spread: '' })), make: false }
  }

  private isFunction(word: string): boolean {
    return /^(?:function|fn)$/i.test(word)
  }

  private closure(): Node {
    const arrow = this.take().text.toLowerCase() === 'fn'
    this.eat('&')
    if (!arrow) return { kind: 'function', fn: this.functionOf() }
    const params = this.params()
    this.signatureEnd()
    this.eat('=>')
    return { kind: 'function', fn: { name: null, params, body: { kind: 'return', value: this.expression() } } }
  }

  private punctuation(text: string): Node {
    if (text === '(') {
      if (this.closes[this.at] === this.at + 2 && CASTS.has(this.ahead().text)) {
        this.take(3)
        return this.prefixed()
      }
      return { kind: 'group', items: this.bracketed(')', () => this.expression()), last: true }
    }
    if (text === '[') return this.array(']')
    if (text === '$') {
      this.take()
      return this.is('{') ? { kind: 'group', items: [this.braces()], last: false } : { kind: 'unary', op: '$', value: this.primary() }
    }
    return NOTHING
  }

  private array(close: string): Node {
    const entries: Entry[] = []
    const items = this.bracketed(close, () => {
      if (this.eat('...')) return { kind: 'spread', value: this.expression() } as Node
      const first = this.expression()
      if (!this.eat('=>')) return first
      entries.push({ key: first, value: this.expression() })
      return null
    })
    const plain = items.filter((item) => item !== null)
    if (entries.length === 0) return { kind: 'list', items: plain }
    return { kind: 'dict', entries: [...entries, ...plain.map((value, i) => ({ key: { kind: 'number' as const, value: i }, value }))] }
  }

  /** `new class($x) {…}`: what its constructor is given. */
  private anonymousArgs(): readonly Node[] {
    this.take()
    const args = this.args().map((a) => a.value)
    this.untake()
    return args
  }

  private make(): Node {
    this.take()
    if (this.is('class')) {
      const args = this.ahead().text === '(' ? this.anonymousArgs() : []
      const made = this.classOf()
      return { kind: 'group', items: [...args, made], last: true }
    }
    if (this.is('(')) return { kind: 'call', callee: this.primary(), args: this.is('(') ? this.args() : [], make: true }
    if (this.is('#')) this.attributes()
    const name = this.madeOf()
    const callee = name.kind === 'name' && !name.name.startsWith('$') ? nameNode(name.name.toLowerCase()) : name
    return { kind: 'call', callee, args: this.is('(') ? this.args() : [], make: true }
  }

  /** The class of `new`: a name, a variable, a member of one. */
  private madeOf(): Node {
    let node = this.token.text === '$' ? this.primary() : this.nameOrNothing()
    while (node.kind !== 'group' && this.is('->', '?->', '::', '[')) node = this.is('[') ? this.indexOf(node) : this.memberOf(node)
    return node
  }

  /** `name: value` is a named argument; `f(...)` names the function itself. */
  protected override argument(): Argument {
    if (this.is('...') && this.ahead().text === ')') {
      this.take()
      return { name: null, value: NOTHING, spread: '' }
    }
    if (this.token.kind === 'name' && this.ahead().kind === 'operator' && this.ahead().text === ':') {
      const name = this.take().text
      this.take()
      return { name, value: this.expression(), spread: '' }
    }
    return super.argument()
  }

  /** `$o->{expression}`, `$o->$name`, `A::{expression}`. */
  protected override memberOf(node: Node): Node {
    if (this.ahead().text !== '{' && this.ahead().text !== '$') return super.memberOf(node)
    this.take()
    if (this.token.text === '$') return { kind: 'index', of: node, at: this.primary() }
    this.take()
    const at = this.expression()
    this.skipTo('}')
    return { kind: 'index', of: node, at }
  }

  protected override link(node: Node): Node | null {
    if (this.token.kind === 'operator' && (this.is('++') || this.is('--'))) {
      this.take()
      return { kind: 'assign', op: '+=', target: node, value: { kind: 'number', value: 1 } }
    }
    if (this.is('{') && node.kind === 'name' && node.name.startsWith('$') && this.closes[this.at] === this.at + 2) {
      this.take()
      const at = this.expression()
      this.skipTo('}')
      return { kind: 'index', of: node, at }
    }
    return super.link(node)
  }

  protected override nameOrNothing(): Node {
    const node = super.nameOrNothing()
    return node.kind === 'name' && !node.name.startsWith('$') && this.is('(') ? nameNode(node.name.toLowerCase()) : node
  }

  protected override interpolated(source: string): Node {
    const quoted = /^(\$\w+)\[(\w+)\]$/.exec(source)
    if (quoted === null) return super.interpolated(source)
    return { kind: 'index', of: nameNode(quoted[1] as string), at: textNode(quoted[2] as string) }
  }

  protected abstract classOf(): Node
}
