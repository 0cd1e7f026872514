/** Tokens of SQL in every dialect at once: where dialects differ, the reading is taken that shows more code. */
export type SqlTokenKind = 'word' | 'quoted' | 'text' | 'number' | 'operator' | 'client'

export interface SqlToken {
  readonly kind: SqlTokenKind
  /** Upper case for words, decoded for names and texts; the whole line of a client command. */
  readonly text: string
  /** As written, for words. */
  readonly raw: string
  /** Offset of its first character in the text. */
  readonly at: number
}

/** Why a text could not be read. */
export class SqlUnreadable extends Error {
  override readonly name = 'SqlUnreadable'
}

export const SQL_LIMITS = { text: 131_072, tokens: 40_000, statements: 2_000, depth: 32, files: 16 } as const

const WORD = /[\p{L}_@][\p{L}\p{N}_$@#]*/uy
const NUMBER = /\d[\w.]*/y
const DOLLAR = /\$(?:[A-Za-z_]\w{0,60})?\$/y
const LINE_END = /[\r\n]/g
const CLIENT_DOT = /\.[a-zA-Z]+/y

interface Lexing {
  readonly sql: string
  /** A backslash guards the next character of a string (MySQL); otherwise it is a character like any other. */
  readonly backslash: boolean
  /** `--` begins a comment only where a blank follows (MySQL). */
  readonly spaced: boolean
  readonly tokens: SqlToken[]
  /** Depth of executable comments that are open. */
  versioned: boolean
  /** Where the token at hand begins. */
  from: number
}

/** Splits text into tokens; throws SqlUnreadable where a string or name never ends, or where there are too many tokens. */
export function lexSql(sql: string, backslash: boolean, spaced = false): readonly SqlToken[] {
  const state: Lexing = { sql, backslash, spaced, tokens: [], versioned: false, from: 0 }
  let at = 0
  while (at < sql.length) {
    state.from = at
    at = step(state, at)
    if (state.tokens.length > SQL_LIMITS.tokens) throw new SqlUnreadable('the SQL has more tokens than are analysed')
  }
  return state.tokens
}

function step(state: Lexing, at: number): number {
  const { sql, tokens } = state
  const c = sql[at] as string
  if (c <= ' ' || c === '\u00a0' || c === '\ufeff') return at + 1
  const skipped = comment(state, at)
  if (skipped > at) return skipped
  const quotedEnd = quoted(state, at)
  if (quotedEnd > at) return quotedEnd
  const client = clientCommand(state, at)
  if (client > at) return client
  for (const [kind, pattern] of PATTERNS) {
    pattern.lastIndex = at
    const found = pattern.exec(sql)
    if (found !== null) {
      tokens.push({ kind, text: kind === 'word' ? found[0].toUpperCase() : found[0], raw: found[0], at: state.from })
      return at + found[0].length
    }
  }
  tokens.push({ kind: 'operator', text: c, raw: c, at: state.from })
  return at + 1
}

const PATTERNS: readonly (readonly [SqlTokenKind, RegExp])[] = [
  ['word', WORD],
  ['number', NUMBER],
]

function comment(state: Lexing, at: number): number {
  const { sql } = state
  if (sql.startsWith('--', at) && (!state.spaced || (sql[at + 2] ?? ' ') <= ' ')) return lineEnd(sql, at)
  if (sql[at] === '#' && lineStart(sql, at)) return lineEnd(sql, at)
  if (sql.startsWith('*/', at) && state.versioned) {
    state.versioned = false
    return at + 2
  }
  if (!sql.startsWith('/*', at)) return at
  // `/*!50001 … */` is code for MySQL, `/*M! … */` for MariaDB.
  const version = /\/\*M?!\d{0,6}/y
  version.lastIndex = at
  const head = version.exec(sql)
  if (head !== null) {
    state.versioned = true
    return at + head[0].length
  }
  const end = sql.indexOf('*/', at + 2)
  return end < 0 ? sql.length : end + 2
}

function lineEnd(sql: string, at: number): number {
  LINE_END.lastIndex = at
  return LINE_END.exec(sql)?.index ?? sql.length
}

function lineStart(sql: string, at: number): boolean {
  const before = sql.slice(Math.max(0, at - 40), at)
  return before.slice(before.lastIndexOf('\n') + 1).trim() === '' && (before.length < 40 || before.includes('\n'))
}

function quoted(state: Lexing, at: number): number {
  const { sql, tokens } = state
  const c = sql[at] as string
  if (c === '$') {
    DOLLAR.lastIndex = at
    const tag = DOLLAR.exec(sql)?.[0]
    if (tag === undefined) return at
    const end = sql.indexOf(tag, at + tag.length)
    if (end < 0) throw new SqlUnreadable('a dollar-quoted string is not closed')
    tokens.push({ kind: 'text', text: sql.slice(at + tag.length, end), raw: tag, at: state.from })
    return end + tag.length
  }
  if (c !== "'" && c !== '"' && c !== '`') return at
  const escapes = c === "'" && (state.backslash || escapePrefix(tokens.at(-1), sql, at))
  return quotedText(state, at, escapes)
}

/** `E'…'` always has escapes. */
function escapePrefix(last: SqlToken | undefined, sql: string, at: number): boolean {
  return last?.kind === 'word' && last.text === 'E' && /[eE]/.test(sql[at - 1] ?? '')
}

function quotedText(state: Lexing, from: number, escapes: boolean): number {
  const { sql, tokens } = state
  const quote = sql[from] as string
  let text = ''
  let at = from + 1
  while (at < sql.length) {
    const c = sql[at] as string
    if (c === quote) {
      if (sql[at + 1] !== quote) {
        tokens.push({ kind: quote === "'" ? 'text' : 'quoted', text, raw: text, at: state.from })
        return at + 1
      }
      at += 1
    } else if (c === '\\' && escapes) at += 1
    text += sql[at] ?? ''
    at += 1
  }
  throw new SqlUnreadable('a string is not closed')
}

const CLIENT_WORD =
  /^(?:(?:system|source|tee|pager|host)\s+[^\s=;]|start\s+[\w.~-]{0,24}[./]|:?!!?\s{0,8}\w|:(?:r|out|error)\s|@@?[\w./~-])/i
/** Statements of ClickHouse. */
const SYSTEM_STATEMENT = /^system\s+(?:flush|reload|stop|start|drop|sync|restart|refresh)\b/i

function isClientWord(start: string): boolean {
  return CLIENT_WORD.test(start) && !SYSTEM_STATEMENT.test(start)
}

/** Client commands go to the end of the line: `\! ls`, `.shell ls`, `system ls`. */
function clientCommand(state: Lexing, at: number): number {
  const { sql, tokens } = state
  const fresh = tokens.length === 0 || tokens.at(-1)?.text === ';' || tokens.at(-1)?.kind === 'client'
  const slash = sql[at] === '\\'
  // MySQL's \G and psql's \; end a statement, and more may follow on the line.
  if (slash && /[G;\\]/.test(sql[at + 1] ?? '')) {
    tokens.push({ kind: 'operator', text: ';', raw: ';', at: state.from })
    return at + 2
  }
  CLIENT_DOT.lastIndex = at
  const dot = fresh && sql[at] === '.' && CLIENT_DOT.test(sql)
  const word = fresh && isClientWord(sql.slice(at, at + 40))
  if (!slash && !dot && !word) return at
  const separator = slash ? sql.slice(at, lineEnd(sql, at)).indexOf('\\\\') : -1
  const end = separator < 0 ? lineEnd(sql, at) : at + separator
  const text = sql.slice(at, end).trim()
  tokens.push({ kind: 'client', text, raw: text, at: state.from })
  return end
}
