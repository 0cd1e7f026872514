import { parse } from 'yaml'
import { isJsonObject, type Json, own } from '../../../core/json.ts'
import { remembering } from '../../resources/text/memo.ts'
import type { Found } from './nearest.ts'

/** YAML files of a project as plain values. */

/** UTF-16 units of YAML that are read. */
const LONGEST_YAML = 24_576
/** Signs and lines of YAML that are read: each costs the parser some microseconds, wherever it stands. */
const MAX_SIGNS = 2_000
/** Collections in each other on one line; brackets that close nothing. */
const DEEPEST = 24
const DEEPEST_IN_LINE = 8
const MAX_STRAYS = 16

const OPTIONS = { maxAliasCount: 32, logLevel: 'silent', prettyErrors: false, uniqueKeys: false } as const

/**
 * The parser takes seconds for some kilobytes of keys in keys (`? ? ?`), and thousands of open brackets end the whole process
 * where no exception does. False for whatever may cost too much; files of people are far from it.
 */
function isBounded(text: string): boolean {
  if (text.length > LONGEST_YAML) return false
  const counts: Counts = { signs: 0, depth: 0, strays: 0, inLine: 0 }
  let begins = true
  for (let at = 0; at < text.length && counts.signs <= MAX_SIGNS; at++) {
    const sign = text[at] ?? ''
    if (!SIGNS.includes(sign)) {
      begins &&= isBlank(sign)
      continue
    }
    const stands = isBlank(text[at + 1])
    if (sign === '?' && stands && begins) return false
    begins = sign === '\n' || (begins && stands && !ALONE.includes(sign))
    if (!standsAlone(sign, text[at - 1], stands)) continue
    count(sign, begins, counts)
    if (exceeds(counts)) return false
  }
  return counts.signs <= MAX_SIGNS
}

interface Counts {
  signs: number
  /** Brackets that are open, and those that close none. */
  depth: number
  strays: number
  /** Keys and items that begin in one line. */
  inLine: number
}

const exceeds = ({ depth, strays, inLine }: Counts): boolean => depth > DEEPEST || strays > MAX_STRAYS || inLine > DEEPEST_IN_LINE

/** Whether a sign means something at its place; `stands`: a blank follows. */
function standsAlone(sign: string, before: string | undefined, stands: boolean): boolean {
  if (sign === '\n' || OPENS.includes(sign) || CLOSES.includes(sign)) return true
  return PREFIXES.includes(sign) ? isBlank(before) : stands || ALONE.includes(sign)
}

function count(sign: string, begins: boolean, counts: Counts): void {
  counts.signs++
  if (sign === '\n') counts.inLine = 0
  else if (OPENS.includes(sign)) counts.depth++
  else if (CLOSES.includes(sign)) counts.depth > 0 ? counts.depth-- : counts.strays++
  else if (begins || (sign === ':' && counts.depth === 0)) counts.inLine++
}

const OPENS = '[{'
const CLOSES = ']}'
/** Signs wherever they stand, and before what they belong to; the others only stand before a blank. */
const ALONE = `,"'`
const PREFIXES = '!&*'
const SIGNS = `\n:-?${OPENS}${CLOSES}${ALONE}${PREFIXES}`

function isBlank(character: string | undefined): boolean {
  return character === undefined || character === ' ' || character === '\t' || character === '\r' || character === '\n'
}

const read = remembering((text): Json => {
  try {
    return isBounded(text) ? (parse(text, OPTIONS) as Json) : null
  } catch {
    return null
  }
})

/** The content of a YAML file as plain values, which nobody changes; null where it is none, or costs too much. */
export function yamlOf({ text }: Found): Json {
  return read(text)
}

/** A field of a mapping; null where there is none. */
export function field(value: Json | undefined, name: string): Json {
  return isJsonObject(value) ? (own(value, name) ?? null) : null
}

/** A sequence, or the one thing that stands in its place. */
export function items(value: Json): readonly Json[] {
  return Array.isArray(value) ? value : value === null ? [] : [value]
}
