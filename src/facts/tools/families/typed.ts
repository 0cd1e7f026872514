/**
 * What is typed into a program that already runs. Nobody says which one listens: a shell, a database client, an interpreter
 * or an editor. So the text is a shell's, and besides whatever else its form may mean.
 */
import type { Argument, ToolContext } from '../spec.ts'

const STATEMENT = new RegExp(
  String.raw`^\s*(?:insert\s+(?:or\s+\w+\s+)?into|update\s+\S+\s+set|delete\s+from|drop\s+\w|truncate\s+\w|alter\s+\w` +
    String.raw`|create\s+(?:or\s+replace\s+)?(?:\w+\s+)?(?:table|user|role|database|function|trigger|extension|view|index)` +
    String.raw`|grant\s.{1,200}\sto\s|revoke\s|copy\s.{1,200}\s(?:to|from)\s|merge\s+into|replace\s+into|load\s+data|select\s|with\s` +
    String.raw`|do\s+\$|call\s+\w|attach\s)`,
  'i',
)

/** Commands of the clients themselves: `\! ls`, `\copy t to program 'x'`, `.shell ls`. */
const CLIENT = /^\s*(?:\\[a-z!]|\.(?:shell|system|import|output|once|read|save|backup|load|open|clone)\b)/i

/** A call or an assignment, as interpreters read it; `$(…)` and `f() {` are a shell's. */
const CALL = /[\w\])]\((?!\s*\)\s*\{)/

/** A line for the shell behind the program: `!ls`, `:!ls`, `shell ls` of a debugger. */
const ESCAPES = /^[ \t]*(?:[:%]{0,2}!{1,2}|shell[ \t]|system[ \t])[ \t]*(\S.*)$/gm

/** Uses the text as everything that may take it. */
export function typedInto(context: ToolContext, argument: Argument): void {
  const { text, pointer } = argument
  context.use('shell', argument)
  const escaped = [...text.matchAll(ESCAPES)].map(([, rest]) => rest)
  if (escaped.length > 0) context.use('shell', { text: escaped.join('\n'), pointer }, { certainty: 'likely' })
  if (STATEMENT.test(text) || CLIENT.test(text)) context.use('sql', argument, { certainty: 'likely' })
  if (!CALL.test(text)) return
  context.use('python', argument, { certainty: 'possible' })
  context.use('javascript', argument, { certainty: 'possible' })
}
