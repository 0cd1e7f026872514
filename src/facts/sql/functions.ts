import type { SqlToken } from './lex.ts'
import type { Report } from './report.ts'

/** Functions that reach out of the database wherever they stand in a statement: files, programs, other servers, sessions. */
type Effective = (args: readonly (string | null)[], report: Report) => void

const readsFile: Effective = ([path], report) => {
  if (path === null || path === undefined) report.database('read', 'sql:read-file')
  else report.file('read', path, 'sql:read-file')
}

const writesFile =
  (position: number): Effective =>
  (args, report) => {
    const path = args[position]
    if (path === null || path === undefined) report.database('write', 'sql:write-file', { reversible: false })
    else report.file('write', path, 'sql:write-file')
  }

const runsProgram: Effective = ([command], report) => report.shell(command ?? null, 'sql:program')

const loads: Effective = ([library], report) => {
  report.database('execute', 'sql:load', { reversible: false, attributes: { library: library ?? '' } })
}

const reaches: Effective = (args, report) => {
  const address = args.find((a) => a !== null && /^\w+:\/\//.test(a))
  if (address === undefined || address === null) report.database('send', 'sql:remote', { attributes: { dynamic: true } })
  else report.url('fetch', address, 'sql:remote')
}

const stops: Effective = (_, report) => report.database('change', 'sql:kill', { reversible: false })

const remote: Effective = (args, report) => report.database('send', 'sql:remote', { attributes: { connection: args[0] ?? '' } })

const dynamic: Effective = (_, report) => report.opaque('the SQL runs text that is not known')

/** A query as text: one that only selects is a read. */
const queries: Effective = (args, report) => {
  const text = args.find((arg) => arg !== null && /^\s*\w+\s/.test(arg)) ?? null
  if (text === null || !/^\s*(?:select|values|table)\b[^;]*$/i.test(text) || /\b(?:delete|insert|update|merge|into)\b/i.test(text))
    dynamic([], report)
}

const removes: Effective = (_, report) => report.database('delete', 'sql:delete', { reversible: false, attributes: { where: true } })

const changes: Effective = (_, report) => report.database('change', 'sql:maintain')

const schedules: Effective = (_, report) => report.database('persist', 'sql:schedule')

const FUNCTIONS: ReadonlyMap<string, Effective> = new Map([
  ...(
    'PG_READ_FILE PG_READ_BINARY_FILE PG_LS_DIR LOAD_FILE READFILE LO_IMPORT READ_TEXT READ_BLOB READ_CSV READ_CSV_AUTO ' +
    'READ_PARQUET READ_JSON FILE'
  )
    .split(' ')
    .map((n) => [n, readsFile] as const),
  ['WRITEFILE', writesFile(0)],
  ['LO_EXPORT', writesFile(1)],
  ['PG_FILE_WRITE', writesFile(0)],
  ...['XP_CMDSHELL', 'SYS_EXEC', 'SYS_EVAL', 'SHELL', 'SYSTEM', 'EXECUTABLE'].map((n) => [n, runsProgram] as const),
  ...['LOAD_EXTENSION', 'SP_OACREATE', 'SP_EXECUTE_EXTERNAL_SCRIPT', 'SP_ADDEXTENDEDPROC', 'FTS3_TOKENIZER', 'REFLECT', 'JAVA_METHOD'].map(
    (n) => [n, loads] as const,
  ),
  ...['HTTP_GET', 'HTTP_POST', 'HTTPGET', 'UTL_HTTP', 'URL'].map((n) => [n, reaches] as const),
  ...['DBLINK', 'DBLINK_EXEC', 'DBLINK_CONNECT', 'OPENROWSET', 'OPENDATASOURCE', 'MYSQL', 'POSTGRESQL', 'REMOTE', 'POSTGRES_SCAN'].map(
    (n) => [n, remote] as const,
  ),
  ...['PG_TERMINATE_BACKEND', 'PG_CANCEL_BACKEND'].map((n) => [n, stops] as const),
  ...['CROSSTAB', 'TS_STAT', 'CONNECTBY'].map((n) => [n, queries] as const),
  ...['LO_UNLINK', 'PG_FILE_UNLINK', 'PG_DROP_REPLICATION_SLOT', 'DROP_CHUNKS', 'MASTER_DROP_ALL_SHARDS'].map((n) => [n, removes] as const),
  ...['LO_PUT', 'PG_FILE_RENAME', 'PG_RELOAD_CONF', 'PG_ROTATE_LOGFILE', 'PG_SWITCH_WAL', 'PG_PROMOTE', 'SETVAL'].map(
    (n) => [n, changes] as const,
  ),
  ...['EVAL', 'EDIT', 'CURSOR_TO_XML', 'RUN_COMMAND_ON_WORKERS', 'RUN_COMMAND_ON_SHARDS', 'RUN_COMMAND_ON_PLACEMENTS'].map(
    (n) => [n, dynamic] as const,
  ),
  ...['QUERY_TO_XML', 'SP_EXECUTESQL', 'DATABASE_TO_XML'].map((n) => [n, dynamic] as const),
])

/** Functions of packages: `UTL_HTTP.REQUEST(…)`. */
const PACKAGED: ReadonlyMap<string, Effective> = new Map([
  ...['UTL_HTTP.REQUEST', 'UTL_HTTP.REQUEST_PIECES', 'UTL_HTTP.BEGIN_REQUEST', 'NET.HTTP_GET', 'NET.HTTP_POST'].map(
    (n) => [n, reaches] as const,
  ),
  ...['UTL_INADDR.GET_HOST_ADDRESS', 'UTL_TCP.OPEN_CONNECTION', 'UTL_SMTP.OPEN_CONNECTION', 'DBMS_LDAP.INIT'].map(
    (n) => [n, remote] as const,
  ),
  ...['DBMS_SCHEDULER.CREATE_JOB', 'CRON.SCHEDULE', 'DBMS_JOB.SUBMIT'].map((n) => [n, schedules] as const),
  ['UTL_FILE.FOPEN', writesFile(1)],
  ['DBMS_XSLPROCESSOR.CLOB2FILE', writesFile(1)],
  ['DBMS_JAVA.RUNJAVA', loads],
])

/** Procedures that take their text without parentheses: `EXEC xp_cmdshell 'dir'`, `EXEC xp_dirtree '\\\\host\\share'`. */
const PROCEDURES: ReadonlyMap<string, Effective> = new Map([
  ['XP_CMDSHELL', runsProgram],
  ...['XP_DIRTREE', 'XP_FILEEXIST', 'XP_SUBDIRS'].map((n) => [n, remote] as const),
])

/** Reports what functions in a statement reach. A statement that only defines text with these names is not told apart. */
export function reportFunctions(tokens: readonly SqlToken[], report: Report): void {
  for (const [i, token] of tokens.entries()) {
    if (token.kind !== 'word' && token.kind !== 'quoted') continue
    const name = token.text.toUpperCase()
    const called = tokens[i + 1]?.text === '(' && tokens[i + 1]?.kind === 'operator'
    if (!called) {
      PROCEDURES.get(name)?.([tokens[i + 1]?.kind === 'text' ? (tokens[i + 1]?.text ?? null) : null], report)
      continue
    }
    const owner = tokens[i - 1]?.text === '.' ? (tokens[i - 2]?.text ?? '') : ''
    if (tokens[i - 1]?.text === 'FUNCTION' && tokens[i - 2]?.text === 'INTO' && name === 'FILE') {
      writesFile(0)(argumentsAt(tokens, i + 2), report)
      continue
    }
    const known = PACKAGED.get(`${owner.toUpperCase()}.${name}`) ?? FUNCTIONS.get(name)
    known?.(argumentsAt(tokens, i + 2), report)
  }
}

/** Constant arguments of a call; null for anything else. */
function argumentsAt(tokens: readonly SqlToken[], from: number): readonly (string | null)[] {
  const args: (string | null)[] = []
  let depth = 0
  let current: string | null | undefined
  for (let i = from; i < Math.min(tokens.length, from + 200); i += 1) {
    const token = tokens[i] as SqlToken
    const sign = token.kind === 'operator' ? token.text : null
    if (sign === '(') depth += 1
    if (sign === ')') depth -= 1
    if (depth < 0) break
    if (depth > 0) continue
    if (sign === ',') {
      args.push(current ?? null)
      current = undefined
    } else if (token.kind === 'text' && current === undefined) current = token.text
    else if (sign !== ':') current = null
  }
  args.push(current ?? null)
  return args
}
