/**
 * What the type checker of the library cannot say: misspelt fields with the right ones, words outside a vocabulary, functions
 * that conditions do not have, patterns that are not written out. Walks the parser's tree with the shapes of shape.ts.
 */
import type { ASTNode } from '@marcbachmann/cel-js'
import type { PolicyErrorCode } from '../errors.ts'
import { suggestion } from '../reading/nearest.ts'
import type { Range } from '../reading/source.ts'
import { FUNCTIONS, MACROS, METHODS, PATTERNS } from './functions.ts'
import { DYN, type NamedKind, type Shape } from './shape.ts'

/** A fault inside a condition; the range counts UTF-16 units of the condition's own text. */
export interface ConditionFault {
  readonly code: PolicyErrorCode
  readonly message: string
  readonly help: string | null
  readonly at: Range
}

export interface Checked {
  readonly faults: readonly ConditionFault[]
  /** Selections that read as null where the field is absent. */
  readonly optional: ReadonlySet<ASTNode>
  /** First selections from `args`, each with whether a `has` guards it somewhere in the condition. */
  readonly argumentFields: ReadonlyMap<string, boolean>
  /** True where effects, commands or coverage are read: examples then need an analysis. */
  readonly readsFacts: boolean
  /** `under(….value, …)`: lexical paths, which may be relative. */
  readonly lexicalPaths: readonly Range[]
  /** Tools, actions and attributes that the condition names. */
  readonly named: readonly NamedText[]
}

/** `prefix`: the beginning of an action, in `startsWith`. */
export interface NamedText {
  readonly kind: NamedKind | 'prefix' | 'attribute'
  readonly text: string
  readonly at: Range
}

type Scope = ReadonlyMap<string, Shape>

const NUMBER: Shape = { type: 'number' }
const BOOL: Shape = { type: 'bool' }
const STRING: Shape = { type: 'string' }
const FACT_VARIABLES: ReadonlySet<string> = new Set(['effects', 'commands', 'coverage'])
const MAX_NESTED_LOOPS = 2

const ARITHMETIC: ReadonlySet<string> = new Set(['+', '-', '*', '/', '%'])

/** Checks a parsed condition against the shapes of its variables. */
export function checkCondition(root: ASTNode, variables: Scope): Checked {
  const checker = new Checker()
  checker.shape(root, variables, 0)
  return checker
}

class Checker implements Checked {
  readonly faults: ConditionFault[] = []
  readonly optional = new Set<ASTNode>()
  readonly argumentFields = new Map<string, boolean>()
  readonly lexicalPaths: Range[] = []
  readonly named: NamedText[] = []
  readsFacts = false

  shape(node: ASTNode, scope: Scope, loops: number): Shape {
    switch (node.op) {
      case 'value':
        return this.#literal(node)
      case 'id':
        return this.#variable(node.args, node, scope)
      case '.':
        return this.#select(node, { key: node.args[1], object: this.shape(node.args[0], scope, loops) })
      case '[]':
        return this.#index(node, scope, loops)
      case 'call':
        return this.#call(node, scope, loops)
      case 'rcall':
        return this.#method(node, scope, loops)
      case 'list':
        return this.#list(node.args.map((item) => this.shape(item, scope, loops)))
      case '?:':
        return this.#branches(node.args, scope, loops)
      default:
        return this.#operator(node, scope, loops)
    }
  }

  #fail(code: PolicyErrorCode, node: Range, { message, help }: { message: string; help: string | null }): Shape {
    this.faults.push({ code, message, help, at: { start: node.start, end: node.end } })
    return DYN
  }

  #literal(node: Extract<ASTNode, { op: 'value' }>): Shape {
    const value = node.args
    if (typeof value === 'string') return STRING
    if (typeof value === 'boolean') return BOOL
    if (typeof value === 'number') return NUMBER
    if (value === null) return DYN
    if (typeof value === 'bigint' && BigInt(Number(value)) === value && Number.isSafeInteger(Number(value))) return NUMBER
    const message = typeof value === 'bigint' ? 'the number cannot be held exactly' : 'bytes and unsigned numbers are not used here'
    return this.#fail('policy.condition_type', node, { message, help: 'write plain numbers and text' })
  }

  #variable(name: string, node: Range, scope: Scope): Shape {
    if (FACT_VARIABLES.has(name)) this.readsFacts = true
    const shape = scope.get(name)
    if (shape !== undefined) return shape
    return this.#fail('policy.condition_name', node, { message: `there is no name \`${name}\``, help: suggestion(name, [...scope.keys()]) })
  }

  #select(node: ASTNode, { object, key }: { object: Shape; key: string }): Shape {
    const inner = (node as { args: readonly [ASTNode, unknown] }).args[0]
    if (inner.op === 'id' && inner.args === 'args' && !this.argumentFields.get(key)) this.argumentFields.set(key, false)
    if (object.type === 'dyn') return DYN
    if (object.type !== 'record') {
      return this.#fail('policy.condition_field', node, {
        message: `\`${key}\` cannot be read from ${named(object)}`,
        help: fieldHelp(object),
      })
    }
    if (object.absentIsNull) this.#attribute(key, node)
    const field = object.fields.get(key)
    if (field !== undefined) return field
    if (object.open) return DYN
    const end = node.end
    const at = node.op === '.' ? { start: Math.max(node.start, end - key.length), end } : node
    return this.#fail('policy.condition_field', at, {
      message: `${object.name} has no field \`${key}\``,
      help: suggestion(key, [...object.fields.keys()]),
    })
  }

  #attribute(text: string, node: ASTNode): void {
    this.optional.add(node)
    const start = node.op === '.' ? Math.max(node.start, node.end - text.length) : node.start
    this.named.push({ kind: 'attribute', text, at: { start, end: node.end } })
  }

  #index(node: Extract<ASTNode, { op: '[]' }>, scope: Scope, loops: number): Shape {
    const [inner, key] = node.args
    const object = this.shape(inner, scope, loops)
    this.shape(key, scope, loops)
    if (object.type === 'list') return object.of
    if (key.op === 'value' && typeof key.args === 'string') return this.#select(node, { object, key: key.args })
    if (object.type === 'record' && object.absentIsNull) this.optional.add(node)
    return DYN
  }

  #call(node: Extract<ASTNode, { op: 'call' }>, scope: Scope, loops: number): Shape {
    const [name, args] = node.args
    if (name === 'has') return this.#has(node, scope, loops)
    for (const arg of args) this.shape(arg, scope, loops)
    const at = { start: node.start, end: node.start + name.length }
    if (!FUNCTIONS.has(name)) {
      const known =
        METHODS.has(name) || MACROS.has(name) ? `write it as a method: \`x.${name}(…)\`` : suggestion(name, ['has', ...FUNCTIONS.keys()])
      return this.#fail('policy.condition_function', at, { message: `there is no function \`${name}\``, help: known })
    }
    if (name === 'under' && args[0]?.op === '.' && args[0].args[1] === 'value') this.lexicalPaths.push(args[0])
    if (PATTERNS.has(name)) this.#pattern(name, args[1])
    return RESULTS.get(name) ?? DYN
  }

  #has(node: Extract<ASTNode, { op: 'call' }>, scope: Scope, loops: number): Shape {
    const arg = node.args[1][0]
    if (arg === undefined) return BOOL
    if (arg.op === '.' && arg.args[0].op === 'id' && arg.args[0].args === 'args') this.argumentFields.set(arg.args[1], true)
    this.shape(arg, scope, loops)
    return BOOL
  }

  /** Patterns from the call itself would let an agent choose them: they are written out and compiled at load. */
  #pattern(name: string, node: ASTNode | undefined): void {
    if (node === undefined) return
    if (node.op !== 'value' || typeof node.args !== 'string') {
      this.#fail('policy.pattern', node, { message: `the pattern of \`${name}\` must be written out`, help: 'use a literal text' })
      return
    }
    try {
      PATTERNS.get(name)?.(node.args)
    } catch (error) {
      const detail = error instanceof Error ? error.message.replace(/^error parsing regexp: /, '') : 'unknown reason'
      this.#fail('policy.pattern', node, { message: `the pattern cannot be compiled: ${detail}`, help: PATTERN_HELP.get(name) ?? null })
    }
  }

  #method(node: Extract<ASTNode, { op: 'rcall' }>, scope: Scope, loops: number): Shape {
    const [name, receiver, args] = node.args
    const object = this.shape(receiver, scope, loops)
    if (MACROS.has(name)) return this.#loop(node, { object, scope, loops })
    for (const arg of args) this.shape(arg, scope, loops)
    if (name === 'startsWith' && isAction(object)) this.#name('prefix', args)
    if (METHODS.has(name)) return RESULTS.get(name) ?? DYN
    const after = node.input.indexOf(name, receiver.end)
    const start = after === -1 ? node.start : after
    const help = name === 'matches' ? 'use `re(text, pattern)`, which takes linear time' : methodHelp(name)
    return this.#fail('policy.condition_function', { start, end: start + name.length }, { message: `there is no method \`${name}\``, help })
  }

  #loop(node: Extract<ASTNode, { op: 'rcall' }>, { object, scope, loops }: { object: Shape; scope: Scope; loops: number }): Shape {
    const [name, , [variable, ...bodies]] = node.args
    if (loops >= MAX_NESTED_LOOPS) {
      const message = `\`${name}\` is nested deeper than ${MAX_NESTED_LOOPS}`
      return this.#fail('policy.condition_function', node, { message, help: 'split the rule' })
    }
    if (variable?.op !== 'id') return DYN
    const item = object.type === 'list' ? object.of : object.type === 'record' ? STRING : DYN
    const inner = new Map(scope).set(variable.args, item)
    if (scope.has(variable.args)) {
      const message = `\`${variable.args}\` already has a meaning here`
      this.#fail('policy.condition_name', variable, { message, help: 'choose another name' })
    }
    const shapes = bodies.map((body) => this.shape(body, inner, loops + 1))
    if (name === 'filter') return object.type === 'list' ? object : this.#list([])
    return name === 'map' ? { type: 'list', of: shapes.at(-1) ?? DYN } : BOOL
  }

  #list(items: readonly Shape[]): Shape {
    const [first] = items
    return { type: 'list', of: first !== undefined && items.every((item) => item.type === first.type) ? withoutWords(first) : DYN }
  }

  #branches([test, yes, no]: readonly [ASTNode, ASTNode, ASTNode], scope: Scope, loops: number): Shape {
    this.shape(test, scope, loops)
    const [a, b] = [this.shape(yes, scope, loops), this.shape(no, scope, loops)]
    return a.type === b.type ? a : DYN
  }

  #operator(node: ASTNode, scope: Scope, loops: number): Shape {
    if (node.op === '!_' || node.op === '-_') {
      const inner = this.shape(node.args, scope, loops)
      return node.op === '!_' ? BOOL : inner
    }
    if (node.op === 'map') {
      for (const [key, value] of node.args) [key, value].map((part) => this.shape(part, scope, loops))
      return DYN
    }
    const [left, right] = node.args as unknown as readonly [ASTNode, ASTNode]
    const a = this.shape(left, scope, loops)
    const b = this.shape(right, scope, loops)
    this.#compared(node.op, { left, right, a, b })
    if (ARITHMETIC.has(node.op)) return a.type === b.type ? withoutWords(a) : DYN
    return BOOL
  }

  /** Both sides of a comparison: `a` is the shape of the left one, `b` of the right one. */
  #compared(op: string, { left, right, a, b }: { readonly left: ASTNode; readonly right: ASTNode; readonly a: Shape; readonly b: Shape }) {
    if (op === '==' || op === '!=') {
      this.#words(a, [right])
      this.#words(b, [left])
    }
    if (op === 'in') {
      if (right.op === 'list') this.#words(a, right.args)
      if (b.type === 'list') this.#words(b.of, [left])
    }
  }

  #name(kind: NamedText['kind'], nodes: readonly ASTNode[]): void {
    for (const { op, args, start, end } of nodes) {
      // The empty text stands for an effect without an action.
      if (op === 'value' && typeof args === 'string' && args !== '') this.named.push({ kind, text: args, at: { start, end } })
    }
  }

  #words(shape: Shape, nodes: readonly ASTNode[]): void {
    if (shape.type !== 'string') return
    if (shape.names !== undefined) this.#name(shape.names, nodes)
    if (shape.words === undefined) return
    for (const node of nodes) {
      if (node.op !== 'value' || typeof node.args !== 'string' || shape.words.includes(node.args)) continue
      const message = `\`${node.args}\` is no ${shape.wordsOf ?? 'word'}, so this can never hold`
      this.#fail('policy.condition_word', node, { message, help: suggestion(node.args, shape.words) })
    }
  }
}

function isAction(shape: Shape): boolean {
  return shape.type === 'string' && shape.names === 'action'
}

const RESULTS: ReadonlyMap<string, Shape> = new Map<string, Shape>([
  ...['re', 'glob', 'under', 'domain', 'contains', 'startsWith', 'endsWith'].map((name) => [name, BOOL] as const),
  ...['host', 'string', 'lowerAscii', 'upperAscii', 'trim', 'substring', 'join'].map((name) => [name, STRING] as const),
  ...['size', 'double', 'int', 'indexOf'].map((name) => [name, NUMBER] as const),
  ['split', { type: 'list', of: STRING }],
])

const PATTERN_HELP: ReadonlyMap<string, string> = new Map([
  ['re', 'RE2 syntax: no look-around, no back-references; in CEL a backslash is written `\\\\` or the text as `r"…"`'],
  ['glob', '`*` inside a segment, `**` across, `?`, `[a-z]`, `{a,b}`'],
])

function withoutWords(shape: Shape): Shape {
  return shape.type === 'string' ? STRING : shape
}

function named(shape: Shape): string {
  return shape.type === 'list' ? 'a list' : shape.type === 'bool' ? 'a boolean' : shape.type === 'number' ? 'a number' : 'text'
}

function fieldHelp(shape: Shape): string | null {
  return shape.type === 'list' ? 'use `exists`, `all`, `size` or an index' : null
}

function methodHelp(name: string): string {
  if (FUNCTIONS.has(name)) return `write it as a function: \`${name}(…)\``
  const names = [...METHODS.keys(), ...MACROS]
  return suggestion(name, names)
}
