import { Broken, isBlank } from './lex.ts'
import { NodeReader } from './node.ts'
import type { Node, Script, Stage, Statement } from './tree.ts'

/**
 * PowerShell source to statements of pipelines, as far as effects need it. One pass, bounded in depth and in nodes;
 * operators are kept as nodes of their own, their precedence is not worked out.
 */

export interface ParsedPowershell {
  /** What was read; all of it where `problem` is null. */
  readonly script: Script
  /** Every script in it, inner ones first: what runs nowhere else is followed by itself. */
  readonly scripts: readonly Script[]
  readonly problem: string | null
}

const DEEPEST = 48
const FLOW: ReadonlySet<string> = new Set(
  'if elseif else while for foreach do until switch try catch finally trap begin process end clean param return throw exit break continue data parallel'.split(
    ' ',
  ),
)

/** Reads PowerShell source. Never throws. */
export function parsePowershell(source: string): ParsedPowershell {
  const parser = new Parser(plainSigns(source))
  try {
    parser.statements(parser.script, '')
    return { script: parser.script, scripts: parser.scripts, problem: null }
  } catch (error) {
    if (error instanceof Broken) return { script: parser.script, scripts: parser.scripts, problem: error.message }
    throw error
  }
}

/** PowerShell ends lines at a lone `\r`, too, and takes the quotes, dashes and blanks of word processors for the plain ones. */
function plainSigns(source: string): string {
  return source
    .replace(/\r\n?/g, '\n')
    .replace(/[\u2018-\u201b]/g, "'")
    .replace(/[\u201c-\u201e]/g, '"')
    .replace(/[\f\v\u0085\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/g, ' ')
    .replace(/(?<=[\s(;|{])[\u2013-\u2015](?=\w)/g, '-')
}

/** Operators that an expression may begin with; any other word behind a dash is an option. */
const UNARY = /^-(?:not|bnot|join|i?split|csplit)\b/i

class Parser extends NodeReader {
  readonly script: Statement[] = []
  private depth = 0

  /** Statements into `out` up to `end` (a closing bracket, taken) or the end of the source. */
  statements(out: Statement[], end: string): void {
    if (++this.depth > DEEPEST) throw new Broken('it is nested too deep')
    for (;;) {
      this.blanks(true)
      const character = this.source[this.at]
      if (character === undefined) {
        if (end !== '') throw new Broken(`\`${end}\` is missing`)
        break
      }
      if (character === end) {
        this.at++
        break
      }
      if (character === ';' || character === ',') this.at++
      else if (')}]'.includes(character)) throw new Broken(`unexpected \`${character}\``)
      else if (this.source.startsWith('&&', this.at) || this.source.startsWith('||', this.at)) this.at += 2
      else this.statement(out)
    }
    this.depth--
  }

  protected override inner(end: string): Script {
    const out: Statement[] = []
    this.statements(out, end)
    this.scripts.push(out)
    return out
  }

  protected override statement(out: Statement[]): void {
    const before = this.at
    const word = this.peekWord()
    if (word === 'function' || word === 'filter' || word === 'workflow') this.functionStatement(out, word)
    else if (word === 'class' || word === 'enum' || word === 'configuration') throw new Broken(`\`${word}\` is not analysed`)
    else if (FLOW.has(word) && !this.isCommandTail(word)) this.flow(out, word)
    else this.pipelineOrAssignment(out)
    if (this.at === before) throw new Broken(`unexpected \`${this.source[before]}\``)
  }

  /** `foreach` and `process` in the middle of a pipeline are no keywords; at its start they are. */
  private isCommandTail(word: string): boolean {
    return /^[\w.\\/-]/.test(this.source[this.at + word.length] ?? '')
  }

  private peekWord(): string {
    let end = this.at
    while (end < this.source.length && end - this.at < 16 && /[a-z]/i.test(this.source[end] ?? '')) end++
    return this.source.slice(this.at, end).toLowerCase()
  }

  private functionStatement(out: Statement[], keyword: string): void {
    this.at += keyword.length
    this.blanks(true)
    const start = this.at
    while (this.at < this.source.length && !/[\s({]/.test(this.source[this.at] ?? '')) this.at++
    const name = this.source.slice(start, this.at).replace(/^(?:global|script|local):/i, '')
    this.blanks(true)
    if (this.source[this.at] === '(') {
      this.at++
      this.inner(')')
      this.blanks(true)
    }
    if (this.source[this.at] !== '{') throw new Broken('a function without a body')
    this.at++
    out.push({ kind: 'function', name: name.toLowerCase(), body: this.inner('}') })
  }

  /** A keyword with the groups and blocks that follow it. */
  private flow(out: Statement[], keyword: string): void {
    this.at += keyword.length
    const parts: Script[] = []
    let loop: string | null = null
    for (;;) {
      const before = this.at
      this.blanks(true)
      const character = this.source[this.at]
      if (character === '(') {
        this.at++
        if (keyword === 'foreach') loop = this.loopVariable()
        parts.push(this.inner(')'))
      } else if (character === '{') {
        this.at++
        parts.push(keyword === 'switch' ? this.cases() : this.inner('}'))
      } else if (!this.flowWord(keyword, parts)) {
        this.at = before
        break
      }
    }
    out.push({ kind: 'flow', keyword, parts, loop })
    // `return`, `throw` and `exit` are followed by a pipeline, which is read as the next statement.
  }

  /** Types behind `catch`, options and the value behind `switch`; false where none stands there. */
  private flowWord(keyword: string, parts: Script[]): boolean {
    const character = this.source[this.at]
    if (keyword === 'catch' && character === '[') this.typeName()
    else if (keyword === 'catch' && character === ',') this.at++
    else if (keyword !== 'switch' || character === undefined || parts.length > 0) return false
    else if (character === '-') this.bareText()
    else if (character === ')') return false
    else parts.push(this.alone(this.node(true)))
    return true
  }

  /** The blocks of `switch`, patterns left out. */
  private cases(): Script {
    const out: Statement[] = []
    for (;;) {
      this.blanks(true)
      const character = this.source[this.at]
      if (character === undefined) throw new Broken('`}` is missing')
      this.at += character === '}' || character === '{' || character === ';' ? 1 : 0
      if (character === '}') return out
      if (character === '{') out.push({ kind: 'flow', keyword: 'case', parts: [this.inner('}')], loop: null })
      else if (character !== ';') out.push(...this.alone(this.node(true)))
    }
  }

  private alone(node: Node): Script {
    const script: Script = [{ kind: 'pipeline', stages: [{ invoke: '', expression: true, nodes: [node], redirects: [] }] }]
    this.scripts.push(script)
    return script
  }

  private loopVariable(): string | null {
    const match = /^\s{0,20}\$(\w{1,100})\s{1,20}in\s/i.exec(this.source.slice(this.at, this.at + 200))
    if (match === null) return null
    this.at += match[0].length
    return (match[1] ?? '').toLowerCase()
  }

  private pipelineOrAssignment(out: Statement[]): void {
    const stages: Stage[] = []
    for (;;) {
      const stage = this.stage()
      const assignment = stages.length === 0 ? this.assignment(stage) : null
      if (assignment !== null) {
        out.push(assignment)
        return
      }
      if (stage.nodes.length > 0 || stage.redirects.length > 0) stages.push(stage)
      if (this.source[this.at] !== '|' || this.source[this.at + 1] === '|') break
      this.at++
      this.blanks(true)
    }
    if (this.source[this.at] === '&' && this.source[this.at + 1] !== '&') this.at++
    out.push({ kind: 'pipeline', stages })
  }

  /** The stage as the left side of `=`, with what follows as its value; null where no `=` ended it. */
  private assignment(stage: Stage): Statement | null {
    const match = /^(?:[-+*/%]|\?\?)?=(?!=)/.exec(this.source.slice(this.at, this.at + 3))
    if (match === null || !stage.expression) return null
    this.at += match[0].length
    this.blanks(true)
    const value: Statement[] = []
    if (++this.depth > DEEPEST) throw new Broken('it is nested too deep')
    this.statement(value)
    this.depth--
    const target = stage.nodes.findLast((node) => node.kind === 'variable' || node.kind === 'member')
    const plain = match[0] === '=' && target?.kind === 'variable' ? target.name : null
    if (target?.kind === 'variable' && plain === null) value.push({ kind: 'flow', keyword: 'mixed', parts: [], loop: null })
    this.scripts.push(value)
    return { kind: 'assign', name: target?.kind === 'variable' ? target.name : null, value }
  }

  private stage(): Stage {
    const nodes: Node[] = []
    const redirects: { to: Node; append: boolean }[] = []
    const invoke = this.invocation()
    const first = this.source.slice(this.at, this.at + 8)
    const expression = invoke === '' && (/^(?:["'$([@{\d!,+]|-(?![a-z]))/i.test(first) || UNARY.test(first))
    for (;;) {
      this.blanks(false)
      const character = this.source[this.at]
      if (character === undefined || /[;|\n)}\]]/.test(character) || (character === '&' && this.source[this.at - 1] !== '>')) break
      if (expression && /^(?:[-+*/%]|\?\?)?=(?!=)/.test(this.source.slice(this.at, this.at + 3))) break
      const redirect = /^(?:\d|\*)?>>?/.exec(this.source.slice(this.at, this.at + 3))
      if (redirect !== null) this.redirect(redirect[0], redirects)
      else nodes.push(this.node(expression))
    }
    return { invoke, expression, nodes, redirects }
  }

  private invocation(): '' | '&' | '.' {
    const sign = this.source[this.at]
    if (sign !== '&' && (sign !== '.' || !isBlank(this.source[this.at + 1] ?? ''))) return ''
    this.at++
    this.blanks(false)
    return sign
  }

  private redirect(sign: string, redirects: { to: Node; append: boolean }[]): void {
    this.at += sign.length
    if (this.source[this.at] === '&') {
      this.at += 2
      return
    }
    this.blanks(false)
    redirects.push({ to: this.node(false), append: sign.endsWith('>>') })
  }
}
