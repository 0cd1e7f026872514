/** Secrets that only their name gives away: `name=value`, `"name": "value"`, `--name value`, in code, files and commands. */
import { MASK_START, maskLength } from './mask.ts'
import { secretName } from './names.ts'
import type { FoundSecret } from './rules.ts'

/** Without one of these no name can be a secret's. */
const TRIGGER = /pass|pwd|secret|token|key|cred|authorization|cookie|jwt|\bpin\b|cv[vc]|otp|ssn/i

const LONGEST_VALUE = 4096

/** Every value in `text` whose name says that it is a secret. Linear: each separator looks a bounded way back and ahead. */
export function findPairs(text: string): FoundSecret[] {
  if (!TRIGGER.test(text)) return []
  const found: FoundSecret[] = []
  const separator = text.includes('--') ? SEPARATOR : SIGN
  separator.lastIndex = 0
  for (let next = separator.exec(text); next !== null; next = separator.exec(text)) {
    const { index, 0: sign } = next
    const option = sign === ' ' || sign === '\t'
    const name = option ? optionBefore(text, index) : nameBefore(text, index)
    const kind = name === '' ? null : secretName(name)
    if (kind === null) continue
    const value = valueAfter(text, index + sign.length, option)
    if (value === null || !isSecretValue(value, kind) || isOrdinary(value, { name, separator: text.charAt(index) })) continue
    found.push({ rule: `${kind}-value`, start: value.start, end: value.end })
    separator.lastIndex = Math.max(separator.lastIndex, value.end)
  }
  return found
}

/** What separates a name from its value: a sign, `%3D`, or a blank behind an option. */
const SEPARATOR = /[=:]|%3[Dd]|(?<=[\w-])[ \t]/g
/** The same in a text without options, which has many blanks. */
const SIGN = /[=:]|%3[Dd]/g

/** The name that ends before a separator, past white space, quotes, brackets and escapes. */
function nameBefore(text: string, separator: number): string {
  const window = text.slice(Math.max(0, separator - 128), separator)
  let end = window.length
  while (end > 0 && ' \t"\'`\\]:?+'.includes(window[end - 1] as string)) end--
  let start = end
  for (let code = window.charCodeAt(start - 1); start > 0 && (isNameCode(code) || code === DOT); code = window.charCodeAt(start - 1))
    start--
  if (window.startsWith(MASK_START, start - MASK_START.length)) return ''
  const name = window.slice(start, end)
  return name.slice(name.lastIndexOf('.') + 1)
}

/** The long option that ends before white space (`--password`), or the empty string. */
function optionBefore(text: string, space: number): string {
  const first = Math.max(0, space - 64)
  let start = space
  while (start > first && isNameCode(text.charCodeAt(start - 1))) start--
  return text.startsWith('--', start) ? text.slice(start, space) : ''
}

const DOT = 0x2e

/** ASCII letters, digits, `_` and `-`. */
function isNameCode(code: number): boolean {
  return (
    (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a) || (code >= 0x30 && code <= 0x39) || code === 0x2d || code === 0x5f
  )
}

/** At most as long as LONGEST_VALUE. */
const UNQUOTED = /[^\s"'`;&|<>()\\]{1,4096}/y

interface Value {
  readonly start: number
  readonly end: number
  readonly text: string
  readonly quote: string
  /** The character after it, or the empty string. */
  readonly next: string
}

/** Past signs between a name and its value (`key => x`, `key == x`), a bounded way. */
function pastSeparators(text: string, from: number, signs: string): number {
  let at = from
  const stop = Math.min(text.length, from + 16)
  while (at < stop && signs.includes(text.charAt(at))) at++
  return at
}

function valueAfter(text: string, from: number, option: boolean): Value | null {
  let at = pastSeparators(text, from, option ? ' \t' : ' \t=>')
  const slashes = backslashes(text, at)
  at += slashes
  const quote = text[at] ?? ''
  if (maskLength(text, at) > 0) return null
  const limit = Math.min(text.length, at + LONGEST_VALUE)
  if (quote === '"' || quote === "'" || quote === '`') {
    const end = closing(text, at + 1, { quote, limit, slashes })
    return { start: at + 1, end, text: text.slice(at + 1, end), quote, next: text[end + 1] ?? '' }
  }
  UNQUOTED.lastIndex = at
  let end = at + (UNQUOTED.exec(text)?.[0].length ?? 0)
  const next = text[end] ?? ''
  while (end > at && /[,.}\]]/.test(text[end - 1] as string)) end--
  return end === at ? null : { start: at, end, text: text.slice(at, end), quote: '', next }
}

/**
 * The closing quote, on the level of the opening one: a value in JSON in a string opens and closes with as many backslashes,
 * and a quote behind more of them belongs to the value. Without one, the end of the line.
 */
function closing(text: string, from: number, { quote, limit, slashes }: { quote: string; limit: number; slashes: number }): number {
  for (let i = from; i < limit; i++) {
    if (text[i] === '\n') return i
    const run = backslashes(text, i)
    if (text[i + run] !== quote) {
      i += Math.max(0, run - 1)
      continue
    }
    if (run <= slashes) return i
    if (slashes === 0 && run % 2 === 0) return i + run
    i += run
  }
  return limit
}

function backslashes(text: string, at: number): number {
  let end = at
  while (text[end] === '\\') end++
  return end - at
}

const NO_VALUE = new Set(['true', 'false', 'null', 'none', 'nil', 'undefined', 'string', 'str', 'required', 'optional', 'bearer', 'basic'])
const REFERENCE = /^(?:\$\{[^{}]*\}|\$\([^()]*\)?|\$[A-Z_][A-Z0-9_]*|\{\{[^{}]*\}\}|\{[A-Za-z_][\w.]*\}?|%[A-Za-z_]+%|<[^<>]*>)$/

const SHORTEST = { password: 4, token: 8 } as const

/** What a value is judged by; a text full of separators must not be read whole from each of them. */
const SAMPLE = 256

function isSecretValue({ text: whole, quote }: Value, kind: 'password' | 'token'): boolean {
  const text = whole.slice(0, SAMPLE)
  if (maskLength(text, 0) === text.length) return false
  if (text.length < SHORTEST[kind] || NO_VALUE.has(text.toLowerCase()) || REFERENCE.test(text)) return false
  if (quote !== "'" && /^\$[A-Za-z_][A-Za-z0-9_]*$/.test(text)) return false
  if (text.includes('EXAMPLE') || new Set(text).size < 2) return false
  return kind === 'password' || looksMade(text)
}

/** What prose and code write after such names without giving a secret away: expressions, variables, addresses, results. */
function isOrdinary({ text: whole, quote, next }: Value, { name, separator }: { name: string; separator: string }): boolean {
  const text = whole.slice(0, SAMPLE)
  if (/^(?:pwd|oldpwd)$/i.test(name) && /[/ ]/.test(text)) return true
  if (quote !== '') return /^\s/.test(text)
  if (next === '(' || text.endsWith('[') || /^[A-Za-z_]+(?:[.[][A-Za-z_]+)+$/.test(text)) return true
  if (separator === ':' && (/^pass[0-9]*$/i.test(name) || /^[a-z]+:\/\//.test(text))) return true
  const value = text.toLowerCase()
  const last = name.toLowerCase().split(/[_.-]/).at(-1) ?? ''
  return value === name.toLowerCase() || value === last || (/^[a-z]+_[a-z_]+$/.test(value) && value.endsWith(last))
}

/** Made by a machine or meant to look so: a digit, or mixed case with many different characters. */
function looksMade(text: string): boolean {
  if (/\s/.test(text.trim())) return /[0-9]/.test(text) && entropy(text) > 3.5
  if (/[0-9]/.test(text)) return true
  return /[a-z]/.test(text) && /[A-Z]/.test(text) && entropy(text) > 3.2
}

/** Shannon entropy in bits per character. */
export function entropy(text: string): number {
  const counts = new Map<string, number>()
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1)
  let bits = 0
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length)
  return bits
}
