import { callNode, type Entry, NOTHING, type Node, nameNode, textNode } from '../ast.ts'
import type { Conversion, Maker } from './conversion.ts'
import type { Tree } from './grammar.ts'

/** Expressions and patterns of JavaScript. */

/** `a + b * c + d` is one chain: its left side is followed down, so that long sums do not nest. */
function binary(to: Conversion, tree: Tree): Node {
  const spine = [tree]
  for (let left = tree.left as Tree; left.type === 'BinaryExpression'; left = left.left as Tree) spine.push(left)
  const first = to.of(spine.at(-1) as Tree, 'left')
  const rest = spine.toReversed().map((one) => ({ op: one.operator as string, value: to.of(one, 'right') }))
  for (const one of spine) to.passed(one)
  return { kind: 'chain', first, rest }
}

function literal(_to: Conversion, tree: Tree): Node {
  const { value, regex } = tree
  if (regex !== undefined) return NOTHING
  if (typeof value === 'string') return textNode(value)
  if (typeof value === 'boolean' || value === null) return { kind: 'constant', value }
  return { kind: 'number', value: Number(value) }
}

function template(to: Conversion, tree: Tree): Node {
  const expressions = to.all(tree, 'expressions')
  const parts = (tree.quasis as readonly Tree[]).flatMap((quasi, at) => {
    const { cooked, raw } = quasi.value as { readonly cooked: string | null; readonly raw: string }
    const text = textNode(cooked ?? raw)
    const expression = expressions[at]
    return text.kind === 'text' && text.text === '' ? (expression ?? []) : expression === undefined ? text : [text, expression]
  })
  return parts.every((part) => part.kind === 'text')
    ? textNode(parts.map((part) => part.kind === 'text' && part.text).join(''))
    : { kind: 'template', parts }
}

/** `{ a, [b]: c, d() {}, ...e }`, as a value and as a pattern. */
function object(to: Conversion, tree: Tree): Node {
  return {
    kind: 'dict',
    entries: (to.all(tree, 'properties') as readonly PropertyNode[]).map((node) => node.entry ?? { key: node, value: NOTHING }),
  }
}

/** A property on its way into the object that holds it. */
type PropertyNode = Node & { readonly entry?: Entry }

function property(to: Conversion, tree: Tree): Node {
  const entry: Entry = { key: to.key(tree), value: to.of(tree, 'value') }
  const node: PropertyNode = { kind: 'group', items: [], last: false, ...{ entry } }
  return node
}

function member(to: Conversion, tree: Tree): Node {
  const of = to.of(tree, 'object')
  if (tree.computed === true) return { kind: 'index', of, at: to.of(tree, 'property') }
  return { kind: 'member', of, name: to.spelled(tree, 'property') }
}

function logical(to: Conversion, tree: Tree): Node {
  return { kind: 'choice', options: [to.of(tree, 'left'), to.of(tree, 'right')] }
}

function tagged(to: Conversion, tree: Tree): Node {
  return { kind: 'call', callee: to.of(tree, 'tag'), args: [{ name: null, value: to.of(tree, 'quasi'), spread: '' }], make: false }
}

const spread: Maker = (to, tree) => ({ kind: 'spread', value: to.of(tree, 'argument') })

const unary: Maker = (to, tree) => ({ kind: 'unary', op: tree.operator as string, value: to.of(tree, 'argument') })

const list: Maker = (to, tree) => ({ kind: 'list', items: to.all(tree, 'elements') })

const sequence: Maker = (to, tree) => ({ kind: 'group', items: to.all(tree, 'expressions'), last: true })

export const EXPRESSIONS: Readonly<Record<string, Maker>> = {
  Identifier: (_to, tree) => (tree.name === 'undefined' ? { kind: 'constant', value: null } : nameNode(tree.name as string)),
  PrivateIdentifier: (_to, tree) => nameNode(`#${tree.name as string}`),
  ThisExpression: () => nameNode('this'),
  Super: () => nameNode('super'),
  Import: () => nameNode('import'),
  MetaProperty: (to, tree) => ({ kind: 'member', of: nameNode(to.spelled(tree, 'meta')), name: to.spelled(tree, 'property') }),
  Literal: literal,
  TemplateLiteral: template,
  TaggedTemplateExpression: tagged,
  ArrayExpression: list,
  ArrayPattern: list,
  ObjectExpression: object,
  ObjectPattern: object,
  Property: property,
  SpreadElement: spread,
  RestElement: spread,
  AssignmentPattern: (to, tree) => ({ kind: 'assign', op: '=', target: to.of(tree, 'left'), value: to.of(tree, 'right') }),
  AssignmentExpression: (to, tree) => ({
    kind: 'assign',
    op: tree.operator as string,
    target: to.of(tree, 'left'),
    value: to.of(tree, 'right'),
  }),
  UpdateExpression: (to, tree) => ({ kind: 'assign', op: '+=', target: to.of(tree, 'argument'), value: { kind: 'number', value: 1 } }),
  BinaryExpression: binary,
  LogicalExpression: logical,
  UnaryExpression: unary,
  AwaitExpression: (to, tree) => ({ kind: 'unary', op: 'await', value: to.of(tree, 'argument') }),
  YieldExpression: (to, tree) => ({ kind: 'unary', op: 'yield', value: to.of(tree, 'argument') }),
  ConditionalExpression: (to, tree) => {
    const test = to.of(tree, 'test')
    return { kind: 'group', items: [test, { kind: 'choice', options: [to.of(tree, 'consequent'), to.of(tree, 'alternate')] }], last: true }
  },
  SequenceExpression: sequence,
  MemberExpression: member,
  CallExpression: (to, tree) => ({ kind: 'call', callee: to.of(tree, 'callee'), args: to.args(tree), make: false }),
  NewExpression: (to, tree) => ({ kind: 'call', callee: to.of(tree, 'callee'), args: to.args(tree), make: true }),
  ImportExpression: (to, tree) => callNode(nameNode('import'), [to.of(tree, 'source')]),
  Decorator: (to, tree) => callNode(to.of(tree, 'expression'), []),
  FunctionExpression: (to, tree) => ({ kind: 'function', fn: to.function(tree) }),
  ArrowFunctionExpression: (to, tree) => ({ kind: 'function', fn: to.function(tree) }),
}
