import type { Argument } from './arguments.ts'
import type { Token } from './lex.ts'
import type { Knowledge } from './vocabulary.ts'

/** Functions that call what they are handed, where a function may be handed over as a text: `sapply(x, "system")`. */

/** True where a text of the program may be the name of a function that acts: it is one, or texts are made from others. */
export function risky(tokens: readonly Token[], { acts, builders }: Knowledge): boolean {
  return tokens.some((t) => (t.kind === 'text' && (!t.exact || acts.has(t.text))) || (t.kind === 'name' && builders.has(t.text)))
}

interface Known {
  readonly functions: ReadonlySet<string>
  readonly locals: ReadonlySet<string>
  readonly knowledge: Knowledge
  readonly risky: boolean
  /** The function that calls. */
  readonly name: string
}

/** They take the function first, the others what it is called with. */
const FIRST: ReadonlySet<string> = new Set('Map Filter Reduce Vectorize Negate mapply optimize uniroot integrate curve'.split(' '))

/** True where every argument that may be what is called is a function that can be told; a number or a setting is none. */
export function takesFunctions(given: readonly Argument[], known: Known): boolean {
  // `aggregate(y ~ x, data, mean)`
  const formula = given[0]?.tokens.some(({ text }) => text === '~') === true && known.name === 'aggregate'
  const data = FIRST.has(known.name) ? -1 : formula ? 1 : 0
  return given.every(({ name, tokens }, at) => {
    if (name === null) return at <= data || tells(tokens, known)
    return !/^\.?(?:FUN|f|x|X|what)$/.test(name) || (/^\.?[xX]$/.test(name) && !known.risky) || tells(tokens, known)
  })
}

function tells(tokens: readonly Token[], { functions, locals, knowledge, risky }: Known): boolean {
  const [first, ...more] = tokens
  if (first === undefined) return !risky
  if (first.text === 'function' || first.text === '\\' || (first.kind === 'sign' && first.text === '~')) return true
  if (first.kind === 'number' && more.length === 0) return true
  if (first.kind === 'name' && more.length === 0) {
    const plain = knowledge.namespace === undefined ? first.text : first.text.replace(knowledge.namespace, '')
    return functions.has(first.text) || knowledge.harmless.has(plain) || (!risky && locals.has(first.text))
  }
  return !risky
}
