/**
 * Attributes of effects are there or not: `e.attributes.force` of a `git status` is null. Compared with something, null is only not
 * equal; where a condition needs true or false, a number or a text, it has no answer, and the rule counts as matched. So such a
 * reading has to be guarded where it stands, or the policy does not load.
 */
import type { ASTNode } from '@marcbachmann/cel-js'
import type { ConditionFault } from './check.ts'

type Guards = ReadonlySet<string>

/** Every optional attribute that is read where null has no answer, without a `has` before it. */
export function unguarded(root: ASTNode, optional: ReadonlySet<ASTNode>): readonly ConditionFault[] {
  const faults: ConditionFault[] = []
  const visit = (node: ASTNode, guards: Guards, strict: boolean): void => {
    if (strict && optional.has(node) && !guards.has(textOf(node))) faults.push(faultAt(node))
    for (const [child, known, needs] of partsOf(node, guards)) visit(child, known, needs)
  }
  visit(root, new Set(), true)
  return faults
}

type Part = readonly [child: ASTNode, guards: Guards, strict: boolean]

/** What stands in the node, what is known where it is read, and whether null would have no answer there. */
function partsOf(node: ASTNode, guards: Guards): readonly Part[] {
  switch (node.op) {
    case '&&':
    case '||': {
      const [left, right] = node.args
      return [
        [left, guards, true],
        [right, widened(guards, shownBy(left, node.op === '&&')), true],
      ]
    }
    case '?:': {
      const [test, yes, no] = node.args
      return [
        [test, guards, true],
        [yes, widened(guards, shownBy(test, true)), false],
        [no, widened(guards, shownBy(test, false)), false],
      ]
    }
    case '==':
    case '!=':
    case 'in':
    case 'list':
      return childrenOf(node).map((child) => [child, guards, false])
    case 'call':
      return node.args[0] === 'has' ? [] : node.args[1].map((child) => [child, guards, true])
    case 'rcall': {
      const [, receiver, args] = node.args
      return [[receiver, guards, true], ...args.map((child): Part => [child, guards, true])]
    }
    case '.':
      return [[node.args[0], guards, true]]
    default:
      return childrenOf(node).map((child) => [child, guards, true])
  }
}

function widened(guards: Guards, more: readonly string[]): Guards {
  return more.length === 0 ? guards : new Set([...guards, ...more])
}

/** Attributes that are there wherever the condition is `holds`. */
function shownBy(node: ASTNode, holds: boolean): readonly string[] {
  if (node.op === '!_') return shownBy(node.args, !holds)
  if (node.op === (holds ? '&&' : '||')) return node.args.flatMap((each) => shownBy(each, holds))
  if (holds && node.op === 'call' && node.args[0] === 'has') return node.args[1].map(textOf)
  if (node.op !== '==' && node.op !== '!=') return []
  const [left, right] = node.args
  const isNull = (each: ASTNode): boolean => each.op === 'value' && each.args === null
  const other = isNull(right) ? left : isNull(left) ? right : null
  if (other !== null) return (node.op === '!=') === holds ? [textOf(other)] : []
  // Equal to something written out is not null.
  const literal = [left, right].some((each) => each.op === 'value')
  return literal && (node.op === '==') === holds ? [left, right].filter((each) => each.op !== 'value').map(textOf) : []
}

function childrenOf(node: ASTNode): readonly ASTNode[] {
  const args: unknown = node.args
  const found: ASTNode[] = []
  const collect = (value: unknown): void => {
    if (Array.isArray(value)) for (const each of value) collect(each)
    else if (typeof value === 'object' && value !== null && 'op' in value) found.push(value as ASTNode)
  }
  if (node.op !== 'value') collect(args)
  return found
}

/** As it is written, without blanks. */
function textOf(node: ASTNode): string {
  return node.input.slice(node.start, node.end).replace(/\s/g, '')
}

function faultAt(node: ASTNode): ConditionFault {
  const text = textOf(node)
  return {
    code: 'policy.condition_type',
    message: `\`${text}\` is not there for every effect, and has no answer here where it is not`,
    help: `guard it: \`has(${text}) && …\`; a flag: \`${text} == true\``,
    at: { start: node.start, end: node.end },
  }
}
