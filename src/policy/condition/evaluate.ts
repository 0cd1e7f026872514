/**
 * Checked CEL → closures. Own evaluation over the parser's tree, because a gate needs what the library does not give: a step
 * budget, numbers that behave as JSON's do, no native regular expressions, and no answer where types clash (T05, T13).
 */
import type { ASTNode } from '@marcbachmann/cel-js'
import { asBoolean, asList, asNumber, ConditionError, FUNCTIONS, METHODS, PATTERNS, typeName } from './functions.ts'
import { BudgetError, charge, type Frame, OPERATORS, quantify, spend } from './operators.ts'

export type Evaluate = (frame: Frame) => unknown

export interface EvaluateContext {
  /** Local names, innermost last; their index is their slot. */
  readonly scope: readonly string[]
  /** Selections that read as null where the field is absent. */
  readonly optional: ReadonlySet<ASTNode>
}

type Node<Op extends ASTNode['op']> = Extract<ASTNode, { op: Op }>

/** The closure of a node that passed the checks; throws only for what the checks should have refused. */
export function compileNode(node: ASTNode, context: EvaluateContext): Evaluate {
  switch (node.op) {
    case 'value':
      return constant(node)
    case 'id':
      return identifier(node.args, context)
    case '.':
      return select(node, context)
    case '[]':
      return index(node, context)
    case 'call':
      return call(node, context)
    case 'rcall':
      return method(node, context)
    case 'list':
      return listLiteral(node.args, context)
    case 'map':
      return mapLiteral(node.args, context)
    case '?:':
      return ternary(node.args, context)
    case '&&':
      return logical(node.args, context, false)
    case '||':
      return logical(node.args, context, true)
    case '!_': {
      const inner = compileNode(node.args, context)
      return (frame) => !asBoolean(inner(frame))
    }
    case '-_': {
      const inner = compileNode(node.args, context)
      return (frame) => -asNumber(inner(frame))
    }
    default:
      return binary(node, context)
  }
}

function constant(node: Node<'value'>): Evaluate {
  const value = typeof node.args === 'bigint' ? Number(node.args) : node.args
  return () => value
}

function identifier(name: string, { scope }: EvaluateContext): Evaluate {
  const slot = scope.lastIndexOf(name)
  if (slot >= 0) return (frame) => frame.locals[slot]
  return (frame) => frame.variables[name]
}

/** An own property; inherited ones do not exist (T06). */
function property(object: unknown, key: string, absentIsNull: boolean): unknown {
  if (typeof object !== 'object' || object === null || Array.isArray(object)) {
    throw new ConditionError(`\`${key}\` cannot be read from ${typeName(object)}`)
  }
  if (Object.hasOwn(object, key)) return (object as Record<string, unknown>)[key]
  if (absentIsNull) return null
  throw new ConditionError(`there is no \`${key}\` in this call; guard it with \`has(…)\``)
}

function select(node: Node<'.'>, context: EvaluateContext): Evaluate {
  const [inner, key] = node.args
  const object = compileNode(inner, context)
  const absentIsNull = context.optional.has(node)
  return (frame) => property(object(frame), key, absentIsNull)
}

function index(node: Node<'[]'>, context: EvaluateContext): Evaluate {
  const object = compileNode(node.args[0], context)
  const at = compileNode(node.args[1], context)
  const absentIsNull = context.optional.has(node)
  return (frame) => {
    const container = object(frame)
    const key = at(frame)
    if (!Array.isArray(container)) {
      if (typeof key !== 'string') throw new ConditionError(`a mapping has no field ${typeName(key)}`)
      return property(container, key, absentIsNull)
    }
    const place = asNumber(key)
    if (!Number.isInteger(place) || place < 0 || place >= container.length) throw new ConditionError(`the list has no item ${place}`)
    return container[place]
  }
}

function call(node: Node<'call'>, context: EvaluateContext): Evaluate {
  const [name, args] = node.args
  if (name === 'has') return present(args[0], context)
  return apply({ name, args, function: FUNCTIONS.get(name) }, context)
}

interface Application {
  readonly name: string
  readonly args: readonly ASTNode[]
  readonly function: { readonly call: (args: readonly unknown[]) => unknown } | undefined
}

function apply(application: Application, context: EvaluateContext): Evaluate {
  const { name, args } = application
  const compiled = args.map((arg) => compileNode(arg, context))
  const pattern = PATTERNS.get(name)
  const literal = args[1]
  if (pattern !== undefined && literal?.op === 'value' && typeof literal.args === 'string') return match(pattern(literal.args), compiled[0])
  const target = application.function
  if (target === undefined) throw new ConditionError(`there is no function \`${name}\``)
  return (frame) => {
    const values = compiled.map((arg) => arg(frame))
    for (const value of values) charge(frame, value)
    return target.call(values)
  }
}

function match(test: (subject: string) => boolean, subject: Evaluate | undefined): Evaluate {
  return (frame) => {
    const value = subject?.(frame)
    if (typeof value !== 'string') throw new ConditionError(`a pattern needs text, but this is ${typeName(value)}`)
    charge(frame, value)
    return test(value)
  }
}

/** False wherever the path ends, at its last step or before. */
function present(node: ASTNode | undefined, context: EvaluateContext): Evaluate {
  if (node?.op !== '.') throw new ConditionError('`has` needs a field')
  const [inner, key] = node.args
  const object = inner.op === '.' ? presentPath(inner, context) : compileNode(inner, context)
  return (frame) => {
    const container = object(frame)
    return typeof container === 'object' && container !== null && !Array.isArray(container) && Object.hasOwn(container, key)
  }
}

function presentPath(node: Node<'.'>, context: EvaluateContext): Evaluate {
  const [inner, key] = node.args
  const object = inner.op === '.' ? presentPath(inner, context) : compileNode(inner, context)
  return (frame) => {
    const container = object(frame)
    if (typeof container !== 'object' || container === null || !Object.hasOwn(container, key)) return null
    return (container as Record<string, unknown>)[key]
  }
}

function method(node: Node<'rcall'>, context: EvaluateContext): Evaluate {
  const [name, receiver, args] = node.args
  const [variable, body, transform] = args
  if (variable?.op === 'id' && body !== undefined && COMPREHENSIONS.has(name)) {
    return comprehension({ name, receiver, variable: variable.args, body, transform }, context)
  }
  return apply({ name, args: [receiver, ...args], function: METHODS.get(name) }, context)
}

interface Comprehension {
  readonly name: string
  readonly receiver: ASTNode
  readonly variable: string
  readonly body: ASTNode
  readonly transform: ASTNode | undefined
}

type Loop = (each: readonly (() => unknown)[], transform: ((index: number) => unknown) | null) => unknown

const COMPREHENSIONS: ReadonlyMap<string, Loop> = new Map<string, Loop>([
  ['exists', (each) => quantify(each, true)],
  ['all', (each) => quantify(each, false)],
  ['exists_one', (each) => each.filter((test) => asBoolean(test())).length === 1],
  ['filter', (each, transform) => selectItems(each, transform)],
  ['map', (each, transform) => (transform === null ? each.map((test) => test()) : selectItems(each, transform))],
])

function selectItems(each: readonly (() => unknown)[], transform: ((index: number) => unknown) | null): unknown {
  const kept: unknown[] = []
  for (const [place, test] of each.entries()) if (asBoolean(test())) kept.push(transform?.(place))
  return kept
}

function comprehension(parts: Comprehension, context: EvaluateContext): Evaluate {
  const inner: EvaluateContext = { ...context, scope: [...context.scope, parts.variable] }
  const slot = context.scope.length
  const receiver = compileNode(parts.receiver, context)
  const body = compileNode(parts.body, inner)
  const transform = parts.transform === undefined ? null : compileNode(parts.transform, inner)
  const loop = COMPREHENSIONS.get(parts.name)
  if (loop === undefined) throw new ConditionError(`there is no function \`${parts.name}\``)
  return (frame) => {
    const items = itemsOf(receiver(frame))
    charge(frame, items)
    const at = (evaluate: Evaluate, item: unknown): unknown => {
      frame.locals[slot] = item
      spend(frame, 1)
      return evaluate(frame)
    }
    const each = items.map((item) => () => at(body, item))
    const produce = transform === null ? (place: number) => items[place] : (place: number) => at(transform, items[place])
    return loop(each, parts.name === 'map' && transform === null ? null : produce)
  }
}

/** A comprehension over a mapping runs over its keys. */
function itemsOf(value: unknown): readonly unknown[] {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return Object.keys(value)
  return asList(value)
}

function listLiteral(items: readonly ASTNode[], context: EvaluateContext): Evaluate {
  const compiled = items.map((item) => compileNode(item, context))
  return (frame) => compiled.map((item) => item(frame))
}

function mapLiteral(entries: readonly (readonly [ASTNode, ASTNode])[], context: EvaluateContext): Evaluate {
  const compiled = entries.map(([key, value]) => [compileNode(key, context), compileNode(value, context)] as const)
  return (frame) => {
    const object: Record<string, unknown> = Object.create(null)
    for (const [key, value] of compiled) object[String(key(frame))] = value(frame)
    return object
  }
}

function ternary([test, yes, no]: readonly [ASTNode, ASTNode, ASTNode], context: EvaluateContext): Evaluate {
  const condition = compileNode(test, context)
  const then = compileNode(yes, context)
  const otherwise = compileNode(no, context)
  return (frame) => (asBoolean(condition(frame)) ? then(frame) : otherwise(frame))
}

/** CEL's commutative logic: the deciding side outweighs a failing one, whatever the order. */
function logical([left, right]: readonly [ASTNode, ASTNode], context: EvaluateContext, deciding: boolean): Evaluate {
  const a = compileNode(left, context)
  const b = compileNode(right, context)
  return (frame) => {
    let first: boolean
    try {
      first = asBoolean(a(frame))
    } catch (error) {
      if (error instanceof BudgetError || asBoolean(b(frame)) !== deciding) throw error
      return deciding
    }
    return first === deciding ? deciding : asBoolean(b(frame))
  }
}

type BinaryNode = Extract<ASTNode, { args: [ASTNode, ASTNode] }>

function binary(node: ASTNode, context: EvaluateContext): Evaluate {
  const [left, right] = (node as BinaryNode).args
  const operate = OPERATORS.get(node.op)
  if (operate === undefined) throw new ConditionError(`there is no operator \`${node.op}\``)
  const a = compileNode(left, context)
  const b = compileNode(right, context)
  return (frame) => {
    const x = a(frame)
    const y = b(frame)
    charge(frame, x)
    charge(frame, y)
    return operate(x, y, frame)
  }
}
