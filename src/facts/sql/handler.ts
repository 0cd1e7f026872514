import type { SqlToken } from './lex.ts'
import type { Report } from './report.ts'

/** What the handlers of statements share: the statement as they get it, and the names in it. */

interface Statement {
  readonly tokens: readonly SqlToken[]
  readonly report: Report
  readonly where: boolean
  /** Reports tokens as statements of their own. */
  readonly again: (tokens: readonly SqlToken[]) => void
}

export type Handler = (statement: Statement) => void

export function indexOf(tokens: readonly SqlToken[], ...words: readonly string[]): number {
  return tokens.findIndex((t) => t.kind === 'word' && words.includes(t.text))
}

/** The name that stands at an index: `schema.table`, quotes taken off. */
export function nameAt(tokens: readonly SqlToken[], from: number): string | null {
  let name = ''
  for (let i = from; i < Math.min(tokens.length, from + 7); i += 1) {
    const token = tokens[i] as SqlToken
    if (token.kind === 'operator' && (token.text === '[' || token.text === ']')) continue
    const part = token.kind === 'word' || token.kind === 'quoted' || (token.kind === 'text' && name === '')
    if (part && (name === '' || name.endsWith('.'))) name += token.kind === 'word' ? token.raw : token.text
    else if (token.text === '.' && name !== '') name += '.'
    else break
  }
  return name === '' ? null : name
}

/** The name behind the first of the given words. */
export function after(tokens: readonly SqlToken[], ...words: readonly string[]): { table: string } | Record<string, never> {
  const at = indexOf(tokens, ...words)
  const name = at < 0 ? null : nameAt(tokens, skipNoise(tokens, at + 1))
  return name === null ? {} : { table: name }
}

/** Names behind the first one: `DROP TABLE a, b`. */
export function furtherNames(tokens: readonly SqlToken[]): { others: string[] } | Record<string, never> {
  const others = tokens.flatMap((token, at) => (token.kind === 'operator' && token.text === ',' ? (nameAt(tokens, at + 1) ?? []) : []))
  return others.length === 0 ? {} : { others }
}

/** Names that are joined to the first one, in statements that may change each of them. */
export function joinedNames(tokens: readonly SqlToken[]): { others: string[] } | Record<string, never> {
  const others = tokens.flatMap((token, at) => (token.kind === 'word' && token.text === 'JOIN' ? (nameAt(tokens, at + 1) ?? []) : []))
  return others.length === 0 ? {} : { others }
}

const NOISE: ReadonlySet<string> = new Set(
  'IF NOT EXISTS ONLY INTO TABLE LOW_PRIORITY IGNORE DELAYED QUICK CONCURRENTLY FROM OVERWRITE TOP'.split(' '),
)

export function skipNoise(tokens: readonly SqlToken[], from: number): number {
  let at = from
  while (tokens[at]?.kind === 'word' && NOISE.has(tokens[at]?.text ?? '')) at += 1
  return at
}
