import { type Effect, target } from '../../effect.ts'
import type { Word } from '../../host.ts'
import { type Detected, type Execution, found, NOTHING } from './execution.ts'

/**
 * Code of the project that is handed a database or queue of another machine by a variable: `DATABASE_URL=postgres://db.acme.example/shop
 * npm run seed`. What the code does there, nobody can see from here; it is taken for a change.
 */

/** Effects that run code which reads variables as it likes, and tools that know which database is meant. */
const RUNS = /^(?:script:(?!project)|code:|dev:(?:test|make|serve|run|task)|program:unknown$)/

const ADDRESS = new RegExp(
  String.raw`^(?:jdbc:)?((?:postgres(?:ql)?|mysql2?|mariadb|mongodb|rediss?|sqlserver|mssql|oracle|cockroachdb|clickhouse|amqps?|libsql|neo4j|db2)` +
    String.raw`(?:\+\w{1,20})?):\/\/(?:[^@/\s]{0,400}@)?([\w-]{1,63}(?:\.[\w-]{1,63}){1,8})(?=[:/?,]|$)(?::\d{1,5})?(\/[\w-]{1,64})?`,
  'i',
)
const HOST_OF = /^(?:PG|(?:DB|DATABASE|POSTGRES(?:QL)?|PG|MYSQL|MARIADB|MONGO(?:DB)?|REDIS|CACHE|RABBITMQ|CLICKHOUSE)_)HOST(?:NAME)?$/
const HOST = /^[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}$/
/** Names and numbers of this machine. */
const HERE = /^(?:127(?:\.\d{1,3}){3}|0\.0\.0\.0|host\.docker\.internal|host\.containers\.internal|(?:[\w-]{1,63}\.){1,8}localhost)$/i

export function reportChosenService({ site, invocation: { env, span }, start }: Execution): readonly Detected[] {
  if (site.scope.remote || !site.analysis.effects.slice(start).some(acts)) return NOTHING
  return [...given(env, site.scope.variables)].flatMap(([name, word]) => {
    const service = serviceIn(name, word.text ?? word.prefix)
    if (service === null) return NOTHING
    const how = { verb: 'change', action: 'sql:application', span, certainty: 'likely', attributes: { variable: name } } as const
    return found(target('database', service), how)
  })
}

const acts = ({ verb, action }: Effect): boolean =>
  (verb === 'execute' && RUNS.test(action ?? '')) ||
  (verb !== 'read' && action?.startsWith('sql:') === true && action !== 'sql:application')

/** Variables before the command, and those that the call exported before it. */
function given(
  env: ReadonlyMap<string, Word>,
  variables: ReadonlyMap<string, { readonly word: Word; readonly exported?: boolean }>,
): ReadonlyMap<string, Word> {
  const all = new Map<string, Word>()
  for (const [name, { word, exported }] of variables) if (exported === true) all.set(name, word)
  for (const [name, word] of env) all.set(name, word)
  return all
}

/** Without the words that let somebody in; null where it is no service, or one of this machine. */
function serviceIn(name: string, value: string): string | null {
  const [, scheme, host = '', path = ''] = ADDRESS.exec(value) ?? []
  if (scheme !== undefined) return HERE.test(host) ? null : `${scheme.toLowerCase()}://${host}${path}`
  return HOST_OF.test(name) && HOST.test(value) && !HERE.test(value) ? `db://${value}` : null
}
