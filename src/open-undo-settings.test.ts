/** The database that is kept is the one that the tool's own settings name; where they name another one, the policy's `on_failure` decides. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findPostgres } from '../scripts/postgres.ts'
import { databaseUndo } from '../test/support/database-undo.ts'
import { newPostgres, noPostgres } from '../test/support/postgres.ts'
import { temporaryDirectory } from '../test/support/records.ts'

const SECTION = 'databases: { shop: { engine: postgres, url_env: TEST_SETTINGS_URL } }'

/** `<host>` and `<port>` stand for a server, and `<db>` for a database of it. */
interface Row {
  readonly command: string
  readonly files: Readonly<Record<string, string>>
}

/** What `alembic init` writes, as far as it says which database that is. */
const ENV_PY = 'connectable = engine_from_config(config.get_section(config.config_ini_section, {}), prefix="sqlalchemy.")\n'

const ROWS: readonly Row[] = [
  {
    command: 'prisma migrate reset --force',
    files: { 'prisma/schema.prisma': 'datasource db {\n  provider = "postgresql"\n  url = "postgresql://me:pw@<host>:<port>/<db>"\n}\n' },
  },
  {
    command: 'prisma db push --force-reset',
    files: {
      'schema.prisma': 'datasource db {\n  url      = env("TEST_APP_URL")\n}\n',
      '.env': 'TEST_APP_URL="postgres://<host>:<port>/<db>"\n',
    },
  },
  {
    command: 'drizzle-kit push --force',
    files: {
      'drizzle.config.ts':
        "export default defineConfig({ dialect: 'postgresql', dbCredentials: { url: 'postgres://<host>:<port>/<db>' } })\n",
    },
  },
  {
    command: 'drizzle-kit push',
    files: {
      'drizzle.config.ts': 'export default { dbCredentials: { url: process.env.TEST_APP_URL! } }\n',
      '.env': 'TEST_APP_URL=postgres://<host>:<port>/<db>\n',
    },
  },
  {
    command: 'knex migrate:rollback',
    files: { 'knexfile.js': "module.exports = { client: 'pg', connection: 'postgres://<host>:<port>/<db>' }\n" },
  },
  {
    command: 'rails db:drop',
    files: {
      'config/database.yml':
        'default: &default\n  adapter: postgresql\n  host: <host>\n  port: <port>\ndevelopment:\n  <<: *default\n  database: <db>\ntest:\n  database: other_test\n',
    },
  },
  { command: 'rake db:drop', files: { 'config/database.yml': 'development:\n  url: postgres://<host>:<port>/<db>\n' } },
  {
    command: './manage.py flush',
    files: {
      'manage.py': "os.environ.setdefault('DJANGO_SETTINGS_MODULE', 'shop.settings')\n",
      'shop/settings.py':
        "DATABASES = {'default': {'ENGINE': 'django.db.backends.postgresql', 'NAME': '<db>', 'HOST': '<host>', 'PORT': '<port>'}}\n",
    },
  },
  { command: 'alembic downgrade -1', files: { 'alembic.ini': '[alembic]\nsqlalchemy.url = postgresql+psycopg://me@<host>:<port>/<db>\n' } },
  {
    command: 'alembic downgrade -2',
    files: { 'alembic.ini': '[alembic]\nsqlalchemy.url: postgresql://<host>:<port>/<db>\n\n[old]\nsqlalchemy.url = postgres://old/old\n' },
  },
  {
    command: 'alembic upgrade +1',
    files: { 'alembic.ini': '[DEFAULT]\nsqlalchemy.url = postgresql://<host>:<port>/<db>\n[alembic]\nscript_location = migrations\n' },
  },
  {
    command: 'alembic -x tenant=a downgrade -1',
    files: {
      'alembic.ini': '[alembic]\nscript_location = %(here)s/migrations\nsqlalchemy.url = postgresql://<host>:<port>/<db>\n',
      'migrations/env.py': ENV_PY,
    },
  },
  { command: 'flyway clean', files: { 'flyway.conf': 'flyway.url=jdbc:postgresql://<host>:<port>/<db>\n' } },
  { command: 'flyway migrate', files: { 'flyway.toml': '[environments.default]\nurl = "jdbc:postgresql://<host>:<port>/<db>"\n' } },
]

/** The usual settings name another database than those that the call names. */
const NAMED: readonly Row[] = [
  {
    command: 'prisma migrate reset --force --schema db/other.prisma',
    files: {
      'schema.prisma': 'datasource db {\n  url = "postgres://usual/usual"\n}\n',
      'db/other.prisma': 'datasource db {\n  url = "PG"\n}\n',
    },
  },
  { command: 'prisma db push --force-reset --schema=db', files: { 'db/schema.prisma': 'datasource db {\n  url = "PG"\n}\n' } },
  {
    command: 'drizzle-kit push --force --config=drizzle-two.config.ts',
    files: { 'drizzle.config.ts': "url: 'postgres://usual/usual'\n", 'drizzle-two.config.ts': "dbCredentials: { url: 'PG' }\n" },
  },
  {
    command: 'knex migrate:rollback --knexfile db/knexfile.js',
    files: { 'knexfile.js': "connection: 'postgres://usual/usual'\n", 'db/knexfile.js': "connection: 'PG'\n" },
  },
  {
    command: 'alembic -c two.ini downgrade -1',
    files: { 'alembic.ini': 'sqlalchemy.url = postgres://usual/usual\n', 'two.ini': 'sqlalchemy.url = PG\n' },
  },
  ...['alembic -n live downgrade -1', 'alembic --name=live downgrade -1', 'python -m alembic -n live downgrade -1'].map((command) => ({
    command,
    files: {
      'alembic.ini': '[alembic]\nsqlalchemy.url = postgres://usual/usual\n[live]\nsqlalchemy.url = PG\n[test]\nsqlalchemy.url = x\n',
    },
  })),
  {
    command: 'alembic -n test -c two.ini upgrade head',
    files: { 'alembic.ini': 'sqlalchemy.url = postgres://usual/usual\n', 'two.ini': '[test]\nsqlalchemy.url = PG\n' },
  },
  { command: 'ALEMBIC_CONFIG=two.ini alembic downgrade -1', files: { 'two.ini': 'sqlalchemy.url = PG\n' } },
  {
    command: 'flyway -configFiles=conf/two.conf clean',
    files: { 'flyway.conf': 'flyway.url=jdbc:postgresql://usual/usual\n', 'conf/two.conf': 'flyway.url=jdbc:PG\n' },
  },
  { command: 'FLYWAY_CONFIG_FILES=two.conf flyway clean', files: { 'two.conf': 'flyway.url=jdbc:PG\n' } },
  ...['./manage.py flush --settings shop.live', 'DJANGO_SETTINGS_MODULE=shop.live ./manage.py flush'].map((command) => ({
    command,
    files: {
      'manage.py': "('DJANGO_SETTINGS_MODULE', 'shop.settings')\n",
      'shop/settings.py': "{'ENGINE': 'django.db.backends.postgresql', 'NAME': 'usual'}\n",
      'shop/live.py': "{'ENGINE': 'django.db.backends.postgresql', 'NAME': '<db>', 'HOST': '<host>', 'PORT': '<port>'}\n",
    },
  })),
  ...['RAILS_ENV=production rails db:drop', 'rake db:drop RAILS_ENV=production', 'export RAILS_ENV=production; bin/rails db:drop'].map(
    (command) => ({
      command,
      files: { 'config/database.yml': 'development:\n  url: postgres://usual/usual\nproduction:\n  url: PG\n' },
    }),
  ),
].map(({ command, files }) => ({
  command,
  files: Object.fromEntries(Object.entries(files).map(([name, text]) => [name, text.replace('PG', 'postgresql://<host>:<port>/<db>')])),
}))

/** What the call names is not there, lies elsewhere, or says nothing plainly; the usual settings would be right. */
const UNREADABLE: readonly (readonly [command: string, files: Row['files']])[] = [
  ['prisma migrate reset --force --schema none.prisma', { 'schema.prisma': 'datasource db {\n  url = "PG"\n}\n' }],
  ['prisma migrate reset --force --schema ../outside.prisma', { 'schema.prisma': 'datasource db {\n  url = "PG"\n}\n' }],
  ['prisma migrate reset --force --schema link/outside.prisma', { 'schema.prisma': 'datasource db {\n  url = "PG"\n}\n' }],
  ['knex migrate:rollback --knexfile /etc/hostname', { 'knexfile.js': "connection: 'PG'\n" }],
  ['drizzle-kit push --force --config computed.ts', { 'drizzle.config.ts': "url: 'PG'\n", 'computed.ts': 'url: addressOf("shop")\n' }],
  ['alembic -c none.ini downgrade -1', { 'alembic.ini': 'sqlalchemy.url = PG\n' }],
  ['alembic -n none downgrade -1', { 'alembic.ini': '[alembic]\nsqlalchemy.url = PG\n' }],
  ['alembic -n live downgrade -1', { 'alembic.ini': '[alembic]\nsqlalchemy.url = PG\n[live]\nsqlalchemy.url = %(LIVE_URL)s\n' }],
  [
    'alembic -n live downgrade -2',
    { 'alembic.ini': '[live]\nsqlalchemy.url = PG\n', 'alembic/env.py': 'config.set_main_option("x", y)\n' },
  ],
  ['alembic -x db=live downgrade -1', { 'alembic.ini': '[alembic]\nsqlalchemy.url = PG\n' }],
  [
    'alembic -x db=live downgrade -2',
    { 'alembic.ini': '[alembic]\nsqlalchemy.url = PG\n', 'alembic/env.py': `${ENV_PY}name = context.get_x_argument(as_dictionary=True)\n` },
  ],
  [
    'alembic -x db=live downgrade -3',
    { 'alembic.ini': '[alembic]\nsqlalchemy.url = PG\n', 'alembic/env.py': 'from shop.db import run_migrations\n' },
  ],
  [
    'alembic upgrade head',
    {
      'alembic.ini': '[alembic]\ndatabases = one, two\n[one]\nsqlalchemy.url = PG\n[two]\nsqlalchemy.url = postgres://two/two\n',
    },
  ],
  ['flyway -configFiles=a.conf,b.conf clean', { 'flyway.conf': 'flyway.url=jdbc:PG\n' }],
  ['./manage.py flush --settings shop.none', { 'manage.py': "('DJANGO_SETTINGS_MODULE', 'shop.settings')\n" }],
  ['RAILS_ENV=production rails db:drop', { 'config/database.yml': 'development:\n  url: PG\nproduction:\n  url: <%= ENV["X"] %>\n' }],
  ['RAILS_ENV=staging rake db:drop', { 'config/database.yml': 'development:\n  url: PG\n' }],
  ['cd "$X" && prisma migrate reset --force --schema two.prisma', { 'three.prisma': 'datasource db {\n  url = "PG"\n}\n' }],
]

/** Another database on purpose, as tests have one, or one that is not known before: nothing of the known one is kept, and no way back is claimed. */
const OTHERS: readonly string[] = [
  'RAILS_ENV=test rails db:migrate',
  'rake db:migrate RAILS_ENV=test',
  'DATABASE_URL=postgres://db.example/shop rake db:migrate',
  'rake db:migrate DATABASE_URL=postgres://db.example/shop',
  './manage.py migrate --settings shop.settings_test',
  'prisma migrate deploy --schema "$X"',
  'flyway -environment=live migrate',
  'alembic -n "$X" upgrade head',
  'alembic -n one -n two upgrade head',
]

/** What is computed says nothing here: then the operator's word holds, that the entry is the application's. */
const UNTOLD: readonly Row[] = [
  { command: 'prisma migrate deploy', files: { 'schema.prisma': 'datasource db {\n  url = env("TEST_NOWHERE_URL")\n}\n' } },
  { command: 'drizzle-kit push', files: { 'drizzle.config.ts': 'export default { dbCredentials: { url: addressOf("shop") } }\n' } },
  {
    command: 'knex migrate:latest',
    files: {
      'knexfile.js': "module.exports = { development: { connection: 'postgres://a/b' }, production: { connection: 'postgres://c/d' } }\n",
    },
  },
  { command: 'rails db:migrate', files: { 'config/database.yml': 'development:\n  url: <%= ENV["X"] %>\n' } },
  {
    command: './manage.py migrate',
    files: {
      'manage.py': "('DJANGO_SETTINGS_MODULE', 'shop.settings')\n",
      'shop/settings.py': 'DATABASES = {"default": dj_database_url.config()}\n',
    },
  },
  {
    command: 'alembic upgrade head',
    files: {
      'alembic.ini': 'sqlalchemy.url = postgresql://db.example/other\n',
      'alembic/env.py': 'config.set_main_option("sqlalchemy.url", url())\n',
    },
  },
  {
    command: 'alembic upgrade +1',
    files: {
      'alembic.ini': '[alembic]\nscript_location = migrations\nsqlalchemy.url = postgresql://db.example/other\n',
      'migrations/env.py': 'connectable = create_async_engine(settings.url)\n',
    },
  },
  { command: 'alembic upgrade +2', files: { 'alembic.ini': '[alembic]\nsqlalchemy.url = postgresql://%(DB_HOST)s/other\n' } },
  {
    command: 'alembic upgrade +3',
    files: { 'alembic.ini': '[alembic]\nscript_location = shop:migrations\nsqlalchemy.url = postgresql://db/other\n' },
  },
  { command: 'flyway migrate', files: {} },
]

const SQLITE: readonly Row[] = [
  {
    command: 'prisma migrate reset --force --schema db/two.prisma',
    files: { 'db/two.prisma': 'datasource db {\n  url = "file:../shop.db"\n}\n' },
  },
  {
    command: 'knex migrate:rollback --all --knexfile db/knexfile.js',
    files: { 'db/knexfile.js': "connection: { filename: '../shop.db' }\n" },
  },
  {
    command: './manage.py flush --settings shop.settings.live',
    files: {
      'manage.py': "('DJANGO_SETTINGS_MODULE', 'shop.settings')\n",
      'shop/settings/live.py':
        "BASE_DIR = Path(__file__).resolve().parent.parent.parent\n{'ENGINE': 'django.db.backends.sqlite3', 'NAME': BASE_DIR / 'shop.db'}\n",
    },
  },
  { command: 'prisma migrate reset --force', files: { 'prisma/schema.prisma': 'datasource db {\n  url = "file:../shop.db"\n}\n' } },
  {
    command: 'drizzle-kit push --force',
    files: { 'drizzle.config.js': "export default { dialect: 'sqlite', dbCredentials: { url: './shop.db' } }\n" },
  },
  {
    command: 'knex migrate:rollback --all',
    files: { 'knexfile.js': "module.exports = { client: 'sqlite3', connection: { filename: './shop.db' } }\n" },
  },
  {
    command: 'rails db:drop',
    files: { 'config/database.yml': 'default: &default\n  adapter: sqlite3\ndevelopment:\n  <<: *default\n  database: shop.db\n' },
  },
  {
    command: './manage.py flush',
    files: {
      'manage.py': "('DJANGO_SETTINGS_MODULE', 'settings')\n",
      'settings.py': "DATABASES = {'default': {'ENGINE': 'django.db.backends.sqlite3', 'NAME': BASE_DIR / 'shop.db'}}\n",
    },
  },
  { command: 'alembic downgrade base', files: { 'alembic.ini': 'sqlalchemy.url = sqlite:///shop.db\n' } },
  { command: 'alembic -c db/a.ini downgrade base', files: { 'db/a.ini': '[alembic]\nsqlalchemy.url = sqlite:///%(here)s/../shop.db\n' } },
  {
    command: 'alembic -n small downgrade base',
    files: { 'alembic.ini': '[alembic]\nsqlalchemy.url = postgres://usual/usual\n[small]\nsqlalchemy.url = sqlite:///shop.db\n' },
  },
  { command: 'flyway clean', files: { 'flyway.conf': 'flyway.url=jdbc:sqlite:shop.db\n' } },
]

function project(files: Row['files'], server: { readonly host: string; readonly port: string; readonly name: string }): string {
  const work = realpathSync(temporaryDirectory())
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(work, path)), { recursive: true })
    const told = text.replaceAll('<host>', server.host).replaceAll('<port>', server.port).replaceAll('<db>', server.name)
    writeFileSync(join(work, path), told)
  }
  return work
}

describe.skipIf(noPostgres() !== null)('a real PostgreSQL', () => {
  let server: Awaited<ReturnType<typeof newPostgres>>
  const path = process.env.PATH
  beforeAll(async () => {
    process.env.PATH = [findPostgres() ?? '', path].join(delimiter)
    server = await newPostgres()
    process.env.TEST_SETTINGS_URL = server.url
  }, 60_000)
  afterAll(async () => {
    process.env.PATH = path
    delete process.env.TEST_SETTINGS_URL
    await server?.stop()
  })

  test.each([...ROWS, ...NAMED])(
    '$command: the database of its settings is dumped, and no other one stands in for it',
    async ({ command, files }) => {
      const { hostname: host, port, pathname } = new URL(server.url)
      const name = pathname.slice(1)
      const { decide } = databaseUndo(SECTION)
      const same = await decide(command, project(files, { host, port, name }))
      expect([same.decision, same.undo?.ways]).toEqual(['allow', [{ name: 'database:postgres', exercised: true }]])
      for (const other of [
        { host: 'db.example', port, name },
        { host, port: '5999', name },
        { host, port, name: 'bank' },
      ]) {
        const { decision, code, reason } = await decide(command, project(files, other))
        expect([other, decision, code, reason]).toEqual([
          other,
          'deny',
          'undo.capture_failed',
          expect.stringContaining('names another database than `shop`'),
        ])
      }
    },
    30_000,
  )

  test.each(UNTOLD)('$command: settings that do not say it leave it to the policy', async ({ command, files }) => {
    const { decision, undo } = await databaseUndo(SECTION).decide(command, project(files, { host: '', port: '', name: '' }))
    expect([decision, undo?.ways]).toEqual(['allow', [{ name: 'database:postgres', exercised: true }]])
  })

  test.each(UNREADABLE)('%s: settings that the call names and that do not say it are the policy`s matter', async (command, files) => {
    const { hostname: host, port, pathname } = new URL(server.url)
    const at = { host, port, name: pathname.slice(1) }
    const told = Object.entries(files).map(([name, text]) => [name, text.replace('PG', 'postgres://<host>:<port>/<db>')] as const)
    const work = project({ 'work/in': '', ...Object.fromEntries(told.map(([name, text]) => [`work/${name}`, text])) }, at)
    writeFileSync(join(work, 'outside.prisma'), `url = "${server.url}"\n`)
    symlinkSync('..', join(work, 'work/link'))
    const decided = [await databaseUndo(SECTION).decide(command, join(work, 'work'))]
    decided.push(await databaseUndo(`on_failure: pass\n  ${SECTION}`).decide(command, join(work, 'work')))
    expect(decided.map(({ decision, code, undo }) => [decision, code, undo?.id])).toEqual([
      ['deny', 'undo.capture_failed', undefined],
      ['allow', expect.any(String), null],
    ])
  })

  test.each(OTHERS)('%s: nothing of the known database is kept', async (command) => {
    const work = project({ 'manage.py': '', 'two.prisma': '' }, { host: '', port: '', name: '' })
    const { decision, undo } = await databaseUndo(SECTION).decide(command, work)
    expect([decision, undo?.ways]).toEqual(['allow', undefined])
  })

  test('supabase: the local database is the one of its settings', async () => {
    const { port } = new URL(server.url)
    const { decide } = databaseUndo(SECTION)
    const at = (named: string): string =>
      project({ 'supabase/config.toml': `[api]\nport = 1\n\n[db]\nport = ${named}\n` }, { host: '', port: '', name: '' })
    const decisions = [(await decide('supabase db reset', at(port))).decision, (await decide('supabase db reset', at('54322'))).code]
    expect(decisions).toEqual(['allow', 'undo.capture_failed'])
  })

  test('a variable that `.env` and the gate know differently is not known', async () => {
    process.env.TEST_APP_URL = server.url
    const { files, command } = ROWS[1] as Row
    const { code, reason } = await databaseUndo(SECTION).decide(command, project(files, { host: 'db.example', port: '1', name: 'x' }))
    delete process.env.TEST_APP_URL
    expect([code, reason]).toEqual(['undo.capture_failed', expect.stringContaining('TEST_APP_URL has different values')])
  })

  test('where the command works elsewhere than the call, settings beside the call can only stop it', async () => {
    const { files } = ROWS[0] as Row
    const { code } = await databaseUndo(SECTION).decide(
      'npx prisma migrate reset --force',
      project(files, { host: 'db.example', port: '1', name: 'x' }),
    )
    expect(code).toBe('undo.capture_failed')
  })
})

describe('the file of SQLite that the settings name', () => {
  test.each(SQLITE)('$command: is kept instead of a dump, and comes back', async ({ command, files }) => {
    const work = project(files, { host: '', port: '', name: '' })
    const sqlite = (sql: string) => execFileSync('sqlite3', [join(work, 'shop.db'), sql])
    sqlite('create table orders(id); insert into orders values (1), (2)')
    const before = readFileSync(join(work, 'shop.db'))
    const { decide, back } = databaseUndo(SECTION)
    const { decision, undo } = await decide(command, work)
    expect([decision, undo?.ways]).toEqual(['allow', [{ name: 'database:sqlite', exercised: true }]])
    sqlite('drop table orders; create table later(id)')
    expect([(await back(undo?.id)).problems, readFileSync(join(work, 'shop.db')).equals(before)]).toEqual([[], true])
  })
})
