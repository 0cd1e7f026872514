import type { SqlToken } from './lex.ts'

/**
 * Holds the reader of SQL to its law: a word that begins a statement which changes something was read as one, wherever it stands, or is
 * read all the same.
 */

/** Statements of which several may follow each other without a semicolon (T-SQL), with the words that follow each. */
const STARTS: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['DROP', new Set(['TABLE', 'DATABASE', 'SCHEMA', 'USER', 'ROLE', 'VIEW', 'INDEX', 'LOGIN'])],
  ['TRUNCATE', new Set(['TABLE'])],
  ['DELETE', new Set(['FROM'])],
  ['INSERT', new Set(['INTO'])],
  ['EXEC', new Set(['XP_CMDSHELL', 'MASTER', 'SP_CONFIGURE', 'SP_EXECUTESQL'])],
  ['EXECUTE', new Set(['IMMEDIATE', 'XP_CMDSHELL'])],
])

export function beginsStatement(token: SqlToken, next: SqlToken | undefined): boolean {
  if (token.kind !== 'word') return false
  return STARTS.get(token.text)?.has(next?.text ?? '') === true || (token.text === 'EXECUTE' && next?.kind === 'text')
}

export class SqlCoverage {
  /** Words that were read as the head of a statement, or that are known not to run. */
  readonly #placed = new WeakSet<SqlToken>()
  readonly #checked = new WeakSet<SqlToken>()

  /** The token begins a statement that was read. */
  read(head: SqlToken): void {
    this.#placed.add(head)
  }

  /** Nothing of these runs. */
  rests(tokens: readonly SqlToken[]): void {
    for (const token of tokens) this.#placed.add(token)
  }

  /** Indices of statements that nobody read; each text is looked through once. */
  left(tokens: readonly SqlToken[]): readonly number[] {
    const [first] = tokens
    if (first === undefined || this.#checked.has(first)) return []
    for (const token of tokens) this.#checked.add(token)
    return tokens.flatMap((token, at) => (beginsStatement(token, tokens[at + 1]) && !this.#placed.has(token) ? [at] : []))
  }
}
