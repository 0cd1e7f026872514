/** What SQL is tried out in a transaction, and what is not. The labels were written before the verdicts were looked at. */
import { describe, expect, test } from 'vitest'
import { checkSql, type SqlDialect } from './check.ts'
import { sqlTrialOf } from './clients.ts'

const refusedBy = (sql: string, dialect: SqlDialect): string | null => {
  const checked = checkSql(sql, dialect)
  return 'refused' in checked ? checked.refused : null
}

describe('PostgreSQL', () => {
  test.each<[string, number]>([
    ['DELETE FROM orders WHERE id = 7', 1],
    ["delete from orders where note = 'it''s; \"done\" (all)';", 1],
    ['UPDATE shop.orders SET total = round(total * 1.1, 2), at = now() WHERE id IN (1, 2)', 1],
    ['INSERT INTO "order lines" (a, b) VALUES (1, \'x\'), (2, DEFAULT) ON CONFLICT (a) DO UPDATE SET b = EXCLUDED.b RETURNING *', 1],
    ['WITH gone AS (DELETE FROM t RETURNING id) SELECT count(*) FROM gone', 1],
    ['MERGE INTO t USING s ON (t.id = s.id) WHEN MATCHED THEN DELETE', 1],
    ['TRUNCATE orders, lines CASCADE', 1],
    ['DROP TABLE IF EXISTS orders', 1],
    ['CREATE TABLE IF NOT EXISTS t (id serial PRIMARY KEY, n varchar(10) CHECK (length(n) > 1), FOREIGN KEY (n) REFERENCES s (n))', 1],
    ['CREATE UNIQUE INDEX i ON t (lower(n)); ALTER TABLE t ADD COLUMN x numeric(4, 2); UPDATE t SET x = 0', 3],
    ["INSERT INTO t VALUES (nextval('s'))", 1],
  ])('tried out: %s', (sql, count) => {
    expect(checkSql(sql, 'postgres')).toMatchObject({ statements: { length: count } })
  })

  test.each<[string, string]>([
    ['ends the transaction', 'DELETE FROM t; COMMIT; DELETE FROM s'],
    ['ends it by another word', 'DELETE FROM t; END; DELETE FROM s'],
    ['begins one of its own', 'BEGIN; DELETE FROM t'],
    ['a savepoint', 'SAVEPOINT a; DELETE FROM t'],
    ['runs outside of transactions', 'VACUUM'],
    ['makes a database', 'CREATE DATABASE x'],
    ['drops one', 'DROP DATABASE x'],
    ['settings of the server', "ALTER SYSTEM SET archive_command = 'touch /tmp/x'"],
    ['runs a program', "COPY t TO PROGRAM 'touch /tmp/x'"],
    ['writes a file of the server', "COPY t TO '/tmp/x'"],
    ['a command of the client', '\\! touch x'],
    ['another one, behind a statement', 'DELETE FROM t \\gexec'],
    ['copies by the client', '\\copy t from x'],
    ['another server', "DELETE FROM t WHERE dblink_exec('dbname=x', 'DELETE FROM s') = ''"],
    ['another server, with a quoted name', "DELETE FROM t WHERE \"dblink_exec\"('dbname=x', 'DELETE FROM s') = ''"],
    ['a name with escapes', "DELETE FROM t WHERE U&\"d!0062link\"('x') = '' UESCAPE '!'"],
    ['a function of the schema', 'UPDATE t SET a = shop.charge_card(id)'],
    ['a function that is named like a plain one', 'UPDATE t SET a = shop.count(id)'],
    ['a sequence that is set', "INSERT INTO t VALUES (setval('s', 1))"],
    ['files of the server', "INSERT INTO t VALUES (pg_read_file('/etc/passwd'))"],
    ['ends other sessions', 'DELETE FROM t WHERE pg_terminate_backend(pid)'],
    ['a block', "DO 'BEGIN COMMIT; END'"],
    ['dollar quotes', 'DO $$ BEGIN COMMIT; END $$'],
    ['calls a procedure', 'CALL p()'],
    ['a trigger', 'CREATE TRIGGER x AFTER INSERT ON t EXECUTE FUNCTION f()'],
    ['a function', "CREATE FUNCTION f() RETURNS int LANGUAGE sql AS 'SELECT 1'"],
    ['an extension', 'CREATE EXTENSION dblink'],
    ['an index beside others', 'CREATE INDEX CONCURRENTLY i ON t (a)'],
    ['rows of a function', 'DELETE FROM t USING lo_export(1, 2) AS x'],
    ['a notification', 'NOTIFY x'],
    ['a lock alone', 'LOCK TABLE t'],
    ['a role', 'DROP ROLE x'],
    ['hidden behind a comment that readers take differently', 'DELETE FROM t WHERE a = 1 /* /* */ OR true */'],
    ['hidden behind a comment of a line', 'DELETE FROM t -- x\n; COMMIT'],
    ['reads only', 'SELECT 1'],
    ['nothing', ' ; '],
    ['an open text', "DELETE FROM t WHERE a = 'x"],
    ['an escape', "DELETE FROM t WHERE a = E'\\'; COMMIT; --'"],
  ])('refused: %s', (_name, sql) => {
    expect(refusedBy(sql, 'postgres')).toMatch(/\w/)
  })
})

describe('MySQL', () => {
  test.each([
    'DELETE FROM orders WHERE id = 7',
    "UPDATE `orders` SET total = IF(total > 5, 5, total), note = 'a;b' WHERE at < NOW()",
    'REPLACE INTO t (a) VALUES (1)',
    'INSERT INTO t SELECT * FROM s ON DUPLICATE KEY UPDATE a = 1',
  ])('tried out: %s', (sql) => {
    expect(refusedBy(sql, 'mysql')).toBeNull()
  })
  test.each<[string, string]>([
    ['commits at once', 'DROP TABLE t'],
    ['commits at once, too', 'TRUNCATE t'],
    ['another definition', 'CREATE TABLE t (a int)'],
    ['an index', 'CREATE INDEX i ON t (a)'],
    ['two statements', 'DELETE FROM t; DELETE FROM s'],
    ['ends the transaction', 'DELETE FROM t; COMMIT'],
    ['rights', "GRANT ALL ON *.* TO 'x'"],
    ['a lock that commits', 'LOCK TABLES t WRITE'],
    ['a program', 'system touch x'],
    ['a program, by its mark', '\\! touch x'],
    ['a file of the server', "SELECT * FROM t INTO OUTFILE '/tmp/x'"],
    ['a file of the server that is read', "LOAD DATA INFILE '/tmp/x' INTO TABLE t"],
    ['a program by a function', "INSERT INTO t VALUES (sys_exec('touch x'))"],
    ['code in a comment', 'DELETE FROM t /*!50001 ; COMMIT */'],
    ['a comment', 'DELETE FROM t WHERE a = 1 # OR b = 1'],
    ['a file by a function', "INSERT INTO t VALUES (LOAD_FILE('/etc/passwd'))"],
    ['holds the server up', 'DELETE FROM t WHERE SLEEP(1000)'],
  ])('refused: %s', (_name, sql) => {
    expect(refusedBy(sql, 'mysql')).toMatch(/\w/)
  })
})

describe('the command line', () => {
  const judged = (client: 'psql' | 'mysql', words: readonly string[]): string | null => {
    const made = sqlTrialOf(client, client, words)
    return made === null ? null : 'refused' in made ? 'refused' : made.judged.join(' ')
  }
  const SQL = 'DELETE FROM t'
  test.each<['psql' | 'mysql', readonly string[], string]>([
    ['psql', ['shop', '-c', SQL], 'psql shop -c SELECT 1'],
    ['psql', ['-h', 'db', '-p5433', '--username=ann', '-d', 'shop', '-qAtc', SQL], 'psql -hdb -p5433 --username=ann -dshop -c SELECT 1'],
    ['psql', ['postgres://db/shop', '-1', `--command=${SQL}`, '-c', SQL], 'psql postgres://db/shop -c SELECT 1'],
    ['mysql', ['-u', 'ann', '-psecret', '-h', 'db', 'shop', '-e', SQL], 'mysql -uann -psecret -hdb shop -e SELECT 1'],
    ['mysql', ['-N', '--batch', '--host=db', '--database', 'shop', `--execute=${SQL}`], 'mysql --host=db --database=shop -e SELECT 1'],
    ['psql', ['shop', '-c', 'VACUUM'], 'refused'],
  ])('%s %j', (client, words, expected) => {
    expect(judged(client, words)).toBe(expected)
  })
  test.each<['psql' | 'mysql', readonly string[]]>([
    ['psql', ['shop']],
    ['psql', ['shop', '-f', 'a.sql']],
    ['psql', ['shop', '-c', SQL, '-f', 'a.sql']],
    ['psql', ['shop', '-c', SQL, '-o', '|touch x']],
    ['psql', ['shop', '-v', 'x=1', '-c', SQL]],
    ['psql', ['shop', '-c']],
    ['mysql', ['shop', '--force', '-e', SQL]],
    ['mysql', ['--defaults-file=./x', 'shop', '-e', SQL]],
    ['mysql', ['--init-command=DROP TABLE t', 'shop', '-e', SQL]],
    ['mysql', ['--pager=touch x', 'shop', '-e', SQL]],
  ])('has no trial: %s %j', (client, words) => {
    expect(judged(client, words)).toBeNull()
  })
})
