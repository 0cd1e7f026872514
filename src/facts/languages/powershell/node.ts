import { Broken, WordReader } from './lex.ts'
import type { Node, Script, Statement } from './tree.ts'

/** The parts of a PowerShell command or expression: values, groups, tables, members and their arguments. */

const MAX_NODES = 6_000
/** Members behind each other. */
const LONGEST_CHAIN = 200

export abstract class NodeReader extends WordReader {
  private nodes = 0

  /** Reads one statement into `out`. */
  protected abstract statement(out: Statement[]): void

  /** One node with the members and indexes behind it. Always moves on. */
  protected override node(expression: boolean): Node {
    if (++this.nodes > MAX_NODES) throw new Broken('it has more parts than can be analysed')
    let node = this.primary(expression)
    for (let members = 0; ; members++) {
      if (members > LONGEST_CHAIN) throw new Broken('it has more members behind each other than can be analysed')
      const further = this.memberBehind(node)
      if (further === null) return node
      node = further
    }
  }

  /** `.name`, `::name`, `[at]` behind a node; null where none stands there. */
  private memberBehind(node: Node): Node | null {
    if (node.kind === 'operator' || node.kind === 'parameter') return null
    const bare = node.kind === 'string' && node.bare
    const character = this.source[this.at]
    const next = this.source[this.at + 1] ?? ''
    if (character === ':' && next === ':') this.at += 2
    else if (character === '.' && /[\w"'$]/.test(next) && !bare) this.at++
    else if (character === '[' && !bare && node.kind !== 'type') {
      this.at++
      return { kind: 'member', of: node, name: '[]', args: [this.inner(']')] }
    } else return null
    return this.member(node)
  }

  private member(of: Node): Node {
    const start = this.at
    if (this.source[this.at] === '"' || this.source[this.at] === "'" || this.source[this.at] === '$') this.primary(true)
    else while (/\w/.test(this.source[this.at] ?? '')) this.at++
    const name = this.source
      .slice(start, this.at)
      .replace(/^["']|["']$/g, '')
      .toLowerCase()
    if (this.source[this.at] !== '(') return { kind: 'member', of, name, args: null }
    this.at++
    return { kind: 'member', of, name, args: this.arguments() }
  }

  /** Arguments of a method: expressions between commas. */
  protected override arguments(): Script[] {
    const args: Script[] = []
    for (;;) {
      this.blanks(true)
      const character = this.source[this.at]
      if (character === undefined) throw new Broken('`)` is missing')
      if (character === ')' || character === ',') {
        this.at++
        if (character === ')') return args
        continue
      }
      const nodes: Node[] = []
      for (;;) {
        this.blanks(true)
        const next = this.source[this.at]
        if (next === undefined || next === ',' || next === ')') break
        if (/[;|}\]]/.test(next)) throw new Broken(`unexpected \`${next}\``)
        nodes.push(this.node(true))
      }
      const argument: Script = [{ kind: 'pipeline', stages: [{ invoke: '', expression: true, nodes, redirects: [] }] }]
      this.scripts.push(argument)
      args.push(argument)
    }
  }

  private dollar(next: string, expression: boolean): Node {
    if (next !== '(') return expression ? this.variable() : this.leadingVariable()
    this.at += 2
    return { kind: 'group', script: this.inner(')') }
  }

  private primary(expression: boolean): Node {
    const character = this.source[this.at] ?? ''
    const next = this.source[this.at + 1] ?? ''
    switch (character) {
      case "'":
      case '"':
        return this.quoted(character)
      case '$':
        return this.dollar(next, expression)
      case '(':
        this.at++
        return { kind: 'group', script: this.inner(')') }
      case '{':
        this.at++
        return { kind: 'block', script: this.inner('}') }
      case '@':
        return this.atSign(next, expression)
      case '[':
        if (expression) return this.typeName()
        break
      case '-':
        if (/[a-z?]/i.test(next)) return this.dashed(expression)
        break
      case ',':
        this.at++
        return { kind: 'operator', text: ',' }
    }
    return expression ? this.operand() : this.bareText()
  }

  /** `$x` as an argument, or the beginning of a word: `$x/y`. */
  private leadingVariable(): Node {
    const start = this.at
    const node = this.variable()
    if (!/[\w/\\*?%~+=-]/.test(this.source[this.at] ?? '')) return node
    this.at = start
    return this.bareText()
  }

  /** `@(…)`, `@{…}, `@splat`, `@'…'@`. */
  private atSign(next: string, expression: boolean): Node {
    if (next === '(' || next === '{') this.at += 2
    if (next === '(') return { kind: 'group', script: this.inner(')') }
    if (next === '{') return { kind: 'table', entries: this.entries() }
    if (next === "'" || next === '"') return this.hereString(next)
    if (/\w/.test(next)) return this.variable()
    return expression ? this.operand() : this.bareText()
  }

  private entries(): readonly (readonly [string, Script])[] {
    const entries: (readonly [string, Script])[] = []
    for (;;) {
      this.blanks(true)
      const character = this.source[this.at]
      if (character === undefined) throw new Broken('`}` is missing')
      if (character === '}' || character === ';' || character === ',') {
        this.at++
        if (character === '}') return entries
        continue
      }
      if (this.source.startsWith('@{', this.at)) throw new Broken('a table as the key of a table')
      const start = this.at
      const bare = bareKey(this.source, this.at)
      if (bare > this.at) this.at = bare
      // A key may be any expression: `@{ $module.Params.name = 1 }`.
      else if (this.source[this.at] === '$') this.node(true)
      else this.primary(false)
      const key = this.source
        .slice(start, this.at)
        .replace(/^["']|["']$/g, '')
        .toLowerCase()
      this.blanks(true)
      if (this.source[this.at] !== '=') throw new Broken('a table entry without `=`')
      this.at++
      this.blanks(true)
      const value: Statement[] = []
      this.statement(value)
      this.scripts.push(value)
      entries.push([key.replace(/=$/, ''), value])
    }
  }
}

const KEY = /[A-Za-z_]\w*/y

/** Where a key ends that has `=` directly after it; `at` where none does. */
function bareKey(source: string, at: number): number {
  KEY.lastIndex = at
  const end = at + (KEY.exec(source)?.[0].length ?? 0)
  return source[end] === '=' ? end : at
}
