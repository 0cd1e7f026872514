import type { Token } from '../lexical/lex.ts'
import type { Knowledge } from './tables.ts'

/** What arguments come to, as far as texts and the home directory tell. */

export interface Value {
  /** With `null` for each part that is not known. */
  readonly parts: readonly (string | null)[]
}

/** Names of the program with the values that they were given, by the last that stands in the text. */
export type Bound = ReadonlyMap<string, Value>

/** Variables that hold the home directory, and how a text names it. */
const HOME_NAMES: ReadonlySet<string> = new Set(['HOME', 'USERPROFILE', 'user.home'])

/** Places of `{}`, `{name}` and `%s` in a text that is filled. */
const SLOT = /\{[\w:?#.]*\}|%[svqd]/

const MAX_PARTS = 16
/** Calls that look a variable of the environment up. */
const ENVIRONMENT: ReadonlySet<string> = new Set('var var_os env Getenv LookupEnv getenv getProperty GetEnvironmentVariable'.split(' '))

/** A variable by which cargo tells a test where the program is that it built; of any other the value is not known. */
const setBy = (name: string): string | null => (name.startsWith('CARGO_') ? `./target/${name}` : null)

/** What stands behind a name that is called, or that only leads to another. */
const LEADS: ReadonlySet<string> = new Set(['(', '::', '.', '!'])

interface Known {
  readonly knowledge: Knowledge
  readonly bound: Bound
  readonly home: string
}

/** An argument: texts and the home directory that stand in it, in their order; `null` between for what is not known. */
export function evaluated(tokens: readonly Token[], known: Known): Value {
  const parts: (string | null)[] = []
  const slots: number[] = []
  for (const [at, token] of tokens.entries()) {
    if (parts.length > MAX_PARTS) return { parts: [null] }
    if (token.kind === 'text' && isLookedUp(tokens, at) && !HOME_NAMES.has(token.text)) fill(setBy(token.text), parts, slots)
    else if (token.kind === 'text' && !HOME_NAMES.has(token.text)) add(token.exact ? token.text : null, parts, slots)
    else for (const part of partsOf(token, { before: tokens[at - 1]?.text, after: tokens[at + 1]?.text }, known)) fill(part, parts, slots)
  }
  return { parts }
}

/** `env::var("X")`, `env!("X")`. */
function isLookedUp(tokens: readonly Token[], at: number): boolean {
  const name = tokens[at - 2]?.text === '!' ? tokens[at - 3] : tokens[at - 2]
  return tokens[at - 1]?.text === '(' && ENVIRONMENT.has(name?.text ?? '')
}

interface Around {
  readonly before: string | undefined
  readonly after: string | undefined
}

/** What a name stands for: the home directory, what it was given, or nobody knows what. */
function partsOf({ kind, text }: Token, { before, after }: Around, { knowledge, bound, home }: Known): Value['parts'] {
  if (kind === 'text' || (kind === 'name' && knowledge.home.has(text))) return [home]
  if (kind !== 'name' || before === '.') return []
  return bound.get(text)?.parts ?? (LEADS.has(after ?? '') ? [] : [null])
}

/** A text with places to fill becomes as many parts. */
function add(text: string | null, parts: (string | null)[], slots: number[]): void {
  for (const [index, piece] of text === null ? [[0, null] as const] : text.split(SLOT).entries()) {
    if (index > 0) {
      slots.push(parts.length)
      parts.push(null)
    }
    parts.push(piece)
  }
}

/** Takes the next place that is to be filled, or stands behind. */
function fill(value: string | null, parts: (string | null)[], slots: number[]): void {
  const slot = slots.shift()
  if (slot === undefined) parts.push(value)
  else parts[slot] = value
}

/** The text of a value; null where a part of it is not known. `between` stands between parts of a path that name no slash. */
export function textOf({ parts }: Value, between = ''): string | null {
  if (parts.length === 0 || parts.includes(null)) return null
  return parts.reduce<string>((text, part) => {
    const joins = between !== '' && text !== '' && part !== '' && !text.endsWith(between) && part?.startsWith(between) !== true
    return text + (joins ? between : '') + (part ?? '')
  }, '')
}

/** The same with a variable nobody knows in the place of such a part. */
export function templateOf({ parts }: Value): string | null {
  return parts.some((part) => part !== null && part !== '') ? parts.map((part) => part ?? '"$UNKNOWN_VALUE"').join('') : null
}
