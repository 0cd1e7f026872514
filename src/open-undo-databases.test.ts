/** Real servers: a call that a gate lets run changes a database, and `countersign undo` makes it what it was. */
import { execFileSync } from 'node:child_process'
import { delimiter } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findPostgres } from '../scripts/postgres.ts'
import { databaseUndo } from '../test/support/database-undo.ts'
import { hasMariadb, startMariadb } from '../test/support/mariadb.ts'
import { newPostgres, noPostgres } from '../test/support/postgres.ts'
import { revealed } from '../test/support/private-store.ts'

const SECTION = 'databases: { shop: { engine: postgres, url_env: TEST_SHOP_URL, names: [shop, application, default] } }'

const place = (section = SECTION) => databaseUndo(section)

const MISSING = noPostgres()
const SCHEMA = `
create schema extra; create type mood as enum ('fine', 'bad');
create table customers (id serial primary key, name text not null, mood mood default 'fine');
create table orders (id int primary key, customer int references customers(id), amount numeric(10,2) check (amount > 0));
create index on orders (customer); create view large as select * from orders where amount > 100;
create function twice(i int) returns int language sql as 'select i * 2';
create table extra.notes (body text); insert into extra.notes values (E'tab\\tand "quotes"'), (null);
insert into customers (name) select 'customer ' || i from generate_series(1, 50) i;
insert into orders select i, 1 + i % 50, i * 1.5 from generate_series(1, 500) i;`

describe.skipIf(MISSING !== null)('PostgreSQL', () => {
  let server: Awaited<ReturnType<typeof newPostgres>>
  const path = process.env.PATH
  const sql = (text: string, database = 'shop'): void => {
    execFileSync('psql', ['-X', '-q', '-v', 'ON_ERROR_STOP=1', urlOf(database), '-f', '-'], { input: text, stdio: 'pipe' })
  }
  const urlOf = (database: string): string => server.url.replace(/postgres$/, database)
  /** The whole database as text, but for the words that each dump makes up. */
  const whole = (): string =>
    execFileSync('pg_dump', [urlOf('shop')], { encoding: 'utf8', maxBuffer: 1 << 26 }).replace(/^\\(?:un)?restrict .*$/gm, '')

  beforeAll(async () => {
    // The client's programs lie beside the server's.
    process.env.PATH = [findPostgres() ?? '', path].join(delimiter)
    server = await newPostgres()
    process.env.TEST_SHOP_URL = urlOf('shop')
  }, 60_000)
  afterAll(async () => {
    process.env.PATH = path
    delete process.env.TEST_SHOP_URL
    await server?.stop()
  })

  let kept: string | null = null
  /** The database as it is before each test, as text: every test that passes leaves it so. */
  const asBefore = (): string => {
    if (kept === null) fresh()
    const text = kept ?? whole()
    kept = null
    return text
  }
  const fresh = (): void => {
    sql('drop database if exists shop with (force)', 'postgres')
    sql('create database shop', 'postgres')
    sql(SCHEMA)
  }

  // What the tool would do to the database; the tools themselves do not run here.
  const ACTS: readonly (readonly [command: string, effect: string])[] = [
    ["psql -h localhost shop -c 'drop table orders cascade'", 'drop table orders cascade'],
    ["psql postgres://app:pw@localhost/shop -c 'delete from orders'", 'delete from orders'],
    ['npx prisma migrate reset --force', 'drop schema public cascade; create schema public; create table "_prisma_migrations" (id int)'],
    ['npx drizzle-kit push --force', 'alter table customers drop column name; alter table orders add column note text'],
    ['npx knex migrate:rollback', 'drop view large; drop function twice; alter table orders drop constraint orders_amount_check'],
    ['bin/rails db:drop', ''],
    ['python manage.py flush', 'truncate customers, orders, extra.notes restart identity'],
    ['python manage.py migrate shop zero', 'drop schema extra cascade; drop type mood cascade'],
    ['alembic downgrade -1', 'create table later (id int); create view later_too as select * from large; alter type mood add value $$so$$'],
    ['flyway clean', 'drop schema extra cascade; drop schema public cascade'],
    ['supabase db reset', 'create schema other; create table other.t (id int); create type t2 as (a int); delete from extra.notes'],
  ]
  for (const [command, effect] of ACTS)
    test(`${command}: the database is dumped before, and byte for byte what it was after`, async () => {
      const before = asBefore()
      const { home, decide, back } = place()
      const { decision, code, undo } = await decide(command)
      expect([decision, code, undo?.ways]).toEqual(['allow', expect.anything(), [{ name: 'database:postgres', exercised: true }]])
      if (effect === '') sql('drop database shop with (force)', 'postgres')
      else sql(effect.replaceAll('$$', "'"))
      const done = await back(undo?.id)
      expect(revealed(home, ['PGDMP', 'orders'])).toEqual([])
      expect([done.problems, done.kept.length]).toEqual([[], effect === '' ? 0 : 1])
      expect(whole()).toBe(before)
      kept = before
    }, 30_000)

  test('the way back has a way back', async () => {
    asBefore()
    const { decide, back, store } = place()
    const { undo } = await decide('npx prisma migrate reset --force')
    sql('drop table orders cascade; create table newer (id int)')
    const after = whole()
    const { kept: ways } = await back(undo?.id)
    expect(whole()).not.toBe(after)
    store.write({ id: 'und_00000000000000000000beef', at: 1, until: Number.MAX_SAFE_INTEGER, cwd: null, ways })
    await back('und_00000000000000000000beef')
    expect(whole()).toBe(after)
  }, 30_000)

  test('a restore that fails changes nothing: here the database lets nobody drop anything', async () => {
    fresh()
    sql("create function no() returns event_trigger language plpgsql as 'begin raise exception $$no drops here$$; end'")
    const { decide, back } = place()
    const { undo } = await decide('npx prisma migrate reset --force')
    sql('drop table orders cascade; create table newer (id int); create event trigger never on sql_drop execute function no()')
    const after = whole()
    const { problems } = await back(undo?.id)
    expect([problems, whole()]).toEqual([[expect.stringMatching(/no drops here/)], after])
  }, 30_000)

  const REFUSED: readonly (readonly [title: string, command: string, section: string, expected: RegExp])[] = [
    ['larger than a call may keep', 'flyway clean', `max_mb: 1\n  ${SECTION}`, /wrote more than 1048576 bytes/],
    ['a variable that is not set', 'flyway clean', SECTION.replace('TEST_SHOP_URL', 'TEST_NO_URL'), /TEST_NO_URL is not set/],
    ['a server that is not there', 'flyway clean', SECTION.replace('TEST_SHOP_URL', 'TEST_GONE_URL'), /failed: .*(?:refused|connection)/],
    ['a wrong password, which no message has', 'flyway clean', SECTION.replace('TEST_SHOP_URL', 'TEST_WRONG_URL'), /authentication failed/],
  ]
  for (const [title, command, section, expected] of REFUSED)
    test(`${title}: the call does not run`, async () => {
      fresh()
      if (title.startsWith('larger'))
        sql('create table big as select md5(i::text) || md5((i + 1)::text) as t from generate_series(1, 60000) i')
      process.env.TEST_GONE_URL = 'postgres://postgres@127.0.0.1:1/shop'
      process.env.TEST_WRONG_URL = urlOf('shop').replace(/:[^:@]*@/, ':w%20rong-secret@')
      const { decision, code, reason } = await place(section).decide(command)
      expect([decision, code]).toEqual(['deny', 'undo.capture_failed'])
      expect(reason).toMatch(expected)
      expect(reason).not.toMatch(/secret/)
    }, 30_000)
})

describe('which database', () => {
  const OTHER: readonly (readonly [title: string, command: string])[] = [
    ['another server', "psql -h db.example shop -c 'drop table orders'"],
    ['another server in an address', "psql postgres://db.example/shop -c 'drop table orders'"],
    ['another database', "psql -h localhost bank -c 'drop table orders'"],
  ]
  for (const [title, command] of OTHER)
    test(`${title}: nothing is dumped, and it is asked about as nothing takes it back`, async () => {
      const { decision, undo, findings } = await place().decide(command)
      expect([decision, undo?.id]).toEqual(['ask', undefined])
      expect(findings.map(({ code }) => code)).toContain('undo.no_way_back')
    })

  test('what only reads is not dumped', async () => {
    const { decision, undo } = await place().decide("psql -h localhost shop -c 'select * from orders'")
    expect([decision, undo]).toEqual(['allow', undefined])
  })
})

/** Missing in CI it is a failure; elsewhere it is said before the run (test/support/missing.ts). */
describe.skipIf(!hasMariadb && process.env.CI !== 'true')('MariaDB', () => {
  test('the database is dumped before, and what it was after: also what is new is gone', async () => {
    const { sql, socket, port } = await startMariadb()
    sql(
      'use shop; create table orders (id int primary key, b blob); insert into orders values (1, 0x00ff27), (2, null); create view v as select id from orders',
    )
    process.env.TEST_MYSQL_URL = `mysql://app:a%20secret@127.0.0.1:${port}/shop`
    const whole = (): string =>
      execFileSync('mysqldump', ['--no-defaults', `--socket=${socket}`, '-u', 'root', '--skip-dump-date', '--hex-blob', 'shop'], {
        encoding: 'utf8',
      })
    const before = whole()
    const { home, decide, back } = place('databases: { shop: { engine: mysql, url_env: TEST_MYSQL_URL } }')
    const acts = ['use shop; truncate orders; create table newer (id int); drop view v', 'drop database shop']
    for (const act of acts) {
      const { decision, reason, undo } = await decide(`mysql -h 127.0.0.1 shop -e 'truncate orders'`)
      expect([decision, reason, undo?.ways]).toEqual(['allow', expect.anything(), [{ name: 'database:mysql', exercised: true }]])
      expect(revealed(home, ['CREATE TABLE', 'orders'])).toEqual([])
      sql(act)
      expect([(await back(undo?.id)).problems, whole()]).toEqual([[], before])
    }
  }, 60_000)
})
