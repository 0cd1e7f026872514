import type { Token } from './lex.ts'

/** Takes the arguments of a call apart, in brackets or to the end of the statement. */

/** An argument: its tokens, without the name it is given by. */
export interface Argument {
  readonly name: string | null
  readonly tokens: readonly Token[]
}

export const OPENS: ReadonlySet<string> = new Set(['(', '[', '{'])
export const CLOSES: ReadonlySet<string> = new Set([')', ']', '}'])
/** The most tokens of one call that are looked at, and the most arguments. */
export const MAX_TOKENS = 1024
const MAX_ARGUMENTS = 32

interface Arguments {
  readonly given: readonly Argument[]
  /** How many tokens were looked at. */
  readonly looked: number
}

const STATEMENT_ENDS: ReadonlySet<string> = new Set([';', '\n', '|>'])

const ends = (sign: string, bracket: boolean): boolean => CLOSES.has(sign) || (!bracket && STATEMENT_ENDS.has(sign))

/** Arguments of a call whose bracket is at `open`, or to the end of the statement where it has none. */
export function argumentsAt(tokens: readonly Token[], open: number): Arguments {
  const { kind, text } = tokens[open] ?? {}
  const bracket = kind === 'sign' && text === '('
  const found: Token[][] = [[]]
  const first = bracket ? open + 1 : open
  let depth = 0
  let at = first
  for (; at < tokens.length && at - first < MAX_TOKENS && found.length <= MAX_ARGUMENTS; at++) {
    const token = tokens[at] as Token
    const sign = token.kind === 'sign' ? token.text : ''
    if (depth === 0 && ends(sign, bracket)) break
    if (depth === 0 && (sign === ',' || sign === ';')) found.push([])
    else found.at(-1)?.push(token)
    if (OPENS.has(sign)) depth++
    else if (CLOSES.has(sign)) depth--
  }
  return { given: found.map(named), looked: at - first }
}

function named(all: readonly Token[]): Argument {
  const tokens = all.filter(({ kind, text }) => kind !== 'sign' || text !== '\n')
  const names = tokens[0]?.kind === 'name' && /^[=:]$/.test(tokens[1]?.text ?? '')
  const rest = names ? tokens.slice(2) : tokens
  return { name: names ? (tokens[0]?.text ?? null) : null, tokens: rest }
}
