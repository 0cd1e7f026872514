import type { Node } from '../ast.ts'

/** What Ruby leaves unsaid in a call, said: methods without parentheses, `<<` that changes its left side. */

/** `x.size` is a call; what begins with a capital is a constant. */
export function attribute(node: Node): Node {
  return node.kind === 'member' && !/^[A-Z]/.test(node.name) ? { kind: 'call', callee: node, args: [], make: false } : node
}

/** A name that is a whole statement is a call, unless it is a variable. */
export function called(node: Node): Node {
  return node.kind === 'name' && /^[a-z_]/.test(node.name) ? { kind: 'call', callee: node, args: [], make: false } : node
}

/** `line << "more"` changes what stands on its left. */
export function shovelled(node: Node): Node {
  if (node.kind !== 'chain' || node.first.kind !== 'name' || !node.rest.every((r) => r.op === '<<')) return node
  const [only] = node.rest
  const value: Node = only !== undefined && node.rest.length === 1 ? only.value : { kind: 'template', parts: node.rest.map((r) => r.value) }
  return { kind: 'assign', op: '<<', target: node.first, value }
}
