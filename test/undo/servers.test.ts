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
