/** What a condition is worth before any call is seen: a condition that is constantly false belongs to a rule that never matches. */
import { type ASTNode, serialize } from '@marcbachmann/cel-js'

/** True or false where that holds for every call (an error is not a match either); null where it depends. */
export function fold(node: ASTNode): boolean | null {
  switch (node.op) {
    case 'value':
      return typeof node.args === 'boolean' ? node.args : null
    case '!_': {
      const inner = fold(node.args)
      return inner === null ? null : !inner
    }
    case '&&':
      return conjunction(node)
    case '||':
      return disjunction(node.args)
    case '?:':
      return choice(node.args)
    case 'rcall':
      return loop(node)
    default:
      return comparison(node)
  }
}

function conjunction(node: ASTNode): boolean | null {
  const parts = conjuncts(node)
  if (contradicts(parts)) return false
  const values = parts.map(fold)
  if (values.includes(false)) return false
  return values.every((value) => value === true) ? true : null
}

function conjuncts(node: ASTNode): readonly ASTNode[] {
  return node.op === '&&' ? node.args.flatMap(conjuncts) : [node]
}

/** `x == "a" && x == "b"`: one value cannot be two. Also `x && !x`. */
function contradicts(parts: readonly ASTNode[]): boolean {
  const required = new Map<string, string>()
  const plain = new Set(parts.filter((part) => part.op !== '!_').map(serialize))
  for (const part of parts) {
    if (part.op === '!_' && plain.has(serialize(part.args))) return true
    if (part.op !== '==') continue
    const [left, right] = part.args
    const [subject, literal] = right.op === 'value' ? [left, right] : [right, left]
    if (literal.op !== 'value' || subject.op === 'value') continue
    const key = serialize(subject)
    const value = serialize(literal)
    if ((required.get(key) ?? value) !== value) return true
    required.set(key, value)
  }
  return false
}

function disjunction([left, right]: readonly [ASTNode, ASTNode]): boolean | null {
  const values = [fold(left), fold(right)]
  if (values.includes(true)) return true
  return values.every((value) => value === false) ? false : null
}

function choice([test, yes, no]: readonly [ASTNode, ASTNode, ASTNode]): boolean | null {
  const chosen = fold(test)
  if (chosen !== null) return fold(chosen ? yes : no)
  const [a, b] = [fold(yes), fold(no)]
  return a === b ? a : null
}

function loop(node: Extract<ASTNode, { op: 'rcall' }>): boolean | null {
  const [name, receiver, args] = node.args
  const body = args[1]
  if ((name !== 'exists' && name !== 'exists_one') || body === undefined) return null
  const empty = receiver.op === 'list' && receiver.args.length === 0
  return empty || fold(body) === false ? false : null
}

function comparison(node: ASTNode): boolean | null {
  if (node.op === 'in') return node.args[1].op === 'list' && node.args[1].args.length === 0 ? false : null
  if (node.op !== '==' && node.op !== '!=') return null
  const [left, right] = node.args
  if (left.op !== 'value' || right.op !== 'value') return null
  return (serialize(left) === serialize(right)) === (node.op === '==')
}
