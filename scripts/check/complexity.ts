/** Cyclomatic complexity: one way through a function, and one more for each place where it may go on in two ways. */
import { isFunction, isNode, type Node } from './source.ts'

const BRANCHES =
  /^(?:IfStatement|ConditionalExpression|ForStatement|ForOfStatement|ForInStatement|WhileStatement|DoWhileStatement|CatchClause|LogicalExpression)$/

/** Of one function; a function inside of it counts for itself. */
export function complexityOf(node: Node): number {
  let ways = 1
  const open = children(node)
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (isFunction(next)) continue
    if (BRANCHES.test(next.type) || (next.type === 'SwitchCase' && isNode(next.test))) ways++
    open.push(...children(next))
  }
  return ways
}

function children(node: Node): Node[] {
  return Object.values(node).flatMap((value) => (Array.isArray(value) ? value : [value]).filter(isNode))
}
