import { reportClient } from './client.ts'
import { conditioned } from './condition.ts'
import { beginsStatement } from './coverage.ts'
import { reportFunctions } from './functions.ts'
import { SQL_LIMITS, type SqlToken, SqlUnreadable } from './lex.ts'
import type { Report } from './report.ts'
import { STATEMENTS } from './verbs.ts'

/** One statement after the other: what each does, and what stands inside it. */

interface Reading {
  readonly depth: number
  /** Length of the text, where each statement has a place in the call; else null. */
  readonly length: number | null
}

/** Splits at semicolons and client commands, and reports every statement. */
export function reportStatements(tokens: readonly SqlToken[], report: Report, { depth, length }: Reading): void {
  if (depth > SQL_LIMITS.depth) throw new SqlUnreadable('the SQL is nested too deeply')
  let start = 0
  let count = 0
  for (let i = 0; i <= tokens.length; i += 1) {
    const token = tokens[i]
    const ends = token === undefined || (token.kind === 'operator' && token.text === ';') || token.kind === 'client' || token.text === 'GO'
    if (!ends) continue
    if (length !== null) report.part = { start: tokens[start]?.at ?? 0, end: token?.at ?? length }
    if (i > start) reportStatement(tokens.slice(start, i), report, depth)
    if (token?.kind === 'client') reportClient(token.text, report)
    start = i + 1
    count += 1
    if (count > SQL_LIMITS.statements) throw new SqlUnreadable('the SQL has more statements than are analysed')
  }
  // Inside of what is defined, where no handler looked.
  for (const at of report.coverage.left(tokens)) reportStatements(untilSemicolon(tokens, at), report, { depth: depth + 1, length: null })
}

function untilSemicolon(tokens: readonly SqlToken[], from: number): readonly SqlToken[] {
  const end = tokens.findIndex(({ kind, text }, at) => at > from && kind === 'operator' && text === ';')
  return tokens.slice(from, end < 0 ? undefined : end)
}

/** Heads whose own words look like statements. */
const DEFINING: ReadonlySet<string> = new Set(['CREATE', 'ALTER', 'GRANT', 'REVOKE', 'COMMENT', 'EXPLAIN', 'DO', 'PREPARE'])

function reportStatement(tokens: readonly SqlToken[], report: Report, depth: number): void {
  for (const part of following(tokens)) {
    const head = part.findIndex((t) => t.kind !== 'operator')
    const first = part[head]
    if (first === undefined) continue
    report.coverage.read(first)
    reportFunctions(part, report)
    const handler = first.kind === 'word' ? STATEMENTS.get(first.text) : undefined
    const body = part.slice(head)
    if (handler === undefined) report.opaque(`a statement that begins with \`${first.raw.slice(0, 40)}\` is not understood`)
    else
      handler({
        tokens: body,
        report,
        again: (more) => reportStatements(more, report, { depth: depth + 1, length: null }),
        ...conditioned(body),
      })
    if (!DEFINING.has(first.text)) inner(part, report, depth)
  }
}

/** Parts of a statement that are statements of their own. */
function following(tokens: readonly SqlToken[]): readonly (readonly SqlToken[])[] {
  const head = tokens.find((t) => t.kind !== 'operator')
  if (head === undefined || DEFINING.has(head.text)) return [tokens]
  const parts: (readonly SqlToken[])[] = []
  let start = 0
  for (let i = 1; i < tokens.length; i += 1) {
    const token = tokens[i] as SqlToken
    if (token.kind !== 'word' || tokens[i - 1]?.text === '(' || tokens[i - 1] === head) continue
    if (!beginsStatement(token, tokens[i + 1])) continue
    parts.push(tokens.slice(start, i))
    start = i
  }
  return [...parts, tokens.slice(start)]
}

const NESTED: ReadonlySet<string> = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE', 'TRUNCATE'])

/** `WITH x AS (DELETE …)`: statements in parentheses run too. */
function inner(tokens: readonly SqlToken[], report: Report, depth: number): void {
  for (let i = 1; i < tokens.length; i += 1) {
    const token = tokens[i] as SqlToken
    const before = tokens[i - 1] as SqlToken
    if (token.kind !== 'word' || !NESTED.has(token.text) || before.kind !== 'operator' || before.text !== '(') continue
    const end = closing(tokens, i)
    // `(UPDATE, DELETE)` in a list of rights is no statement.
    if (end - i < 3 || tokens[i + 1]?.text === ',') continue
    reportStatements(tokens.slice(i, end), report, { depth: depth + 1, length: null })
    i = end
  }
}

function closing(tokens: readonly SqlToken[], from: number): number {
  let depth = 1
  for (let i = from; i < tokens.length; i += 1) {
    const token = tokens[i] as SqlToken
    if (token.kind !== 'operator') continue
    if (token.text === '(') depth += 1
    else if (token.text === ')') depth -= 1
    if (depth === 0) return i
  }
  return tokens.length
}
