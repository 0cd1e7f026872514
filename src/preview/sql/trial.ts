/**
 * SQL that a server runs and takes back: the words for `psql` and `mysql`, and what they answer. The server holds to it, not the reader
 * of the SQL alone: for PostgreSQL the block always ends with an error of its own, and nothing in it can end the transaction; for MySQL
 * the text is prepared, which takes one statement, and nothing runs where a table keeps no transactions. Pure.
 */

/** SQLSTATE of the error by which the block ends itself. */
const STATE = 'CS001'

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`
const block = (body: string): string => `DO $countersign$ ${body} $countersign$`

/** Extensions whose functions stay in the database. */
const EXTENSIONS =
  'btree_gin btree_gist citext cube earthdistance fuzzystrmatch hstore intarray isn ltree pg_stat_statements pg_trgm pgcrypto plpgsql ' +
  'postgis seg tcn tsm_system_rows unaccent uuid-ossp vector'

const refuse = (query: string, why: string): string => `IF EXISTS (${query}) THEN RAISE EXCEPTION '${why}'; END IF;`

/** Of the database itself, not of an extension; a server's superuser and some roles may start programs in any language. */
const OWN_FUNCTIONS = `SELECT 1 FROM pg_proc p JOIN pg_language l ON l.oid = p.prolang JOIN pg_namespace n ON n.oid = p.pronamespace
WHERE n.nspname NOT IN ('pg_catalog', 'information_schema') AND (l.lanname NOT IN ('sql', 'plpgsql') OR reaches OR p.prosecdef)
AND NOT EXISTS (SELECT 1 FROM pg_depend d WHERE d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e')`

/** Where something in the database can reach out of it, a trigger may: no transaction takes that back. */
const GUARD = block(`DECLARE reaches boolean; BEGIN
${refuse(
  `SELECT 1 FROM pg_extension WHERE extname <> ALL (string_to_array(${literal(EXTENSIONS)}, ' '))`,
  'this database has extensions that may reach out of it',
)}
${refuse('SELECT 1 FROM pg_foreign_server', 'this database has tables of other servers')}
${refuse("SELECT 1 FROM pg_event_trigger WHERE evtenabled <> 'D'", 'this database has event triggers')}
SELECT rolsuper OR pg_has_role('pg_execute_server_program', 'USAGE') OR pg_has_role('pg_write_server_files', 'USAGE')
INTO reaches FROM pg_roles WHERE rolname = current_user;
${refuse(OWN_FUNCTIONS, 'functions of this database may reach out of it')} END`)

const TABLES = `pg_catalog.pg_stat_user_tables WHERE pg_catalog.has_table_privilege(relid, 'SELECT')`

/** All rows that can be read, of every table: what is emptied or dropped counts nowhere else. */
const counted = (into: string): string =>
  `FOR r IN SELECT pg_catalog.format('%I.%I', schemaname, relname) AS name FROM ${TABLES} LOOP
EXECUTE 'SELECT count(*) FROM ONLY ' || r.name INTO n; ${into} := ${into} + n; END LOOP;`

/** What this transaction did to each table, with what triggers and foreign keys did. */
const CHANGED = `SELECT schemaname, relname, n_tup_ins AS i, n_tup_upd AS u, n_tup_del AS d FROM pg_catalog.pg_stat_xact_user_tables
WHERE n_tup_ins + n_tup_upd + n_tup_del > 0 ORDER BY 1, 2`

const FEWER = `IF before > after THEN seen := seen + before - after;
said := said || pg_catalog.format(E'\\n%s rows less in all tables', before - after); END IF;`

function tried(statements: readonly string[]): string {
  const empties = statements.some((sql) => /^(?:truncate|drop|alter)\b/i.test(sql))
  const executed = statements.map((sql) => {
    const counts = /^(?:select|values)\b/i.test(sql) ? '' : ' GET DIAGNOSTICS n = ROW_COUNT; total := total + n;'
    return `EXECUTE ${literal(sql)};${counts}`
  })
  return block(`DECLARE r record; n bigint; total bigint := 0; before bigint := 0; after bigint := 0; seen bigint := 0; said text := ''; BEGIN
${empties ? counted('before') : ''}
${executed.join('\n')}
EXECUTE 'SET CONSTRAINTS ALL IMMEDIATE';
FOR r IN ${CHANGED} LOOP seen := seen + r.i + r.u + r.d; CONTINUE WHEN length(said) > 4000;
said := said || pg_catalog.format(E'\\n%I.%I: %s inserted, %s updated, %s deleted', r.schemaname, r.relname, r.i, r.u, r.d); END LOOP;
${empties ? `${counted('after')}\n${FEWER}` : ''}
RAISE EXCEPTION USING ERRCODE = '${STATE}', DETAIL = said,
MESSAGE = 'rows changed: ' || CASE WHEN seen > total THEN seen ELSE total END; END`)
}

/** Words of `psql` behind its program. `connection`: those that say where to. */
export function psqlTrial(connection: readonly string[], statements: readonly string[]): readonly string[] {
  const first = [
    'SET client_min_messages = error',
    'SET lock_timeout = 2000',
    'SET statement_timeout = 10000',
    'SET standard_conforming_strings = on',
  ]
  const all = [...first, 'SET search_path = pg_catalog', GUARD, 'RESET search_path', tried(statements)]
  const settings = ['--no-psqlrc', '--no-password', '--quiet', '--set=ON_ERROR_STOP=1', '--set=VERBOSITY=verbose']
  return [...connection, ...settings, ...all.flatMap((sql) => ['-c', sql])]
}

const SYSTEM = "('mysql', 'information_schema', 'performance_schema', 'sys')"

/** Words of `mysql`. The statement is given in hexadecimal digits, so that no client reads words in it. */
export function mysqlTrial(connection: readonly string[], [statement = '']: readonly string[]): readonly string[] {
  const digits = Buffer.from(statement, 'utf8').toString('hex')
  const tables = `SELECT COUNT(*) FROM information_schema.tables
WHERE table_type = 'BASE TABLE' AND table_schema NOT IN ${SYSTEM} AND COALESCE(engine, '') <> 'InnoDB'`
  const triggers = `SELECT COUNT(*) FROM information_schema.triggers WHERE trigger_schema NOT IN ${SYSTEM}`
  const script = [
    'SET autocommit = 0',
    'SET SESSION innodb_lock_wait_timeout = 2',
    'START TRANSACTION',
    `SET @countersign = IF((${tables}) = 0 AND (${triggers}) = 0, CONVERT(X'${digits}' USING utf8mb4), NULL)`,
    'PREPARE countersign FROM @countersign',
    'EXECUTE countersign',
    "SELECT CONCAT('rows changed: ', ROW_COUNT())",
    'ROLLBACK',
  ]
  return [...connection, '--batch', '--skip-column-names', '-e', script.join('; ')]
}

export interface SqlAnswer {
  readonly rows: number
  readonly output: string
}

/** Null where the trial did not come to its own end. `client_min_messages` lets nothing stand before the block's own error. */
export function psqlAnswer({ stdout, stderr }: { readonly stdout: string; readonly stderr: string }): SqlAnswer | null {
  const [first = '', ...more] = stderr.split('\n')
  const rows = new RegExp(`^\\p{L}+: {1,2}${STATE}: rows changed: (\\d{1,15})$`, 'u').exec(first)?.[1]
  if (rows === undefined || stdout.trim() !== '') return null
  const tables = more.map((line) => line.replace(/^\p{L}+: {1,2}/u, '')).filter((line) => / (?:inserted|rows less)/.test(line))
  return { rows: Number(rows), output: [`rows changed: ${rows}`, ...tables].join('\n') }
}

export function mysqlAnswer({ stdout }: { readonly stdout: string }): SqlAnswer | null {
  const rows = /(?:^|\n)rows changed: (\d{1,15})\s*$/.exec(stdout)?.[1]
  return rows === undefined ? null : { rows: Number(rows), output: `rows changed: ${rows}` }
}
