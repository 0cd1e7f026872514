import type { Word } from '../../host.ts'
import type { Run } from './run.ts'
import { FROM, list, part, type Taint, text, UNKNOWN, type Value } from './value.ts'

/** What stands behind code on a command line, as the code finds it: `python3 -c code a b`. */

function taintOfWord({ from = [], decoded, dynamic, text: whole }: Word): Taint {
  let bits = decoded === true ? FROM.decoded : 0
  if (dynamic && whole === null) bits |= FROM.process
  for (const { verb } of from) bits |= verb === 'fetch' ? FROM.network : verb === 'read' ? FROM.file : 0
  return { bits, from: from.slice(0, 8) }
}

function valueOfWord(word: Word): Value {
  const taint = taintOfWord(word)
  if (word.text === null || word.glob)
    return part(word.text === null && word.pieces !== undefined ? word.pieces : [word.prefix, null], taint)
  return text(word.text, taint)
}

/** The list of arguments behind those that the language puts first; where nobody gave any, what it is otherwise. */
export function given(first: readonly string[], otherwise: Value = UNKNOWN): (run: Run) => Value {
  return (run) => {
    const words = run.context.parameters()
    if (words.length === 0) return otherwise
    const open = words.findIndex(({ many, glob }) => many === true || glob)
    const exact = open < 0 ? words : words.slice(0, open)
    const rest = open < 0 ? [] : words.slice(open)
    return list([...first.map((each) => text(each)), ...[...exact, ...rest].map(valueOfWord)], open >= 0)
  }
}
