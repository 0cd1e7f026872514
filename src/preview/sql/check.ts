/**
 * Which SQL a transaction takes back whole. Everything is refused that is not known to be: what ends the transaction, runs outside of it,
 * or reaches out of the database. Functions are taken from a list of those that only compute. Pure.
 */
import { lexSql, type SqlToken, SqlUnreadable } from '../../facts/sql/lex.ts'
import { withoutComments } from './comments.ts'
import { PLAIN_CALLS } from './plain-calls.ts'

export type SqlDialect = 'postgres' | 'mysql'

/** Statements as they are written, in order; or why none of them is tried out. */
export type Checked = { readonly statements: readonly string[] } | { readonly refused: string }

/** Changes of rows. */
const ROWS: ReadonlySet<string> = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE', 'REPLACE', 'TRUNCATE'])
/** Statements that only read by themselves. */
const READS: ReadonlySet<string> = new Set(['SELECT', 'WITH', 'VALUES'])
/** Of definitions only PostgreSQL takes back, and of these only some. */
const DEFINES: ReadonlySet<string> = new Set(['CREATE', 'ALTER', 'DROP'])
const OBJECTS: ReadonlySet<string> = new Set(['TABLE', 'INDEX', 'VIEW', 'SEQUENCE', 'SCHEMA', 'MATERIALIZED'])
const BETWEEN: ReadonlySet<string> = new Set(['OR', 'REPLACE', 'UNIQUE', 'TEMP', 'TEMPORARY'])
/** Wherever they stand outside of texts and quoted names. */
const NEVER: ReadonlySet<string> = new Set(
  'CONCURRENTLY PROGRAM OUTFILE DUMPFILE INFILE TABLESPACE UESCAPE TRIGGER FUNCTION PROCEDURE RULE EXECUTE CALL COMMIT ROLLBACK BEGIN START'.split(
    ' ',
  ),
)
const MAX_STATEMENTS = 50
const MAX_LENGTH = 20_000

/** A word in which readers of SQL differ from servers is refused before it is read. */
const UNSURE: readonly (readonly [RegExp, string])[] = [
  [/\\/, 'a backslash'],
  [/--|\/\*|\*\//, 'a comment'],
  [/\$(?:[A-Za-z_]\w*)?\$/, 'a dollar-quoted text'],
  // biome-ignore lint/suspicious/noControlCharactersInRegex: such characters are what is looked for.
  [/[\0-\x08\x0b\x0c\x0e-\x1f]/, 'a control character'],
]

/** In which comments are not looked for. */
const READ_BEFORE = UNSURE.filter(([, name]) => name !== 'a comment')

export function checkSql(sql: string, dialect: SqlDialect): Checked {
  if (sql.length > MAX_LENGTH) return { refused: 'the SQL is too long' }
  const plain = READ_BEFORE.some(([pattern]) => pattern.test(sql)) ? null : withoutComments(sql)
  return checkPlain(plain ?? sql, dialect)
}

function checkPlain(sql: string, dialect: SqlDialect): Checked {
  const unsure = UNSURE.find(([pattern]) => pattern.test(sql)) ?? (dialect === 'mysql' && sql.includes('#') ? ['', 'a `#`'] : undefined)
  if (unsure !== undefined) return { refused: `${unsure[1]} in the SQL may be read in several ways` }
  let tokens: readonly SqlToken[]
  try {
    tokens = lexSql(sql, false)
  } catch (error) {
    if (!(error instanceof SqlUnreadable)) throw error
    return { refused: error.message }
  }
  const statements: string[] = []
  let changes = false
  for (const part of parts(tokens)) {
    const refused = refusalOf(part, dialect)
    if (refused !== null) return { refused }
    changes ||= !isRead(part)
    const [first] = part
    statements.push(sql.slice(first?.at ?? 0, endOf(part, tokens, sql)).trim())
  }
  if (statements.length === 0 || !changes) return { refused: 'the SQL changes nothing' }
  if (statements.length > (dialect === 'mysql' ? 1 : MAX_STATEMENTS)) return { refused: 'these are too many statements for a trial' }
  return { statements }
}

function parts(tokens: readonly SqlToken[]): readonly (readonly SqlToken[])[] {
  const found: SqlToken[][] = [[]]
  for (const token of tokens) {
    if (token.kind === 'operator' && token.text === ';') found.push([])
    else found.at(-1)?.push(token)
  }
  return found.filter((part) => part.length > 0)
}

/** Where the semicolon behind it stands. */
function endOf(part: readonly SqlToken[], tokens: readonly SqlToken[], sql: string): number {
  return tokens[tokens.indexOf(part.at(-1) as SqlToken) + 1]?.at ?? sql.length
}

const isWord = (token: SqlToken | undefined, words: ReadonlySet<string>): boolean => token?.kind === 'word' && words.has(token.text)

/** `WITH x AS (DELETE …) SELECT …` changes rows too. */
function isRead(part: readonly SqlToken[]): boolean {
  const writes = part.some((token, at) => isWord(token, ROWS) && (at === 0 || part[at - 1]?.text !== 'FOR'))
  return isWord(part[0], READS) && !writes && !part.some(({ kind, text }) => kind === 'word' && text === 'INTO')
}

function refusalOf(part: readonly SqlToken[], dialect: SqlDialect): string | null {
  const [head] = part
  if (head?.kind !== 'word') return 'a statement does not begin with a word'
  const client = part.find(({ kind }) => kind === 'client')
  if (client !== undefined) return `\`${client.text.slice(0, 40)}\` is a command of the client`
  const never = part.find((token) => isWord(token, NEVER))
  if (never !== undefined) return `a transaction does not take \`${never.raw}\` back`
  const known = ROWS.has(head.text) || READS.has(head.text)
  const words = part.slice(0, 5).map(({ raw }) => raw)
  if (DEFINES.has(head.text)) {
    if (dialect === 'mysql') return `MySQL commits at once at \`${head.raw}\``
    if (!isWord(objectOf(part), OBJECTS)) return `a transaction is not known to take \`${words.slice(0, 2).join(' ')}\` back`
  } else if (!known) return `a transaction is not known to take \`${head.raw}\` back`
  if (dialect === 'mysql' && head.text === 'TRUNCATE') return `MySQL commits at once at \`${head.raw}\``
  const called = part.findIndex((token, at) => !mayStandBeforeParenthesis(token, at, part))
  return called === -1 ? null : `\`${part[called]?.raw.slice(0, 40)}(…)\` may do more than a transaction takes back`
}

function objectOf(part: readonly SqlToken[]): SqlToken | undefined {
  return part.slice(1).find((token) => !isWord(token, BETWEEN))
}

/** Names of tables, before a list of columns. */
const BEFORE_NAMES: ReadonlySet<string> = new Set(['INTO', 'TABLE', 'REFERENCES', 'WITH', 'RECURSIVE', 'EXISTS', 'VIEW', 'REPLACE'])

function mayStandBeforeParenthesis(token: SqlToken, at: number, part: readonly SqlToken[]): boolean {
  const next = part[at + 1]
  if (next?.kind !== 'operator' || next.text !== '(' || (token.kind !== 'word' && token.kind !== 'quoted')) return true
  const qualified = part[at - 1]?.kind === 'operator' && part[at - 1]?.text === '.'
  if (token.kind === 'word' && !qualified && PLAIN_CALLS.has(token.text)) return true
  const before = part[startOfName(part, at) - 1]
  if (isWord(before, BEFORE_NAMES)) return !(before?.text === 'TABLE' && !DEFINES.has(part[0]?.text ?? ''))
  return isWord(before, new Set(['ON'])) && part[0]?.text === 'CREATE' && isWord(objectOf(part), new Set(['INDEX']))
}

function startOfName(part: readonly SqlToken[], at: number): number {
  let start = at
  while (part[start - 1]?.text === '.' && start >= 2) start -= 2
  return start
}
