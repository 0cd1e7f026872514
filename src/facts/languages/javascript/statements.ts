import { alwaysTrue, callNode, NOTHING, type Node, nameNode, textNode } from '../ast.ts'
import { type Conversion, childrenOf, type Maker } from './conversion.ts'
import type { Tree } from './grammar.ts'

/** Statements, classes and modules of JavaScript and TypeScript. */

function declared(to: Conversion, tree: Tree): Node {
  const target = to.of(tree, 'id')
  const value = to.optional(tree, 'init')
  return value === null ? target : { kind: 'assign', op: '=', target, value }
}

function declaration(to: Conversion, tree: Tree): Node {
  const body = to.all(tree, 'declarations')
  return body.length === 1 ? (body[0] as Node) : { kind: 'block', body }
}

function defined(to: Conversion, tree: Tree): Node {
  const fn = to.function(tree)
  const value: Node = { kind: 'function', fn }
  return fn.name === null ? value : { kind: 'assign', op: '=', target: nameNode(fn.name), value }
}

function classOf(to: Conversion, tree: Tree): Node {
  const name = tree.id === null || tree.id === undefined ? '' : to.spelled(tree, 'id')
  const base = to.optional(tree, 'superClass')
  return { kind: 'class', name, bases: base === null ? [] : [base], body: to.of(tree, 'body') }
}

/** A method or a field; a computed key is evaluated. */
function memberOfClass(to: Conversion, tree: Tree): Node {
  const key = to.key(tree)
  const value = to.optional(tree, 'value')
  const name = key.kind === 'text' ? key.text : ''
  const made = value?.kind === 'function' ? { ...value, fn: { ...value.fn, name } } : value
  const node: Node = made === null ? key : { kind: 'assign', op: '=', target: nameNode(name), value: made }
  return key.kind === 'text' ? node : { kind: 'group', items: [key, node], last: false }
}

/** `else if` goes on in the same branch. */
function branch(to: Conversion, tree: Tree): Node {
  const test = to.of(tree, 'test')
  const yes = to.of(tree, 'consequent')
  const no = to.optional(tree, 'alternate')
  if (no === null) return { kind: 'branch', tests: [test], blocks: [yes] }
  if (no.kind !== 'branch' || (tree.alternate as Tree).type !== 'IfStatement') return { kind: 'branch', tests: [test], blocks: [yes, no] }
  return { kind: 'branch', tests: [test, ...no.tests], blocks: [yes, ...no.blocks] }
}

const plainLoop = { kind: 'loop', target: null, source: null } as const

function forLoop(to: Conversion, tree: Tree): Node {
  const start = to.of(tree, 'init')
  const test = to.optional(tree, 'test')
  const items = [test ?? NOTHING, to.of(tree, 'update')]
  const forever = test === null || alwaysTrue(test)
  const loop: Node = { ...plainLoop, test: { kind: 'group', items, last: false }, forever, body: to.of(tree, 'body') }
  return { kind: 'block', body: [start, loop] }
}

function eachLoop(to: Conversion, tree: Tree): Node {
  const target = to.of(tree, 'left')
  return { kind: 'loop', target, source: to.of(tree, 'right'), test: null, forever: false, body: to.of(tree, 'body') }
}

function whileLoop(to: Conversion, tree: Tree): Node {
  const test = to.of(tree, 'test')
  return { ...plainLoop, test, forever: alwaysTrue(test), body: to.of(tree, 'body') }
}

function selection(to: Conversion, tree: Tree): Node {
  const tests = [to.of(tree, 'discriminant')]
  const blocks = (to.all(tree, 'cases') as readonly CaseNode[]).map((node) => {
    if (node.test !== undefined) tests.push(node.test)
    return node
  })
  return { kind: 'branch', tests, blocks: [{ kind: 'block', body: [] }, ...blocks] }
}

type CaseNode = Node & { readonly test?: Node }

function caseOf(to: Conversion, tree: Tree): Node {
  const test = to.optional(tree, 'test')
  return { ...to.block(tree, 'consequent'), ...(test === null ? {} : { test }) }
}

function tried(to: Conversion, tree: Tree): Node {
  const body = [to.of(tree, 'block')]
  const handler = to.optional(tree, 'handler')
  if (handler !== null) body.push({ kind: 'branch', tests: [], blocks: [handler] })
  const last = to.optional(tree, 'finalizer')
  return { kind: 'block', body: last === null ? body : [...body, last] }
}

function caught(to: Conversion, tree: Tree): Node {
  const target = to.optional(tree, 'param')
  const body = to.of(tree, 'body')
  if (target === null || target.kind === 'name') return body
  return { kind: 'block', body: [{ kind: 'assign', op: '=', target, value: NOTHING }, body] }
}

/** A name in the body may be a member of the object. */
function withOf(to: Conversion, tree: Tree): Node {
  const scope = nameNode('with object')
  const names = new Set<string>()
  const open = [tree.body as Tree]
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    if (one.type === 'Identifier') names.add(one.name as string)
    open.push(...childrenOf(one))
  }
  const found = [...names].map((name): Node => {
    const value: Node = { kind: 'choice', options: [nameNode(name), { kind: 'member', of: scope, name }] }
    return { kind: 'assign', op: '=', target: nameNode(name), value }
  })
  return { kind: 'block', body: [{ kind: 'assign', op: '=', target: scope, value: to.of(tree, 'object') }, ...found, to.of(tree, 'body')] }
}

/** A module of the program's own runs when it is imported. */
function loaded(module: string): Node | null {
  return /^\.{0,2}\//.test(module) ? callNode(nameNode('require'), [textNode(module)]) : null
}

function imported(to: Conversion, tree: Tree): Node {
  const module = to.spelled(tree, 'source')
  const bindings = (tree.specifiers as readonly Tree[]).map((specifier) => {
    const name = specifier.type === 'ImportSpecifier' ? to.spelled(specifier, 'imported') : 'default'
    return [to.spelled(specifier, 'local'), name === 'default' ? module : `${module}.${name}`] as const
  })
  const own = tree.importKind === 'type' ? null : loaded(module)
  return own ?? { kind: 'import', bindings, star: null, loads: [] }
}

/** `import x = require('x')`. */
function importedAs(to: Conversion, tree: Tree): Node {
  return { kind: 'assign', op: '=', target: to.of(tree, 'id'), value: to.of(tree, 'moduleReference') }
}

/** `export * from './x.js'` loads it as an import does. */
function exported(to: Conversion, tree: Tree): Node {
  const source = tree.source as Tree | null | undefined
  if (source !== null && source !== undefined) return loaded(to.spelled(tree, 'source')) ?? NOTHING
  return to.of(tree, 'declaration')
}

const returned: Maker = (to, tree) => ({ kind: 'return', value: to.optional(tree, 'argument') })

const body: Maker = (to, tree) => to.block(tree)

export const STATEMENTS: Readonly<Record<string, Maker>> = {
  Program: body,
  BlockStatement: body,
  ClassBody: body,
  StaticBlock: body,
  TSModuleBlock: body,
  FunctionDeclaration: defined,
  ClassDeclaration: classOf,
  ClassExpression: classOf,
  MethodDefinition: memberOfClass,
  PropertyDefinition: memberOfClass,
  VariableDeclaration: declaration,
  VariableDeclarator: declared,
  IfStatement: branch,
  ForStatement: forLoop,
  ForInStatement: eachLoop,
  ForOfStatement: eachLoop,
  WhileStatement: whileLoop,
  DoWhileStatement: whileLoop,
  SwitchStatement: selection,
  SwitchCase: caseOf,
  TryStatement: tried,
  CatchClause: caught,
  WithStatement: withOf,
  ReturnStatement: returned,
  ThrowStatement: (to, tree) => ({ kind: 'stop', value: to.optional(tree, 'argument') }),
  BreakStatement: () => ({ kind: 'stop', value: null }),
  ImportDeclaration: imported,
  ExportNamedDeclaration: exported,
  ExportAllDeclaration: exported,
  TSImportEqualsDeclaration: importedAs,
  TSExternalModuleReference: (to, tree) => callNode(nameNode('require'), [to.of(tree, 'expression')]),
}
