/** One serialisation per value: RFC 8785 canonical JSON, so that equal values have equal digests whatever their key order. */
import canonicalize from 'canonicalize'
import type { Json } from './json.ts'

/**
 * The canonical text of a JSON value: keys sorted by UTF-16 code units, shortest numbers, no white space.
 * @throws {TypeError} for what is no JSON: `undefined`, functions, symbols, non-finite numbers, lone surrogates, cycles.
 * @throws {RangeError} when nested deeper than the stack allows (thousands of levels); ingress refuses such input first.
 */
export function canonicalJson(value: Json): string {
  return write(value, 0) ?? reference(value)
}

/** Plain JSON, which is what every decision hashes, is written here in one pass; deeper than this, and all else, by the library. */
const MAX_DEPTH = 64

/** Nothing in it is escaped, and no half of a surrogate pair hides in it. */
const PLAIN = /^[\x20\x21\x23-\x5b\x5d-\ud7ff\ue000-\uffff]*$/

/** Null: not for this function to say, which is never an error. */
function write(value: unknown, depth: number): string | null {
  if (typeof value === 'string') return quoted(value)
  if (value === null) return 'null'
  if (typeof value === 'boolean') return value ? 'true' : 'false'
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : null
  if (typeof value !== 'object' || depth >= MAX_DEPTH) return null
  return Array.isArray(value) ? writeArray(value, depth + 1) : writeObject(value as Readonly<Record<string, unknown>>, depth + 1)
}

function quoted(text: string): string | null {
  if (PLAIN.test(text)) return `"${text}"`
  return text.isWellFormed() ? JSON.stringify(text) : null
}

function writeArray(values: readonly unknown[], depth: number): string | null {
  let text = '['
  for (let i = 0; i < values.length; i++) {
    const item = write(values[i], depth)
    if (item === null) return null
    text += i === 0 ? item : `,${item}`
  }
  return `${text}]`
}

function writeObject(value: Readonly<Record<string, unknown>>, depth: number): string | null {
  if (typeof value.toJSON === 'function') return null
  let text = '{'
  for (const key of sortedKeys(value)) {
    const name = quoted(key)
    const item = write(value[key], depth)
    if (name === null || item === null) return null
    text += text === '{' ? `${name}:${item}` : `,${name}:${item}`
  }
  return `${text}}`
}

/** Most objects come with their keys in order, or with few of them: looking is cheaper than sorting. */
function sortedKeys(value: Readonly<Record<string, unknown>>): readonly string[] {
  const keys = Object.keys(value)
  for (let i = 1; i < keys.length; i++) if ((keys[i - 1] as string) > (keys[i] as string)) return keys.sort()
  return keys
}

/** @throws as `canonicalJson` does. */
function reference(value: Json): string {
  let text: string | undefined
  try {
    text = canonicalize(value)
  } catch (error) {
    if (error instanceof RangeError) throw error
    throw new TypeError(`the value has no canonical JSON: ${error instanceof Error ? error.message.toLowerCase() : 'unknown reason'}`)
  }
  if (text === undefined) throw new TypeError('the value has no canonical JSON: it is not a JSON value')
  return text
}
