import { type Span, target } from '../../effect.ts'
import type { CommandContext } from '../../host.ts'
import { type Argument, Bound } from './bind.ts'
import { CMDLETS } from './cmdlets.ts'
import { callMethod, castTo } from './dotnet.ts'
import { infer } from './infer.ts'
import { cmdletNamed, isNative, onlyLooks } from './names.ts'
import { parsePowershell } from './parse.ts'
import type { Native, Session } from './session.ts'
import { reportShownValue } from './shown.ts'
import type { Node, Piece, Script, Stage, Statement } from './tree.ts'
import { combined, inputFrom, joinValues, knownValue, scalars, unknownValue, type Value, variableOf, wordFrom } from './value.ts'

/** Walks PowerShell statements: variables, pipelines and calls, each cmdlet by the table, everything else as a program. */

const MAX_STEPS = 1_200
/** What a step costs, in tenths of a microsecond. */
const UNITS_PER_STEP = 30
/** Scripts, blocks and functions inside of each other. */
const DEEPEST_CALLS = 48

export class PowershellWalk implements Session {
  /** Where effects go; another one after the directory changed. */
  context: CommandContext
  readonly span: Span
  private readonly variables = new Map<string, Value>()
  private readonly functions = new Map<string, Script>()
  readonly aliases = new Map<string, string>()
  private readonly visited = new Set<Script>()
  private calls = 0
  private steps = 0

  constructor(context: CommandContext, span: Span) {
    this.context = context
    this.span = span
  }

  /** Parses and walks source text. */
  text(source: string): Value {
    const { script, scripts, problem } = parsePowershell(source)
    if (problem !== null) this.context.opaque(`the PowerShell could not be read: ${problem}`, this.span)
    const value = this.script(script, true)
    for (const left of scripts.toReversed()) if (!this.visited.has(left)) this.block(left, null)
    return value
  }

  /** Runs statements; the value is what the last one gives. `shown`: what each of them gives is printed. */
  script(script: Script, shown = false): Value {
    this.visited.add(script)
    if (++this.calls > DEEPEST_CALLS) {
      this.calls--
      this.context.opaque('the PowerShell is nested too deep to be analysed', this.span)
      return unknownValue()
    }
    let value = knownValue('')
    for (const statement of script) {
      value = this.statement(statement)
      if (shown) reportShownValue(statement, value, this)
    }
    this.calls--
    return value
  }

  private statement(statement: Statement): Value {
    // Loops in each other cost without a command in them, too.
    if (!this.step()) return unknownValue()
    switch (statement.kind) {
      case 'pipeline':
        return this.pipeline(statement.stages)
      case 'function':
        this.functions.set(statement.name, statement.body)
        return knownValue('')
      case 'assign': {
        const value = this.assigned(statement.value)
        if (statement.name !== null) this.assign(statement.name, value)
        return knownValue('')
      }
      case 'flow':
        return this.flow(statement)
    }
  }

  /** A block that is given a name keeps what it is: `$x = { … }; & $x`. */
  private assigned(script: Script): Value {
    const [only, ...others] = script
    const [stage, ...more] = only?.kind === 'pipeline' && others.length === 0 ? only.stages : []
    const [node, ...beside] = stage?.expression === true && more.length === 0 && stage.redirects.length === 0 ? stage.nodes : []
    return node?.kind === 'block' && beside.length === 0 ? this.value(node) : this.script(script)
  }

  /** Counts a statement, or a stage of a pipeline; false where no more is walked. */
  private step(): boolean {
    if (++this.steps <= MAX_STEPS && this.context.spend(UNITS_PER_STEP)) return true
    if (this.steps === MAX_STEPS + 1) this.context.opaque('the PowerShell does more than can be analysed', this.span)
    return false
  }

  private assign(name: string, value: Value): void {
    if (name.startsWith('env:')) {
      const variable = name.slice(4).toUpperCase()
      if (/^(?:PATH|LD_|DYLD_|PYTHONPATH|NODE_OPTIONS|PSMODULEPATH|PATHEXT|COMSPEC)/.test(variable))
        this.context.emit('change', target('variable', variable), {
          action: 'env:inject',
          span: this.span,
          attributes: { variable, value: value.text },
        })
    }
    const drive = /^(function|alias):(.+)/.exec(name)
    if (drive?.[1] === 'alias' && value.text !== null) this.aliases.set(drive[2] ?? '', cmdletNamed(value.text.toLowerCase()))
    else if (drive?.[1] === 'function' && value.block !== null) this.functions.set(drive[2] ?? '', value.block)
    else if (drive !== null) this.run(value)
    this.variables.set(name.replace(/^(?:global|script|local|private|using):/, ''), value)
  }

  /** Every branch is walked; loops once, with what is known of their variable. */
  private flow(statement: Extract<Statement, { kind: 'flow' }>): Value {
    const [first, ...rest] = statement.parts
    if (statement.keyword === 'mixed') return unknownValue()
    if (statement.loop !== null && first !== undefined) {
      const items = scalars(this.script(first))
      if (items.length > 32) this.context.opaque('a loop goes over more than is followed', this.span)
      // What a round leaves, the next one finds.
      const rounds = items.length === 1 && items[0]?.text === null ? [...items, ...items] : items.slice(0, 32)
      for (const item of rounds) {
        this.variables.set(statement.loop, item)
        for (const part of rest) this.script(part)
      }
      return unknownValue()
    }
    for (const part of statement.parts) this.script(part)
    if (/^(?:for|while|do)$/.test(statement.keyword)) for (const part of statement.parts) this.script(part)
    return unknownValue()
  }

  private pipeline(stages: readonly Stage[]): Value {
    let input: Value | null = null
    for (const stage of stages) {
      const value: Value = this.stage(stage, input)
      for (const { to, append } of stage.redirects) this.writeTo(this.value(to), { append, value })
      input = value
    }
    return input ?? knownValue('')
  }

  private writeTo(to: Value, { append, value }: { readonly append: boolean; readonly value: Value }): void {
    if (to.text === '' && to.from.length === 0) return
    if (/^(?:nul|\/dev\/null)$/i.test(to.text ?? '')) return
    this.native('tee', [...(append ? [knownValue('-a')] : []), to], { input: value })
  }

  private stage(stage: Stage, input: Value | null): Value {
    if (!this.step()) return unknownValue()
    const [first, ...rest] = stage.nodes
    if (first === undefined) return knownValue('')
    if (stage.expression) {
      const value = this.expression(stage.nodes)
      return value.block === null ? value : unknownValue()
    }
    return this.call(this.value(first), rest, input)
  }

  /** Calls what the value names: a block, a function, a cmdlet or a program. */
  private call(callee: Value, rest: readonly Node[], input: Value | null): Value {
    if (callee.block !== null) {
      this.arguments(rest)
      return this.block(callee.block, input)
    }
    if (callee.text === null) {
      this.arguments(rest)
      this.context.command([wordFrom(callee, this.span)], 'powershell', inputFrom(input, this.span))
      return unknownValue()
    }
    const written = callee.text.toLowerCase()
    const defined = this.functions.get(written)
    if (defined !== undefined) {
      this.arguments(rest)
      return this.block(defined, input)
    }
    const name = this.aliases.get(written) ?? cmdletNamed(written)
    const args = this.arguments(rest)
    return this.named({ written: callee, name, args, input })
  }

  private named({ written, name, args, input }: Call): Value {
    const cmdlet = CMDLETS.get(name)
    if (cmdlet !== undefined) {
      const bound = new Bound(cmdlet.signature, args, input)
      const alias = (written.text ?? '').toLowerCase()
      if (!isNative(alias) || this.aliases.has(alias) || bound.unknown.length === 0)
        return bound.on('whatif') ? unknownValue() : cmdlet.run(bound, this)
    }
    const blocks = args.flatMap((item) => scalars(item.value)).flatMap((value) => (value.block === null ? [] : [value.block]))
    for (const block of blocks) this.block(block, input)
    if (onlyLooks(name)) return { ...unknownValue(), ...(input ?? {}), block: null }
    const words = args.flatMap((item) => [...(item.kind === 'value' ? [] : [knownValue(`-${item.name}`)]), ...scalars(item.value)])
    infer(name, words, this)
    return this.native(written.text ?? '', words, { input })
  }

  /** Runs a program with these words. */
  native(name: string, words: readonly Value[], { input = null, paths = false }: Native = {}): Value {
    const program = wordFrom(knownValue(name), this.span)
    const args = words.filter((value) => value.block === null && value.table === null).map((value) => wordFrom(value, this.span, paths))
    this.context.command([program, ...args], 'powershell', inputFrom(input, this.span))
    return unknownValue({ from: words.flatMap((value) => value.from) })
  }

  /** Runs a block on what comes through the pipeline. */
  block(script: Script, input: Value | null): Value {
    const before = this.variables.get('_')
    this.variables.set('_', input ?? unknownValue())
    const value = this.script(script)
    if (before !== undefined) this.variables.set('_', before)
    return value
  }

  /** Runs text as PowerShell: known text is read, unknown text is said to be what it is. */
  run(value: Value): Value {
    const code = joinValues(scalars(value), '\n')
    this.context.command([wordFrom(knownValue('invoke-expression'), this.span), wordFrom(code, this.span)], 'powershell')
    return unknownValue()
  }

  private arguments(nodes: readonly Node[]): Argument[] {
    const args: Argument[] = []
    for (let at = 0; at < nodes.length; ) {
      const node = nodes[at]
      if (node?.kind === 'parameter') {
        args.push({ kind: 'parameter', name: node.name, value: node.value === null ? null : this.value(node.value) })
        at++
      } else {
        const { value, next } = this.list(nodes, at)
        args.push({ kind: 'value', value })
        at = next
      }
    }
    return args
  }

  /** The value at `at` with what commas join to it. */
  private list(nodes: readonly Node[], at: number): { readonly value: Value; readonly next: number } {
    const first = nodes[at]
    const items = first === undefined ? [] : [this.value(first)]
    let next = at + 1
    for (let node = nodes[next]; node?.kind === 'operator' && node.text === ','; node = nodes[next]) {
      const item = nodes[next + 1]
      if (item !== undefined) items.push(this.value(item))
      next += 2
    }
    const [only] = items
    return { value: items.length === 1 && only !== undefined ? only : unknownValue({ items }), next }
  }

  /** Values with operators between them, from left to right. */
  private expression(nodes: readonly Node[]): Value {
    let left: Value | null = null
    let sign = ''
    for (let at = 0; at < nodes.length; ) {
      const node = nodes[at]
      if (node?.kind === 'operator') {
        sign = sign === '' ? node.text : '?'
        if (left === null && sign !== '-join') sign = ''
        at++
        continue
      }
      const { value, next } = this.list(nodes, at)
      at = next
      if (left?.type !== null && left?.type !== undefined && sign === '') left = castTo(left.type, value)
      else left = left === null ? (sign === '-join' ? joinValues(scalars(value)) : value) : combined(left, sign, value)
      sign = ''
    }
    return left ?? knownValue('')
  }

  value(node: Node): Value {
    switch (node.kind) {
      case 'string':
        return { ...this.pieces(node.pieces), bare: node.bare }
      case 'variable':
        return this.variable(node.name)
      case 'block':
        return unknownValue({ block: node.script })
      case 'group': {
        this.visited.add(node.script)
        const values = node.script.map((statement) => this.statement(statement))
        const [only] = values
        return values.length === 1 && only !== undefined ? only : unknownValue({ items: values })
      }
      case 'table':
        return unknownValue({ table: new Map(node.entries.map(([key, script]) => [key, this.script(script)])) })
      case 'type':
        for (const argument of node.blocks) {
          const { block } = this.script(argument)
          if (block !== null) this.block(block, null)
        }
        return unknownValue({ type: node.name })
      case 'member': {
        const of = this.value(node.of)
        const args = node.args?.map((script) => this.script(script)) ?? null
        return callMethod({ of, name: node.name, args, fixed: node.of.kind === 'type' }, this)
      }
      default:
        return unknownValue()
    }
  }

  private pieces(pieces: readonly Piece[]): Value {
    return joinValues(
      pieces.map((piece) => {
        if (piece.kind === 'text') return knownValue(piece.text)
        if (piece.kind === 'variable') return joinValues(scalars(this.variable(piece.name)), ' ')
        return joinValues(scalars(this.script(piece.script)), ' ')
      }),
    )
  }

  private variable(name: string): Value {
    const plain = name.replace(/^(?:global|script|local|private|using):/, '')
    const known = this.variables.get(plain)
    if (known !== undefined) return known
    if (plain === 'psitem') return this.variables.get('_') ?? unknownValue()
    return variableOf(plain, this.context)
  }
}

interface Call {
  readonly written: Value
  readonly name: string
  readonly args: readonly Argument[]
  readonly input: Value | null
}
