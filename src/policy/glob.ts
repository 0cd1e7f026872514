/**
 * Patterns over tool names, as fnmatch reads them: `*`, `?`, `[a-c]`, `[!a]`; case-sensitive on every platform (PRO-W8).
 * Compiled once, matched in linear time (T05).
 */
import { RE2JS } from 're2js'
import { canonicalToolName, splitToolName } from '../core/tool-name.ts'
import { made } from './keep/recipes.ts'

export interface ToolPattern {
  readonly text: string
  /** The one name it matches, or null where it has wildcards. */
  readonly exact: string | null
  readonly matches: (server: string | null, name: string) => boolean
}

const WILDCARD = /[*?[]/
const MAX_LENGTH = 512

/**
 * Compiles a pattern on `name` or `server/name`.
 * @param strict for permits: a pattern with a slash then needs a server of that name, so that no server can offer a tool whose
 *   bare name imitates the tool of another one.
 * @throws {SyntaxError} for a pattern that is too long or has an open bracket.
 */
export function compileToolPattern(text: string, { strict }: { readonly strict: boolean }): ToolPattern {
  if (text.length > MAX_LENGTH) throw new SyntaxError(`the pattern is longer than ${MAX_LENGTH} characters`)
  return made(text.startsWith('mcp__') ? prefixed(text, strict) : named(text, strict), 'tool-pattern', text, strict)
}

function named(text: string, strict: boolean): ToolPattern {
  const slash = text.indexOf('/')
  const whole = compileName(text)
  const exact = WILDCARD.test(text) ? null : text
  if (slash === -1) return { text, exact, matches: (_server, name) => whole(name) }
  const server = compileName(text.slice(0, slash))
  const tool = compileName(text.slice(slash + 1))
  const matches = (on: string | null, name: string): boolean => {
    if (on === null) return whole(name)
    return (server(on) && tool(name)) || (!strict && whole(name))
  }
  return { text, exact: null, matches }
}

/**
 * `mcp__server__tool` means what `server/tool` means. Where names hold two underscores of their own, what raises matches however they
 * are taken apart, and what permits only one way.
 */
function prefixed(text: string, strict: boolean): ToolPattern {
  const whole = compileName(text)
  const split = splitToolName(text)
  const [server, tool] = split === null ? [null, null] : [compileName(split.server), compileName(split.name)]
  const joined = (on: string, name: string): boolean => (!strict || server === null) && whole(`mcp__${on}__${name}`)
  const matches = (on: string | null, name: string): boolean =>
    on === null ? !strict && whole(name) : (server?.(on) === true && tool?.(name) === true) || joined(on, name)
  return { text: split === null ? text : `${split.server}/${split.name}`, exact: null, matches }
}

/**
 * True where every tool that `inner` names is named by `outer` as well (null: every tool); false where that cannot be told.
 * `compiled` keeps patterns between calls.
 */
export function coversTool(outer: string | null, inner: string | null, compiled: Map<string, ToolPattern> = new Map()): boolean {
  if (outer === null || /^\*+$/.test(outer)) return true
  if (inner === null) return false
  const [wide, narrow] = [canonicalToolName(outer), canonicalToolName(inner)]
  if (wide === narrow) return true
  if (/[?[]/.test(wide) || /[?[]/.test(narrow)) return false
  const pattern = compiled.get(wide) ?? compileToolPattern(wide, { strict: true })
  compiled.set(wide, pattern)
  // A star of the narrow pattern stands as a character that only a star of the wide one matches.
  const [first, rest] = narrow.split(/\/(.*)/s)
  const name = (text: string): string => text.replaceAll('*', '\u{10ffff}')
  return rest === undefined ? pattern.matches(null, name(narrow)) : pattern.matches(name(first ?? ''), name(rest))
}

/** A name pattern as a predicate; the common shapes need no automaton. */
export function compileName(pattern: string): (name: string) => boolean {
  if (!WILDCARD.test(pattern)) return (name) => name === pattern
  if (/^\*+$/.test(pattern)) return () => true
  const body = pattern.slice(0, -1)
  if (pattern.endsWith('*') && !WILDCARD.test(body)) return (name) => name.startsWith(body)
  const tail = pattern.slice(1)
  if (pattern.startsWith('*') && !WILDCARD.test(tail)) return (name) => name.endsWith(tail)
  const compiled = RE2JS.compile(toRegex(pattern), RE2JS.DOTALL)
  return (name) => compiled.testExact(name)
}

function toRegex(pattern: string): string {
  let regex = ''
  for (let i = 0; i < pattern.length; i++) {
    const char = pattern.charAt(i)
    if (char === '*') regex += '.*'
    else if (char === '?') regex += '.'
    else if (char === '[') {
      const end = closing(pattern, i)
      regex += bracket(pattern.slice(i + 1, end))
      i = end
    } else regex += RE2JS.quote(char)
  }
  return regex
}

/** A bracket that comes first is a member: `[]a]`. */
function closing(pattern: string, open: number): number {
  const first = pattern.charAt(open + 1) === '!' ? open + 2 : open + 1
  const end = pattern.indexOf(']', first + 1)
  if (end === -1) throw new SyntaxError('the bracket `[` is not closed; write `[[]` for a bracket itself')
  return end
}

function bracket(members: string): string {
  const negated = members.startsWith('!')
  const body = negated ? members.slice(1) : members
  return `[${negated ? '^' : ''}${body.replace(/[\\^[\]&~]/g, '\\$&')}]`
}
