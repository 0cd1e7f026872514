import type { Word as SyntaxWord } from 'unbash'
import type { ExecutionContext } from '../state/state.ts'

/** Shell patterns inside `${x%…}` and `${x/…/…}`: compiled to tokens, matched by simulation, so never exponential. */

type Token = { readonly kind: 'char'; readonly value: string } | { readonly kind: 'any' } | { readonly kind: 'star' } | SetToken
interface SetToken {
  readonly kind: 'set'
  readonly negated: boolean
  readonly members: string
}
export type Pattern = readonly Token[]

/** Work per operation: text length × text length × tokens. */
const WORK = 2_000_000

/** Tokens of a pattern word; null where it is not statically known or uses extended globs. */
export function compilePattern(word: SyntaxWord | undefined, site: ExecutionContext): Pattern | null {
  if (word === undefined) return []
  if (word.parts === undefined) return characters(word.value)
  const tokens: Token[] = []
  for (const part of word.parts) {
    if (part.type === 'Literal' || part.type === 'SingleQuoted' || part.type === 'AnsiCQuoted') tokens.push(...characters(part.value))
    else if (part.type === 'Glob' && part.kind === 'star') tokens.push({ kind: 'star' })
    else if (part.type === 'Glob' && part.kind === 'question') tokens.push({ kind: 'any' })
    else if (part.type === 'Glob') {
      const set = bracket(part.text)
      if (set === null) return null
      tokens.push(set)
    } else {
      const value = site.walker.word({ type: 'Word', text: part.text, value: part.text, pos: part.pos, end: part.end, parts: [part] }, site)
      if (value.text === null || value.glob) return null
      tokens.push(...characters(value.text))
    }
  }
  return tokens
}

function characters(text: string): Token[] {
  return [...text].map((value) => ({ kind: 'char', value }))
}

function bracket(text: string): SetToken | null {
  let body = text.slice(1, -1)
  if (body.includes('[:')) return null
  const negated = body.startsWith('!') || body.startsWith('^')
  if (negated) body = body.slice(1)
  let members = ''
  for (let at = 0; at < body.length; at++) {
    const from = body.charCodeAt(at)
    const to = body[at + 1] === '-' && at + 2 < body.length ? body.charCodeAt(at + 2) : from
    for (let code = from; code <= to && code - from < 256; code++) members += String.fromCharCode(code)
    if (to !== from) at += 2
  }
  return { kind: 'set', negated, members }
}

function accepts(token: Token, character: string): boolean {
  if (token.kind === 'char') return token.value === character
  if (token.kind === 'set') return token.members.includes(character) !== token.negated
  return true
}

/** Lengths of the prefixes of `text` from `start` that match: the shortest and the longest, or null where none does. */
function prefixes(pattern: Pattern, text: readonly string[], start: number): { readonly short: number; readonly long: number } | null {
  let states = close(new Set([0]), pattern)
  let short = states.has(pattern.length) ? 0 : -1
  let long = short
  for (let at = start; at < text.length && states.size > 0; at++) {
    const next = new Set<number>()
    for (const state of states) {
      const token = pattern[state]
      if (token === undefined || !accepts(token, text[at] ?? '')) continue
      next.add(token.kind === 'star' ? state : state + 1)
    }
    states = close(next, pattern)
    if (!states.has(pattern.length)) continue
    long = at - start + 1
    if (short < 0) short = long
  }
  return short < 0 ? null : { short, long }
}

function close(states: Set<number>, pattern: Pattern): Set<number> {
  for (const state of states) if (pattern[state]?.kind === 'star') states.add(state + 1)
  return states
}

/** `${x#p}` and its kin; null where it would take too long. */
export function removePattern(text: string, pattern: Pattern, operator: string): string | null {
  const suffix = operator.startsWith('%')
  const letters = [...text]
  if (letters.length * (pattern.length + 1) > WORK) return null
  if (suffix) letters.reverse()
  const found = prefixes(suffix ? [...pattern].reverse() : pattern, letters, 0)
  if (found === null) return text
  const rest = letters.slice(operator.length === 2 ? found.long : found.short)
  return (suffix ? rest.reverse() : rest).join('')
}

/** `${x/p/r}` and its kin; null where it would take too long. */
export function replacePattern(
  text: string,
  pattern: Pattern,
  by: { readonly operator: string; readonly replacement: string },
): string | null {
  const { operator, replacement } = by
  if (pattern.length === 0) return atEdge(text, by)
  const letters = [...text]
  if (letters.length === 0) return prefixes(pattern, letters, 0) === null ? '' : replacement
  if (letters.length * letters.length * (pattern.length + 1) > WORK) return null
  let result = ''
  let done = false
  for (let at = 0; at < letters.length; ) {
    const found = done || (operator === '/#' && at > 0) ? null : prefixes(pattern, letters, at)
    const anchored = operator !== '/%' || (found !== null && at + found.long === letters.length)
    if (found === null || found.long === 0 || !anchored) {
      result += letters[at++]
      continue
    }
    result += replacement
    at += found.long
    if (operator !== '//') done = true
  }
  return result
}

/** An empty pattern is found only where it is bound to an end of the text. */
function atEdge(text: string, { operator, replacement }: { readonly operator: string; readonly replacement: string }): string {
  if (operator === '/#') return replacement + text
  return operator === '/%' ? text + replacement : text
}
