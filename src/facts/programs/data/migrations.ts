import type { CommandContext, CommandSpec, CommandTable, ParsedCommand, Word } from '../../host.ts'
import { reachUrl, readPath } from '../../resources/acts.ts'
import { agent } from '../agents/agents.ts'
import { BUILDS, LISTS } from '../packages/packages.ts'
import { byName, does, each, list, nameOf, takes, tool } from '../tool.ts'
import { ofApplications } from './servers.ts'

/**
 * Migration tools of databases: Prisma, Drizzle, Sequelize, Knex, TypeORM, Alembic, Flyway, Liquibase, Diesel, sqlx …
 * Actions: sql:migrate changes a schema; sql:drop loses what is stored; sql:dump reads it out.
 */

/** Options that name the database. */
const URLS = list('--url -url --database-url --database -database --db --db-url --dsn --connection -u --datasource --uri')

/** The database that the command names, or the application's. */
function databaseOf(parsed: ParsedCommand): string {
  const named = parsed.value(...URLS)
  return named === null ? 'application' : withoutPassword(nameOf(named))
}

/** `postgres://me:secret@db/x` without the password. */
function withoutPassword(text: string): string {
  return text.replace(/:\/\/([^:/@\s]{1,200}):[^@/\s]{1,500}@/, '://$1@')
}

function act(verb: 'change' | 'delete' | 'read', action: string, spec: CommandSpec = {}): CommandSpec {
  return {
    operands: ['data'],
    ...spec,
    refine: (parsed, context) => {
      const by = [parsed.invocation.name, ...parsed.path].join(' ')
      context.emit(verb, context.thing('database', databaseOf(parsed)), { action, attributes: { by } })
      spec.refine?.(parsed, context)
    },
  }
}

const FORCE = list(
  '-f --force --accept-data-loss --force-reset --skip-seed --skip-generate --all -y --yes --auto-approve --revert -all -v --verbose',
)
const GRAMMAR = {
  flags: FORCE,
  options: {
    ...takes(
      `${URLS.join(' ')} -n --step --steps --to --name --env -e --schema-name -t --target --tag -l --lock-timeout --config-name -s -environment`,
    ),
    ...takes(
      '--schema --config -c --configFile --knexfile -d --dataSource --migrations-path --path -path --dir -dir -source ' +
        '--source --env-file -configFiles -configFile -workingDirectory -locations',
      'read',
    ),
  },
}
const migrate = act('change', 'sql:migrate', GRAMMAR)

/** Back to before the first migration: every table and all in them. */
const ORIGIN: ReadonlySet<string> = new Set(['base', 'zero', '0', 'all', 'root'])

/** Emits what going back does: to the start it loses everything. */
function goBack(all: boolean, parsed: ParsedCommand, context: CommandContext): void {
  const by = [parsed.invocation.name, ...parsed.path].join(' ')
  const options = { action: all ? 'sql:drop' : 'sql:migrate', reversible: !all, attributes: { by } }
  context.emit(all ? 'delete' : 'change', context.thing('database', databaseOf(parsed)), options)
}

/** Going back one step loses what the step added; going back to the start loses everything. */
const revert: CommandSpec = {
  ...GRAMMAR,
  operands: ['data'],
  refine: (parsed, context) => {
    const words = [...parsed.operands, ...parsed.values('-t', '--target')]
    goBack(parsed.flag('--all', '-all') || words.some((word) => ORIGIN.has(word.text ?? '')), parsed, context)
  },
}
const drop = act('delete', 'sql:drop', GRAMMAR)
const dump = act('read', 'sql:dump', { ...GRAMMAR, options: { ...GRAMMAR.options, ...takes('-o --output --output-file --out', 'write') } })
const generate: CommandSpec = {
  ...BUILDS,
  ...GRAMMAR,
  flags: [...FORCE, '--autogenerate', '--sql', '--create-only', '--watch'],
  options: { ...GRAMMAR.options, ...takes('-m --message') },
  operands: ['data'],
}
const look: CommandSpec = { ...LISTS, ...GRAMMAR, operands: ['data'] }

/** Words that mean the same in most migration tools. */
const WORDS: Readonly<Record<string, CommandSpec>> = byName({
  'up migrate apply upgrade deploy latest run push sync stamp redo goto force set load setup create seed baseline repair mark update up-to up-by-one':
    migrate,
  'down rollback downgrade undo revert down-to': revert,
  'drop reset clean fresh wipe drop-all dropAll clear truncate': drop,
  'status version list current history heads show info check validate diff inspect lint print-schema branches pending print verify plan whoami doctor':
    look,
  'generate new init make add revision introspect pull format create-migration prepare fix hash merge edit snapshot export rehash studio':
    generate,
  'dump backup': dump,
})

/** A migration tool whose words stand alone or behind a group: `diesel migration run`, `atlas schema apply`. */
function migrator(groups: string, more: Readonly<Record<string, CommandSpec>> = {}): CommandSpec {
  return tool('sql', {
    ...GRAMMAR,
    subcommands: { ...WORDS, migrate: { ...migrate, subcommands: WORDS }, ...each(groups, { subcommands: WORDS }), ...more },
    inert: ['--dry-run', '--sql', '--version', '-V', '--dryRun'],
  })
}

/** Flyway takes several commands in one line, and its options as `-url=…`. */
const FLYWAY: CommandSpec = {
  ...migrator(''),
  singleDashLong: true,
  subcommands: Object.fromEntries(
    Object.entries(WORDS).map(([word, spec]) => [
      word,
      {
        ...spec,
        refine: (parsed: ParsedCommand, context: CommandContext) => {
          spec.refine?.(parsed, context)
          for (const { text } of parsed.operands) if (text !== null && Object.hasOwn(WORDS, text)) WORDS[text]?.refine?.(parsed, context)
        },
      },
    ]),
  ),
}

const GOOSE_DRIVERS = 'postgres mysql sqlite3 mssql redshift tidb clickhouse vertica ydb starrocks turso azuresql spanner dsql'

/** What pressly's `goose` does at a word, to a database. */
function gooseAt(words: readonly Word[], database: string, { parsed, context }: { parsed: ParsedCommand; context: CommandContext }): void {
  const [word, to] = words
  const by = [parsed.invocation.name, ...parsed.path, ...(database === 'application' ? [] : [word?.text ?? ''])].join(' ')
  const target = context.thing('database', database)
  const name = word?.text ?? ''
  if (word?.text === null) context.opaque('what `goose` does to the database is not known before it runs', word.span)
  else if (name === 'reset' || (name === 'down-to' && to?.text === '0'))
    context.emit('delete', target, { action: 'sql:drop', attributes: { by } })
  else if (/^(?:up|up-to|up-by-one|down|down-to|redo)$/.test(name))
    context.emit('change', target, { action: 'sql:migrate', attributes: { by } })
  else if (name === 'create' || name === 'fix') BUILDS.refine?.(parsed, context)
  else if (/^(?:status|version|validate)$/.test(name)) LISTS.refine?.(parsed, context)
  else context.emit('execute', context.thing('program', parsed.invocation.name), { action: 'tool:help' })
}

/** Two programs are called `goose`: Block's agent, and pressly's migrations, which are known by their words. */
function goose(): CommandSpec {
  const base = agent('goose')
  const bare = (name: string): CommandSpec => ({
    operands: ['data'],
    refine: (parsed, context) =>
      gooseAt(
        [{ text: name, prefix: name, glob: false, dynamic: false, span: parsed.invocation.span }, ...parsed.operands],
        'application',
        {
          parsed,
          context,
        },
      ),
  })
  const driver: CommandSpec = {
    operands: ['data'],
    refine: (parsed, context) => {
      const [dsn, ...words] = parsed.operands
      gooseAt(words, dsn === undefined ? 'application' : withoutPassword(nameOf(dsn)), { parsed, context })
    },
  }
  const words = list('up up-to up-by-one down down-to redo reset status version validate create fix')
  return {
    ...base,
    singleDashLong: true,
    options: { ...base.options, ...takes('-table -certfile -ssl-cert -ssl-key -timeout'), ...takes('-dir -env', 'read') },
    subcommands: {
      ...base.subcommands,
      ...Object.fromEntries(words.map((name) => [name, bare(name)])),
      ...each(GOOSE_DRIVERS, driver),
    },
  }
}

const GOES_BACK: ReadonlySet<string> = new Set(['undo', 'rollback', 'revert', 'down'])

/** `push --force` accepts every loss of data without a question. */
const DRIZZLE_PUSH: CommandSpec = {
  ...migrate,
  flags: [...FORCE, '--strict'],
  refine: (parsed, context) => (parsed.flag('--force') ? drop : migrate).refine?.(parsed, context),
}

/** `knex migrate:latest`, `sequelize db:drop`: the group is part of the word. */
function colons(names: string): CommandSpec {
  const word = (parsed: ParsedCommand, context: CommandContext): boolean => {
    const first = parsed.operands[0]
    const parts = first?.text?.split(':') ?? []
    if (parts.slice(1).some((part) => GOES_BACK.has(part))) {
      goBack(parts.includes('all') || parsed.flag('--all'), parsed, context)
      return true
    }
    const key = parts.slice(1).find((part) => Object.hasOwn(WORDS, part))
    const spec = key === undefined ? undefined : WORDS[key]
    const made = /:(?:generate|create|make)$/.test(first?.text ?? '') && parts[0] !== 'db' && parts[0] !== 'database' ? generate : spec
    made?.refine?.(parsed, context)
    return made !== undefined
  }
  return tool(names, {
    fallback: word,
    ...GRAMMAR,
    subcommands: { init: generate, query: act('change', 'sql:query') },
    inert: ['--dry-run'],
  })
}

const PRISMA = tool('sql', {
  ...GRAMMAR,
  subcommands: byName({
    migrate: { subcommands: byName({ 'deploy dev resolve': migrate, reset: drop, 'status diff': look }) },
    db: {
      subcommands: {
        push: {
          ...migrate,
          refine: (parsed, context) => {
            const losing = parsed.flag('--force-reset', '--accept-data-loss')
            ;(losing ? drop : migrate).refine?.(parsed, context)
          },
        },
        pull: generate,
        seed: migrate,
        execute: {
          ...GRAMMAR,
          flags: ['--stdin'],
          options: { ...GRAMMAR.options, ...takes('--file') },
          refine: (parsed, context) => {
            const file = parsed.value('--file')
            if (file !== null) readPath(context, file)
            const { input } = parsed.invocation
            if (input.kind === 'text') context.sql(input.text, input.span, context.thing('database', databaseOf(parsed)))
            else context.opaque('the SQL that `prisma db execute` runs is not analysed', file?.span)
          },
        },
      },
    },
    'generate init format dev studio': generate,
    'validate version': look,
  }),
})

/** `mysqldump`-like tools of hosted databases that only copy. */
const HASURA = migrator('migrate metadata seed database', {
  console: does({ verb: 'execute', action: 'dev:serve', kind: 'program', value: 'hasura console' }),
  deploy: migrate,
})

const ALEMBIC = migrator('db')

/** Schema tools that are told two databases: the second one is changed. */
const APGDIFF: CommandSpec = {
  inert: ['--help', '--version'],
  operands: ['data'],
  refine: ({ operands }, context) => {
    for (const word of operands) if (word.prefix.includes('://')) reachUrl(context, word, { verb: 'fetch', action: 'sql:read' })
  },
}

export const migrations: CommandTable = ofApplications(
  byName({
    prisma: PRISMA,
    'drizzle-kit': migrator('migration schema', { push: DRIZZLE_PUSH }),
    'kysely mikro-orm': migrator('migration schema'),
    'knex sequelize sequelize-cli typeorm typeorm-ts-node-commonjs typeorm-ts-node-esm orchid': colons('sql'),
    'node-pg-migrate db-migrate umzug postgrator migrate-mongo dbmate sql-migrate tern refinery barrel shmig pgroll phinx skeema':
      migrator('db migration database'),
    alembic: { ...ALEMBIC, options: { ...ALEMBIC.options, ...takes('-x') } },
    'yoyo pyway aerich piccolo': ALEMBIC,
    'migrate golang-migrate': { ...migrator('db migration database'), singleDashLong: true },
    flyway: FLYWAY,
    liquibase: migrator('migrations'),
    goose: goose(),
    'diesel sqlx sea-orm-cli sea sqitch atlas bytebase': migrator('migration migrations database db schema'),
    hasura: HASURA,
    'migra apgdiff pgquarrel': APGDIFF,
  }),
)
