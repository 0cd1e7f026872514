import { acts, alwaysTrue, callNode, NOTHING, type Node, nameNode } from '../ast.ts'
import type { Parser } from '../syntax/parser.ts'
import { PYTHON, PythonExpressions } from './expression.ts'

/** Python statements. */
const AUGMENTED = ['+=', '-=', '*=', '/=', '//=', '%=', '&=', '|=', '^=', '**=', '>>=', '<<=', '@='] as const

/** Words of a compound statement that end what stands on the line before them. */
const CLAUSES = ['except', 'finally', 'elif', 'else'] as const

/** Statements of which only what stands behind the word is evaluated. */
const EVALUATING: ReadonlySet<string> = new Set(['pass', 'continue', 'global', 'nonlocal', 'assert', 'del'])

export class PythonParser extends PythonExpressions {
  constructor(source: string, embedding = 0) {
    super(PYTHON, source, embedding)
  }

  protected embedded(source: string, embedding: number): Parser {
    return new PythonParser(source.trim(), embedding)
  }

  protected statement(): Node {
    const { kind, text } = this.token
    if (kind === 'newline' || kind === 'indent' || kind === 'dedent') {
      this.take()
      return NOTHING
    }
    if (kind === 'operator' && text === '@') {
      this.take()
      return this.expression()
    }
    const compound = kind === 'name' ? this.compound(text) : null
    return compound ?? this.simpleLine()
  }

  /** Statements on one line, separated by semicolons. */
  private simpleLine(): Node {
    const body: Node[] = []
    while (this.token.kind !== 'newline' && this.token.kind !== 'end' && this.token.kind !== 'dedent' && !this.is(...CLAUSES)) {
      const before = this.at
      if (!this.eat(';')) body.push(body.length === 0 ? this.simple() : this.compoundBehind())
      if (this.at === before) this.skip()
    }
    if (this.token.kind === 'newline') this.take()
    return body.length === 1 ? (body[0] as Node) : { kind: 'block', body }
  }

  /** Behind a semicolon a compound statement is an error of the text, read all the same. */
  private compoundBehind(): Node {
    return (this.stands('name') ? this.nested(() => this.compound(this.token.text)) : null) ?? this.simple()
  }

  /** `type X = int`; elsewhere `type` is a function. */
  private namesType(): boolean {
    return this.ahead().kind === 'name' && !this.dialect.keywords.has(this.ahead().text)
  }

  private simple(): Node {
    const word = this.token.kind === 'name' ? this.token.text : ''
    if (EVALUATING.has(word)) {
      this.take()
      return { kind: 'group', items: [this.valueOrNull() ?? NOTHING], last: false }
    }
    switch (word) {
      case 'import':
        return this.importNames()
      case 'from':
        return this.ahead().kind === 'newline' ? this.assignment() : this.importFrom()
      case 'return':
        this.take()
        return { kind: 'return', value: this.valueOrNull() }
      case 'raise':
      case 'break':
        this.take()
        return { kind: 'stop', value: this.valueOrNull() }
      case 'exec':
        return this.oldExec() ?? this.assignment()
      case 'type':
        return this.namesType() ? this.alias() : this.assignment()
      default:
        return this.assignment()
    }
  }

  /** `exec 'code'` of Python 2. */
  private oldExec(): Node | null {
    const { kind, spaced } = this.ahead()
    if (!spaced || (kind !== 'text' && kind !== 'template' && kind !== 'name') || this.ahead().text === 'in') return null
    this.take()
    return callNode(nameNode('exec'), [this.expression()])
  }

  /** `type Name[T] = …`. */
  private alias(): Node {
    this.take(2)
    this.typeParameters()
    this.eat('=')
    return this.expression()
  }

  private valueOrNull(): Node | null {
    const { kind } = this.token
    if (kind === 'newline' || kind === 'end' || this.is(';')) return null
    const value = this.tuple()
    return this.eat('from') ? { kind: 'group', items: [value, this.expression()], last: false } : value
  }

  private assignment(): Node {
    const first = this.tuple()
    if (this.eat(':')) {
      const type = this.expression()
      const value: Node = this.eat('=') ? { kind: 'assign', op: '=', target: first, value: this.tuple() } : first
      return acts(type) ? { kind: 'block', body: [type, value] } : value
    }
    if (this.is(...AUGMENTED)) return { kind: 'assign', op: this.take().text, target: first, value: this.tuple() }
    if (!this.is('=')) return first
    const targets = [first]
    let value: Node = NOTHING
    while (this.eat('=')) {
      value = this.tuple()
      if (this.is('=')) targets.push(value)
    }
    if (targets.length === 1) return { kind: 'assign', op: '=', target: first, value }
    return {
      kind: 'block',
      body: targets.map((target, i) => ({ kind: 'assign', op: '=', target, value: i === 0 ? value : (targets[0] as Node) })),
    }
  }

  private dotted(): string {
    let name = ''
    while (this.eat('.', '...')) name += '.'
    while (this.token.kind === 'name' && !this.is('import')) {
      name += this.take().text
      if (!this.eat('.')) break
      name += '.'
    }
    return name
  }

  private importNames(): Node {
    this.take()
    const bindings: (readonly [string, string])[] = []
    const loads: string[] = []
    do {
      const module = this.dotted()
      const top = module.split('.')[0] ?? module
      loads.push(module)
      bindings.push(this.eat('as') ? [this.take().text, module] : [top, top])
    } while (this.eat(','))
    return { kind: 'import', bindings, star: null, loads }
  }

  private importFrom(): Node {
    this.take()
    const module = this.dotted()
    if (!this.eat('import')) return NOTHING
    if (this.eat('*')) return { kind: 'import', bindings: [], star: module, loads: [module] }
    this.eat('(')
    const bindings: (readonly [string, string])[] = []
    const names: string[] = []
    while (this.token.kind === 'name') {
      const name = this.take().text
      names.push(name)
      bindings.push([this.eat('as') ? this.take().text : name, `${module}.${name}`])
      if (!this.eat(',')) break
    }
    this.eat(')')
    return {
      kind: 'import',
      bindings,
      star: null,
      loads: [module, ...names.map((name) => (module.endsWith('.') ? module + name : `${module}.${name}`))],
    }
  }

  private compound(word: string): Node | null {
    switch (word) {
      case 'if':
      case 'try':
      case 'match':
        return word === 'match' ? this.match() : this.branch()
      case 'while':
        return this.whileLoop()
      case 'for':
        return this.forLoop()
      case 'with':
        return this.with()
      case 'def':
        return this.define()
      case 'class':
        return this.classOf()
      case 'async':
        this.take()
        return this.statement()
      default:
        return null
    }
  }

  /** What is indented below a colon, or stands behind it. */
  private suite(): Node {
    this.eat(':')
    if (!this.stands('newline')) return this.compoundOnLine()
    this.newlines()
    if (!this.stands('indent')) return NOTHING
    this.take()
    const body: Node[] = []
    while (this.token.kind !== 'dedent' && this.token.kind !== 'end') body.push(this.progress())
    if (this.token.kind === 'dedent') this.take()
    return { kind: 'block', body }
  }

  /** A simple line; a compound statement there is an error of the text, read all the same. */
  private compoundOnLine(): Node {
    return (this.token.kind === 'name' ? this.nested(() => this.compound(this.token.text)) : null) ?? this.simpleLine()
  }

  private branch(): Node {
    const tests: Node[] = []
    const always: Node[] = []
    const blocks: Node[] = []
    const trying = this.is('try')
    do {
      const word = this.take().text
      if (word === 'if' || word === 'elif') tests.push(this.expression())
      if (word === 'except') this.exceptHead(tests)
      ;(trying && word !== 'except' ? always : blocks).push(this.suite())
    } while (this.is('elif', 'else', 'except', 'finally'))
    const branch: Node = { kind: 'branch', tests, blocks }
    return trying ? { kind: 'block', body: [...always, branch] } : (mainGuard(tests, blocks) ?? branch)
  }

  private exceptHead(tests: Node[]): void {
    this.eat('*')
    if (this.is(':')) return
    tests.push(this.tuple())
    if (this.eat('as')) this.take()
  }

  private match(): Node | null {
    const start = this.at
    this.take()
    const subject = this.tuple()
    if (!this.is(':') || this.ahead().kind !== 'newline') {
      this.back(start)
      return null
    }
    this.take(2)
    const tests = [subject]
    const blocks: Node[] = []
    if (this.token.kind === 'indent') this.take()
    while (this.eat('case')) {
      tests.push(this.tuple())
      if (this.eat('if')) tests.push(this.expression())
      blocks.push(this.suite())
    }
    if (this.token.kind === 'dedent') this.take()
    return { kind: 'branch', tests, blocks }
  }

  private whileLoop(): Node {
    this.take()
    const test = this.expression()
    const loop: Node = { kind: 'loop', target: null, source: null, test, forever: alwaysTrue(test), body: this.suite() }
    return this.withElse(loop)
  }

  private forLoop(): Node {
    this.take()
    const target = this.targets()
    this.eat('in')
    const source = this.tuple()
    return this.withElse({ kind: 'loop', target, source, test: null, forever: false, body: this.suite() })
  }

  private withElse(loop: Node): Node {
    return this.eat('else') ? { kind: 'block', body: [loop, this.suite()] } : loop
  }

  private with(): Node {
    this.take()
    const grouped = this.is('(') && this.tokens[(this.closes[this.at] ?? 0) + 1]?.text === ':' && this.eat('(')
    const body: Node[] = []
    do {
      if (this.is(')')) break
      const value = this.expression()
      body.push(this.eat('as') ? { kind: 'assign', op: '=', target: this.postfix(this.primary()), value } : value)
    } while (this.eat(','))
    if (grouped) this.eat(')')
    body.push(this.suite())
    return { kind: 'block', body }
  }

  private define(): Node {
    this.take()
    const name = this.take().text
    this.typeParameters()
    const params = this.is('(') ? this.bracketed(')', () => this.param(true)) : []
    if (this.eat('->')) this.expression()
    return { kind: 'assign', op: '=', target: nameNode(name), value: { kind: 'function', fn: { name, params, body: this.suite() } } }
  }

  /** `[T: Bound = Default, *Ts, **P]`. */
  private typeParameters(): void {
    if (this.is('[')) this.bracketed(']', () => this.param(true))
  }

  private classOf(): Node {
    this.take()
    const name = this.take().text
    this.typeParameters()
    const bases = this.is('(') ? this.args().map((a) => a.value) : []
    return { kind: 'class', name, bases, body: this.suite() }
  }
}

/** `if __name__ == '__main__':` is the way a script always goes. */
function mainGuard(tests: readonly Node[], blocks: readonly Node[]): Node | null {
  const test = tests[0]
  const guarded = test?.kind === 'chain' && test.first.kind === 'name' && test.first.name === '__name__'
  return guarded && blocks.length > 0 ? { kind: 'block', body: blocks, main: true } : null
}
