/** Command lines of `psql` and `mysql`: where they connect to, and the SQL that stands in the words themselves. Pure. */
import { checkSql } from './check.ts'
import { mysqlAnswer, mysqlTrial, psqlAnswer, psqlTrial, type SqlAnswer } from './trial.ts'

/** What comes of a command line of a client: a trial, or why none is possible. */
export type SqlTrial = { readonly refused: string } | SqlRun

export interface SqlRun {
  readonly words: readonly string[]
  /** The same client at the same database, with a question that only reads: what the gate is asked about. */
  readonly judged: readonly string[]
  /** For people. */
  readonly label: string
  readonly answer: (ran: { readonly stdout: string; readonly stderr: string }) => SqlAnswer | null
}

interface Client {
  /** Options that say where to, and have a value. */
  readonly connects: RegExp
  /** Words that say so by themselves. */
  readonly alone: RegExp
  /** Options without a value that change nothing here. */
  readonly ignored: RegExp
  /** The option with the SQL; its short form may stand at the end of others. */
  readonly sql: RegExp
}

const PSQL: Client = {
  connects: /^(?:-[hpUd]|--(?:host|port|username|dbname))$/,
  alone: /^[^-]/,
  ignored: /^(?:-[XqAtwx1]+|--(?:no-psqlrc|quiet|no-align|tuples-only|no-password|expanded|single-transaction))$/,
  sql: /^(?:-[XqAtwx1]*c|--command)$/,
}
const MYSQL: Client = {
  connects: /^(?:-[hPuDS]|--(?:host|port|user|database|socket|protocol))$/,
  alone: /^(?:[^-]|-p.|--password=)/,
  ignored: /^(?:-[NBstv]+|--(?:batch|silent|table|verbose|skip-column-names))$/,
  sql: /^(?:-[NBst]*e|--execute)$/,
}

interface Line {
  readonly connection: readonly string[]
  readonly sql: readonly string[]
}

/** Null where a word is not known: what it does is not guessed at. */
function lineOf(args: readonly string[], client: Client): Line | null {
  const found = { connection: [] as string[], sql: [] as string[] }
  const left = [...args]
  for (let word = left.shift(); word !== undefined; word = left.shift()) {
    if (client.alone.test(word)) found.connection.push(word)
    else if (!client.ignored.test(word)) {
      const { name, value = left.shift() } = optionOf(word, client)
      if (value === undefined) return null
      if (client.sql.test(name)) found.sql.push(value)
      else if (client.connects.test(name)) found.connection.push(name.startsWith('--') ? `${name}=${value}` : `${name}${value}`)
      else return null
    }
  }
  return found
}

/** `--name=value`, `-nvalue`, or a name whose value is the next word. */
function optionOf(word: string, { sql }: Client): { readonly name: string; readonly value?: string } {
  if (sql.test(word)) return { name: word }
  const length = word.startsWith('--') ? word.indexOf('=') : 2
  if (length < 0 || length >= word.length) return { name: word }
  return { name: word.slice(0, length), value: word.slice(word.startsWith('--') ? length + 1 : length) }
}

/** Null: this use has no SQL in its words. */
export function sqlTrialOf(client: 'psql' | 'mysql', name: string, args: readonly string[]): SqlTrial | null {
  const line = lineOf(args, client === 'psql' ? PSQL : MYSQL)
  if (line === null || line.sql.length === 0) return null
  const checked = checkSql(line.sql.join(';\n'), client === 'psql' ? 'postgres' : 'mysql')
  if ('refused' in checked) return checked
  const { connection } = line
  const isPsql = client === 'psql'
  return {
    words: [name, ...(isPsql ? psqlTrial : mysqlTrial)(connection, checked.statements)],
    judged: [name, ...connection, isPsql ? '-c' : '-e', 'SELECT 1'],
    label: [name, ...connection, isPsql ? '-c' : '-e', `BEGIN; ${checked.statements.join('; ')}; ROLLBACK`].join(' '),
    answer: isPsql ? psqlAnswer : mysqlAnswer,
  }
}
