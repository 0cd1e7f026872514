import type { Verb } from '../effect.ts'
import { after, furtherNames, type Handler, indexOf, joinedNames, nameAt } from './handler.ts'
import { lexSql, type SqlToken } from './lex.ts'
import { alter, create, drop, grant } from './objects.ts'
import type { Report } from './report.ts'

/** What each kind of statement does. */

function simple(verb: Verb, action: string, reversible = true): Handler {
  return ({ report }) => report.database(verb, action, { reversible })
}

const nothing: Handler = () => undefined

const select: Handler = ({ tokens, report }) => {
  const into = indexOf(tokens, 'INTO')
  const file = tokens[into + 2]
  const kind = tokens[into + 1]?.text
  if (into >= 0 && (kind === 'OUTFILE' || kind === 'DUMPFILE')) {
    if (file?.kind === 'text') report.file('write', file.text, 'sql:write-file')
    else report.opaque('the SQL writes a file that is not known')
  } else if (into >= 0 && tokens[into + 1]?.kind !== 'text' && !tokens[into + 1]?.raw.startsWith('@'))
    report.database('write', 'sql:create', { attributes: { object: 'table' } })
  const lock = tokens.some((t, i) => t.text === 'FOR' && tokens[i + 1]?.text === 'UPDATE')
  reportFiles(tokens, report)
  report.database('read', 'sql:select', { attributes: { ...after(tokens, 'FROM'), ...(lock ? { lock: true } : {}) } })
}

/** `FROM 'file'`, `FROM "https://…"` (DuckDB), and the program of `TRANSFORM … USING 'program'` (Hive). */
function reportFiles(tokens: readonly SqlToken[], report: Report): void {
  for (const [at, { kind, text }] of tokens.entries()) {
    const before = tokens[at - 1]
    if (before?.kind !== 'word' || (kind !== 'text' && kind !== 'quoted')) continue
    const names = kind === 'text' ? /[./]/.test(text) : /^(?:\/|\w{2,8}:\/\/)/.test(text)
    if ((before.text === 'FROM' || before.text === 'JOIN') && names) report.file('read', text, 'sql:read-file')
    if (before.text === 'USING' && kind === 'text' && tokens.some(({ text: word }) => word === 'TRANSFORM'))
      report.shell(text, 'sql:program')
  }
}

const insert: Handler = ({ tokens, report, where }) => {
  const action =
    tokens[0]?.text === 'MERGE' || tokens[0]?.text === 'UPSERT' ? 'sql:merge' : tokens[0]?.text === 'REPLACE' ? 'sql:replace' : 'sql:insert'
  report.database('write', action, { attributes: { ...after(tokens, 'INTO', 'INSERT', 'REPLACE', 'MERGE') } })
  if (action === 'sql:merge' && tokens.some((t, i) => t.text === 'DELETE' && tokens[i - 1]?.text === 'THEN'))
    report.database('delete', 'sql:delete', { reversible: false, attributes: { ...after(tokens, 'INTO', 'MERGE'), where } })
  if (indexOf(tokens, 'OVERWRITE') === 1)
    report.database('delete', 'sql:truncate', { reversible: false, attributes: { ...after(tokens, 'OVERWRITE') } })
}

const update: Handler = ({ tokens, report, where }) => {
  if (tokens[1]?.text === 'STATISTICS') return
  report.database('write', 'sql:update', { reversible: where, attributes: { ...after(tokens, 'UPDATE'), ...joinedNames(tokens), where } })
}

const remove: Handler = ({ tokens, report, where }) => {
  report.database('delete', 'sql:delete', {
    reversible: false,
    attributes: { ...after(tokens, 'FROM', 'DELETE'), ...joinedNames(tokens), where },
  })
}

const truncate: Handler = ({ tokens, report }) =>
  report.database('delete', 'sql:truncate', { reversible: false, attributes: { ...after(tokens, 'TRUNCATE'), ...furtherNames(tokens) } })

/** `WITH a AS (…), b AS (…) SELECT …`: the statement behind the list. */
const withList: Handler = ({ tokens, again }) => {
  let depth = 0
  for (const [i, token] of tokens.entries()) {
    if (token.kind === 'operator' && token.text === '(') depth += 1
    else if (token.kind === 'operator' && token.text === ')') depth -= 1
    else if (depth === 0 && i > 0 && token.kind === 'word' && MAIN.has(token.text)) {
      again(tokens.slice(i))
      return
    }
  }
}

const MAIN: ReadonlySet<string> = new Set(['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'MERGE', 'REPLACE', 'VALUES', 'TABLE'])

const explain: Handler = ({ tokens, report, again }) => {
  const start = tokens.findIndex(
    (t, i) => i > 0 && t.kind === 'word' && (MAIN.has(t.text) || t.text === 'WITH' || t.text === 'CREATE' || t.text === 'EXECUTE'),
  )
  const runs = tokens.slice(0, start < 0 ? tokens.length : start).some((t) => t.text === 'ANALYZE' || t.text === 'ANALYSE')
  if (runs && start > 0) again(tokens.slice(start))
  else {
    report.coverage.rests(tokens)
    report.database('read', 'sql:explain')
  }
}

/** `COPY t FROM|TO 'file' | PROGRAM 'command' | STDIN`. */
const copy: Handler = ({ tokens, report, again }) => {
  let depth = 0
  const at = tokens.findIndex((t) => {
    if (t.kind === 'operator' && t.text === '(') depth += 1
    if (t.kind === 'operator' && t.text === ')') depth -= 1
    return depth === 0 && (t.text === 'FROM' || t.text === 'TO') && t.kind === 'word'
  })
  const into = tokens[at]?.text === 'FROM'
  const next = tokens[at + 1]
  if (tokens[1]?.text === '(') again(tokens.slice(2, Math.max(2, at - 1)))
  report.database(into ? 'write' : 'read', 'sql:copy', { attributes: { ...(tokens[1]?.text === '(' ? {} : after(tokens, 'COPY')) } })
  if (next?.text === 'PROGRAM') report.shell(tokens[at + 2]?.kind === 'text' ? (tokens[at + 2]?.text ?? null) : null, 'sql:program')
  else if (next?.kind === 'text') report.file(into ? 'read' : 'write', next.text, 'sql:copy')
}

const load: Handler = ({ tokens, report }) => {
  const file = tokens.find((t) => t.kind === 'text')
  if (indexOf(tokens, 'INFILE') > 0) {
    if (file !== undefined) report.file('read', file.text, 'sql:import')
    const at = tokens.findIndex((t) => t.text === 'TABLE')
    report.database('write', 'sql:insert', { attributes: { table: nameAt(tokens, at + 1) ?? '' } })
  } else report.database('execute', 'sql:load', { reversible: false, attributes: { library: file?.text ?? '' } })
}

/** `'DROP TABLE ' || name`: a statement that is known but for names in it. */
function putTogether(tokens: readonly SqlToken[]): string | null {
  const start = tokens.findIndex((t, i) => i > 0 && t.text !== 'IMMEDIATE' && t.text !== '(')
  const first = tokens[start]
  // A verb alone does not say what is meant.
  if (first?.kind !== 'text' || !/^\s*\w+\s+\w/.test(first.text)) return null
  const parts = tokens.slice(start).filter((t) => t.kind !== 'operator')
  return parts.map((t) => (t.kind === 'text' ? t.text : ' unknown_name ')).join('')
}

/** CALL, EXEC, EXECUTE: a procedure, or text that is SQL. */
const execute: Handler = ({ tokens, report, again }) => {
  const text = tokens.find((t) => t.kind === 'text')
  const dynamic = tokens[1]?.text === 'IMMEDIATE' || tokens[1]?.text === '(' || tokens[1]?.kind === 'text'
  if (dynamic) {
    if (text !== undefined && !tokens.some((t) => t.text === '|' || t.text === '+' || t.raw.startsWith('@')))
      again(lexSql(text.text, false))
    else {
      report.opaque('the SQL runs text that is not known')
      const put = putTogether(tokens)
      if (put !== null) again(lexSql(put, false))
    }
    return
  }
  const name = nameAt(tokens, 1) ?? ''
  report.database('execute', 'sql:execute', { attributes: { procedure: name } })
  if (/sp_configure$/i.test(name) && text !== undefined)
    report.database('change', 'security:disable', { attributes: { setting: text.text } })
  if (/sp_executesql$/i.test(name) && text !== undefined) again(lexSql(text.text, false))
}

/** `DO $$ … $$`: the statements of the block, read one by one. */
const block: Handler = ({ tokens, report, again }) => {
  const body = tokens.find((t) => t.kind === 'text')
  report.database('execute', 'sql:execute')
  if (body === undefined) return
  const before = report.certainty
  report.certainty = 'likely'
  again(lexSql(body.text, false))
  report.certainty = before
}

/** Words that stand before statements in procedures: what follows runs. */
const control: Handler = ({ tokens, report, again }) => {
  // `FOR r IN SELECT … LOOP EXECUTE …`, `IF … THEN EXECUTE …`: a condition or a query, and what it leads to.
  if (tokens.length > LONGEST_TURN) {
    report.opaque('a statement of a procedure is longer than what is followed')
    return
  }
  const [head, next] = tokens
  if (head?.text !== 'END' && next?.kind === 'word' && TURNS.has(next.text)) {
    const turns = tokens.findIndex((t, i) => i > 0 && !(t.kind === 'word' && TURNS.has(t.text)))
    again(tokens.slice(Math.max(1, turns - 1)))
    return
  }
  const word = TURNS.get(head?.text ?? '')
  const turn = word === undefined ? -1 : tokens.findIndex((t, i) => i > 1 && t.kind === 'word' && t.text === word)
  if (turn > 0) {
    again(tokens.slice(turn))
    again(tokens.slice(0, turn))
    return
  }
  const start = tokens.findIndex(
    (t, i) =>
      i > 0 &&
      t.kind === 'word' &&
      STATEMENTS.has(t.text) &&
      !CONTROL.has(t.text) &&
      t.text !== 'SET' &&
      t.text !== 'TABLE' &&
      t.text !== 'END',
  )
  const before = report.certainty
  report.certainty = 'likely'
  if (start > 0) again(tokens.slice(start))
  report.certainty = before
}

/** Words of one statement of a procedure: it is read again for each of its turns. */
const LONGEST_TURN = 2_000

/** Words that lead from the head of a loop or a condition to its first statement. */
const TURNS: ReadonlyMap<string, string> = new Map([
  ['FOR', 'LOOP'],
  ['WHILE', 'LOOP'],
  ['IF', 'THEN'],
  ['ELSIF', 'THEN'],
  ['WHEN', 'THEN'],
])

const CONTROL: ReadonlySet<string> = new Set('BEGIN IF ELSE ELSIF LOOP WHILE FOR DECLARE THEN WHEN EXCEPTION END START'.split(' '))

/** Settings that make the server write a file of that name. */
const FILE_SETTING = /^SET (?:GLOBAL |PERSIST |@@GLOBAL ?\. ?)(?:GENERAL_LOG_FILE|SLOW_QUERY_LOG_FILE|LOG_ERROR|INIT_FILE)\b/

const set: Handler = ({ tokens, report }) => {
  const scope = tokens[1]?.text ?? ''
  const said = tokens.map((t) => t.text).join(' ')
  if (scope === 'PASSWORD') report.database('change', 'sql:grant', { attributes: { privilege: true } })
  else if (LOADING_SETTING.test(said))
    report.database('execute', 'sql:load', { reversible: false, attributes: { library: said.slice(4, 100) } })
  else if (FILE_SETTING.test(said)) {
    const file = tokens.find((t) => t.kind === 'text')
    if (file !== undefined) report.file('write', file.text, 'sql:write-file')
    report.database('change', 'sql:set', { attributes: { global: true } })
  } else if (scope === 'GLOBAL' || scope === 'PERSIST' || tokens.some((t) => /^@@GLOBAL/.test(t.text)))
    report.database('change', 'sql:set', { attributes: { global: true } })
  else report.database('read', 'sql:set')
}

const pragma: Handler = ({ tokens, report }) => {
  const writes = tokens.some((t) => t.text === '=') && /WRITABLE_SCHEMA|TRUSTED_SCHEMA|USER_VERSION/.test(tokens[1]?.text ?? '')
  report.database(writes ? 'change' : 'read', 'sql:pragma', { attributes: { name: tokens[1]?.raw ?? '' } })
}

const attach: Handler = ({ tokens, report }) => {
  const file = tokens.find((t) => t.kind === 'text' || t.kind === 'quoted')
  if (file !== undefined && file.text !== ':memory:') report.file('write', file.text, 'sql:attach')
  else if (file === undefined) report.opaque('the SQL attaches a file that is not known')
}

/** ClickHouse: a table that is detached for good is not there after a restart either. */
const detach: Handler = ({ tokens, report }) => {
  if (indexOf(tokens, 'PERMANENTLY') > 0)
    report.database('delete', 'sql:drop', { reversible: false, attributes: { ...after(tokens, 'TABLE') } })
}

/** Classes and archives that a server loads and runs: `SET hive.exec.pre.hooks=x`. */
const LOADING_SETTING = /\bHOOKS?\b|\bAUX\s*\.\s*JARS\b|\bSESSION_PRELOAD_LIBRARIES\b|\bLOCAL_PRELOAD_LIBRARIES\b|\bDYNAMIC_LIBRARY_PATH\b/i

const backup: Handler = ({ tokens, report }) => {
  const file = tokens.find((t) => t.kind === 'text')
  const restore = tokens[0]?.text === 'RESTORE' || tokens[0]?.text === 'IMPORT'
  if (file !== undefined) report.file(restore ? 'read' : 'write', file.text, restore ? 'sql:restore' : 'sql:backup')
  report.database(restore ? 'write' : 'read', restore ? 'sql:restore' : 'sql:backup', { reversible: !restore })
}

const vacuum: Handler = ({ tokens, report }) => {
  const file = indexOf(tokens, 'INTO') > 0 ? tokens.find((t) => t.kind === 'text') : undefined
  if (file !== undefined) report.file('write', file.text, 'sql:backup')
  report.database('change', 'sql:vacuum')
}

const prepare: Handler = ({ tokens, report, again }) => {
  const at = indexOf(tokens, 'AS', 'FROM')
  const text = tokens[at + 1]
  const before = report.certainty
  report.certainty = 'likely'
  if (text?.kind === 'text') again(lexSql(text.text, false))
  else if (tokens[at]?.text === 'AS') again(tokens.slice(at + 1))
  else report.opaque('the SQL prepares text that is not known')
  report.certainty = before
}

const reset: Handler = ({ tokens, report }) => {
  if (tokens[1]?.text === 'MASTER' || tokens[0]?.text === 'PURGE') report.database('delete', 'sql:purge', { reversible: false })
  else report.database('read', 'sql:set')
}

function every(names: string, handler: Handler): readonly (readonly [string, Handler])[] {
  return names.split(' ').map((name) => [name, handler])
}

export const STATEMENTS: ReadonlyMap<string, Handler> = new Map<string, Handler>([
  ...every('SELECT VALUES TABLE', select),
  ...every('SHOW DESCRIBE DESC HELP LIST PRINT FETCH HANDLER', simple('read', 'sql:show')),
  ['EXPLAIN', explain],
  ['WITH', withList],
  ...every('INSERT REPLACE MERGE UPSERT', insert),
  ['UPDATE', update],
  ['DELETE', remove],
  ['TRUNCATE', truncate],
  ['DROP', drop],
  ...every('ALTER RENAME REASSIGN', alter),
  ['CREATE', create],
  ...every('GRANT REVOKE DENY', grant),
  ...every('CALL EXEC EXECUTE', execute),
  ['DO', block],
  ['COPY', copy],
  ['UNLOAD', copy],
  ['LOAD', load],
  ...every('INSTALL UNINSTALL', simple('execute', 'sql:load', false)),
  ...every('ATTACH', attach),
  ['DETACH', detach],
  ...every('BACKUP RESTORE IMPORT EXPORT', backup),
  ['VACUUM', vacuum],
  ['PRAGMA', pragma],
  ['SET', set],
  ['USE', ({ tokens, report }) => report.move(nameAt(tokens, 1))],
  ...every('RESET PURGE', reset),
  ['PREPARE', prepare],
  ...every('KILL SHUTDOWN', simple('change', 'sql:kill', false)),
  ...every(
    'ANALYZE OPTIMIZE REINDEX CLUSTER REFRESH COMMENT CHECKPOINT FLUSH REPAIR SECURITY LOCK UNLOCK SYSTEM NOTIFY',
    simple('change', 'sql:maintain'),
  ),
  ...every(
    'COMMIT ROLLBACK SAVEPOINT RELEASE ABORT DISCARD DEALLOCATE CLOSE OPEN CHECK LISTEN UNLISTEN DELIMITER RAISE RETURN PERFORM NULL MOVE DBCC',
    nothing,
  ),
  ...every([...CONTROL].join(' '), control),
])
