import { childrenOf, type Node } from '../ast.ts'

/** Calls of a program that nothing evaluated: bodies of loops over nothing, defaults that nobody needed, places that no rule here knows. */
export function unvisited(root: Node, visited: ReadonlySet<Node>, imported: boolean): readonly Node[] {
  const found: Node[] = []
  const open: Node[] = [root]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.kind === 'block' && node.main === true && imported) continue
    if ((node.kind === 'call' || node.kind === 'command') && !visited.has(node)) found.push(node)
    else for (const child of childrenOf(node)) if (child !== null) open.push(child)
  }
  return found.toReversed()
}
