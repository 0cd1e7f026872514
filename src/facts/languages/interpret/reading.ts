import { LIMITS } from '../limits.ts'
import { CLEAN, either, joinTaint, number, PIECES, part, type Taint, taintOf, text, UNKNOWN, unknown, type Value } from './value.ts'

/** What is known of a value: its text, its pieces, its items, where it comes from. */

/** The text a value certainly is, or null. */
export function known(value: Value | undefined): string | null {
  if (value === undefined) return null
  if (value.kind === 'text') return value.text
  if (value.kind === 'number') return String(value.value)
  if (value.kind === 'object') {
    const whole = value.fields.get('text')
    return whole === undefined ? null : known(whole)
  }
  return null
}

/** The pieces of a value as text: an unknown value is one unknown piece. */
export function pieces(value: Value): readonly (string | null)[] {
  switch (value.kind) {
    case 'text':
      return [value.text]
    case 'part':
      return value.pieces
    case 'number':
      return [String(value.value)]
    case 'object': {
      const whole = value.fields.get('text')
      return whole === undefined ? [null] : pieces(whole)
    }
    default:
      return [null]
  }
}

/** Where any of these values comes from. */
export function taintOfAll(values: Iterable<Value>, taint: Taint = CLEAN): Taint {
  let all = taint
  for (const value of values) {
    const one = taintOf(value)
    if (one !== CLEAN) all = all === CLEAN ? one : joinTaint(all, one)
  }
  return all
}

/** Texts one after the other. */
export function concat(values: readonly Value[]): Value {
  if (values.every((value) => value === UNKNOWN)) return values.length === 0 ? text('') : UNKNOWN
  const taint = taintOfAll(values)
  const [only] = values
  // Whatever follows is in its last piece.
  if (only?.kind === 'part' && only.pieces.length > PIECES) return { ...only, taint }
  if (values.length === 1 && only?.kind === 'text') return only
  const glob = values.some((v) => v.kind === 'text' && v.glob)
  const whole = part(
    values.flatMap((v) => pieces(v)),
    taint,
  )
  return glob && whole.kind === 'text' ? { ...whole, glob: true } : whole
}

/** Items of a list or the characters of a text, or null where they are not all known. */
export function itemsOf(value: Value): readonly Value[] | null {
  if (value.kind === 'list') return value.open ? null : value.items
  if (value.kind === 'text') {
    if (value.glob) return null
    if (value.text.length > LIMITS.items) return null
    if (value.bytes) return [...value.text].map((c) => number(c.charCodeAt(0)))
    return [...value.text].map((c) => text(c, value.taint))
  }
  if (value.kind === 'dict') return value.open ? null : [...value.entries.keys()].map((key) => text(key, value.taint))
  return null
}

/** What any item of a value may be. */
export function elementOf(value: Value): Value {
  if (value.kind === 'list')
    return value.open ? either([...value.items.slice(0, LIMITS.options), unknown(value.taint)]) : either(value.items)
  if (value.kind === 'text' && value.glob) return value
  if (value.kind === 'object') return value.fields.get('each') ?? unknown(value.taint)
  if (value.kind === 'any') return either(value.options.map(elementOf))
  return unknown(taintOf(value))
}

export function has(value: Value, bits: number): boolean {
  return (taintOf(value).bits & bits) !== 0
}

export function tainted(value: Value, taint: Taint): Value {
  if (taint === CLEAN) return value
  switch (value.kind) {
    case 'text':
    case 'part':
    case 'list':
    case 'dict':
    case 'object':
      return { ...value, taint: joinTaint(value.taint, taint) }
    case 'number':
    case 'constant':
      return value
    default:
      return value
  }
}
