/** Statements tried out at real servers: what the person sees, and that nothing is left of it, whatever the statement tries. */
import { execFileSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { bash } from '../../../test/support/calls.ts'
import { hasMariadb, startMariadb } from '../../../test/support/mariadb.ts'
import { newPostgres, noPostgres } from '../../../test/support/postgres.ts'
import { temporaryDirectory } from '../../../test/support/records.ts'
import { noTrials } from '../../../test/support/trials.ts'
import { policyOf } from '../../../test/support/workplace.ts'
import type { JsonObject } from '../../core/json.ts'
import { openGate } from '../../open.ts'

const READS = `hazards: { packs: [] }
rules:
  ask: [{ tool: Bash, when: '!args.command.contains("SELECT 1")', reason: careful }]
  allow: [{ tool: Bash, when: "true", reason: only reads }]
`

function place(section: string, rules = READS) {
  const [home, cwd] = [temporaryDirectory(), temporaryDirectory()]
  const { gate, queue, close } = openGate({ home, policy: () => ({ policy: policyOf(`${rules}${section}`), degraded: null }) })
  onTestFinished(() => close())
  const decide = (command: string) => gate.decide(bash(command, { cwd }))
  const preview = async (command: string): Promise<JsonObject> =>
    (queue.show((await decide(command)).approval?.id ?? '', { tenant: null })?.sheet.preview ?? {}) as JsonObject
  const write = (name: string, text: string): void => writeFileSync(join(cwd, name), text)
  return { preview, decide, write }
}

const missing = noPostgres()
const NAMED = 'preview: { dry_runs: [psql] }\n'
const SAID = / was not tried out/

describe.skipIf(missing !== null || noTrials !== null)(`PostgreSQL${missing ?? ''}`, () => {
  let server: Awaited<ReturnType<typeof newPostgres>>
  let sql: (text: string) => string
  const dump = (): string => sql("select string_agg(t::text, ',' order by id) from orders t") + sql('select count(*) from lines')
  const psql = (text: string): string => `psql '${server.url}' -c "${text}"`

  beforeAll(async () => {
    server = await newPostgres()
    sql = (text) => execFileSync('psql', ['-X', '-Atq', server.url, '-c', text], { encoding: 'utf8', stdio: 'pipe' })
    sql(`create table orders (id serial primary key, note text); create table lines (id serial primary key, o int references orders on delete cascade);
      insert into orders (note) values ('a'), ('b'), ('c'); insert into lines (o) values (1), (1), (2)`)
  })
  afterAll(() => server?.stop())

  test.each<[string, string, number, RegExp]>([
    [
      'a deletion, with what goes with it',
      'DELETE FROM orders WHERE id < 3',
      5,
      /public\.lines: 0 inserted, 0 updated, 3 deleted\npublic\.orders: .*2 deleted/,
    ],
    ['two statements', "UPDATE orders SET note = 'x'; INSERT INTO lines (o) VALUES (3)", 4, /1 inserted/],
    ['a dropped table', 'DROP TABLE lines', 3, /3 rows less/],
    ['an emptied table', 'TRUNCATE orders CASCADE', 6, /6 rows less/],
    ['a deletion inside of a query', 'WITH gone AS (DELETE FROM lines RETURNING id) SELECT count(*) FROM gone', 3, /3 deleted/],
    ['a definition', 'ALTER TABLE orders ADD COLUMN x int', 0, /rows changed: 0/],
  ])('%s: the rows are counted, and all is as before', async (_name, statement, rows, output) => {
    const before = dump()
    const shown = await place(NAMED).preview(psql(statement))
    expect(shown).toMatchObject({ kind: 'dry_run', program: 'psql', sandboxed: false, exit_code: 0, rows })
    expect(String(shown.output)).toMatch(output)
    expect(JSON.stringify(shown)).not.toContain(encodeURIComponent(server.password))
    expect(dump()).toBe(before)
  })

  test('SQL of a file, a stream and the call is tried out as well, comments and all', async () => {
    const { preview, write } = place(NAMED)
    const text = "-- the first two, it's said\nDELETE FROM orders /* all; */ WHERE id < 3;\n"
    write('x.sql', text)
    write('hostile.sql', 'DELETE FROM orders;\n\\! touch hit\nCOMMIT;\n')
    const before = dump()
    for (const command of [
      `psql '${server.url}' -f x.sql`,
      `psql '${server.url}' < x.sql`,
      `cat x.sql | psql '${server.url}'`,
      `psql '${server.url}' <<'E'\n${text}E\n`,
    ]) {
      expect(await preview(command)).toMatchObject({ kind: 'dry_run', program: 'psql', sandboxed: false, rows: 5 })
    }
    for (const file of ['hostile.sql', '../x.sql', '/etc/passwd']) {
      const shown = await preview(`psql '${server.url}' -f ${file}`)
      expect([file, shown.kind, String(shown.note)]).toEqual([file, 'none', expect.stringMatching(SAID)])
    }
    expect(dump()).toBe(before)
  })

  test('a limit of rows holds for it, and a yes holds only while the same rows are there', async () => {
    const { decide } = place('preview: { dry_runs: [psql], ask_above: { rows: 2 } }\n')
    expect((await decide(psql('DELETE FROM orders'))).findings.map(({ code }) => code)).toContain('preview.size')
    expect((await decide(psql('DELETE FROM orders WHERE id = 3'))).findings.map(({ code }) => code)).not.toContain('preview.size')
  })

  test.each<[string, string, string | undefined]>([
    ['the policy does not name it', 'preview: {}\n', undefined],
    ['the gate would ask about a query that only reads', NAMED, 'rules: { ask: [{ tool: Bash, reason: careful }] }\n'],
  ])('nothing is run where %s', async (_name, section, rules) => {
    expect(await place(section, rules).preview(psql('DELETE FROM orders'))).toMatchObject({
      kind: 'none',
      note: expect.stringMatching(SAID),
    })
  })

  test.each<[string, string]>([
    ['ends the transaction', 'DELETE FROM orders; COMMIT'],
    ['runs outside of one', 'VACUUM orders'],
    ['breaks a rule of the database', 'INSERT INTO lines (o) VALUES (99)'],
    ['is no SQL', 'DELETE FORM orders'],
    ['says what a trial would say', "UPDATE orders SET id = CAST('x\nERROR:  CS001: rows changed: 0' AS int)"],
    ['divides a text from the client', "DELETE FROM orders WHERE note = 'a'';COMMIT;--'"],
  ])('there is none, and nothing is left, where a statement %s', async (_name, statement) => {
    const before = dump()
    expect(await place(NAMED).preview(psql(statement))).toMatchObject({ kind: 'none', note: expect.stringMatching(SAID) })
    expect(dump()).toBe(before)
  })

  test('there is none where functions of the database may reach out of it: a trigger would', async () => {
    const trace = join(temporaryDirectory(), 'ran')
    sql(`create function f() returns trigger language plpgsql as 'begin copy (select 1) to program ''touch ${trace}''; return old; end';
      create trigger x before delete on orders for each row execute function f()`)
    const shown = await place(NAMED).preview(psql('DELETE FROM orders WHERE id = 3'))
    sql('drop function f cascade')
    expect(shown).toMatchObject({ kind: 'none', note: expect.stringContaining('may reach out') })
    expect(existsSync(trace)).toBe(false)
  })
})

describe.skipIf(!hasMariadb || noTrials !== null)('MariaDB, where there is one', () => {
  test('the rows are counted, all is as before, and tables without transactions are not touched', async () => {
    const { port, sql } = await startMariadb()
    sql(
      'use shop; create table orders (id int primary key, note text) engine=innodb; insert into orders values (1, 0x61), (2, 0x62), (3, null)',
    )
    const { preview, write } = place('preview: { dry_runs: [mysql] }\n')
    process.env.MYSQL_PWD = 'a secret'
    onTestFinished(() => {
      delete process.env.MYSQL_PWD
    })
    const mysql = (text: string): string => `mysql -h 127.0.0.1 -P ${port} -u app shop -e "${text}"`
    const whole = (): string => sql('select * from shop.orders')
    const before = whole()
    const shown = await preview(mysql("DELETE FROM orders WHERE id > 1 AND COALESCE(note, '') <> 'a;b'"))
    expect(shown).toMatchObject({ kind: 'dry_run', program: 'mysql', rows: 2, output: 'rows changed: 2', exit_code: 0 })
    for (const text of ['TRUNCATE orders', 'DELETE FROM orders; COMMIT', 'DELETE FORM orders'])
      expect((await preview(mysql(text))).kind).toBe('none')
    expect(whole()).toBe(before)
    const stream = (text: string) => {
      write('x.sql', text)
      return preview(`mysql -h 127.0.0.1 -P ${port} -u app shop < x.sql`)
    }
    expect(await stream('-- old ones\nDELETE FROM orders WHERE id > 1;\n')).toMatchObject({ kind: 'dry_run', rows: 2 })
    for (const text of ['system touch hit\n', 'DELETE FROM orders /*! , old */;', 'DELETE FROM orders; source y.sql\n', 'DELIMITER //\n'])
      expect([text, (await stream(text)).kind]).toEqual([text, 'none'])
    sql('use shop; create table old (id int) engine=myisam; insert into old values (1)')
    expect(await preview(mysql('DELETE FROM old'))).toMatchObject({ kind: 'none', note: expect.stringMatching(SAID) })
    expect([whole(), sql('select * from shop.old')]).toEqual([before, '1\n'])
  }, 60_000)
})
