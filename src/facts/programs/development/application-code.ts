import type { Span } from '../../effect.ts'
import type { CommandContext, Input, Language, ParsedCommand } from '../../host.ts'

/**
 * Code for the console of an application (`rails runner`, `artisan tinker`, `manage.py shell`): there the models of the application stand
 * for its database, and nothing but their words tells what is done to it.
 */

/** Calls that leave a table empty, or none. */
const EMPTIES = new RegExp(
  String.raw`(?:\.|::|->)\s*(?:truncate|drop_table|drop_database|drop_collection|drop_schema|dropDatabase|dropTable|dropIfExists` +
    String.raw`|dropAllTables|flush_?all|flush_?db|purge_?all)\b`,
  'i',
)
const DELETES_ALL = /(?:\.|::|->)\s*(?:delete_all|destroy_all|_raw_delete|deleteMany|destroyAll)\b/
const DELETES = /(?:\.|::|->)\s*(?:delete|destroy|forceDelete)\b/
/** What makes of a model many rows, and of many rows few. */
const MANY = /\b(?:objects|all|query|table|each|find_each)\b/
const FEW = /\b(?:filter|where\w*|exclude|get|find|find_by|first|last|take|limit)\b/i

/** Analyses code that an application runs on its own models. Null text becomes opaque. */
export function applicationCode(
  language: Language,
  code: { readonly text: string | null; readonly span: Span },
  context: CommandContext,
): void {
  const { text, span } = code
  context.code(language, text, span)
  if (text !== null) modelActs(text, span, context)
}

/** The same of standard input. */
export function applicationInput(language: Language, context: CommandContext, input: Input): void {
  context.stdin(language)
  if (input.kind === 'text' && input.text !== null) modelActs(input.text, input.span, context)
}

function modelActs(text: string, span: Span, context: CommandContext): void {
  const database = context.thing('database', 'application')
  const kinds = new Set(text.split(/[;\n]/, 200).flatMap((statement) => actOf(statement) ?? []))
  for (const kind of kinds) {
    const attributes = kind === 'sql:truncate' ? {} : { where: kind === 'some' }
    const action = kind === 'sql:truncate' ? kind : 'sql:delete'
    context.emit('delete', database, { action, span, reversible: false, certainty: 'likely', attributes: { ...attributes, by: 'a model' } })
  }
}

function actOf(statement: string): 'sql:truncate' | 'all' | 'some' | null {
  if (EMPTIES.test(statement)) return 'sql:truncate'
  const many = DELETES_ALL.test(statement) || (DELETES.test(statement) && MANY.test(statement))
  if (!many) return null
  return FEW.test(statement) ? 'some' : 'all'
}

/** The shell of the application's database: what it is given is SQL. */
export function applicationSql({ invocation: { input, span } }: ParsedCommand, context: CommandContext): void {
  const database = context.thing('database', 'application')
  context.emit('execute', database, { action: 'sql:shell' })
  if (input.kind === 'text') context.sql(input.text, input.span, database)
  else if (input.kind === 'file') {
    const { real } = context.path(input.word)
    const file = context.written(input.word) ?? (real === null ? null : context.view.read(real, MAX_SQL))
    context.sql(file?.text ?? null, input.word.span, database)
  } else if (input.kind === 'pipe') context.sql(null, span, database)
}

/** Bytes of a file of SQL that are read. */
const MAX_SQL = 65_536
