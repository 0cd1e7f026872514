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
const CHOOSING = 'DATABASE_URL APP_ENV MIX_ENV NODE_ENV FLASK_ENV FLYWAY_URL DB_HOST DB_DATABASE PGHOST MYSQL_HOST'.split(' ')
/** Of one framework alone: which of its settings hold. */
const ENVIRONMENTS = ['RAILS_ENV', 'RACK_ENV']
const MODULE = 'DJANGO_SETTINGS_MODULE'
const USUAL: ReadonlySet<string> = new Set(['development', 'dev', 'local'])
const OPTIONS = ['--env', '--environment', '-environment']
const RAILS = /^(?:rails|rake)$/
const DJANGO = /^(?:manage\.py|django-admin)$/

const SECTIONS = ['-n', '--name']
const ARGUMENTS = '-x'

/** Options and variables that name a file of settings, of tools whose settings are read before what they change is kept. */
const FILES: Readonly<Record<string, readonly string[]>> = {
  prisma: ['--schema', '--config'],
  'drizzle-kit': ['--config'],
  knex: ['--knexfile'],
  alembic: ['-c', '--config', 'ALEMBIC_CONFIG'],
  flyway: ['-configFiles', '-configFile', '-workingDirectory', 'FLYWAY_CONFIG_FILES'],
}

/** Of the variables and of words such as `RAILS_ENV=production` behind a task. */
function given(name: string, { operands }: ParsedCommand, context: CommandContext): Word | null {
  const word = operands.find(({ prefix }) => prefix.startsWith(`${name}=`))
  return word === undefined ? context.variable(name) : { ...word, text: word.text?.slice(name.length + 1) ?? null }
}

/**
 * Which database it is, as far as that is another choice than the usual one: `host: null` where the choice says no more, `settings` or `environment`
 * where the settings that it chooses can be read.
 */
function chosen(parsed: ParsedCommand, context: CommandContext): JsonObject {
  const { name } = parsed.invocation
  const words = [...CHOOSING.map((variable) => given(variable, parsed, context)), ...OPTIONS.map((option) => parsed.value(option))]
  if (words.some((word) => word !== null && !USUAL.has(word.text ?? ''))) return { host: null }
  return {
    ...byEnvironment(name, parsed, context),
    ...byModule(name, parsed, context),
    ...byFile(name, parsed, context),
    ...bySection(name, parsed),
  }
}

/** Alembic: the section of its settings that holds, and words that only the project's own code reads. */
function bySection(name: string, parsed: ParsedCommand): JsonObject {
  if (name !== 'alembic') return {}
  const [section, ...more] = parsed.values(...SECTIONS)
  const words = parsed.values(ARGUMENTS).length === 0 ? {} : { arguments: true }
  if (section === undefined) return words
  return section.text === null || more.length > 0 ? { host: null } : { ...words, section: section.text }
}

/** A database of tests is not the known one. */
function byEnvironment(name: string, parsed: ParsedCommand, context: CommandContext): JsonObject {
  const word = ENVIRONMENTS.map((variable) => given(variable, parsed, context)).find((each) => each !== null)
  const text = word?.text ?? ''
  if (word === undefined || word === null || USUAL.has(text)) return {}
  return RAILS.test(name) && /^(?!test)[a-z]\w{0,60}$/i.test(text) ? { environment: text } : { host: null }
}

function byModule(name: string, parsed: ParsedCommand, context: CommandContext): JsonObject {
  const word = parsed.value('--settings') ?? given(MODULE, parsed, context)
  if (word === null) return {}
  const text = word.text ?? ''
  return DJANGO.test(name) && /^\w+(?:\.\w+){0,9}$/.test(text) && !/(?:^|[._])tests?(?:$|[._])/.test(text)
    ? { settings: text }
    : { host: null }
}

function byFile(name: string, parsed: ParsedCommand, context: CommandContext): JsonObject {
  const options = (Object.hasOwn(FILES, name) ? FILES[name] : undefined) ?? []
  const words = options.flatMap((option) => (option.startsWith('-') ? parsed.values(option) : (context.variable(option) ?? [])))
  const [first, ...more] = words
  if (first === undefined) return {}
  return first.text === null || more.length > 0 ? { host: null } : { settings: first.text }
}

type Choice = (parsed: ParsedCommand, context: CommandContext) => JsonObject

/** The command, whose effects say which database was chosen. */
function elsewhere(spec: CommandSpec, choice: Choice): CommandSpec {
  const { refine, subcommands } = spec
  return {
    ...spec,
    ...(subcommands === undefined
      ? {}
      : { subcommands: Object.fromEntries(Object.entries(subcommands).map(([name, sub]) => [name, elsewhere(sub, choice)])) }),
    ...(refine === undefined
      ? {}
      : {
          refine: (parsed, context) => onServer(choice(parsed, context), context, (inside) => refine(parsed, inside)),
        }),
  }
}

/** Programs that work on the database of an application, which variables and options can make another one. */
export function ofApplications(table: CommandTable): CommandTable {
  const specs = new Map<CommandSpec, CommandSpec>()
  return Object.fromEntries(
    Object.entries(table).map(([name, spec]) => {
      const made = specs.get(spec) ?? elsewhere(spec, chosen)
      specs.set(spec, made)
      return [name, made]
    }),
  )
}

/** `supabase`: `--linked`, `--db-url` and a push are about the database of the project, everything else about the local one. */
export function supabaseServer(spec: CommandSpec): CommandSpec {
  return elsewhere({ ...spec, flags: [...(spec.flags ?? []), '--linked', '--local'] }, (parsed) =>
    parsed.flag('--linked') ||
    parsed.value('--db-url', '--workdir') !== null ||
    (parsed.operands.some(({ text }) => text === 'push') && !parsed.flag('--local'))
      ? { host: null }
      : {},
  )
}
