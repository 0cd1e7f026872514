/**
 * Commands whose SQL stands beside their words: `psql -f FILE`, `mysql < FILE`, a here-document, `cat FILE | sqlite3 DATABASE`. Each becomes
 * the same command with the SQL among its words. Anything that is not exactly such a command is left to others. Pure.
 */
import { type Command, type Pipeline, parse, type Redirection } from 'unbash'
import { lexSql, SqlUnreadable } from '../../facts/sql/lex.ts'
import { withoutComments } from './comments.ts'

/** Content of a file of the workspace; null where it is not known, or too long. */
export type ReadFile = (path: string) => string | null

interface Client {
  readonly name: string
  readonly args: readonly string[]
}

/** Words of the command that has the SQL in them, or why it must not be tried out; null: it is no such command. */
export function inlined(text: string, read: ReadFile): readonly string[] | { readonly refused: string } | null {
  const found = clientIn(text, read)
  if (found === null) return null
  const { client, sql } = found
  if (sql === null) return { refused: 'its SQL is not a file of the workspace that can be read, or is too long' }
  const refused = refusalOf(client.name, sql)
  if (refused === 'elsewhere') return null
  if (refused !== null) return { refused }
  if (client.name === 'sqlite3') return [client.name, ...client.args, withoutComments(sql) ?? sql]
  return [client.name, ...client.args, client.name === 'psql' ? '-c' : '-e', sql]
}

interface Found {
  readonly client: Client
  /** Null where it is not known. */
  readonly sql: string | null
}

const CLIENTS: ReadonlySet<string> = new Set(['psql', 'mysql', 'mariadb', 'sqlite3'])
/** A word that means itself: nothing in it is expanded. */
const STATIC = /^(?:[\w@%+=:,./-]+|'[^']*'|"[^"$`\\!]*")$/

function clientIn(text: string, read: ReadFile): Found | null {
  const { commands, errors = [] } = parse(text)
  const [statement, ...others] = commands
  if (statement === undefined || others.length > 0 || errors.length > 0 || statement.background === true) return null
  const node = statement.command
  if (node.type === 'Command') return ofCommand(node, read)
  return node.type === 'Pipeline' && node.prefixes.length === 0 && node.operators.join() === '|' ? ofPipe(node.commands, read) : null
}

function ofPipe([first, second]: Pipeline['commands'], read: ReadFile): Found | null {
  if (first?.type !== 'Command' || second?.type !== 'Command') return null
  if (first.redirects.length > 0 || second.redirects.length > 0) return null
  const [cat, client] = [plain(first), plain(second)]
  const [file, ...more] = cat?.args ?? []
  if (cat?.name !== 'cat' || file === undefined || file.startsWith('-') || more.length > 0) return null
  return client === null || !CLIENTS.has(client.name) || readsWords(client) ? null : { client, sql: read(file) }
}

/** Null where a word is not known, or something is set for it. */
function plain({ name, prefix, args }: Command): Client | null {
  if (name === undefined || prefix.length > 0) return null
  const words = [name, ...args].map((word) => (word.type === 'Word' && STATIC.test(word.text) ? word.value : null))
  const known = words.filter((word) => word !== null)
  return known.length === words.length ? { name: name.value, args: known.slice(1) } : null
}

function ofCommand(command: Command, read: ReadFile): Found | null {
  const client = plain(command)
  if (client === null || !CLIENTS.has(client.name)) return null
  const [stream, ...others] = command.redirects
  if (stream === undefined) return client.name === 'psql' ? ofFileOption(client, read) : null
  if (others.length > 0 || readsWords(client)) return null
  const sql = textOf(stream, read)
  return sql === undefined ? null : { client, sql }
}

/** Its SQL stands in its words, and it reads no stream. */
function readsWords({ name, args }: Client): boolean {
  if (name === 'sqlite3') return args.filter((word) => !word.startsWith('-')).length !== 1
  return args.some((word) => (name === 'psql' ? /^(?:-[A-Za-z]*[cf]|--(?:command|file)\b)/ : /^(?:-[A-Za-z]*e|--execute\b)/).test(word))
}

/** Undefined where it is another stream. */
function textOf(stream: Redirection, read: ReadFile): string | null | undefined {
  if (stream.descriptor !== undefined) return undefined
  if (stream.type === 'HereDoc') {
    const { text } = stream.body
    const isPlain = stream.operator === '<<' && stream.closing !== undefined && (stream.delimiter?.quoted === true || !/[$`\\]/.test(text))
    return isPlain ? text : undefined
  }
  if (stream.target === undefined || !STATIC.test(stream.target.text)) return undefined
  if (stream.type === 'HereString') return `${stream.target.value}\n`
  return stream.operator === '<' ? read(stream.target.value) : undefined
}

/** `-f FILE` and its other spellings, once. */
function ofFileOption({ name, args }: Client, read: ReadFile): Found | null {
  const rest: string[] = []
  let file: string | undefined
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at] ?? ''
    const given = /^(?:-f|--file=)(.+)$/.exec(word)?.[1] ?? (/^(?:-f|--file)$/.test(word) ? args[++at] : undefined)
    if (given === undefined) rest.push(word)
    else if (file !== undefined) return null
    else file = given
  }
  const client = { name, args: rest }
  return file === undefined || file === '-' || readsWords(client) ? null : { client, sql: read(file) }
}

/** `elsewhere`: the sandbox runs the command itself, which its files allow. */
function refusalOf(name: string, sql: string): string | null {
  // Lines of a file or of a stream that are commands of the client: `.shell`, `.import`; for the others a backslash is refused anyway.
  if (name === 'sqlite3') return hasClientLine(sql) || withoutComments(sql) === null ? 'elsewhere' : null
  return name === 'psql' && hasVariable(sql) ? 'a variable of the client is known only when it runs' : null
}

/** A command of sqlite3, or one of the lines that end a statement for it alone. */
function hasClientLine(sql: string): boolean {
  return sql.split(/[\r\n]/).some((line) => line.trimStart().startsWith('.') || ['/', 'go'].includes(line.trim().toLowerCase()))
}

/** `:name`, `:'name'`, `:"name"`, `:{?name}`: replaced by psql where the SQL is not among its words. `a::text` is none. */
function hasVariable(sql: string): boolean {
  try {
    const tokens = lexSql(withoutComments(sql) ?? sql, false)
    return tokens.some(({ text, at }, index) => {
      const [before, next] = [tokens[index - 1], tokens[index + 1]]
      if (text !== ':' || next === undefined || next.at !== at + 1 || next.text === ':') return false
      return !(before?.text === ':' && before.at === at - 1)
    })
  } catch (error) {
    if (error instanceof SqlUnreadable) return true
    throw error
  }
}
