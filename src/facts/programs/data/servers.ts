/**
 * On which server a database is, as far as a command says it. What is kept of a known database before a call changes it must be kept of the one that
 * the call reaches: an attribute `host` that is null says that this is another one than usual, or not known.
 */
import type { JsonObject } from '../../../core/json.ts'
import type { CommandContext, CommandSpec, CommandTable, ParsedCommand, Word } from '../../host.ts'
import { known } from '../tool.ts'

export interface ServerNames {
  readonly hosts: readonly string[]
  readonly ports?: readonly string[]
  /** Variables that clients of this kind read. */
  readonly variables?: readonly string[]
}

/** The server that an option or a variable of the command names. */
export function serverOf(parsed: ParsedCommand, context: CommandContext, { hosts, ports = [], variables = [] }: ServerNames): JsonObject {
  const first = (names: readonly string[]): Word | null => names.map((name) => context.variable(name)).find((word) => word !== null) ?? null
  const host = parsed.value(...hosts) ?? first(variables.filter((name) => !name.endsWith('PORT')))
  const port = parsed.value('--port', ...ports) ?? first(variables.filter((name) => name.endsWith('PORT')))
  return { ...(host === null ? {} : placeIn(known(host))), ...(port === null ? {} : { port: known(port) }) }
}

/** `db.example:27018`, or an address; several names are none that is known. */
export function placeIn(host: JsonObject[string]): JsonObject {
  if (typeof host !== 'string') return { host: null }
  if (URL.canParse(host) && host.includes('://')) {
    const { hostname, port } = new URL(host)
    return { host: hostname === '' ? null : hostname, ...(port === '' ? {} : { port }) }
  }
  const [, name = host, port] = /^([^:/,]+):(\d{1,5})$/.exec(host) ?? []
  return { host: name.includes(',') ? null : name, ...(port === undefined ? {} : { port }) }
}

export function onServer(server: JsonObject, context: CommandContext, body: (inside: CommandContext) => void): void {
  if (Object.keys(server).length === 0) body(context)
  else context.within({ attributes: server, remote: context.remote === true }, body)
}

/** Variables by which an application is given another database than its own settings name for everyday work. */
const CHOOSING =
  'DATABASE_URL RAILS_ENV RACK_ENV APP_ENV MIX_ENV NODE_ENV FLASK_ENV DJANGO_SETTINGS_MODULE FLYWAY_URL DB_HOST DB_DATABASE PGHOST MYSQL_HOST'.split(
    ' ',
  )
const USUAL: ReadonlySet<string> = new Set(['development', 'dev', 'local'])
const OPTIONS = ['--env', '--environment', '--settings']

function choosesAnother(parsed: ParsedCommand, context: CommandContext): boolean {
  const words = [...CHOOSING.map((name) => context.variable(name)), ...OPTIONS.map((name) => parsed.value(name))]
  return words.some((word) => word !== null && !USUAL.has(word.text ?? ''))
}

type When = (parsed: ParsedCommand, context: CommandContext) => boolean

/** The command, whose effects say that their database is not the usual one where `when` holds. */
function elsewhere(spec: CommandSpec, when: When): CommandSpec {
  const { refine, subcommands } = spec
  return {
    ...spec,
    ...(subcommands === undefined
      ? {}
      : { subcommands: Object.fromEntries(Object.entries(subcommands).map(([name, sub]) => [name, elsewhere(sub, when)])) }),
    ...(refine === undefined
      ? {}
      : {
          refine: (parsed, context) => onServer(when(parsed, context) ? { host: null } : {}, context, (inside) => refine(parsed, inside)),
        }),
  }
}

/** Programs that work on the database of an application, which variables and options can make another one. */
export function ofApplications(table: CommandTable): CommandTable {
  const specs = new Map<CommandSpec, CommandSpec>()
  return Object.fromEntries(
    Object.entries(table).map(([name, spec]) => {
      const made = specs.get(spec) ?? elsewhere(spec, choosesAnother)
      specs.set(spec, made)
      return [name, made]
    }),
  )
}

/** `supabase`: `--linked`, `--db-url` and a push are about the database of the project, everything else about the local one. */
export function supabaseServer(spec: CommandSpec): CommandSpec {
  return elsewhere(
    { ...spec, flags: [...(spec.flags ?? []), '--linked', '--local'] },
    (parsed) =>
      parsed.flag('--linked') ||
      parsed.value('--db-url') !== null ||
      (parsed.operands.some(({ text }) => text === 'push') && !parsed.flag('--local')),
  )
}
