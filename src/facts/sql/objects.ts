import { furtherNames, type Handler, indexOf, nameAt, skipNoise } from './handler.ts'
import { lexSql, type SqlToken } from './lex.ts'
import type { Report } from './report.ts'

/** Statements about tables, views, users and rights: `CREATE`, `ALTER`, `DROP`, `GRANT`. */

/** Objects that hold no data of their own. */
const DERIVED: ReadonlySet<string> = new Set(['INDEX', 'VIEW', 'TEMPORARY', 'TEMP', 'STATISTICS', 'SYNONYM'])
const ACCOUNTS: ReadonlySet<string> = new Set(['USER', 'ROLE', 'LOGIN', 'GROUP', 'POLICY'])
const ADJECTIVES: ReadonlySet<string> = new Set(
  (
    'OR REPLACE UNIQUE GLOBAL LOCAL UNLOGGED RECURSIVE FULLTEXT SPATIAL EXTERNAL FOREIGN TRUSTED DEFINER MATERIALIZED VIRTUAL ' +
    'TRANSIENT TEMPORARY TEMP'
  ).split(' '),
)

/** Extensions that run programs, read files or reach other servers. */
const REACHING_OUT = /^(?:pl\w*u|plsh|adminpack|file_fdw|dblink|postgres_fdw|http|pg_net|pg_cron)$/i

function objectOf(tokens: readonly SqlToken[]): { object: string; at: number } {
  let at = 1
  while (tokens[at]?.kind === 'word' && ADJECTIVES.has(tokens[at]?.text ?? '')) at += 1
  return { object: (tokens[at]?.text ?? '').toLowerCase(), at }
}

export const drop: Handler = ({ tokens, report }) => {
  const { object, at } = objectOf(tokens)
  const name = nameAt(tokens, skipNoise(tokens, at + 1))
  const derived = DERIVED.has(object.toUpperCase()) || tokens.slice(1, at).some((t) => t.text.startsWith('TEMP'))
  report.database('delete', 'sql:drop', {
    reversible: derived,
    attributes: {
      object,
      ...(name === null ? {} : { table: name }),
      ...furtherNames(tokens),
      ...(indexOf(tokens, 'CASCADE') > 0 ? { cascade: true } : {}),
      ...(ACCOUNTS.has(object.toUpperCase()) ? { privilege: true } : {}),
    },
  })
}

export const alter: Handler = ({ tokens, report }) => {
  const { object, at } = objectOf(tokens)
  const name = nameAt(tokens, skipNoise(tokens, at + 1))
  const dropped = tokens.findIndex((t) => t.text === 'DROP')
  const loses = dropped > 0 && !['CONSTRAINT', 'DEFAULT', 'NOT', 'INDEX', 'KEY', 'FOREIGN'].includes(tokens[dropped + 1]?.text ?? '')
  const account = ACCOUNTS.has(object.toUpperCase())
  report.database('change', account ? 'sql:grant' : 'sql:alter', {
    reversible: !loses,
    attributes: {
      object,
      ...(name === null ? {} : { table: name }),
      ...renamedTo(tokens),
      ...(loses ? { drops: true } : {}),
      ...(account || object === 'system' ? { privilege: true } : {}),
    },
  })
  if (indexOf(tokens, 'TRUNCATE') > 0) report.database('delete', 'sql:truncate', { reversible: false })
}

/** `RENAME TABLE a TO bank.a, b TO bank.b`: a table can go into another database. */
function renamedTo(tokens: readonly SqlToken[]): { others: string[] } | Record<string, never> {
  if (indexOf(tokens, 'RENAME') < 0) return {}
  const others = tokens.flatMap((token, at) => (token.kind === 'word' && token.text === 'TO' ? (nameAt(tokens, at + 1) ?? []) : []))
  return others.some((name) => name.includes('.')) ? { others } : {}
}

/** Objects that hold statements which run later. */
const LATER: ReadonlySet<string> = new Set(['function', 'procedure', 'trigger', 'event', 'rule', 'task', 'package', 'job'])

/** The statements of a function, a trigger, an event: as a text behind `AS`, or as they stand. */
function stored(tokens: readonly SqlToken[], report: Report, again: (tokens: readonly SqlToken[]) => void): void {
  const before = report.certainty
  report.certainty = 'likely'
  const text = tokens.find(({ kind }, at) => kind === 'text' && tokens[at - 1]?.text === 'AS')
  const language = tokens[indexOf(tokens, 'LANGUAGE') + 1]?.text ?? ''
  if (text !== undefined && (/^(?:sql|plpgsql)$/i.test(language) || indexOf(tokens, 'LANGUAGE') < 0)) again(lexSql(text.text, false))
  const body = tokens.findIndex(({ kind, text: word }, at) => at > 0 && kind === 'word' && BODY.has(word) && tokens[at - 1]?.text !== 'ON')
  if (body > 0) again(tokens.slice(body + 1))
  report.certainty = before
}

const BODY: ReadonlySet<string> = new Set(['BEGIN', 'ATOMIC', 'DO', 'INSTEAD', 'RETURN'])

/** C and the untrusted languages (`plpython3u`) do whatever the server may. */
function reportLanguage(tokens: readonly SqlToken[], report: Report): void {
  const at = indexOf(tokens, 'LANGUAGE')
  const language = (tokens[at + 1]?.text ?? '').toLowerCase()
  if (at > 0 && (language === 'c' || language.endsWith('u')))
    report.database('execute', 'sql:load', { reversible: false, attributes: { language } })
}

/** `OPTIONS (program 'x')`, `OPTIONS (filename '/x')` and `USING csv(filename='/x')`: a table that a program or a file fills. */
function reportOptions(tokens: readonly SqlToken[], report: Report): void {
  const from = indexOf(tokens, 'OPTIONS', 'USING')
  for (const [at, token] of tokens.entries()) {
    const value = tokens[at + 1]?.text === '=' ? tokens[at + 2] : tokens[at + 1]
    if (from < 0 || at < from || token.kind !== 'word' || value?.kind !== 'text') continue
    if (token.text === 'PROGRAM') report.shell(value.text, 'sql:program')
    if (token.text === 'FILENAME') report.file('read', value.text, 'sql:read-file')
  }
}

/** Objects that reach out of the database: a directory of the server, or another server. */
function reportOutside(tokens: readonly SqlToken[], at: number, report: Report): void {
  const words = tokens.slice(at, at + 3).map(({ text }) => text)
  const text = (from: number): string => tokens.slice(from).find(({ kind }) => kind === 'text')?.text ?? ''
  const isDirectory = words[0] === 'TABLESPACE' || words[0] === 'DIRECTORY'
  const path = tokens.findIndex(({ text: word }, place) => place > at && (word === 'LOCATION' || word === 'AS' || word === 'DATAFILE'))
  if (isDirectory && path > 0 && text(path) !== '') report.file('write', text(path), 'sql:directory')
  if (words[0] === 'SUBSCRIPTION' || words.join(' ').includes('DATABASE LINK'))
    report.database('send', 'sql:remote', { attributes: { connection: text(at) } })
}

export const create: Handler = ({ tokens, report, again }) => {
  const { object, at } = objectOf(tokens)
  const name = nameAt(tokens, skipNoise(tokens, at + 1))
  const account = ACCOUNTS.has(object.toUpperCase())
  const attributes = { object, ...(name === null ? {} : { table: name }), ...(account ? { privilege: true } : {}) }
  report.database(object === 'event' ? 'persist' : account ? 'change' : 'write', account ? 'sql:grant' : 'sql:create', { attributes })
  const select = tokens.findIndex((t, i) => i > at && (t.text === 'SELECT' || t.text === 'WITH') && tokens[i - 1]?.text === 'AS')
  if (select > 0 && object === 'table') again(tokens.slice(select))
  if (object === 'extension' && name !== null && REACHING_OUT.test(name))
    report.database('execute', 'sql:load', { reversible: false, attributes: { library: name } })
  reportOptions(tokens, report)
  reportOutside(tokens, at, report)
  reportLanguage(tokens, report)
  if (LATER.has(object)) stored(tokens.slice(at), report, again)
  const library = indexOf(tokens, 'SONAME')
  if (library > 0) report.database('execute', 'sql:load', { reversible: false, attributes: { library: tokens[library + 1]?.text ?? '' } })
}

export const grant: Handler = ({ tokens, report }) =>
  report.database('change', 'sql:grant', {
    attributes: { privilege: true, revoke: tokens[0]?.text === 'REVOKE', all: indexOf(tokens, 'ALL') > 0 },
  })
