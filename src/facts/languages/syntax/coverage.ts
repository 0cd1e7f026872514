import { acts, childrenOf, type Node } from '../ast.ts'

/** Holds a reader to its law: what it reads ends in the program that it gives, or is told. */

const UNREAD: Node = { kind: 'unread' }

export class Coverage {
  /** What was read, and how far the reader had come by then; inner nodes stand before outer ones. */
  private readonly nodes: Node[] = []
  private readonly ends: number[] = []
  private readonly skips: number[] = []

  /** Something was read, up to a token. */
  made(result: unknown, end: number): void {
    if (!isNode(result)) return
    this.nodes.push(result)
    this.ends.push(end)
  }

  skipped(at: number): void {
    this.skips.push(at)
  }

  /** What was read behind that token is read again. */
  back(to: number): void {
    while ((this.ends.at(-1) ?? 0) > to) {
      this.ends.pop()
      this.nodes.pop()
    }
    while ((this.skips.at(-1) ?? -1) >= to) this.skips.pop()
  }

  /** The program, and beside it what may run all the same: expressions that are not in it. */
  complete(root: Node): Node {
    const left = this.left(root)
    const told = this.skips.length > 0 ? [UNREAD] : []
    if (left.length === 0 && told.length === 0) return root
    const beside: readonly Node[] = left.length === 0 ? [] : [{ kind: 'branch', tests: [], blocks: [{ kind: 'block', body: left }] }]
    return { kind: 'block', body: [...(root.kind === 'block' ? root.body : [root]), ...beside, ...told] }
  }

  private left(root: Node): readonly Node[] {
    const reached = new Set<Node>()
    reach(root, reached)
    const left: Node[] = []
    for (const node of this.nodes.toReversed()) {
      if (reached.has(node) || !acts(node) || partly(node, reached)) continue
      left.push(node)
      reach(node, reached)
    }
    return left.toReversed()
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'kind' in value
}

function reach(node: Node, reached: Set<Node>): void {
  if (reached.has(node)) return
  reached.add(node)
  for (const child of childrenOf(node)) if (child !== null) reach(child, reached)
}

/** True where a part of it is in the program: it was put there in another form. */
function partly(node: Node, reached: ReadonlySet<Node>): boolean {
  const children = childrenOf(node)
  return children.length === 0
    ? reached.has(node) && node.kind !== 'group'
    : children.some((child) => child !== null && partly(child, reached))
}
