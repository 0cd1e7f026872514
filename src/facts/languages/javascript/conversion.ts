import { type Argument, type FunctionNode, NOTHING, type Node, type Param, textNode } from '../ast.ts'
import { CodeLimit } from '../limits.ts'
import type { Tree } from './grammar.ts'

/**
 * Turns what acorn reads into the common syntax tree. Each node is made by the method of its type. Children that this method
 * did not ask for, and nodes of a type that has none, are evaluated beside it: nothing of a program is left out.
 */

/** Nodes that hold types or names only: nothing in them runs. */
const INERT: ReadonlySet<string> = new Set(
  (
    'TSInterfaceDeclaration TSTypeAliasDeclaration ImportAttribute JSXIdentifier JSXText EmptyStatement DebuggerStatement ' +
    'ContinueStatement'
  ).split(' '),
)

/** Nodes that stand for one of their children. */
const THROUGH: Readonly<Record<string, string>> = {
  ExpressionStatement: 'expression',
  ChainExpression: 'expression',
  TSAsExpression: 'expression',
  TSSatisfiesExpression: 'expression',
  TSNonNullExpression: 'expression',
  TSTypeAssertion: 'expression',
  TSInstantiationExpression: 'expression',
  TSExportAssignment: 'expression',
  TSParameterProperty: 'parameter',
  LabeledStatement: 'body',
  ExportDefaultDeclaration: 'declaration',
  JSXExpressionContainer: 'expression',
  JSXSpreadAttribute: 'argument',
}

const MAX_DEPTH = 250

/** Makes the node of one type. */
export type Maker = (to: Conversion, tree: Tree) => Node

export class Conversion {
  private readonly makers: Readonly<Record<string, Maker>>
  private readonly most: number
  private readonly seen = new Set<Tree>()
  private depth = 0

  /** Of at most so many nodes. */
  constructor(makers: Readonly<Record<string, Maker>>, most: number) {
    this.makers = makers
    this.most = most
  }

  program(tree: Tree): Node {
    return this.convert(tree)
  }

  private convert(tree: Tree): Node {
    if (this.seen.size >= this.most) throw new CodeLimit('the code has more tokens than are analysed')
    this.seen.add(tree)
    if (INERT.has(tree.type)) return NOTHING
    this.depth += 1
    if (this.depth > MAX_DEPTH) throw new CodeLimit('the code is nested too deeply')
    const node = this.made(tree)
    const rest = childrenOf(tree).filter((child) => !this.seen.has(child))
    const beside = rest.map((child) => this.convert(child)).filter((child) => child !== NOTHING)
    this.depth -= 1
    if (beside.length === 0) return node ?? NOTHING
    return node === null ? { kind: 'group', items: beside, last: true } : { kind: 'group', items: [...beside, node], last: true }
  }

  private made(tree: Tree): Node | null {
    const through = THROUGH[tree.type]
    if (through !== undefined) {
      const label = tree.label as Tree | undefined
      if (label !== undefined) this.seen.add(label)
      return this.of(tree, through)
    }
    const maker = this.makers[tree.type]
    return maker === undefined ? null : maker(this, tree)
  }

  /** The child of a name; nothing where there is none. */
  of(tree: Tree, field: string): Node {
    const child = tree[field] as Tree | null | undefined
    return child === null || child === undefined ? NOTHING : this.convert(child)
  }

  optional(tree: Tree, field: string): Node | null {
    const child = tree[field] as Tree | null | undefined
    return child === null || child === undefined ? null : this.convert(child)
  }

  /** A node whose children were all converted. */
  passed(tree: Tree): void {
    this.seen.add(tree)
  }

  /** The children of a name; a hole in a list is nothing. */
  all(tree: Tree, field: string): readonly Node[] {
    const children = (tree[field] ?? []) as readonly (Tree | null)[]
    return children.map((child) => (child === null ? NOTHING : this.convert(child)))
  }

  /** Statements; functions are defined before anything runs. */
  block(tree: Tree, field = 'body'): Node {
    const children = (tree[field] ?? []) as readonly Tree[]
    const isFunction = (child: Tree) => ((child.declaration as Tree | null | undefined)?.type ?? child.type) === 'FunctionDeclaration'
    const body = [...children.filter(isFunction), ...children.filter((child) => !isFunction(child))]
    return { kind: 'block', body: body.map((child) => this.convert(child)).filter((node) => node !== NOTHING) }
  }

  /** The spelling of a key, a label or a module; the node of a computed one. */
  spelled(tree: Tree, field: string): string {
    const child = tree[field] as Tree
    this.seen.add(child)
    if (child.type === 'PrivateIdentifier') return `#${child.name as string}`
    return String(child.type === 'Identifier' ? child.name : child.value)
  }

  key(tree: Tree): Node {
    if (tree.computed === true) return this.of(tree, 'key')
    return textNode(this.spelled(tree, 'key'))
  }

  args(tree: Tree): readonly Argument[] {
    return this.all(tree, 'arguments').map((value) =>
      value.kind === 'spread' ? { name: null, value: value.value, spread: '*' } : { name: null, value, spread: '' },
    )
  }

  function(tree: Tree): FunctionNode {
    const id = tree.id as Tree | null | undefined
    const params = this.all(tree, 'params').map((target): Param => {
      if (target.kind === 'assign') return { target: target.target, fallback: target.value, rest: false }
      return target.kind === 'spread' ? { target: target.value, fallback: null, rest: true } : { target, fallback: null, rest: false }
    })
    const name = id === null || id === undefined ? null : this.spelled(tree, 'id')
    const body = this.of(tree, 'body')
    return { name, params, body: tree.expression === true ? { kind: 'return', value: body } : body }
  }
}

/** Fields that hold types. */
const TYPES: ReadonlySet<string> = new Set(
  'typeAnnotation returnType typeParameters typeArguments superTypeParameters implements'.split(' '),
)

export function childrenOf(tree: Tree): readonly Tree[] {
  const children: Tree[] = []
  for (const [field, value] of Object.entries(tree)) {
    if (value === null || typeof value !== 'object' || TYPES.has(field)) continue
    for (const child of Array.isArray(value) ? value : [value]) if (typeof child?.type === 'string') children.push(child)
  }
  return children
}
