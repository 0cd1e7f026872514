import { NOTHING, type Node, nameNode, type Param } from '../ast.ts'
import { type Parser, words } from '../syntax/parser.ts'
import { CODE, FILE, PhpExpressions } from './expression.ts'

/** PHP statements and definitions. */
const MODIFIERS = words('public private protected static final abstract readonly const var')

/** Words that end a block that a colon opened. */
const ENDS = ['endif', 'endwhile', 'endfor', 'endforeach', 'endswitch', 'enddeclare'] as const

/** Reads PHP as a file, which begins with text, and as code, as `php -r` has it: both where it could be either. */
export function parsePhp(source: string): Node {
  const file = /<\?(?:php|=|\s)/i.test(source)
  const code = !file || !/^(?:#![^\n]*\n)?\s*<\?/.test(source)
  const read = [...(file ? [new PhpParser(source, 0, FILE)] : []), ...(code ? [new PhpParser(source)] : [])].map((parser) =>
    parser.program(),
  )
  return read.length === 1 ? (read[0] as Node) : { kind: 'block', body: read }
}

class PhpParser extends PhpExpressions {
  constructor(source: string, embedding = 0, dialect = CODE) {
    super(dialect, source, embedding)
  }

  protected embedded(source: string, embedding: number): Parser {
    return new PhpParser(source, embedding)
  }

  protected statement(): Node {
    const { kind, text } = this.token
    if (kind === 'operator' && text === '{') return this.braces()
    if (this.eat(';')) return NOTHING
    if (text === '#') return this.attributes()
    if (kind === 'name' && this.ahead().text === ':' && this.ahead().kind === 'operator' && !this.is('default', 'else')) {
      this.take(2)
      return NOTHING
    }
    const node = kind === 'name' ? (this.declaration(text.toLowerCase()) ?? this.keyword(text.toLowerCase())) : null
    const result = node ?? this.sequence()
    this.eat(';')
    return result
  }

  /** `final class`, `abstract function`. */
  private modified(): Node | null {
    if (this.ahead().kind !== 'name') return null
    this.take()
    return this.declaration(this.token.text.toLowerCase())
  }

  private declaration(word: string): Node | null {
    switch (word) {
      case 'function':
        if (this.ahead(this.ahead().text === '&' ? 2 : 1).kind !== 'name') return null
        this.take()
        this.eat('&')
        return this.definition(this.functionOf())
      case 'abstract':
      case 'final':
      case 'readonly':
        return this.modified()
      case 'class':
      case 'interface':
      case 'trait':
        return this.classOf()
      case 'enum':
        return this.ahead().kind === 'name' ? this.classOf() : null
      case 'global':
      case 'static':
        if (this.ahead().text.startsWith('$')) this.take()
        return null
      default:
        return this.directive(word)
    }
  }

  private directive(word: string): Node | null {
    switch (word) {
      case 'namespace':
        this.pass(';', '{')
        return NOTHING
      case 'use':
        return this.uses()
      case 'declare':
        this.take()
        return { kind: 'group', items: this.is('(') ? this.bracketed(')', () => this.expression()) : [], last: false }
      case 'goto':
        this.take(2)
        return NOTHING
      case 'const':
        this.take()
        return this.constants()
      case '__halt_compiler':
        while (this.token.kind !== 'end') this.take()
        return NOTHING
      default:
        return null
    }
  }

  /** `use A\\{B, C as D};`, and in a class `use Trait { a as b; }`. */
  private uses(): Node {
    while (!this.stands('end') && !this.is(';', '}')) {
      this.pass('{', ';', '}')
      if (!this.eat('{')) continue
      this.pass('}')
      this.eat('}')
      break
    }
    return NOTHING
  }

  /** `const [type] NAME = …, …`. */
  private constants(): Node {
    const body: Node[] = []
    do {
      while (this.token.kind === 'name' && this.ahead().kind === 'name') this.take()
      if (this.is('?')) this.pass('=')
      const target = this.token.kind === 'name' ? nameNode(this.take().text) : NOTHING
      if (this.eat('=')) body.push({ kind: 'assign', op: '=', target, value: this.expression() })
    } while (this.eat(','))
    return { kind: 'block', body }
  }

  /** A block in braces, or from a colon to its word. */
  protected override braces(): Node {
    if (!this.eat(':')) return super.braces()
    const body: Node[] = []
    while (this.token.kind !== 'end' && !this.is(...ENDS, 'else', 'elseif')) body.push(this.progress())
    if (this.eat(...ENDS)) this.eat(';')
    return { kind: 'block', body }
  }

  protected classOf(): Node {
    this.take()
    const name = this.token.kind === 'name' && !this.is('extends', 'implements') ? this.take().text : ''
    this.pass('{')
    const body: Node[] = []
    if (this.eat('{'))
      while (this.token.kind !== 'end' && !this.eat('}')) {
        body.push(this.memberOfClass())
      }
    return { kind: 'class', name, bases: [], body: { kind: 'block', body } }
  }

  /** Modifiers, a type, and what they belong to. */
  private memberOfClass(): Node {
    if (this.token.text === '#') return this.attributes()
    while (this.token.kind === 'name' && MODIFIERS.has(this.token.text.toLowerCase()) && this.ahead().text !== '(') {
      if (this.is('const')) return this.progress()
      this.take()
    }
    if (this.is('case')) return this.enumCase()
    if (this.is('function', 'use', '}', ';', '#')) return this.progress()
    this.paramType()
    if (this.is('}', ';', 'function')) return this.is('}') ? NOTHING : this.progress()
    const property = this.sequence()
    if (this.is('{')) return { kind: 'block', body: [property, this.hooks()] }
    this.eat(';')
    return property
  }

  private enumCase(): Node {
    this.take(2)
    const value = this.eat('=') ? this.expression() : NOTHING
    this.eat(';')
    return value
  }

  /** `{ get => …; set(…) { … } }` of a property. */
  private hooks(): Node {
    const body: Node[] = []
    this.take()
    while (this.token.kind !== 'end' && !this.eat('}')) {
      const before = this.at
      if (this.is('#')) body.push(this.attributes())
      this.eat('final', '&')
      if (this.token.kind === 'name') {
        this.take()
        const params = this.is('(') ? this.params() : []
        const value: Node = this.eat('=>') ? { kind: 'return', value: this.expression() } : this.is('{') ? this.braces() : NOTHING
        body.push({ kind: 'function', fn: { name: null, params, body: value } })
      }
      this.eat(';')
      if (this.at === before) this.skip()
    }
    return { kind: 'block', body }
  }

  /** `foreach ($list as $key => $value)`. */
  protected eachHead(): { target: Node; source: Node } | null {
    const loop = this.tokens[this.at - 1]?.text
    if (!this.eat('(')) return { target: NOTHING, source: NOTHING }
    if (loop === 'for') return null
    const source = this.expression()
    this.eat('as')
    const first = this.expression()
    const target: Node = this.eat('=>') ? { kind: 'list', items: [first, this.expression()] } : first
    this.skipTo(')')
    return { target, source }
  }

  protected params(): readonly Param[] {
    return this.bracketed(')', () => {
      const beside: Node[] = []
      while (this.is('#')) beside.push(this.attributes())
      const rest = this.paramType()
      const target = this.nameOrNothing()
      const fallback = this.eat('=') ? this.expression() : null
      if (this.is('{')) beside.push(this.hooks())
      if (beside.length === 0) return { target, fallback, rest }
      return { target, fallback: { kind: 'group', items: [...beside, fallback ?? NOTHING], last: true }, rest }
    })
  }

  /** Modifiers and the type of a parameter; true for one that takes the rest. */
  private paramType(): boolean {
    let rest = false
    let depth = 0
    while (!this.stands('end') && (depth > 0 || !this.is(',', ')', '}', ';', 'function')) && !this.token.text.startsWith('$')) {
      rest = rest || this.is('...')
      if (this.is('(')) depth += 1
      else if (this.is(')')) depth -= 1
      if (this.is('{', '[') || this.stands('template') || this.stands('command')) this.skip()
      else this.take()
    }
    return rest
  }

  /** `use ($a, &$b)` and the type of what is given back. */
  protected override signatureEnd(): void {
    if (this.eat('use') && this.is('(')) this.bracketed(')', () => this.expression())
    if (!this.eat(':')) return
    while (this.token.kind !== 'end' && !this.is('{', ';', '=>', '}')) {
      if (this.eat('(', ')')) continue
      if (this.is('[')) this.skip()
      else this.take()
    }
  }
}
