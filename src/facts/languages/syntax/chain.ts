import type { Node } from '../ast.ts'

/** Operators of one level that stand beside each other, as one flat node. */

/** Operators that give one of their operands. */
const CHOOSING: ReadonlySet<string> = new Set(['||', '&&', '??', 'or', 'and'])

export function joined(left: Node, { op, level }: { op: string; level: number }, right: Node): Node {
  if (CHOOSING.has(op)) {
    if (left.kind !== 'choice' || CHAIN_LEVEL.get(left) !== level) return remembered({ kind: 'choice', options: [left, right] }, level)
    ;(left.options as Node[]).push(right)
    return left
  }
  if (left.kind === 'chain' && CHAIN_LEVEL.get(left) === level) {
    ;(left.rest as { op: string; value: Node }[]).push({ op, value: right })
    return left
  }
  return remembered({ kind: 'chain', first: left, rest: [{ op, value: right }] }, level)
}

function remembered(node: Node, level: number): Node {
  CHAIN_LEVEL.set(node, level)
  return node
}

/** The precedence a chain was read with: a parenthesised chain is another one. */
const CHAIN_LEVEL = new WeakMap<Node, number>()
