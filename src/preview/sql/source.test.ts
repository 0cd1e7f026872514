/** Commands whose SQL stands in a file, a stream or the call. The labels were written before the first run. */
import { describe, expect, test } from 'vitest'
import { checkSql } from './check.ts'
import { withoutComments } from './comments.ts'
import { inlined } from './source.ts'

const FILES: Readonly<Record<string, string>> = {
  'x.sql': 'DELETE FROM t;\n',
  'a b.sql': 'DELETE FROM t;\n',
  'meta.sql': 'DELETE FROM t;\n\\! touch x\n',
  'copy.sql': "\\copy t from 'x'\n",
  'variable.sql': "DELETE FROM :name WHERE a = :'b';\n",
  'cast.sql': "DELETE FROM t WHERE a = 'x:y'::text;\n",
  'shell.sql': 'DELETE FROM t;\n.shell touch x\n',
  'go.sql': 'DELETE FROM t\ngo\n',
  'commit.sql': 'DELETE FROM t; COMMIT; DELETE FROM s;\n',
}
const read = (path: string): string | null => FILES[path] ?? null
const SQL = 'DELETE FROM t;\n'

describe('the SQL is put among the words', () => {
  test.each<[string, readonly string[]]>([
    ['psql shop -f x.sql', ['psql', 'shop', '-c', SQL]],
    ['psql -fx.sql shop', ['psql', 'shop', '-c', SQL]],
    ['psql --file=x.sql -d shop', ['psql', '-d', 'shop', '-c', SQL]],
    ["psql shop < 'a b.sql'", ['psql', 'shop', '-c', SQL]],
    ['cat x.sql | psql -d shop', ['psql', '-d', 'shop', '-c', SQL]],
    ["psql shop <<'E'\nDELETE FROM t;\nE\n", ['psql', 'shop', '-c', SQL]],
    ['psql shop <<E\nDELETE FROM t;\nE\n', ['psql', 'shop', '-c', SQL]],
    ["psql shop <<< 'DELETE FROM t;'", ['psql', 'shop', '-c', SQL]],
    ['mysql -u root shop < x.sql', ['mysql', '-u', 'root', 'shop', '-e', SQL]],
    ['cat x.sql | mariadb shop', ['mariadb', 'shop', '-e', SQL]],
    ['sqlite3 a.db < x.sql', ['sqlite3', 'a.db', SQL]],
    ['cat x.sql | sqlite3 -bail a.db', ['sqlite3', '-bail', 'a.db', SQL]],
    ['psql shop -f cast.sql', ['psql', 'shop', '-c', FILES['cast.sql'] ?? '']],
  ])('%s', (command, words) => expect(inlined(command, read)).toEqual(words))

  test.each<[string, string]>([
    ['a file that is not known', 'psql shop -f other.sql'],
    ['a variable of the client', 'psql shop -f variable.sql'],
    ['the same by a stream', 'cat variable.sql | psql shop'],
  ])('refused: %s', (_title, command) => expect(inlined(command, read)).toMatchObject({ refused: expect.any(String) }))

  test.each<[string, string]>([
    ['a second command', 'psql shop < x.sql; rm x'],
    ['a second command at the end of a here-document', "psql shop <<'E' && rm x\nDELETE FROM t;\nE\n"],
    ['in the background', 'psql shop < x.sql &'],
    ['output that goes elsewhere', 'psql shop < x.sql > out'],
    ['another stream', 'psql shop 3< x.sql'],
    ['two streams', 'psql shop < x.sql < meta.sql'],
    ['a variable that is set for it', 'PGHOST=other psql shop < x.sql'],
    ['a word that is not known', 'psql $DB < x.sql'],
    ['a name that is not known', 'psql shop < *.sql'],
    ['a here-document that is expanded', 'psql shop <<E\nDELETE FROM $T;\nE\n'],
    ['one that runs a command', 'psql shop <<E\nDELETE FROM `id`;\nE\n'],
    ['one that does not end', 'psql shop <<E\nDELETE FROM t;\n'],
    ['one with its tabs taken off', "psql shop <<-'E'\n\tDELETE FROM t;\n\tE\n"],
    ['several files', 'cat x.sql meta.sql | psql shop'],
    ['options of cat', 'cat -v x.sql | psql shop'],
    ['errors in the pipe', 'cat x.sql |& psql shop'],
    ['three of them', 'cat x.sql | tee y | psql shop'],
    ['turned around', '! psql shop < x.sql'],
    ['two files', 'psql shop -f x.sql -f meta.sql'],
    ['a file beside SQL', "psql shop -f x.sql -c 'SELECT 1'"],
    ['a stream that is not read', "psql shop -c 'DELETE FROM t' < x.sql"],
    ['a stream that sqlite3 does not read', "sqlite3 a.db 'select 1' < x.sql"],
    ['a wrapper', 'sudo psql shop -f x.sql'],
    ['another program', 'node < x.sql'],
    ['commands of sqlite3 in the file: the sandbox runs it', 'sqlite3 a.db < shell.sql'],
    ['an end of a statement that only sqlite3 knows', 'sqlite3 a.db < go.sql'],
  ])('left alone: %s', (_title, command) => expect(inlined(command, read)).toBeNull())

  test.each(['meta.sql', 'copy.sql', 'commit.sql'])('%s is refused by what reads statements', (file) => {
    for (const command of [`psql shop -f ${file}`, `psql shop < ${file}`, `cat ${file} | psql shop`]) {
      const words = inlined(command, read) as readonly string[]
      expect(checkSql(words.at(-1) ?? '', 'postgres')).toHaveProperty('refused')
    }
  })
})

describe('comments', () => {
  test.each<[string, string]>([
    ['-- orders of May\nDELETE FROM t -- all\n', ' \nDELETE FROM t  \n'],
    ['DELETE /* all */ FROM t', 'DELETE   FROM t'],
    ["UPDATE t SET a = '-- no' WHERE b = '/* no */'", "UPDATE t SET a = '-- no' WHERE b = '/* no */'"],
    ["/* it's */ DELETE FROM t", '  DELETE FROM t'],
    ["-- it's\nDELETE FROM t", ' \nDELETE FROM t'],
    ['--\nDELETE FROM t', ' \nDELETE FROM t'],
    ['-- a\r\nDELETE FROM t', ' \nDELETE FROM t'],
  ])('%j are taken out', (sql, plain) => expect(withoutComments(sql)).toBe(plain))

  test.each<[string, string]>([
    ['code for MySQL', 'DELETE FROM t /*! , s */'],
    ['code for a version of it', 'DELETE FROM t /*!50001 , s */'],
    ['code for MariaDB', 'DELETE FROM t /*M! , s */'],
    ['a hint', 'DELETE /*+ X */ FROM t'],
    ['arithmetic for MySQL', 'UPDATE t SET a = 5--1\n, b = 2'],
    ['one in another: PostgreSQL nests them', 'DELETE FROM t /* /* */ WHERE a = 1 -- */'],
    ['one that does not end', 'DELETE FROM t /* WHERE a = 1'],
    ['an end alone', 'DELETE FROM t */ WHERE a = 1'],
    ['a lone carriage return', 'DELETE FROM t -- a\rWHERE a = 1'],
    ['a text that does not end', "DELETE FROM t WHERE a = 'x -- y"],
  ])('%s: readers do not agree', (_title, sql) => {
    expect(withoutComments(sql)).toBeNull()
    for (const dialect of ['postgres', 'mysql'] as const) expect(checkSql(sql, dialect)).toHaveProperty('refused')
  })
})
