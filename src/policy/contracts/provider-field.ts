/** Readers of `contracts.providers`: lookups outside that are made before a call is judged. */
import { described, type Located, listOf, located, mapOf, text, whole } from '../reading/fields.ts'
import { record } from '../reading/record.ts'
import type { CompileContext } from '../section.ts'
import type { HttpLookup, ProviderBinding, SqlLookup } from './model.ts'
import { type Path, parsePath } from './path.ts'

const sqlField = record(
  {
    file: described(located(text), 'A SQLite file, by path from the directory of this file; it is only ever read.'),
    url_env: described(located(text), 'Variable with the address of a PostgreSQL server, which needs the package `pg`.'),
    query: described(located(text), 'One `SELECT`.'),
  },
  { required: ['query'] },
)

const providerField = record(
  {
    tools: described(listOf(text), 'The tools whose calls it is asked for: exact names, or `server/name`.'),
    http: described(
      located(text),
      'Address that is read with GET; `{name}` stands for an argument, percent-encoded. Without it the host program provides it.',
    ),
    sql: described(
      located(sqlField),
      'A row that is read: the query has `{name}` where an argument is bound as a parameter. Its columns are the answer.',
    ),
    headers_env: described(mapOf(located(text)), 'Headers whose values are taken from environment variables.'),
    timeout_ms: described(whole(1, 60_000), 'How long to wait; default 1000. What comes later has failed.'),
  },
  { required: ['tools'] },
)

export const providersField = described(mapOf(located(providerField)), 'Lookups outside whose answers are state: `{state: name}`.')

type RawProviders = NonNullable<ReturnType<(typeof providersField)['read']>>
type RawProvider = NonNullable<ReturnType<(typeof providerField)['read']>>

/** The providers; faults go to the reader. */
export function compileProviders(raw: RawProviders, context: CompileContext): readonly ProviderBinding[] {
  return [...raw].map(([name, { value }]) => ({
    name,
    tools: value.tools ?? [],
    http: value.http === undefined ? null : (compileHttp(value.http, value, context) ?? null),
    sql: value.sql === undefined ? null : (compileSql(value.sql, value, context) ?? null),
    timeoutMs: value.timeout_ms ?? 1_000,
  }))
}

function compileHttp(http: Located<string>, value: RawProvider, context: CompileContext): HttpLookup | undefined {
  const template = split(http, context)
  if (template === undefined) return undefined
  const headers = new Map<string, string>()
  for (const [header, variable] of value.headers_env ?? []) {
    const found = context.options.env?.(variable.value) ?? ''
    if (found === '')
      context.warn(
        'lint.provider_header',
        `the variable \`${variable.value}\` is not set, so the header \`${header}\` is not sent`,
        variable.at,
      )
    else headers.set(header, found)
  }
  return { ...template, headers }
}

type RawSql = NonNullable<RawProvider['sql']>

const READS = /^\s*(?:select|with)\b/i

/** One query, of one database, whose arguments are bound and never written into it. */
function compileSql({ value, at }: RawSql, provider: RawProvider, context: CompileContext): SqlLookup | undefined {
  const { reader } = context
  const { file, url_env: variable, query } = value
  const wrong = (message: string, help: string, where = at) => reader.fail({ code: 'policy.wrong_value', message, help, at: where })
  if (provider.http !== undefined) return wrong('a provider asks one place', 'give it `http` or `sql`, and another provider the other')
  if ((file === undefined) === (variable === undefined)) return wrong('the database is not clear', 'name one of `file` and `url_env`')
  if (query === undefined) return undefined
  const pieces = query.value.split(/[{}]/)
  if (!READS.test(query.value) || query.value.includes(';') || pieces.length % 2 === 0)
    return wrong('this is no query of one row', 'write one `SELECT` without `;`, with `{name}` for an argument', query.at)
  const args = pathsOf(
    pieces.filter((_, index) => index % 2 === 1),
    query,
    context,
  )
  if (args === undefined) return undefined
  const url = variable === undefined ? null : (context.options.env?.(variable.value) ?? '')
  if (url === '' && variable !== undefined)
    context.warn('lint.provider_url', `the variable \`${variable.value}\` is not set, so nothing is looked up`, variable.at)
  return { file: file?.value ?? null, url: url === '' ? null : url, parts: pieces.filter((_, index) => index % 2 === 0), args }
}

function pathsOf(names: readonly string[], written: Located<string>, { reader }: CompileContext): readonly Path[] | undefined {
  try {
    return names.map((name) => parsePath(name))
  } catch (error) {
    const message = error instanceof Error ? error.message : 'the path cannot be read'
    return reader.fail({
      code: 'policy.contract_path',
      message,
      help: 'between braces stands the path of an argument, such as `{order.id}`',
      at: written.at,
    })
  }
}

/** The address must name its host itself: an argument may fill a part of the path or the query, never choose who is asked. */
function split(http: Located<string>, context: CompileContext): Pick<HttpLookup, 'parts' | 'args'> | undefined {
  const pieces = http.value.split(/[{}]/)
  const parts = pieces.filter((_, index) => index % 2 === 0)
  const names = pieces.filter((_, index) => index % 2 === 1)
  const origin = /^https?:\/\/[A-Za-z0-9.:[\]-]+\//.test(parts[0] ?? '')
  if (!origin || pieces.length % 2 === 0 || !URL.canParse(parts.join('x'))) {
    const help = 'write it as `https://host/path/{argument}`; arguments stand behind the host'
    return context.reader.fail({ code: 'policy.wrong_value', message: 'this is no address to look up', help, at: http.at })
  }
  const args = pathsOf(names, http, context)
  return args === undefined ? undefined : { parts, args }
}
