import type { Effect } from '../../effect.ts'
import { HOLE, withoutHoles } from '../../resources/text/hole.ts'
import type { FunctionNode } from '../ast.ts'
import { LIMITS } from '../limits.ts'
import type { Environment } from './environment.ts'

/** What a value is known to be while code is followed: constants, places in modules, objects of known types, or unknown. */

/** Where a value may come from. */
export const FROM = {
  network: 1,
  input: 2,
  file: 4,
  socket: 8,
  decoded: 16,
  environment: 32,
  process: 64,
  /** Built from single characters or numbers. */
  spelled: 128,
  /** A function of a module that starts programs, which one is worked out when it runs. */
  computed: 256,
} as const

export interface Taint {
  /** Sum of `FROM` flags. */
  readonly bits: number
  /** The reads and fetches behind it, at most eight. */
  readonly from: readonly Effect[]
}

export const CLEAN: Taint = { bits: 0, from: [] }

interface Tainted {
  readonly taint: Taint
}

/** `pieces` of a partly known text: null stands for an unknown part. */
export type TextValue = Tainted & { readonly kind: 'text'; readonly text: string; readonly bytes: boolean; readonly glob: boolean }
export type PartValue = Tainted & { readonly kind: 'part'; readonly pieces: readonly (string | null)[] }
export type ListValue = Tainted & { readonly kind: 'list'; readonly items: Value[] /** More items may follow. */; open: boolean }
export type DictValue = Tainted & { readonly kind: 'dict'; readonly entries: Map<string, Value>; readonly open: boolean }
export type ObjectValue = Tainted & { readonly kind: 'object'; readonly type: string; readonly fields: Map<string, Value> }

export type Value =
  | TextValue
  | PartValue
  | ListValue
  | DictValue
  | ObjectValue
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'constant'; readonly value: boolean | null }
  /** A name inside a module or a global: `os.system`. */
  | { readonly kind: 'ref'; readonly name: string }
  | { readonly kind: 'method'; readonly self: Value; readonly name: string }
  | { readonly kind: 'function'; readonly fn: FunctionNode; readonly scope: Environment }
  | { readonly kind: 'any'; readonly options: readonly Value[] }

export const UNKNOWN: PartValue = { kind: 'part', pieces: [null], taint: CLEAN }
export const NONE: Value = { kind: 'constant', value: null }

export function text(value: string, taint: Taint = CLEAN, bytes = false): Value {
  if (value.includes(HOLE)) return part(withoutHoles(value), taint)
  return value.length > LIMITS.folded ? part([value.slice(0, 200), null], taint) : { kind: 'text', text: value, bytes, glob: false, taint }
}

export function unknown(taint: Taint): PartValue {
  return taint === CLEAN ? UNKNOWN : { kind: 'part', pieces: [null], taint }
}

export function number(value: number): Value {
  return { kind: 'number', value }
}

export function list(items: readonly Value[], open = false, taint: Taint = CLEAN): ListValue {
  return { kind: 'list', items: [...items], open, taint }
}

export function object(type: string, fields: Readonly<Record<string, Value>> = {}, taint: Taint = CLEAN): ObjectValue {
  return { kind: 'object', type, fields: new Map(Object.entries(fields)), taint }
}

/** Known and unknown pieces of one text; what follows them is one unknown piece. */
const PIECES = 64

/** A text that begins with known pieces; whole where every piece is known. */
export function part(pieces: readonly (string | null)[], taint: Taint): Value {
  const merged: (string | null)[] = []
  for (const piece of pieces) {
    const last = merged.at(-1)
    if (merged.length > 0 && last === null && piece === null) continue
    if (typeof last === 'string' && piece !== null) merged[merged.length - 1] = last + piece
    else if (piece !== '') merged.push(piece)
    if (merged.length >= PIECES) {
      merged.push(null)
      break
    }
  }
  if (merged.length === 0) return text('', taint)
  const only = merged[0]
  return merged.length === 1 && typeof only === 'string' ? text(only, taint) : { kind: 'part', pieces: merged, taint }
}

export function joinTaint(...taints: readonly Taint[]): Taint {
  let bits = 0
  let from: readonly Effect[] = []
  for (const taint of taints) {
    if (taint === CLEAN) continue
    bits |= taint.bits
    if (from.length === 0) from = taint.from
    else if (taint.from.length > 0 && taint.from !== from) from = [...new Set([...from, ...taint.from])].slice(0, 8)
  }
  return bits === 0 && from.length === 0 ? CLEAN : { bits, from }
}

/** Everything that is in a value, looked for a few levels deep. */
export function taintOf(value: Value, depth = 2): Taint {
  switch (value.kind) {
    case 'text':
    case 'part':
      return value.taint
    case 'list':
      return depth === 0 ? value.taint : within(value.taint, value.items, depth)
    case 'dict':
      return depth === 0 ? value.taint : within(value.taint, value.entries.values(), depth)
    case 'object':
      return depth === 0 ? value.taint : within(value.taint, value.fields.values(), depth)
    case 'any':
      return depth === 0 ? CLEAN : joinTaint(...value.options.map((v) => taintOf(v, depth - 1)))
    case 'method':
      return depth === 0 ? CLEAN : taintOf(value.self, depth - 1)
    default:
      return CLEAN
  }
}

/** Values that are looked at for where they come from: of those inside of others fewer. */
const LOOKED_AT = [16, 16, 256] as const

function within(taint: Taint, values: Iterable<Value>, depth: number): Taint {
  const found: Taint[] = []
  let left = LOOKED_AT[depth] ?? 16
  for (const value of values) {
    if (left-- === 0) break
    const one = taintOf(value, depth - 1)
    if (one !== CLEAN) found.push(one)
  }
  return found.length === 0 ? taint : joinTaint(taint, ...found)
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

export function flag(bits: number, from: readonly Effect[] = []): Taint {
  return { bits, from }
}

export function has(value: Value, bits: number): boolean {
  return (taintOf(value).bits & bits) !== 0
}

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

/** The values one value may be. */
export function options(value: Value): readonly Value[] {
  return value.kind === 'any' ? value.options : [value]
}

/** One of several values; too many become unknown. */
export function either(values: readonly Value[]): Value {
  const flat: Value[] = []
  for (const value of values) {
    for (const option of options(value)) if (!flat.some((other) => same(other, option))) flat.push(option)
    if (flat.length > LIMITS.options) return unknown(joinTaint(...flat.map((v) => taintOf(v, 1))))
  }
  const [only] = flat
  if (flat.length === 0) return UNKNOWN
  if (flat.length === 1 && only !== undefined) return only
  return { kind: 'any', options: flat }
}

/** Whether two values are known to be the same; lists and objects are only where they are one. */
export function same(a: Value, b: Value): boolean {
  if (a === b) return true
  if (a.kind === 'text' && b.kind === 'text') return a.text === b.text && a.taint.bits === b.taint.bits
  if (a.kind === 'number' && b.kind === 'number') return a.value === b.value
  if (a.kind === 'constant' && b.kind === 'constant') return a.value === b.value
  if (a.kind === 'ref' && b.kind === 'ref') return a.name === b.name
  return (
    a.kind === 'part' &&
    b.kind === 'part' &&
    a.taint === b.taint &&
    a.pieces.length === 1 &&
    b.pieces.length === 1 &&
    a.pieces[0] === b.pieces[0]
  )
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
