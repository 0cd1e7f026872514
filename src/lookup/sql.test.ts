import { existsSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newStateDirectory } from '../../test/support/state-base.ts'
import type { Json, JsonObject } from '../core/json.ts'
import { call, policy } from '../policy/testing/compiled.ts'
import { openDatabase } from '../store/sqlite/engines.ts'
import { lookUp } from './index.ts'
import { createPostgresReader } from './postgres.ts'
import type { SqlReader } from './sql.ts'
import { createSqliteReader } from './sqlite.ts'

let home: string
let sqlite: SqlReader
beforeAll(() => {
  home = newStateDirectory()
  const database = openDatabase(join(home, 'crm.db'))
  if (database === null) throw new Error('this Node has no SQLite')
  database.exec(`
    CREATE TABLE accounts (id TEXT, "of" INTEGER, balance REAL, blocked INTEGER, note TEXT, photo BLOB, big INTEGER);
    INSERT INTO accounts VALUES ('a1', 7, 12.5, 0, NULL, x'00ff', 9007199254740993), ('a2', 8, -1.0, 1, 'x"y', NULL, 3), ('a2', 9, 0, 1, '', NULL, 4);
    CREATE TABLE log (n INTEGER);`)
  database.close()
  writeFileSync(join(home, 'none.txt'), 'this is no database, however long it is'.repeat(100))
  sqlite = createSqliteReader()
})
afterAll(() => {
  sqlite.close()
  rmSync(home, { recursive: true, force: true })
})

interface Asked {
  readonly query: string
  readonly file?: string
  readonly args?: JsonObject
  readonly timeout?: number
}

/** The answer of the provider, or why there is none. */
async function ask({ query, file = 'crm.db', args = { id: 'a1' }, timeout = 5_000 }: Asked): Promise<Json> {
  const rules = policy(
    `contracts: { providers: { crm: { tools: [t], timeout_ms: ${timeout}, sql: { file: ${file}, query: ${JSON.stringify(query)} } } } }`,
  )
  let why: string | undefined
  const answers = await lookUp(call('t', { args }), rules, {
    providers: new Map(),
    fetch: globalThis.fetch,
    sql: { readers: { sqlite, postgres: createPostgresReader(async () => null) }, resolve: (name) => join(home, name) },
    unanswered: (_, what) => {
      why = what.why
    },
  })
  return answers.get('crm') ?? why ?? 'nothing'
}

describe('a row of a SQLite file', () => {
  type Case = readonly [title: string, asked: Asked, expected: JsonObject | string | RegExp]
  const ROW = 'SELECT id, "of", balance, blocked, note FROM accounts WHERE id = {id}'
  const CASES: readonly Case[] = [
    ['by an argument', { query: ROW }, { id: 'a1', of: 7, balance: 12.5, blocked: 0, note: null }],
    ['by a number', { query: 'SELECT note FROM accounts WHERE "of" = {n}', args: { n: 8 } }, { note: 'x"y' }],
    ['by a path', { query: 'SELECT "of" FROM accounts WHERE id = {who.id}', args: { who: { id: 'a1' } } }, { of: 7 }],
    ['by two arguments', { query: 'SELECT balance FROM accounts WHERE id = {a} AND "of" = {b}', args: { a: 'a2', b: 9 } }, { balance: 0 }],
    ['by the same twice', { query: 'SELECT {id} AS x, {id} AS y', args: { id: 'q' } }, { x: 'q', y: 'q' }],
    ['by true', { query: 'SELECT count(*) AS n FROM accounts WHERE blocked = {b}', args: { b: true } }, { n: 2 }],
    ['an aggregate', { query: 'SELECT sum(balance) AS total FROM accounts' }, { total: 11.5 }],
    ['of a common table', { query: 'WITH x AS (SELECT 1 AS a) SELECT a FROM x' }, { a: 1 }],
    ['with a comment at its end', { query: 'SELECT 1 AS a -- one' }, { a: 1 }],
    ['with bytes, which are no JSON', { query: 'SELECT photo FROM accounts WHERE id = {id}' }, { photo: null }],
    ['with a number that JSON cannot hold', { query: 'SELECT big FROM accounts WHERE id = {id}' }, { big: '9007199254740993' }],
    ['named like what objects have', { query: 'SELECT 1 AS constructor, 2 AS __proto__x' }, { constructor: 1, __proto__x: 2 }],
    ['an argument that is SQL', { query: ROW, args: { id: "a1' OR '1'='1" } }, 'the query finds no row'],
    ['none', { query: ROW, args: { id: 'a9' } }, 'the query finds no row'],
    ['several', { query: ROW, args: { id: 'a2' } }, 'the query finds more than one row'],
    ['an argument that is missing', { query: ROW, args: {} }, 'the argument `id` is missing'],
    ['an argument that is a list', { query: ROW, args: { id: ['a1'] } }, 'the argument `id` is no single value'],
    ['an argument that is null', { query: ROW, args: { id: null } }, 'the argument `id` is no single value'],
    ['a table that is not there', { query: 'SELECT x FROM missing' }, /no such table/],
    ['no SQL', { query: 'SELECT FROM WHERE' }, /syntax/],
    ['a file that is not there', { query: ROW, file: 'none.db' }, 'there is no such file'],
    ['a file that is no database', { query: 'SELECT * FROM accounts', file: 'none.txt' }, /not a database|file is encrypted/],
  ]
  for (const [title, asked, expected] of CASES) {
    test(title, async () => {
      const found = await ask(asked)
      if (expected instanceof RegExp) expect(found).toMatch(expected)
      else if (typeof expected === 'string') expect(found).toBe(expected)
      else expect({ ...(found as JsonObject) }).toEqual(expected)
    })
  }

  test('a file that is not there is not made', async () => {
    await ask({ query: 'SELECT 1 AS a', file: 'made.db' })
    expect(existsSync(join(home, 'made.db'))).toBe(false)
  })

  test('many at once each get their own', async () => {
    const found = await Promise.all(Array.from({ length: 40 }, (_, i) => ask({ query: 'SELECT {n} AS n', args: { n: i } })))
    expect(found.map((row) => (row as JsonObject).n)).toEqual(Array.from({ length: 40 }, (_, i) => i))
  })
})

describe('it only reads', () => {
  /** Past the compiler, as if it had let them through. */
  for (const sql of [
    'INSERT INTO log VALUES (1)',
    'DELETE FROM accounts RETURNING id',
    'UPDATE accounts SET blocked = 0',
    'SELECT 1) ; INSERT INTO log VALUES (1); --',
    'SELECT 1); DROP TABLE log; SELECT (1',
    'PRAGMA query_only = OFF',
    "ATTACH 'other.db' AS other",
    'DROP TABLE accounts',
    'VACUUM',
  ]) {
    test(sql, async () => {
      const before = statSync(join(home, 'crm.db'))
      const place = join(home, 'crm.db')
      await sqlite.query({ place, sql, values: [], signal: AbortSignal.timeout(5_000), timeoutMs: 5_000 }).catch(() => [])
      expect(
        await ask({ query: 'SELECT (SELECT count(*) FROM log) AS logged, count(*) AS n, sum(blocked) AS blocked FROM accounts' }),
      ).toMatchObject({
        logged: 0,
        n: 3,
        blocked: 2,
      })
      expect(statSync(place).mtimeMs).toBe(before.mtimeMs)
    })
  }
})

describe('time', () => {
  const ENDLESS = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) AS i FROM n'

  test('a query that does not end is ended, and the next one is answered', async () => {
    expect(await ask({ query: ENDLESS, timeout: 300 })).toMatch(/too long|no answer within 300 ms/)
    expect(await ask({ query: 'SELECT 1 AS a' })).toMatchObject({ a: 1 })
  })

  test('whoever waits behind it is told', async () => {
    const [endless, behind] = await Promise.all([ask({ query: ENDLESS, timeout: 300 }), ask({ query: 'SELECT 1 AS a', timeout: 20_000 })])
    expect([endless, behind]).toEqual([expect.stringMatching(/too long|no answer/), 'it took too long'])
  })

  test('a reader that was closed starts again', async () => {
    sqlite.close()
    expect(await ask({ query: 'SELECT 1 AS a' })).toMatchObject({ a: 1 })
  })
})
