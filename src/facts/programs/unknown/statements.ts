/** Statements that a program without a table is handed to read, as consoles are: `DELETE NOPROMPT BACKUP;`. */
import type { Input, Word } from '../../host.ts'
import { deletesByWord, speaks } from './spoken.ts'
import type { InferredAct } from './unknown.ts'

/** Whose input is a text to work on, by its name. */
const WORKS_ON_TEXT =
  /f(?:or)?ma?t|lint|prett|check|pars|render|highlight|conver|markdown|diff|grep|count|slug|templ|mjml|spell|graph|uml|web|doc|pdf|mail|json|yaml|xml|html|csv/i
const CONSOLE = /(?:cli|shell|sh|sql\w?|ctl|mgr|adm(?:in)?|console|prompt|repl|cmd)(?:\.(?:sh|py))?$/i
const CONNECTS = /^(?:shell|console|connect|target|repl|-[hp]|--(?:host|server|port|user|connect|endpoint|database))$/i

const MAX_LINES = 256
const LONGEST = 65_536

/** The first statement that deletes; null where there is none, or where the program only works on the text. */
export function inferredFromInput(name: string, args: readonly Word[], input: Input): InferredAct | null {
  if (input.kind !== 'text' || input.text === null || input.text.length > LONGEST || WORKS_ON_TEXT.test(name)) return null
  const reads = CONSOLE.test(name) || args.some(({ text }) => text !== null && CONNECTS.test(text))
  for (const line of input.text.split('\n', MAX_LINES)) {
    const statement = line.trim()
    const [, word = '', rest = '', end = ''] = /^([a-z][\w-]{1,40})\s([^;]{0,200})(;?)$/i.exec(statement) ?? []
    // Prose ends a sentence; a drawing has arrows.
    const stated = end === ';' || (reads && !/[.!?:]$|->|=>/.test(rest.trimEnd()))
    if (stated && deletesByWord(word.toLowerCase())) return { ...speaks('delete'), what: statement.slice(0, 80) }
  }
  return null
}
