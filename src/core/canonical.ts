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
  const keys = Object.keys(value)
  if (keys.length === 0) return '{}'
  const shape = shapeOf(keys)
  if (shape === null) return null
  let text = ''
  for (let i = 0; i < keys.length; i++) {
    const item = write(value[shape.sorted[i] as string], depth)
    if (item === null) return null
    text += (shape.before[i] as string) + item
  }
  return `${text}}`
}

/** Keys of an object as they came, in the order that they are written in, and what stands before the value of each. */
interface Shape {
  readonly keys: readonly string[]
  readonly sorted: readonly string[]
  /** The key in quotation marks with its colon, behind the comma or the brace. */
  readonly before: readonly string[]
}

/**
 * Records, effects and events have the same few shapes again and again: each is sorted and quoted once. Found by the first key. Bounded in
 * number and length, for arguments of calls have keys, too.
 */
const SHAPES = new Map<string, Shape[]>()
const MAX_FIRST_KEYS = 512
const MAX_ALIKE = 16
const MAX_KEPT_KEYS = 32
const LONGEST_KEPT_KEY = 32

function shapeOf(keys: readonly string[]): Shape | null {
  const alike = SHAPES.get(keys[0] as string)
  if (alike !== undefined) for (const shape of alike) if (hasKeys(shape, keys)) return shape
  const shape = shaped(keys)
  if (shape !== null && keys.length <= MAX_KEPT_KEYS && keys.every((key) => key.length <= LONGEST_KEPT_KEY)) keep(shape, alike)
  return shape
}

function keep(shape: Shape, alike: Shape[] | undefined): void {
  if (alike === undefined) {
    if (SHAPES.size >= MAX_FIRST_KEYS) SHAPES.clear()
    SHAPES.set(shape.keys[0] as string, [shape])
    return
  }
  if (alike.length >= MAX_ALIKE) alike.length = 0
  alike.push(shape)
}

function hasKeys(shape: Shape, keys: readonly string[]): boolean {
  if (shape.keys.length !== keys.length) return false
  for (let i = 0; i < keys.length; i++) if (shape.keys[i] !== keys[i]) return false
  return true
}

/** Null: a key is not for this file to write. */
function shaped(keys: readonly string[]): Shape | null {
  const sorted = keys.toSorted(byCodeUnits)
  const before: string[] = []
  for (const key of sorted) {
    const name = quoted(key)
    if (name === null) return null
    before.push(`${before.length === 0 ? '{' : ','}${name}:`)
  }
  return { keys, sorted, before }
}

function byCodeUnits(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
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
