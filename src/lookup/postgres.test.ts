import { readFileSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RunningPostgres } from '../../scripts/postgres.ts'
import { newPostgres, noPostgres } from '../../test/support/postgres.ts'
import { temporaryDirectory } from '../../test/support/records.ts'
import type { Json, JsonObject } from '../core/json.ts'
import type { Unanswered } from '../core/unanswered.ts'
import { openGate } from '../open.ts'
import { call, policy } from '../policy/testing/compiled.ts'
import { lookUp } from './index.ts'
import { createPostgresReader } from './postgres.ts'
import { createSqliteReader } from './sqlite.ts'

const reason = noPostgres()
const TIME = 5_000

interface Asked {
  readonly query: string
  readonly args?: JsonObject
  readonly timeout?: number
  readonly url?: string
  readonly reader?: ReturnType<typeof createPostgresReader>
}

/** The answer of the provider, or what became of it. */
async function ask({ query, args = {}, timeout = TIME, url = '', reader = createPostgresReader() }: Asked): Promise<Json | Unanswered> {
  const text = `contracts: { providers: { crm: { tools: [t], timeout_ms: ${timeout}, sql: { url_env: URL, query: ${JSON.stringify(query)} } } } }`
  const rules = policy(text, { env: () => url })
  let became: Unanswered = { why: 'nobody was told', failed: false }
  const answers = await lookUp(call('t', { args }), rules, {
    providers: new Map(),
    fetch: globalThis.fetch,
    sql: { readers: { sqlite: createSqliteReader(), postgres: reader }, resolve: (name) => name },
    unanswered: (_, what) => {
      became = what
    },
  })
  return answers.get('crm') ?? became
}

describe('without the package', () => {
  test('it says what to do', async () => {
    const reader = createPostgresReader(async () => null)
    expect(await ask({ query: 'SELECT 1 AS a', url: 'postgres://x/y', reader })).toEqual({
      why: 'the package `pg` is not installed: run `npm install pg` where the gate runs',
      failed: true,
    })
  })
  test('without an address nothing is asked', async () => {
    const reader = createPostgresReader(() => Promise.reject(new Error('it was asked')))
    expect(await ask({ query: 'SELECT 1 AS a', reader })).toEqual({
      why: 'the variable with the address of the database is not set',
      failed: true,
    })
  })
})

describe.skipIf(reason !== null)(`a real server${reason === null ? '' : `: ${reason}`}`, () => {
  let server: RunningPostgres
  let admin: Client
  beforeAll(async () => {
    server = await newPostgres()
    admin = new Client({ connectionString: server.url })
    admin.on('error', () => {})
    await admin.connect()
    await admin.query(`
      CREATE TABLE accounts (id text PRIMARY KEY, owner bigint, balance numeric(12, 2), blocked boolean, note text);
      INSERT INTO accounts VALUES ('a1', 7, 12.50, false, NULL), ('a2', 8, -1, true, 'x"y'), ('a3', 8, 0, true, '');
      CREATE TABLE log (n integer);
      CREATE SEQUENCE counter;
      CREATE ROLE reader LOGIN PASSWORD 'r';
      GRANT SELECT ON accounts TO reader;`)
  })
  afterAll(async () => {
    await admin?.end().catch(() => {})
    await server?.stop()
  })
  const asked = (asking: Asked) => ask({ url: server.url, ...asking })
  /** Connections of Countersign that the server still has. */
  const open = async (): Promise<number> => {
    const { rows } = await admin.query("SELECT count(*)::int AS n FROM pg_stat_activity WHERE application_name = 'countersign'")
    return (rows[0] as { n: number }).n
  }

  describe('a row', () => {
    const ROW = 'SELECT owner, balance, blocked, note FROM accounts WHERE id = {id}'
    const nothing = (why: string): Unanswered => ({ why, failed: false })
    const failed = (why: string): Unanswered => ({ why, failed: true })
    for (const [title, asking, expected] of [
      ['by an argument', { query: ROW, args: { id: 'a1' } }, { owner: 7, balance: 12.5, blocked: false, note: null }],
      ['by a number', { query: 'SELECT id FROM accounts WHERE owner = {n}', args: { n: 7 } }, { id: 'a1' }],
      ['by a path', { query: 'SELECT owner FROM accounts WHERE id = {who.id}', args: { who: { id: 'a2' } } }, { owner: 8 }],
      ['by two', { query: 'SELECT note FROM accounts WHERE owner = {n} AND id = {id}', args: { n: 8, id: 'a2' } }, { note: 'x"y' }],
      ['by the same twice', { query: 'SELECT {id}::text AS x, {id}::text AS y', args: { id: 'q' } }, { x: 'q', y: 'q' }],
      ['by true', { query: 'SELECT count(*) AS n FROM accounts WHERE blocked = {b}', args: { b: true } }, { n: 2 }],
      ['of a common table', { query: 'WITH x AS (SELECT 1 AS a) SELECT a FROM x' }, { a: 1 }],
      ['with a comment at its end', { query: 'SELECT 1 AS a -- one' }, { a: 1 }],
      ['none', { query: ROW, args: { id: 'a9' } }, nothing('the query finds no row')],
      ['by what is missing', { query: ROW, args: {} }, nothing('the argument `id` is missing')],
      ['by a list', { query: ROW, args: { id: ['a1'] } }, failed('the argument `id` is no single value')],
      ['by null', { query: ROW, args: { id: null } }, failed('the argument `id` is no single value')],
      ['by an object', { query: ROW, args: { id: { a: 1 } } }, failed('the argument `id` is no single value')],
      ['two', { query: 'SELECT note FROM accounts WHERE owner = {n}', args: { n: 8 } }, failed('the query finds more than one row')],
      ['ten thousand', { query: 'SELECT * FROM generate_series(1, 10000)' }, failed('the query finds more than one row')],
      ['of a table that is not there', { query: 'SELECT x FROM missing' }, failed('relation "missing" does not exist')],
      [
        'by text for a number',
        { query: 'SELECT id FROM accounts WHERE owner = {n}', args: { n: 'seven' } },
        failed('invalid input syntax for type bigint: "seven"'),
      ],
      ['by half a character', { query: ROW, args: { id: 'a\0b' } }, failed('invalid byte sequence for encoding "UTF8": 0x00')],
    ] as const satisfies readonly (readonly [string, Asked, Json | Unanswered])[]) {
      test(title, async () => expect(await asked(asking)).toEqual(expected))
    }
  })

  describe('an argument is bound, never written into the query', () => {
    for (const id of [
      "a1' OR '1'='1",
      "' OR 1=1 --",
      "'; DROP TABLE log; --",
      "a1'; INSERT INTO log VALUES (1); --",
      '$1',
      '{id}',
      "\\'; SELECT pg_sleep(10); --",
      'a1\n',
      'a1 ',
      '%',
      "a1') UNION SELECT id, owner, balance, blocked, note FROM accounts --",
      '$$a1$$',
      'ａ1',
      '𝒶1',
    ]) {
      test(JSON.stringify(id), async () => {
        expect(await asked({ query: 'SELECT {id}::text AS said FROM accounts WHERE id = {id} OR id = $$a1$$', args: { id } })).toEqual({
          said: id,
        })
        expect(await asked({ query: 'SELECT owner FROM accounts WHERE id = {id}', args: { id } })).toMatchObject({ failed: false })
        expect((await admin.query('SELECT * FROM log')).rows).toEqual([])
      })
    }
  })

  describe('what a type becomes', () => {
    for (const [sql, expected] of [
      ['7::smallint', 7],
      ['7::integer', 7],
      ['7::bigint', 7],
      ['-9007199254740991::bigint', -9007199254740991],
      ['9007199254740993::bigint', '9007199254740993'],
      ['12.50::numeric', 12.5],
      ['0.1::numeric', 0.1],
      ['123456789012345.67::numeric', '123456789012345.67'],
      ["'NaN'::numeric", null],
      ['1.5::real', 1.5],
      ['0.1::double precision', 0.1],
      ["'NaN'::float8", null],
      ["'Infinity'::float8", null],
      ['true', true],
      ['false', false],
      ['NULL', null],
      ['NULL::bigint', null],
      ["'text'::text", 'text'],
      ["''::text", ''],
      ["'v'::varchar(3)", 'v'],
      ["'\\x00ff'::bytea", null],
      ["'2026-01-02'::date", '2026-01-02'],
      ["'2026-01-02 03:04:05'::timestamp", '2026-01-02T03:04:05'],
      ["'2026-01-02 03:04:05+05'::timestamptz", '2026-01-01T22:04:05Z'],
      ["'2026-01-02 03:04:05.123456Z'::timestamptz", '2026-01-02T03:04:05.123456Z'],
      ["'infinity'::timestamptz", 'infinity'],
      ["'12.50'::numeric || ' EUR'", '12.50 EUR'],
      ["'12345678-1234-1234-1234-123456789abc'::uuid", '12345678-1234-1234-1234-123456789abc'],
      ["json_build_object('a', json_build_array(1, 'x'), 'b', NULL)", { a: [1, 'x'], b: null }],
      [`'[1, 2]'::jsonb`, [1, 2]],
      ["json_build_object('a', 1, 'a', 2)", null],
      ["json_build_object('__proto__', 1)", null],
      [`'null'::json`, null],
      ["ARRAY['a','b']", '{a,b}'],
      ["to_json(ARRAY['a','b'])", ['a', 'b']],
    ] as const) {
      test(`${sql} is ${JSON.stringify(expected)}`, async () =>
        expect(await asked({ query: `SELECT ${sql} AS v` })).toEqual({ v: expected }))
    }
  })

  describe('it only reads', () => {
    /** Past the compiler, as if it had let them through. */
    const reader = createPostgresReader()
    for (const sql of [
      'INSERT INTO log VALUES (1)',
      'INSERT INTO log VALUES (1) RETURNING n',
      'WITH x AS (INSERT INTO log VALUES (1) RETURNING n) SELECT n FROM x',
      'WITH x AS (DELETE FROM accounts RETURNING id) SELECT id FROM x',
      'SELECT 1) AS found; INSERT INTO log VALUES (1); --',
      'SELECT 1) AS found; COMMIT; INSERT INTO log VALUES (1); --',
      'SELECT 1) AS found; SET TRANSACTION READ WRITE; --',
      "SELECT set_config('transaction_read_only', 'off', true)",
      "SELECT nextval('counter')",
      'SELECT * FROM accounts FOR UPDATE',
      'DROP TABLE log',
      'COMMIT',
      "COPY log FROM '/etc/hostname'",
    ]) {
      test(sql, async () => {
        const query = { place: server.url, sql, values: [], signal: AbortSignal.timeout(TIME), timeoutMs: TIME }
        await expect(reader.query(query)).rejects.toThrow()
        const { rows } = await admin.query(
          'SELECT (SELECT count(*) FROM log)::int AS logged, (SELECT count(*) FROM accounts)::int AS accounts',
        )
        expect(rows).toEqual([{ logged: 0, accounts: 3 }])
      })
    }

    test('what is done in spite of that is undone', async () => {
      await reader
        .query({ place: server.url, sql: 'SELECT lo_create(0)', values: [], signal: AbortSignal.timeout(TIME), timeoutMs: TIME })
        .catch(() => [])
      expect((await admin.query('SELECT oid FROM pg_largeobject_metadata')).rows).toEqual([])
    })

    test('what a role may not read is not known', async () => {
      const url = server.url.replace(/\/\/[^@]*@/, '//reader:r@')
      expect(await asked({ url, query: 'SELECT owner FROM accounts WHERE id = {id}', args: { id: 'a1' } })).toEqual({ owner: 7 })
      expect(await asked({ url, query: 'SELECT n FROM log' })).toEqual({ why: 'permission denied for table log', failed: true })
    })
  })

  describe('what goes wrong is a failure, with its cause, in time, and leaves no connection', () => {
    const secret = /secret/
    for (const [title, asking, why] of [
      ['a wrong password', () => ({ url: server.url.replace(/:[^:@]*@/, ':wrong@') }), /password authentication failed/],
      ['no such user', () => ({ url: server.url.replace('//postgres:', '//nobody_here:') }), /password authentication failed/],
      ['no such database', () => ({ url: `${server.url}x` }), /database "postgresx" does not exist/],
      ['nobody listens', () => ({ url: 'postgres://postgres:secret@127.0.0.1:1/x' }), /ECONNREFUSED/],
      ['no such host', () => ({ url: 'postgres://postgres:secret@no-such-host.invalid/x' }), /ENOTFOUND|EAI_AGAIN|no answer|timeout/],
      ['no address', () => ({ url: 'postgres://[:secret@/x' }), /./],
      ['a query that lasts', () => ({ query: 'SELECT pg_sleep(30) AS a', timeout: 200 }), /statement timeout|no answer within 200 ms/],
    ] as const) {
      test(title, async () => {
        const found = (await asked({ query: 'SELECT 1 AS a', ...asking() })) as Unanswered
        expect(found).toEqual({ why: expect.stringMatching(why), failed: true })
        expect(found.why).not.toMatch(secret)
        await expect.poll(open).toBe(0)
      })
    }

    test('killed in the middle of a query', async () => {
      const pending = asked({ query: 'SELECT pg_sleep(30) AS a' })
      await expect.poll(open).toBe(1)
      await admin.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'countersign'")
      expect(await pending).toEqual({ why: expect.stringMatching(/terminat/), failed: true })
      await expect.poll(open).toBe(0)
    })

    test('many at once each get their own, and none stays', async () => {
      const found = await Promise.all(Array.from({ length: 30 }, (_, n) => asked({ query: 'SELECT {n}::int AS n', args: { n } })))
      expect(found).toEqual(Array.from({ length: 30 }, (_, n) => ({ n })))
      await expect.poll(open).toBe(0)
    })

    test('many that last are all ended', async () => {
      const found = await Promise.all(Array.from({ length: 10 }, () => asked({ query: 'SELECT pg_sleep(30) AS a', timeout: 300 })))
      expect(found.every((each) => (each as Unanswered).failed)).toBe(true)
      await expect.poll(open, { timeout: TIME }).toBe(0)
    })
  })

  describe('a server that is none', () => {
    let silent: Server
    const sockets = new Set<Socket>()
    beforeAll(async () => {
      silent = createServer((socket) => void sockets.add(socket.on('error', () => {})))
      await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    })
    afterAll(() => {
      for (const socket of sockets) socket.destroy()
      silent.close()
    })
    const place = () => `postgres://u:secret@127.0.0.1:${(silent.address() as { port: number }).port}/x`

    test('and says nothing', async () => {
      expect(await asked({ query: 'SELECT 1 AS a', url: place(), timeout: 200 })).toMatchObject({ failed: true })
      await expect
        .poll(() => [...sockets].every((socket) => socket.destroyed || socket.readableEnded || socket.resume().readableEnded))
        .toBe(true)
    })
    test('and speaks another language', async () => {
      silent.once('connection', (socket: Socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))
      expect(await asked({ query: 'SELECT 1 AS a', url: place(), timeout: 1_000 })).toMatchObject({ failed: true })
    })
  })

  describe('encryption is what the address says', () => {
    const ENCRYPTED = 'SELECT ssl AS a FROM pg_stat_ssl WHERE pid = pg_backend_pid()'
    const here = (query: string) => () => `${server.url}${query}`
    const named = (query: string) => () => `${server.url.replace('127.0.0.1', 'localhost')}${query}`
    for (const [title, url, expected] of [
      ['none without a word', here(''), { a: false }],
      ['none', here('?sslmode=disable'), { a: false }],
      ['not verified', here('?sslmode=no-verify'), { a: true }],
      [
        'verified, by an authority that is not known',
        named('?sslmode=verify-full'),
        { why: expect.stringMatching(/self.signed|certificate/), failed: true },
      ],
      ['verified', () => named(`?sslmode=verify-full&sslrootcert=${server.certificate}`)(), { a: true }],
      [
        'verified, but for another name',
        () => here(`?sslmode=verify-full&sslrootcert=${server.certificate}`)(),
        { why: expect.stringContaining('does not match'), failed: true },
      ],
    ] as const) {
      test(title, async () => {
        expect(readFileSync(server.certificate ?? '', 'utf8')).toContain('BEGIN CERTIFICATE')
        expect(await asked({ query: ENCRYPTED, url: url() })).toEqual(expected)
      })
    }
  })

  test('a gate that cannot ask allows nothing that a hard contract would have to know', async () => {
    const decide = async (url: string, id: string, level = 'hard') => {
      const rules = policy(
        `default: deny
tools: { refund: { risk_tier: low } }
contracts:
  enforcement: ${level}
  providers: { account: { tools: [refund], sql: { url_env: URL, query: "SELECT balance FROM accounts WHERE id = {id}" } } }
  tools: { refund: { constraints: [{ kind: cmp, op: le, left: amount, right: { state: account, path: balance } }] } }`,
        { env: () => url },
      )
      const { gate, close } = openGate({ home: temporaryDirectory(), policy: () => ({ policy: rules, degraded: null }), record: false })
      const { decision, findings } = await gate.decide(call('refund', { args: { id, amount: 10 } }))
      close()
      return [decision, ...findings.map(({ code }) => code).filter((code) => /^(?:contract|infra)/.test(code))]
    }
    const wrong = server.url.replace(/:[^:@]*@/, ':wrong@')
    for (const [url, id, level, expected] of [
      [server.url, 'a1', 'hard', ['allow']],
      [server.url, 'a2', 'hard', ['deny', 'contract.violated']],
      [server.url, 'a9', 'hard', ['allow', 'contract.deferred']],
      [wrong, 'a1', 'hard', ['deny', 'infra.lookup']],
      [wrong, 'a1', 'soft', ['ask', 'infra.lookup']],
      [wrong, 'a1', 'advisory', ['allow', 'contract.deferred']],
      ['', 'a1', 'hard', ['deny', 'infra.lookup']],
      [server.url, 'a\0', 'hard', ['deny', 'infra.lookup']],
    ] as const) {
      expect(await decide(url, id, level)).toEqual(expected)
    }
  })

  test('a server that crashes in the middle of a query is a failure, and so is one that is gone', async () => {
    const pending = asked({ query: 'SELECT pg_sleep(30) AS a' })
    await expect.poll(open).toBe(1)
    await server.kill()
    expect(await pending).toMatchObject({ failed: true })
    expect(await asked({ query: 'SELECT 1 AS a' })).toEqual({ why: expect.stringContaining('ECONNREFUSED'), failed: true })
  })
})
