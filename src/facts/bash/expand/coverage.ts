import { forEachChild, type ParsedScript, type SyntaxNode } from 'unbash'

/**
 * Holds the parser of the shell to the law of the readers: what stands in no node of its tree is a keyword, an operator, a blank or a
 * remark. Counted in positions: the nodes of a script, in their order, leave nothing else between them.
 */

/** Nodes whose whole text is theirs; what they hold is read by whoever expands them, substitutions are looked at by themselves. */
const WHOLE: ReadonlySet<string> = new Set(['Word', 'Assignment', 'Redirect', 'HereString', 'ArithmeticCommand', 'TestCommand', 'Time'])
const KEYWORDS = 'if|then|elif|else|fi|for|in|do|done|while|until|case|esac|select|function|coproc'
const BETWEEN = new RegExp(`(?:[\\s;&|(){}!]|\\\\\\r?\\n|#[^\\n]*|(?:${KEYWORDS})(?![\\w-]))*`, 'y')

interface Found {
  readonly held: (readonly [from: number, to: number])[]
  /** Scripts of substitutions. */
  readonly inner: ParsedScript[]
}

/** Where text of the script stands that no node of it holds; null where there is none. */
export function uncovered(text: string, script: ParsedScript): number | null {
  const { held, inner } = nodesOf(script)
  let at = script.pos
  for (const [from, to] of [...held.toSorted(([a], [b]) => a - b), [script.end, script.end] as const]) {
    if (from > at) {
      BETWEEN.lastIndex = at
      BETWEEN.test(text)
      if (BETWEEN.lastIndex < from) return BETWEEN.lastIndex
    }
    at = Math.max(at, to)
  }
  for (const each of inner) {
    const found = uncovered(each.source ?? text, each)
    if (found !== null) return each.source === undefined ? found : each.pos
  }
  return null
}

/** Without recursion: an arithmetic expression may nest as deep as it is long. */
function nodesOf(script: ParsedScript): Found {
  const found: Found = { held: [], inner: [] }
  const open: (readonly [node: SyntaxNode, within: boolean])[] = []
  forEachChild(script, (child) => open.push([child, false]))
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [node, within] = next
    if (node.type === 'Script') found.inner.push(node)
    else {
      const held = within || hold(node, found)
      forEachChild(node, (child) => open.push([child, held]))
    }
  }
  return found
}

/** True where the text of the node, or of its parts that hold text, is all its own. */
function hold(node: SyntaxNode, { held }: Found): boolean {
  if (node.type === 'HereDoc') {
    held.push([node.pos, node.delimiter?.end ?? node.pos + node.operator.length], [node.body.pos, node.closing?.end ?? node.body.end])
    return true
  }
  if (!WHOLE.has(node.type) && (!node.type.startsWith('Arithmetic') || node.type === 'ArithmeticFor')) return false
  held.push([node.pos, node.end])
  return true
}
