import type { SqlToken } from './lex.ts'

/** Whether a statement is limited by a condition that can be false for some row. */
export interface Condition {
  /** It has a condition that says something. */
  readonly where: boolean
}

const AFTER: ReadonlySet<string> = new Set(['RETURNING', 'ORDER', 'LIMIT', 'GROUP', 'HAVING', 'OPTION', 'OUTPUT'])
/** Where the condition of a join ends. */
const AFTER_ON: ReadonlySet<string> = new Set([...'WHERE WHEN SET JOIN LEFT RIGHT INNER FULL CROSS NATURAL'.split(' '), ...AFTER])

/** Looks for WHERE, or a join condition, outside parentheses. */
export function conditioned(tokens: readonly SqlToken[]): Condition {
  let depth = 0
  let joins = tokens[0]?.text === 'MERGE'
  for (const [i, token] of tokens.entries()) {
    if (token.kind === 'operator' && token.text === '(') depth += 1
    else if (token.kind === 'operator' && token.text === ')') depth -= 1
    else if (depth === 0 && token.kind === 'word') {
      joins = joins || token.text === 'JOIN'
      if (token.text === 'WHERE') return { where: !alwaysTrue(clause(tokens.slice(i + 1), AFTER)) }
      if (token.text === 'ON' && joins && !alwaysTrue(clause(tokens.slice(i + 1), AFTER_ON))) return { where: true }
    }
  }
  return { where: false }
}

function clause(tokens: readonly SqlToken[], after: ReadonlySet<string>): readonly SqlToken[] {
  const end = tokens.findIndex((t) => t.kind === 'word' && after.has(t.text))
  return end < 0 ? tokens : tokens.slice(0, end)
}

/** True for `1=1`, `TRUE`, `id = id`, `id > 0`, `x OR 1`: a condition that every row meets. */
function alwaysTrue(tokens: readonly SqlToken[], depth = 0): boolean {
  const bare = stripped(tokens)
  if (bare.length === 0 || depth > 16) return bare.length === 0
  const choices = split(bare, ['OR', '|'])
  if (choices.length > 1) return choices.some((choice) => alwaysTrue(choice, depth + 1))
  const parts = split(bare, ['AND', '&'])
  if (parts.length > 1) return parts.every((p) => alwaysTrue(p, depth + 1))
  if (bare[0]?.text === 'NOT') return constantTruth(stripped(bare.slice(1))) === false
  return constantTruth(bare) === true
}

/** The column by which rows are told apart: every one of them has it. */
const KEY = /^_?id$/i

/** What one comparison comes to for every row, as far as its signs tell; null where they tell nothing. */
function constantTruth(tokens: readonly SqlToken[]): boolean | null {
  if (isMetByKey(tokens)) return true
  const [a, b, c, d] = tokens
  if (a === undefined) return null
  if (b === undefined) return literalTruth(a)
  if (c === undefined) return null
  if (tokens.length === 3) return comparison(a, b, c)
  // `<>` and `!=` are two tokens.
  if (tokens.length !== 4 || d === undefined || (b.text !== '<' && b.text !== '!')) return null
  return a.kind !== 'word' && a.kind === d.kind && a.text !== d.text
}

/** `id IS NOT NULL`, `id > 0`, `id >= 0`. */
function isMetByKey([key, ...rest]: readonly SqlToken[]): boolean {
  if (key === undefined || !KEY.test(key.text) || rest.length > 3) return false
  const said = rest.map(({ text }) => text)
  if (said.length === 3 && said.join(' ') === 'IS NOT NULL') return true
  return said[0] === '>' && said.at(-1) === '0'
}

function literalTruth({ kind, text }: SqlToken): boolean | null {
  if (kind === 'number') return Number(text) !== 0
  if (text === 'TRUE') return true
  return text === 'FALSE' ? false : null
}

function comparison(a: SqlToken, operator: SqlToken, b: SqlToken): boolean | null {
  if (operator.text === '=') return a.kind === b.kind && a.text === b.text
  if (operator.text === 'LIKE' && b.kind === 'text') return /^%+$/.test(b.text) || null
  if (a.kind !== 'number' || b.kind !== 'number') return null
  if (operator.text === '<') return Number(a.text) < Number(b.text)
  return operator.text === '>' && Number(a.text) > Number(b.text)
}

/** Without the parentheses around all of it. */
function stripped(tokens: readonly SqlToken[]): readonly SqlToken[] {
  let from = 0
  let to = tokens.length
  while (to - from >= 2 && encloses(tokens, from, to)) {
    from += 1
    to -= 1
    if (from > 16) break
  }
  return tokens.slice(from, to)
}

function encloses(tokens: readonly SqlToken[], from: number, to: number): boolean {
  if (tokens[from]?.text !== '(' || tokens[to - 1]?.text !== ')') return false
  let depth = 0
  for (let i = from; i < to; i += 1) {
    if (tokens[i]?.kind !== 'operator') continue
    if (tokens[i]?.text === '(') depth += 1
    else if (tokens[i]?.text === ')') depth -= 1
    if (depth === 0) return i === to - 1
  }
  return false
}

function split(tokens: readonly SqlToken[], words: readonly string[]): readonly (readonly SqlToken[])[] {
  const parts: SqlToken[][] = [[]]
  let depth = 0
  for (const token of tokens) {
    if (token.kind === 'operator' && token.text === '(') depth += 1
    else if (token.kind === 'operator' && token.text === ')') depth -= 1
    if (depth === 0 && (token.kind === 'word' || token.kind === 'operator') && words.includes(token.text)) parts.push([])
    else parts.at(-1)?.push(token)
  }
  return parts.filter((p) => p.length > 0)
}
