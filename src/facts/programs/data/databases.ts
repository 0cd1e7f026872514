import type { JsonObject } from '../../../core/json.ts'
import type { Span, Target } from '../../effect.ts'
import type { CommandContext, CommandSpec, CommandTable, ParsedCommand, Word } from '../../host.ts'
import { isDescriptorPath, isStream, reachUrl, readPath, writePath } from '../../resources/acts.ts'
import { doubt } from '../../resources/doubt.ts'
import { isBareShell } from '../../resources/environment/names.ts'
import { textOf } from '../../resources/file-text.ts'
import { byName, list, takes } from '../tool.ts'
import { onServer, serverOf } from './servers.ts'

/**
 * Clients of SQL databases: statements go to `context.sql`, files of statements are read through the View.
 * Actions: sql:connect · sql:create · sql:drop · sql:* (from the statements).
 */

const HELP = ['--help', '--version', '-V']

/** Bytes of a file of statements that are looked at. */
const LIMIT = 65_536

export interface Client {
  readonly database: Target
  readonly name: string
  /** Where its server is, as far as the command says it. */
  readonly server?: JsonObject
}

/** Statements against the client's database, on its server. */
function run(
  text: string | null,
  span: Span,
  { client: { database, server = {} }, context }: { client: Client; context: CommandContext },
): void {
  onServer(server, context, (inside) => inside.sql(text, span, database))
}

/** Statements from a file: read through the View; what cannot be read is opaque. */
export function sqlFile(word: Word, client: Client, context: CommandContext): void {
  readPath(context, word)
  sqlContent(word, client, context)
}

function sqlContent(word: Word, client: Client, context: CommandContext): void {
  run(textOf(word, context, LIMIT), word.span, { client, context })
}

/** Statements on standard input. Nothing where there is none: an interactive session. */
export function sqlInput(parsed: ParsedCommand, client: Client, context: CommandContext): void {
  const { input, span } = parsed.invocation
  if (input.kind === 'text') run(input.text, input.span, { client, context })
  else if (input.kind === 'file') sqlContent(input.word, client, context)
  else if (input.kind === 'pipe') run(null, span, { client, context })
}

/** The statement in a word; unknown text is opaque. */
export function sqlWord(word: Word, client: Client, context: CommandContext): void {
  const known = word.text ?? statementOf(word)
  run(known, word.span, { client, context })
  if (word.text === null && known !== null) doubt('part of the SQL is not known before it runs', { span: word.span, context })
}

/** A statement that is known but for values in it; null where it begins unknown, or holds what the network says. */
function statementOf({ pieces, from }: Word): string | null {
  const foreign = from?.some((item) => item.verb === 'fetch' || item.verb === 'send') === true
  const begins = /\S/.test(pieces?.[0] ?? '')
  return begins && !foreign ? (pieces ?? []).map((piece) => piece ?? 'unknown_value').join('') : null
}

interface Options {
  /** Options with a statement, with a file of statements, and those that name the database and the host. */
  readonly statements: readonly string[]
  readonly files: readonly string[]
  readonly database: readonly string[]
  readonly hosts: readonly string[]
  readonly ports?: readonly string[]
  readonly valued: string
  readonly flags?: string
  readonly outputs?: string
  readonly inert?: string
  /** Statements may follow the database as operands: `sqlite3 db "select 1"`. */
  readonly operandStatements?: boolean
  /** The database is a file. */
  readonly file?: boolean
}

function databaseOf(
  parsed: ParsedCommand,
  context: CommandContext,
  options: Options,
): { readonly target: Target; readonly operand: boolean } {
  const named = parsed.value(...options.database)
  const word = named ?? parsed.operands[0]
  const text = word?.text ?? word?.prefix ?? ''
  return { target: context.thing('database', text === '' ? 'default' : text), operand: named === null && word !== undefined }
}

/** A connection string or host option: somebody else's machine is talked to. */
function contact(parsed: ParsedCommand, context: CommandContext, options: Options): void {
  const urls = [...parsed.operands, ...parsed.values(...options.database)].filter((word) => /^[a-z][a-z0-9+]*:\/\//i.test(word.prefix))
  for (const word of [...urls, ...parsed.values(...options.hosts)]) reachUrl(context, word, { verb: 'fetch', action: 'sql:connect' })
}

/** The server that an option, a connection string or a variable of the command names. */
function clientServer(parsed: ParsedCommand, context: CommandContext, options: Options): JsonObject {
  const [inString = null] = [...parsed.values(...options.database), ...parsed.operands].flatMap(
    ({ text }) => /(?:^|\s)(?:host|hostaddr|service)\s{0,9}=\s{0,9}([^\s']{1,255}|'[^']{0,255}')/.exec(text ?? '')?.[1] ?? [],
  )
  const named = serverOf(parsed, context, { hosts: options.hosts, ports: options.ports ?? [], variables: SERVER_VARIABLES })
  return inString === null ? named : { ...named, host: inString.replaceAll("'", '') }
}

const SERVER_VARIABLES = ['PGHOST', 'PGHOSTADDR', 'PGSERVICE', 'MYSQL_HOST', 'CLICKHOUSE_HOST', 'PGPORT']

/** Where results go: a file, or after `|` a program. */
function outputs(parsed: ParsedCommand, context: CommandContext, { name, names }: { readonly name: string; readonly names: string }): void {
  for (const word of parsed.values(...list(names))) {
    if (word.text !== null && isBareShell(word.text.replace(/^\|/, ''))) context.opaque('a shell runs what the database prints', word.span)
    else if (word.prefix.startsWith('|')) context.shell(word.text === null ? null : word.text.slice(1), word.span, name)
    else if (!isStream(word)) writePath(context, word)
  }
}

function client(options: Options): CommandSpec {
  return {
    flags: list(options.flags ?? ''),
    options: {
      ...takes(options.valued),
      ...takes([...options.statements, ...options.files, ...options.database, ...options.hosts].join(' ')),
      ...takes(options.outputs ?? ''),
    },
    inert: [...HELP, ...list(options.inert ?? '')],
    refine: (parsed, context) => {
      const { target, operand } = databaseOf(parsed, context, options)
      const source: Client = { database: target, name: parsed.invocation.name, server: clientServer(parsed, context, options) }
      const [first] = parsed.operands
      if (options.file === true && operand && first !== undefined && first.text !== ':memory:') readPath(context, first)
      contact(parsed, context, options)
      outputs(parsed, context, { name: source.name, names: options.outputs ?? '' })
      const statements = [...parsed.values(...options.statements), ...(options.operandStatements === true ? parsed.operands.slice(1) : [])]
      for (const [at, word] of statements.entries())
        sqlWord(word, statements.slice(0, at).some(isMoving) ? { ...source, server: { ...source.server, host: null } } : source, context)
      const files = parsed.values(...options.files).filter((word) => !isStream(word) || isDescriptorPath(word.text))
      for (const word of files) sqlFile(word, source, context)
      if (statements.length === 0 && files.length === 0) sqlInput(parsed, source, context)
    },
  }
}

/** A statement after which the session may be at another database: `\\c bank`, `USE bank`. */
const isMoving = ({ text }: Word): boolean => text === null || /(?:^|[\n;])\s{0,20}(?:\\c(?:onnect)?\b|use\b)/i.test(text)

const psql = client({
  statements: ['-c', '--command'],
  files: ['-f', '--file'],
  database: ['-d', '--dbname'],
  hosts: ['-h', '--host'],
  ports: ['-p'],
  valued: '-U -p -v -F -R -P -T --username --port --set --variable --field-separator --record-separator --pset',
  flags:
    '-1 -a -A -b -e -E -H -l -n -q -s -S -t -w -W -x -X -z -0 --no-password --password --tuples-only --no-align --quiet ' +
    '--csv --list --no-psqlrc --single-transaction --expanded',
  outputs: '-o --output -L --log-file',
  inert: '-l --list -?',
})

const mysql = client({
  statements: ['-e', '--execute', '--init-command'],
  files: [],
  database: ['-D', '--database'],
  hosts: ['-h', '--host'],
  ports: ['-P'],
  valued:
    '-u -P -S --user --port --socket --protocol --default-character-set --defaults-file --defaults-extra-file --login-path ' +
    '--ssl-mode --ssl-ca --delimiter --connect-timeout',
  flags: '-A -B -C -E -H -N -s -t -v -X -f -n -q -r -w --batch --silent --skip-column-names --table --vertical --raw --force --skip-ssl',
  outputs: '--tee',
  inert: '-?',
})

const sqlite = client({
  statements: ['-cmd'],
  files: ['-init'],
  database: [],
  hosts: [],
  valued: '-separator -newline -nullvalue -mmap -maxsize -vfs -lookaside -pagecache -escape',
  flags:
    '-header -noheader -csv -column -html -line -list -json -box -table -markdown -quote -tabs -ascii -batch -bail -echo ' +
    '-interactive -readonly -safe -stats -append',
  inert: '-help -version',
  operandStatements: true,
  file: true,
})

const duckdb = client({
  statements: ['-c', '-s', '-cmd'],
  files: ['-f', '-init'],
  database: [],
  hosts: [],
  valued: '-separator -newline -nullvalue',
  flags:
    '-csv -json -jsonlines -line -list -table -box -column -html -quote -latex -markdown -readonly -safe -bail -echo ' +
    '-interactive -header -noheader -batch -unsigned -unredacted -no-stdin -no-init -ui -stats',
  inert: '-help -version',
  operandStatements: true,
  file: true,
})

const plain = (statements: string, files: string, hosts = '-h --host -S --server'): CommandSpec =>
  client({
    statements: list(statements),
    files: list(files),
    database: list('-d -D --database --db --dbname'),
    hosts: list(hosts),
    valued: '-u -U -p -P -d -D -v --user --port --database',
    outputs: '-o --output',
  })

/** What test suites call the databases that they make anew. */
const TEST_NAME = /^\w[\w-]{0,60}[_-]tests?(?:[_-]?\d{1,3})?$/i

const named = (verb: 'delete' | 'write', action: string): CommandSpec => ({
  flags: list('-e -i -f -w -W --echo --interactive --force --if-exists'),
  options: takes('-h -p -U -E -O -T -D -l --host --port --username --maintenance-db --encoding --owner --template'),
  inert: HELP,
  refine: (parsed, context) => {
    const [name] = parsed.operands
    for (const host of parsed.values('-h', '--host')) reachUrl(context, host, { verb: 'fetch', action: 'sql:connect' })
    const server = serverOf(parsed, context, { hosts: ['-h', '--host'], ports: ['-p'], variables: SERVER_VARIABLES })
    onServer(server, context, (inside) =>
      inside.emit(verb, inside.thing('database', name?.text ?? name?.prefix ?? 'default'), {
        action,
        ...(verb === 'delete' && TEST_NAME.test(name?.text ?? '') ? { attributes: { environment: 'test' } } : {}),
        ...(name === undefined ? {} : { span: name.span }),
      }),
    )
  },
})

/** `mysqladmin drop db`, `shutdown`, `password` …: words after the options. */
const mysqladmin: CommandSpec = {
  flags: list('-f -s -v -w --force'),
  options: takes('-h -u -P -S -i -c --host --user --port --socket --password'),
  operands: ['data'],
  inert: HELP,
  refine: (parsed, context) => {
    for (const host of parsed.values('-h', '--host')) reachUrl(context, host, { verb: 'fetch', action: 'sql:connect' })
    const server = serverOf(parsed, context, { hosts: ['-h', '--host'], ports: ['-P'], variables: ['MYSQL_HOST'] })
    onServer(server, context, (inside) => administer(parsed, inside))
  },
}

function administer({ operands: [verb, name] }: ParsedCommand, context: CommandContext): void {
  const word = verb?.text ?? 'unknown'
  const database = context.thing('database', name?.text ?? 'server')
  if (word === 'drop') context.emit('delete', database, { action: 'sql:drop' })
  else if (word === 'create') context.emit('write', database, { action: 'sql:create' })
  else if (word === 'shutdown' || word === 'kill') context.emit('change', database, { action: 'sql:kill', attributes: { operation: word } })
  else if (!/^(?:ping|status|extended-status|processlist|variables|version)$/.test(word))
    context.emit('change', database, { action: 'sql:admin', attributes: { operation: word } })
}

const sqlcmdGrammar = plain('-Q -q', '-i')

/** The newer sqlcmd has verbs: `sqlcmd query "…"`, `create`, `start`, `stop`, `delete`. */
function sqlcmd(parsed: ParsedCommand, context: CommandContext): void {
  const [verb, ...words] = parsed.operands
  const source = { database: context.thing('database', 'default'), name: 'sqlcmd' }
  if (verb?.text === 'query') for (const word of words) sqlWord(word, source, context)
  else if (/^(?:create|delete|start|stop|install|uninstall|config|use)$/.test(verb?.text ?? '')) {
    context.emit(verb?.text === 'delete' ? 'delete' : 'change', source.database, {
      action: 'sql:admin',
      attributes: { operation: verb?.text ?? null },
    })
  } else sqlcmdGrammar.refine?.(parsed, context)
}

/** Its statement is its only operand. */
const graphShell: CommandSpec = {
  flags: list('--non-interactive --fail-fast --fail-at-end --debug --verbose --idle-timeout-disable'),
  options: takes(
    '-a -u -p -d -f -P --address --uri --username --password --database --file --param --format --encryption --sample-rows --log',
  ),
  inert: [...HELP, '-h', '-v'],
  refine: (parsed, context) => {
    const addresses = parsed.values('-a', '--address', '--uri')
    for (const word of addresses) reachUrl(context, word, { verb: 'fetch', action: 'sql:connect' })
    const database = context.thing('database', parsed.value('-d', '--database')?.text ?? 'neo4j')
    const server = serverOf(parsed, context, { hosts: ['-a', '--address', '--uri'], ports: [], variables: ['NEO4J_URI', 'NEO4J_ADDRESS'] })
    const source: Client = { database, name: 'cypher-shell', server }
    const files = parsed.values('-f', '--file')
    for (const word of parsed.operands) sqlWord(word, source, context)
    for (const word of files) sqlFile(word, source, context)
    if (parsed.operands.length === 0 && files.length === 0) sqlInput(parsed, source, context)
  },
}

export const databases: CommandTable = byName({
  'psql pgcli': psql,
  'mysql mariadb mycli': mysql,
  'sqlite3 sqlite litecli spatialite': { ...sqlite, singleDashLong: true },
  duckdb: { ...duckdb, singleDashLong: true },
  'clickhouse-client clickhouse-local clickhouse': plain('-q --query', '--queries-file'),
  sqlcmd: { ...sqlcmdGrammar, refine: sqlcmd },
  'cqlsh usql snowsql isql iusql tsql': plain('-e -c -q --execute --command --query', '-f --file'),
  'cypher-shell': graphShell,
  mgconsole: plain('', '', '-host --host'),
  'trino presto beeline spark-sql hive impala-shell vsql nzsql': plain('-e --execute -q', '-f --file', '--server -u'),
  sqlplus: {
    flags: list('-S -L -s'),
    operands: ['data'],
    inert: ['-V', '-H'],
    refine: (parsed, context) => {
      for (const word of parsed.operands.filter((item) => item.prefix.startsWith('@')))
        context.opaque('a script of `sqlplus` runs', word.span)
      sqlInput(parsed, { database: context.thing('database', 'oracle'), name: 'sqlplus' }, context)
    },
  },
  'dropdb dropuser': named('delete', 'sql:drop'),
  createdb: named('write', 'sql:create'),
  createuser: {
    flags: list('-s -d -r -e -i -P --superuser'),
    options: takes('-h -p -U -c -g'),
    inert: HELP,
    effects: [{ verb: 'change', action: 'sql:grant', target: { kind: 'database', value: 'server' } }],
  },
  'mysqladmin mariadb-admin': mysqladmin,
  'pg_isready pg_config pg_lsclusters': { options: takes('-p -d -U -t'), inert: HELP },
  'pg_ctl pg_ctlcluster initdb pg_resetwal': {
    operands: ['data'],
    options: takes('-D -l -m -N -o -p -P -S -t -U --log --mode --options --pgdata --timeout'),
    inert: HELP,
    effects: [{ verb: 'change', action: 'service:change', target: { kind: 'service', value: 'postgresql' } }],
  },
})
