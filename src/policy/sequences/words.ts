/** The words of time and flow: where they stand in a condition, and how each is used. */
import { type ASTNode, Environment } from '@marcbachmann/cel-js'
import { TERMS, type TermName } from './model.ts'

export type CallNode = Extract<ASTNode, { op: 'call' }>

const PARSER = new Environment({ limits: { maxAstNodes: 2_000, maxDepth: 64 } })

/** Words of time and flow that stand in no other one; null where the text cannot be parsed, which the compiler says better. */
export function termNodes(text: string): readonly CallNode[] | null {
  let root: ASTNode
  try {
    root = PARSER.parse(text).ast
  } catch {
    return null
  }
  const found: CallNode[] = []
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) for (const each of value) visit(each)
    else if (typeof value === 'object' && value !== null && 'op' in value) {
      const node = value as ASTNode
      if (node.op === 'call' && isTerm(node.args[0])) found.push(node)
      else if (node.op !== 'value') visit(node.args)
    }
  }
  visit(root)
  return found
}

function isTerm(name: string): name is TermName {
  return TERMS.some((term) => term === name)
}

export const ARITY: Readonly<Record<TermName, readonly [number, number]>> = {
  formerly: [1, 1],
  previous: [1, 1],
  since: [2, 2],
  within: [2, 2],
  count: [1, 3],
  sum: [2, 4],
  distinct: [2, 4],
  flows_from: [2, 2],
  sends: [1, 1],
  holds: [1, 1],
}

export const USAGE: Readonly<Record<TermName, string>> = {
  formerly: '`formerly(condition)`: some earlier call was such',
  previous: '`previous(condition)`: the call before this one was such',
  since: '`since(condition, other)`: some earlier call was such, and none after it was like the other',
  within: '`within(condition, "10m")`: some call of the last ten minutes was such',
  count: '`count(condition, "1h", key)`: calls that are such, this one included; the time and the key may be left out',
  sum: '`sum(number, condition, "24h", key)`: the total over such calls, this one included',
  distinct: '`distinct(value, condition, "1h", key)`: how many different values such calls had, this one included',
  flows_from: '`flows_from("to", "untrusted")`: where an argument comes from',
  sends: '`sends("secret")`: what goes out with the call',
  holds: '`holds("untrusted")`: what the session took in before',
}
