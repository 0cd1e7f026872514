import * as grammar from './grammar.ts'

/** The grammar of JavaScript; in the bundle it is loaded when it is first asked for (`scripts/build/grammars.ts`). */
export function javascriptGrammar(): typeof grammar {
  return grammar
}
