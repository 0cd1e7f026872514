/** A call that reaches another server changes another database: nothing of the known one is kept for it, and no way back is claimed. */
import { describe, expect, test } from 'vitest'
import type { Effect } from '../../src/core/effect.ts'
import { wayBack } from '../../src/undo/catalogue.ts'
import { requirePort } from '../../src/undo/databases/dumps.ts'
import { databaseOf, type Engine, type KnownDatabase, portOf } from '../../src/undo/databases/known.ts'
import { effectsOf } from '../support/shell.ts'

const known = (engine: Engine): KnownDatabase => ({
  name: 'shop',
  engine,
  urlEnv: 'SHOP_URL',
  names: ['*'],
  hosts: ['localhost', '127.0.0.1'],
  timeoutMs: 1_000,
})

const ELSEWHERE: readonly (readonly [engine: Engine, command: string])[] = [
  ['postgres', "psql -h db.example shop -c 'drop table t'"],
  ['postgres', "psql postgres://db.example/shop -c 'drop table t'"],
  ['postgres', 'psql "host=db.example dbname=shop" -c "drop table t"'],
  ['postgres', "PGHOST=db.example psql shop -c 'drop table t'"],
  ['postgres', 'psql -h "$SERVER" shop -c "drop table t"'],
  ['postgres', 'dropdb -h db.example shop'],
  ['postgres', 'PGHOST=db.example dropdb shop'],
  ['postgres', 'pg_restore --clean -h db.example -d shop out.dump'],
  ['postgres', 'PGHOST=db.example pg_restore --clean -d shop out.dump'],
  ['postgres', 'npx prisma migrate reset --force --url postgres://db.example/shop'],
  ['postgres', 'DATABASE_URL=postgres://db.example/shop npx prisma migrate reset --force'],
  ['postgres', 'export DATABASE_URL=postgres://db.example/shop; bin/rails db:drop'],
  ['postgres', 'flyway -url=jdbc:postgresql://db.example/shop clean'],
  ['postgres', 'supabase db reset --linked'],
  ['postgres', 'supabase db reset --db-url postgres://db.example/shop'],
  ['mysql', "mysql -h db.example shop -e 'drop table t'"],
  ['mysql', 'mysqladmin -h db.example -f drop shop'],
  ['mysql', 'MYSQL_HOST=db.example mysql shop -e "drop table t"'],
  ['mongodb', "mongosh mongodb://db.example/shop --eval 'db.dropDatabase()'"],
  ['mongodb', "mongosh --host db.example shop --eval 'db.dropDatabase()'"],
  ['mongodb', "mongosh --host db.example:27018 shop --eval 'db.dropDatabase()'"],
  ['mongodb', "mongosh db.example/shop --eval 'db.dropDatabase()'"],
  ['mongodb', 'mongosh --host "$SERVER" shop --eval "db.dropDatabase()"'],
  ['mongodb', 'mongorestore --host db.example --drop --db shop dump'],
  ['mongodb', 'mongorestore --uri mongodb://db.example/shop --drop dump'],
  ['redis', 'redis-cli -h db.example flushall'],
  ['redis', 'redis-cli -u redis://db.example:6379/0 flushall'],
  ['redis', 'redis-cli -h "$SERVER" flushall'],
  ['redis', 'echo flushall | redis-cli -h db.example'],
]
const HERE: readonly (readonly [engine: Engine, command: string])[] = [
  ['postgres', "psql -h localhost shop -c 'drop table t'"],
  ['postgres', "psql shop -c 'drop table t'"],
  ['postgres', "PGHOST=localhost psql shop -c 'drop table t'"],
  ['postgres', 'dropdb -h localhost shop'],
  ['postgres', 'pg_restore --clean -d shop out.dump'],
  ['postgres', 'npx prisma migrate reset --force'],
  ['mysql', "mysql -h 127.0.0.1 shop -e 'drop table t'"],
  ['mongodb', "mongosh shop --eval 'db.dropDatabase()'"],
  ['mongodb', "mongosh mongodb://localhost/shop --eval 'db.dropDatabase()'"],
  ['mongodb', "mongosh --host localhost shop --eval 'db.dropDatabase()'"],
  ['mongodb', "mongosh localhost:27017/shop --eval 'db.dropDatabase()'"],
  ['mongodb', 'mongorestore --host localhost --drop --db shop dump'],
  ['redis', 'redis-cli flushall'],
  ['redis', 'redis-cli -h 127.0.0.1 -n 3 flushdb'],
  ['redis', 'redis-cli -u redis://localhost:6379/0 flushall'],
]

const claims = (engine: Engine, command: string): boolean =>
  effectsOf(command).some((effect: Effect) => wayBack(effect, { databases: [known(engine)], declared: [] })?.run === 'database')

describe('another server', () => {
  test.each(ELSEWHERE)('%s: %s', (engine, command) => expect(claims(engine, command)).toBe(false))
})
describe('the known server', () => {
  test.each(HERE)('%s: %s', (engine, command) => expect(claims(engine, command)).toBe(true))
})

/** `[dumped]`: the database that is dumped is the one that is changed. */
const OTHER_DATABASE: readonly (readonly [engine: Engine, dumped: boolean, command: string])[] = [
  ['mongodb', false, 'mongosh shop --eval \'db.getSiblingDB("bank").accounts.drop()\''],
  ['mongodb', false, 'mongosh shop --eval \'db = db.getSiblingDB("bank"); db.accounts.drop()\''],
  ['mongodb', false, 'mongosh shop --eval "db.getSiblingDB(name).accounts.drop()"'],
  ['mongodb', false, 'mongosh shop --eval \'connect("mongodb://db.example/shop").accounts.drop()\''],
  ['mongodb', false, 'mongosh shop --eval \'new Mongo("db.example").getDB("bank").accounts.drop()\''],
  ['mongodb', false, "mongosh shop <<'E'\nuse bank\ndb.accounts.drop()\nE"],
  ['mongodb', false, 'mongosh shop --eval \'use("bank"); db.accounts.drop()\''],
  ['mongodb', true, 'mongosh shop --eval \'db.getSiblingDB("shop").orders.drop()\''],
  ['mongodb', true, 'mongosh shop --eval \'db.orders.updateMany({}, {$set: {use: "bank"}})\''],
  ['mongodb', true, "mongosh shop <<'E'\nuse shop\ndb.orders.drop()\nE"],
  ['mysql', false, "mysql shop -e 'drop table bank.accounts'"],
  ['mysql', false, "mysql shop -e 'use bank; drop table accounts'"],
  ['mysql', false, "mysql -D shop -e 'delete from `bank`.accounts'"],
  ['mysql', false, "mysql shop -e 'drop database bank'"],
  ['mysql', true, "mysql shop -e 'drop table shop.orders'"],
  ['mysql', true, "mysql shop -e 'use shop; drop table orders'"],
  ['mysql', true, "mysql -D shop -e 'update orders set paid = 1'"],
  ['postgres', false, "psql shop -c '\\c bank' -c 'drop table accounts'"],
  ['postgres', false, "psql shop <<'E'\n\\connect bank\ndrop table accounts;\nE"],
  ['postgres', false, "psql shop -c 'drop database bank'"],
  ['postgres', false, "psql -h localhost shop <<'E'\n\\c - - db.example\ndrop table orders;\nE"],
  ['postgres', false, "psql shop <<'E'\n\\c postgres://db.example/shop\ndrop table orders;\nE"],
  ['postgres', false, 'psql shop -c "$Q" -c "drop table orders"'],
  ['postgres', true, "psql shop <<'E'\n\\c shop\ndrop table orders;\nE"],
  ['postgres', true, "psql shop <<'E'\n\\c - me\ndrop table orders;\nE"],
  ['postgres', true, "psql shop -c 'select 1' -c 'drop table orders'"],
  ['postgres', true, "psql postgres://localhost/shop -c 'drop table orders'"],
  ['mysql', false, "mysql shop -e 'rename table orders to bank.orders'"],
  ['mysql', false, "mysql shop -e 'update orders join bank.accounts a on a.id = orders.id set a.sum = 0'"],
  ['mysql', false, "mysql shop -e 'drop table orders, bank.accounts'"],
  ['mysql', false, "mysql shop -e 'create table bank.later (id int)'"],
  ['mysql', true, "mysql -e 'drop table shop.orders'"],
  ['mysql', false, "mysql -e 'drop table bank.accounts'"],
  ['postgres', true, "psql shop -c 'drop table public.orders'"],
  ['postgres', true, "psql shop -c 'drop table bank.orders'"],
]

describe('another database of the known server', () => {
  test.each(OTHER_DATABASE)('%s, dumped: %s: %s', (engine, dumped, command) => {
    const shop = { ...known(engine), names: ['shop', 'default'] }
    const changes = effectsOf(command).filter(
      ({ verb, target }) => ['write', 'delete', 'change'].includes(verb) && target.kind === 'database',
    )
    const kept = changes.map((effect) => wayBack(effect, { databases: [shop], declared: [] })?.run === 'database')
    expect([changes.length > 0, kept.every((each) => each)]).toEqual([true, dumped])
  })
})

describe('another port is another server', () => {
  const parts = { variable: () => 'postgres://me:pw@localhost:5433/shop' }
  test.each<[command: string, problem: RegExp | null]>([
    ["psql -h localhost -p 5433 shop -c 'drop table t'", null],
    ["psql postgres://localhost:5433/shop -c 'drop table t'", null],
    ["psql -h localhost shop -c 'drop table t'", null],
    ["psql -h localhost -p 5432 shop -c 'drop table t'", /at port 5432, and `shop` is the one at port 5433/],
    ["PGPORT=6000 psql -h localhost shop -c 'drop table t'", /at port 6000/],
    ["psql postgres://localhost:6000/shop -c 'drop table t'", /at port 6000/],
    ['dropdb -p 6000 shop', /at port 6000/],
    ['psql -p "$PORT" shop -c "drop table t"', /not known which server/],
  ])('%s', (command, problem) => {
    const ports = effectsOf(command).flatMap((effect) => (databaseOf(effect, [known('postgres')]) === null ? [] : [portOf(effect)]))
    expect(ports.length).toBeGreaterThan(0)
    const asked = () => requirePort(known('postgres'), ports, parts)
    if (problem === null) expect(asked).not.toThrow()
    else expect(asked).toThrow(problem)
  })
})
