import type { Node } from '../ast.ts'
import { LIMITS } from '../limits.ts'
import { Conversion } from './conversion.ts'
import { EXPRESSIONS } from './expressions.ts'
import { javascriptGrammar } from './load.ts'
import { STATEMENTS } from './statements.ts'

const MAKERS = { ...EXPRESSIONS, ...STATEMENTS }

/** Reads JavaScript or TypeScript; where it can be read in several ways, each of them is followed. */
export function parseJavaScript(source: string): Node {
  const read = javascriptGrammar()
    .readings(source)
    .map((tree) => new Conversion(MAKERS, LIMITS.tokens).program(tree))
  const distinct = read.length === 1 ? read : [...new Map(read.map((node) => [JSON.stringify(node), node])).values()]
  return distinct.length === 1 ? (distinct[0] as Node) : { kind: 'block', body: distinct }
}
