/** Lines of a makefile as GNU make takes them apart, before anything in them is expanded. */

/** How a variable is set: `=`, `:=` (and `::=`), `+=`, `?=`, `!=`. */
export type Sign = '' | ':' | '+' | '?' | '!'

export interface Assignment {
  readonly name: string
  readonly sign: Sign
  readonly value: string
}

export interface RuleLine {
  readonly targets: string
  /** What stands behind the colon, up to a semicolon. */
  readonly needs: string
  /** The recipe behind a semicolon; null where there is none. */
  readonly recipe: string | null
  /** `targets: NAME = value`: a variable for them, and no rule. */
  readonly own: Assignment | null
}

export type Conditional = { readonly kind: 'if'; readonly test: string } | { readonly kind: 'else'; readonly test: string | null }

/** The lines of a text, those that a backslash continues in one. */
export function logicalLines(text: string): readonly string[] {
  const folded = text.includes('\\\n') ? text.replace(/\\\n/g, (whole, at: number) => (isGuarded(text, at) ? whole : ' ')) : text
  return folded.split('\n')
}

/** A backslash that another one guards goes on with nothing. */
function isGuarded(text: string, at: number): boolean {
  let count = 0
  while (count < MAX_BACKSLASHES && text[at - count - 1] === '\\') count += 1
  return count % 2 === 1
}

const MAX_BACKSLASHES = 64

/** Without what follows a `#` that no backslash guards. */
export function withoutComment(line: string): string {
  if (!line.includes('#')) return line
  for (let at = line.indexOf('#'); at >= 0; at = line.indexOf('#', at + 1))
    if (line[at - 1] !== '\\') return line.slice(0, at).replaceAll('\\#', '#')
  return line.replaceAll('\\#', '#')
}

const IF = /^if(?:n?eq|n?def)\b/
const ELSE = /^else(?![^\s(])(.*)/s

/** `ifeq …`, `else`, `else ifdef …`; null for any other line. */
export function conditionalOf(line: string): Conditional | 'endif' | null {
  if (IF.test(line.trimStart())) return { kind: 'if', test: line.trim() }
  if (/^endif\b/.test(line.trimStart())) return 'endif'
  const rest = ELSE.exec(line.trimStart())?.[1]?.trim()
  return rest === undefined ? null : { kind: 'else', test: IF.test(rest) ? rest.trim() : null }
}

/** Index of the first of these characters outside of `$(…)` and `${…}`; -1 where there is none. */
export function outside(text: string, characters: string): number {
  let depth = 0
  for (let at = 0; at < text.length; at += 1) {
    const c = text[at] ?? ''
    const opens = c === '$' && '({'.includes(text[at + 1] ?? ' ')
    if (opens) depth += 1
    else if (depth > 0) depth += BRACKETS.get(c) ?? 0
    else if (characters.includes(c) && c !== '\\') return at
    if (opens || (c === '\\' && depth === 0)) at += 1
  }
  return -1
}

const BRACKETS: ReadonlyMap<string, number> = new Map([
  ['(', 1],
  ['{', 1],
  [')', -1],
  ['}', -1],
])

const MODIFIERS = /^\s*(?:(?:export|unexport|override|private)\s+)+/

/** Behind `export`, `override` and the like; null where none stands there. */
export function unmodified(line: string): string | null {
  const length = MODIFIERS.exec(line)?.[0].length
  return length === undefined ? null : line.slice(length)
}

/** `NAME = value` with what may stand before the sign; null for any other line. */
export function assignmentOf(line: string): Assignment | null {
  const equals = outside(line, '=')
  if (equals < 0) return null
  const before = line.slice(0, equals)
  const sign = /(?::{1,3}|[+?!])$/.exec(before)?.[0] ?? ''
  const name = before.slice(0, before.length - sign.length).trim()
  if (name === '' || outside(name, ' \t:') >= 0) return null
  return { name, sign: (sign[0] ?? '') as Sign, value: line.slice(equals + 1).trim() }
}

/** `targets: needs; recipe`; null for any other line. */
export function ruleOf(line: string): RuleLine | null {
  const colon = outside(line, ':')
  if (colon < 0) return null
  const rest = line.slice(colon + 1).replace(/^:/, '')
  const targets = line.slice(0, colon).replace(/&\s*$/, '').trim()
  const semicolon = outside(rest, ';')
  const head = semicolon < 0 ? rest : rest.slice(0, semicolon)
  const own = outside(head, '=') < 0 ? null : assignmentOf((unmodified(rest) ?? rest).trim())
  return { targets, needs: head, recipe: semicolon < 0 ? null : rest.slice(semicolon + 1).trim(), own }
}

const DEFINE = /^define\s(.*)/s

/** Name and sign of `define NAME =`; null for any other line. */
export function definitionOf(line: string): Omit<Assignment, 'value'> | null {
  const head = DEFINE.exec((unmodified(line) ?? line).trimStart())?.[1]?.trim()
  if (head === undefined || head === '') return null
  const sign = /(:{1,3}|[+?!])?=$/.exec(head)
  return { name: sign === null ? head : head.slice(0, sign.index).trim(), sign: (sign?.[1]?.[0] ?? '') as Sign }
}

/** `define NAME … endef`. */
export class Definition {
  readonly #head: Omit<Assignment, 'value'>
  readonly #lines: string[] = []
  /** It stands where lines count. */
  readonly counts: boolean
  #depth = 1

  constructor(head: Omit<Assignment, 'value'>, counts: boolean) {
    this.#head = head
    this.counts = counts
  }

  /** False for the line that ends it. */
  add(line: string): boolean {
    if (/^\s*endef\b/.test(line)) this.#depth -= 1
    else if (definitionOf(line) !== null) this.#depth += 1
    if (this.#depth > 0) this.#lines.push(line)
    return this.#depth > 0
  }

  get assignment(): Assignment {
    return { ...this.#head, value: this.#lines.join('\n') }
  }
}

/** Without the signs that say how make runs a line. */
export const unprefixed = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.replace(/^[@+\- \t]+/, ''))
    .filter((line) => line !== '')
    .join('\n')
