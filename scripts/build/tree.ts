/** As much of a syntax tree as the build looks at. */
export interface Tree {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly name?: string
  readonly callee?: Tree
  readonly arguments?: readonly Tree[]
  readonly value?: unknown
  readonly left?: Tree
  readonly properties?: readonly { readonly key: Tree; readonly value?: { readonly body: Tree } }[]
}

export interface Statement extends Tree {
  readonly kind?: string
  readonly expression?: Tree
  readonly declarations?: readonly { readonly id: Tree; readonly init: Tree | null }[]
}

export function textOf(tree: Pick<Tree, 'start' | 'end'> | undefined, code: string): string {
  return tree === undefined ? '' : code.slice(tree.start, tree.end)
}
