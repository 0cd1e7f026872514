import type { Entry, Node } from '../ast.ts'
import { LIMITS } from '../limits.ts'
import { joined } from './methods.ts'
import { concat, elementOf, itemsOf, known } from './reading.ts'
import { NO_ARGUMENTS, type Passed, passing, type Run } from './run.ts'
import type { Environment } from './value.ts'
import {
  CLEAN,
  either,
  FROM,
  joinTaint,
  type ListValue,
  list,
  NONE,
  number,
  type Taint,
  taintOf,
  text,
  UNKNOWN,
  unknown,
  type Value,
} from './value.ts'

/** Values of expressions. Every part is evaluated for what it does, whether its value matters or not. */
export function expression(run: Run, node: Node, scope: Environment): Value {
  const evaluate = EVALUATORS[node.kind] as ((run: Run, node: Node, scope: Environment) => Value) | undefined
  return evaluate?.(run, node, scope) ?? UNKNOWN
}

type Evaluators = { readonly [K in Node['kind']]?: (run: Run, node: Extract<Node, { kind: K }>, scope: Environment) => Value }

/** How each kind of expression is evaluated; the value of all else is not known. */
const EVALUATORS: Evaluators = {
  text: (_run, node) => text(node.text, CLEAN, node.bytes),
  template: (run, { parts }, scope) => template(run, parts, scope),
  command: (run, { parts }, scope) => command(run, template(run, parts, scope)),
  number: (_run, { value }) => number(value),
  constant: (_run, { value }) => ({ kind: 'constant', value }),
  name: (run, { name }, scope) => scope.get(name) ?? { kind: 'ref', name: run.profile.canonical(name) },
  member: (run, { of, name }, scope) => member(run, run.evaluate(of, scope), name),
  index: (run, { of, at }, scope) => index(run, run.evaluate(of, scope), run.evaluate(at, scope)),
  slice,
  call: called,
  list: (run, { items }, scope) => listOf(run, items, scope),
  dict: (run, { entries }, scope) => dictOf(run, entries, scope),
  chain,
  unary,
  choice: (run, node, scope) => either(node.options.map((option) => run.evaluate(option, scope))),
  spread: (run, { value }, scope) => run.evaluate(value, scope),
  comprehension,
}

/** Pieces of an interpolated text; in Perl a list stands for its items with spaces between them. */
function template(run: Run, parts: readonly Node[], scope: Environment): Value {
  const values = parts.map((p) => run.settle(run.evaluate(p, scope)))
  return concat(run.profile.language === 'perl' ? values.map((v) => (v.kind === 'list' ? joined(text(' '), v) : v)) : values)
}

function command(run: Run, line: Value): Value {
  const backticks = run.profile.functions.get('`')
  return backticks?.({ run, name: 'backticks', self: null, ...passing(line), taint: CLEAN }) ?? UNKNOWN
}

/** `a + b + c`, and `a := b`, which is a value as well. */
function chain(run: Run, { first, rest }: Extract<Node, { kind: 'chain' }>, scope: Environment): Value {
  const [only] = rest
  if (rest.length === 1 && only?.op === ':=') {
    const value = run.evaluate(only.value, scope)
    run.assign(first, value, scope)
    return value
  }
  return rest.reduce<Value>(
    (left, { op, value }) => run.settle(run.operate(op, run.settle(left), run.settle(run.evaluate(value, scope)))),
    run.evaluate(first, scope),
  )
}

export function member(run: Run, of: Value, name: string): Value {
  if (of.kind === 'ref') return memberOfName(run, of.name, name)
  if (of.kind === 'any') return either(of.options.map((o) => member(run, o, name)))
  if (of.kind === 'object' && !run.profile.methods.has(`${of.type}.${name}`)) {
    const field = of.fields.get(name)
    if (field !== undefined) return field.kind === 'function' ? { kind: 'method', self: of, name } : field
  }
  if (of.kind === 'dict' && of.entries.has(name)) return of.entries.get(name) ?? UNKNOWN
  if (name === 'length' && of.kind === 'text') return number(of.text.length)
  return { kind: 'method', self: of, name }
}

/** `fs.readFile`, and `process.env.HOME`. */
function memberOfName(run: Run, of: string, name: string): Value {
  const isVariable = run.profile.language === 'node' && /^[A-Z_][A-Z0-9_]*$/.test(name)
  const variable = isVariable ? run.profile.functions.get(`${of}[]`) : undefined
  if (variable !== undefined) return variable({ run, name, self: null, ...passing(text(name)), taint: CLEAN }) ?? UNKNOWN
  return { kind: 'ref', name: run.profile.canonical(of === '' ? name : `${of}.${name}`) }
}

/** Modules of which an unknown function may start a program. */
const STARTS: ReadonlySet<string> = new Set(['child_process', 'os', 'subprocess', 'Kernel', 'Process'])

/** `of[at]`. */
function index(run: Run, of: Value, at: Value): Value {
  const key = known(at)
  switch (of.kind) {
    case 'any':
      return either(of.options.map((option) => index(run, option, at)))
    case 'ref':
      return indexOfName(run, of, at)
    case 'list':
      if (at.kind === 'number') return itemOf(of, at.value)
      return key !== null && run.profile.language === 'perl' ? pairOf(of, key) : unknownPart(of, at)
    case 'dict':
      return key === null ? either([...of.entries.values()]) : (of.entries.get(key) ?? unknown(of.taint))
    case 'text':
      return characterOf(of, at)
    case 'object':
      return key === null ? unknownPart(of, at) : member(run, of, key)
    case 'method':
      return itemOfMember(of, key)
    default:
      return unknownPart(of, at)
  }
}

function itemOfMember(of: Value, key: string | null): Value {
  return key === null && !isOfMachine(of) ? unknown(taintOf(of)) : { kind: 'method', self: of, name: key ?? 'item' }
}

/** A part of what stands for another machine, such as one of its lights, still stands for it. */
function isOfMachine(of: Value): boolean {
  return of.kind === 'method' ? isOfMachine(of.self) : of.kind === 'object' && of.type === 'reached'
}

function itemOf(of: Extract<Value, { kind: 'list' }>, at: number): Value {
  return of.items[at < 0 ? of.items.length + at : at] ?? elementOf(of)
}

function unknownPart(of: Value, at: Value): Value {
  return unknown(joinTaint(taintOf(of), taintOf(at)))
}

function characterOf(of: Extract<Value, { kind: 'text' }>, at: Value): Value {
  const c = at.kind === 'number' && !of.glob ? of.text.at(at.value) : undefined
  if (c === undefined) return unknownPart(of, at)
  return of.bytes ? number(c.charCodeAt(0)) : text(c, of.taint)
}

/** `os.environ["HOME"]`, `module[name]`. */
function indexOfName(run: Run, of: Extract<Value, { kind: 'ref' }>, at: Value): Value {
  const handler = run.profile.functions.get(`${of.name}[]`)
  if (handler !== undefined) return handler({ run, name: of.name, self: null, ...passing(at), taint: taintOf(at) }) ?? UNKNOWN
  const settled = run.settle(of)
  if (settled !== of) return index(run, settled, at)
  const key = known(at)
  if (key === null) return unknown(STARTS.has(of.name) ? { bits: FROM.computed, from: [] } : CLEAN)
  return { kind: 'ref', name: run.profile.canonical(of.name === '' ? key : `${of.name}.${key}`) }
}

/** A Perl hash is a list of keys and values. */
function pairOf(of: ListValue, key: string): Value {
  const at = of.items.findLastIndex((item, i) => i % 2 === 0 && known(item) === key)
  return of.items[at + 1] !== undefined && at >= 0 ? (of.items[at + 1] as Value) : elementOf(of)
}

function slice(run: Run, node: Extract<Node, { kind: 'slice' }>, scope: Environment): Value {
  const of = run.settle(run.evaluate(node.of, scope))
  const [from, to, step] = [node.from, node.to, node.step].map((n) => (n === null ? null : run.evaluate(n, scope)))
  const numbers = [from, to, step].map((v) => (v?.kind === 'number' ? v.value : undefined))
  const exact = [from, to, step].every((v) => v === null || v === undefined || v.kind === 'number' || v === NONE)
  if (!exact || (of.kind !== 'text' && of.kind !== 'list') || (of.kind === 'text' && of.glob))
    return of.kind === 'list' ? list(of.items, true, of.taint) : unknown(taintOf(of))
  if (of.kind === 'list') return list(sliced(of.items, numbers), of.open, of.taint)
  const reversed = numbers[2] === -1 && of.text.length > 8
  return text(sliced([...of.text], numbers).join(''), reversed ? joinTaint(of.taint, { bits: 16, from: [] }) : of.taint, of.bytes)
}

function sliced<T>(items: readonly T[], [from, to, step = 1]: readonly (number | undefined)[]): readonly T[] {
  if (step < 0) {
    const back = items.slice().reverse()
    return step === -1 && from === undefined && to === undefined ? back : back.filter((_, i) => i % -step === 0)
  }
  const part = items.slice(from ?? 0, to)
  return step > 1 ? part.filter((_, i) => i % step === 0) : part
}

function called(run: Run, node: Extract<Node, { kind: 'call' }>, scope: Environment): Value {
  const callee = run.evaluate(node.callee, scope)
  if (node.args.length === 0) {
    run.here = scope
    return run.call(callee, node.make ? { ...NO_ARGUMENTS, make: true } : NO_ARGUMENTS)
  }
  const args: Value[] = []
  const named = new Map<string, Value>()
  for (const argument of node.args) {
    const value = run.evaluate(argument.value, scope)
    const spread = argument.spread !== '' || argument.value.kind === 'spread'
    if (argument.name !== null) named.set(argument.name, value)
    else if (spread && value.kind === 'dict') for (const [key, item] of value.entries) named.set(key, item)
    else if (spread && value.kind === 'list') args.push(...value.items)
    else args.push(value)
  }
  const passed: Passed = { args, named, make: node.make }
  run.here = scope
  return run.call(callee, passed)
}

function listOf(run: Run, nodes: readonly Node[], scope: Environment): Value {
  const items: Value[] = []
  let open = false
  for (const node of nodes) {
    const value = run.evaluate(node, scope)
    if (node.kind === 'spread' || (node.kind === 'unary' && node.op === '*')) {
      const settled = run.settle(value)
      const more = settled.kind === 'list' ? settled.items : settled.kind === 'text' ? itemsOf(settled) : null
      open = open || more === null || (settled.kind === 'list' && settled.open)
      items.push(...(more ?? []))
    } else items.push(run.settle(value))
    if (items.length > LIMITS.items) return list(items.slice(0, LIMITS.items), true)
  }
  return list(items, open)
}

function dictOf(run: Run, nodes: readonly Entry[], scope: Environment): Value {
  const entries = new Map<string, Value>()
  const taints: Taint[] = []
  let open = false
  for (const { key, value } of nodes) {
    const name = run.evaluate(key, scope)
    const content = run.evaluate(value, scope)
    if (key.kind === 'spread') {
      const settled = run.settle(name)
      if (settled.kind === 'dict') for (const [k, v] of settled.entries) entries.set(k, v)
      else taints.push(taintOf(settled))
      open = open || settled.kind !== 'dict'
    } else entries.set(known(name) ?? `?${entries.size}`, content)
  }
  return { kind: 'dict', entries, open, taint: joinTaint(...taints) }
}

function unary(run: Run, node: Extract<Node, { kind: 'unary' }>, scope: Environment): Value {
  const value = run.evaluate(node.value, scope)
  switch (node.op) {
    case '-':
      return value.kind === 'number' ? number(-value.value) : UNKNOWN
    case '~':
      return value.kind === 'number' ? number(~value.value) : UNKNOWN
    case '!':
    case 'not':
    case 'typeof':
    case 'void':
    case 'defined':
      return unknown(CLEAN)
    case '$': {
      // PHP: the variable whose name that is.
      const name = known(value)
      return (name === null ? undefined : scope.get(`$${name}`)) ?? unknown({ bits: FROM.computed, from: [] })
    }
    default:
      return value.kind === 'text' ? unaryOfText(node.op, value) : value
  }
}

function unaryOfText(op: string, value: Extract<Value, { kind: 'text' }>): Value {
  switch (op) {
    case 'lc':
      return text(value.text.toLowerCase(), value.taint)
    case 'uc':
      return text(value.text.toUpperCase(), value.taint)
    case '+':
      return value.text.trim() !== '' && !Number.isNaN(Number(value.text)) ? number(Number(value.text)) : value
    default:
      return value
  }
}

/** Followed item by item where the source is constant, once with any item where it is not. */
function comprehension(run: Run, node: Extract<Node, { kind: 'comprehension' }>, scope: Environment): Value {
  const results: Value[] = []
  const whole = clause(run, { node, at: 0, results }, scope)
  const taint = joinTaint(...node.clauses.slice(0, 1).map((c) => sourceTaint(run, c.source, scope)))
  if (node.shape === 'list') return list(results.slice(0, LIMITS.items), !whole, taint)
  const entries = new Map<string, Value>()
  for (const item of results) if (item.kind === 'list') entries.set(known(item.items[0]) ?? `?${entries.size}`, item.items[1] ?? UNKNOWN)
  return { kind: 'dict', entries, open: !whole, taint }
}

/** A name's taint, without evaluating a call a second time. */
function sourceTaint(run: Run, node: Node, scope: Environment) {
  return node.kind === 'name' ? taintOf(run.settle(run.evaluate(node, scope)), 1) : CLEAN
}

interface Building {
  readonly node: Extract<Node, { kind: 'comprehension' }>
  readonly at: number
  readonly results: Value[]
}

function clause(run: Run, building: Building, scope: Environment): boolean {
  const { node, at, results } = building
  const step = node.clauses[at]
  if (step === undefined) {
    results.push(run.evaluate(node.element, scope))
    return true
  }
  const source = run.settle(run.evaluate(step.source, scope))
  const all = itemsOf(source)
  const exact = all !== null && step.tests.length === 0 && run.roomy() && results.length + all.length <= LIMITS.items
  let whole = exact
  for (const [i, item] of (exact ? all : [elementOf(source)]).entries()) {
    if (i > 0 && !run.further()) return false
    run.assign(step.target, item, scope)
    for (const test of step.tests) run.evaluate(test, scope)
    whole = clause(run, { node, at: at + 1, results }, scope) && whole
  }
  return whole && run.roomy()
}
