import { forEachChild, type ParsedScript, type Statement, type SyntaxNode } from 'unbash'
import { WORK } from '../state/budget.ts'
import type { ExecutionContext } from '../state/state.ts'

/**
 * True where bash may run something else than what is written. Version 5.2 reads `$(…)` and `<(…)` into a tree and prints that tree
 * before it runs it; behind the body of a here-document it then leaves out a `;`, so that `$(cat <<E; rm a; echo b` … runs `rm a echo b`.
 * A line's end in that place is not told apart. Seen by running bash; a substitution of one command, and back quotes, are not concerned.
 */
export function losesSeparator(script: ParsedScript, { analysis }: ExecutionContext): boolean {
  let opened = Number.POSITIVE_INFINITY
  const pairs: number[] = []
  const note = (statements: readonly Statement[]): void => {
    for (const { pos } of statements.slice(0, -1)) pairs.push(pos)
  }
  note(script.commands)
  const stack: SyntaxNode[] = [...script.commands]
  for (let node = stack.pop(); node !== undefined && analysis.spend(WORK.node, null); node = stack.pop()) {
    if (node.type === 'HereDoc') opened = Math.min(opened, node.end)
    if (node.type === 'CompoundList') note(node.commands)
    forEachChild(node, (child) => {
      // What stands in words is a script of its own.
      if (child.type !== 'Word') stack.push(child)
    })
  }
  return pairs.some((pos) => pos > opened)
}
