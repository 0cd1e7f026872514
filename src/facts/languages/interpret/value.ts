import type { Effect } from '../../effect.ts'
import { HOLE, withoutHoles } from '../../resources/text/hole.ts'
import type { FunctionNode } from '../ast.ts'
import { LIMITS } from '../limits.ts'

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
export const PIECES = 64

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

export function flag(bits: number, from: readonly Effect[] = []): Taint {
  return { bits, from }
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
  return a.kind === 'part' && b.kind === 'part' && samePart(a, b)
}

type Part = Extract<Value, { kind: 'part' }>

function samePart(a: Part, b: Part): boolean {
  return a.taint === b.taint && a.pieces.length === 1 && b.pieces.length === 1 && a.pieces[0] === b.pieces[0]
}

/** Variables while code is followed. A branch writes into a layer of its own, which is merged when it ends. */
export class Environment {
  private readonly variables = new Map<string, Value>()
  /** How often a function changed what is outside of it. */
  changes = 0
  readonly parent: Environment | null
  /** Assignments of a branch stay in it until they are merged; those of a function are its own. */
  private readonly kind: 'plain' | 'branch' | 'function'

  constructor(parent: Environment | null = null, kind: 'plain' | 'branch' | 'function' = 'plain') {
    this.parent = parent
    this.kind = kind
  }

  get(name: string): Value | undefined {
    let scope: Environment | null = this
    while (scope !== null) {
      const value = scope.variables.get(name)
      if (value !== undefined) return value
      scope = scope.parent
    }
    return undefined
  }

  set(name: string, value: Value): void {
    this.variables.set(name, value)
  }

  /** Assigns where the name is known; a variable outside the function may then be either. */
  assign(name: string, value: Value): void {
    // Ruby's instance variables outlive the method.
    if (name.startsWith('@')) {
      this.keep(name, value)
      return
    }
    let scope: Environment = this
    while (!scope.variables.has(name) && scope.kind === 'plain' && scope.parent !== null) scope = scope.parent
    if (scope.kind === 'function' && !scope.variables.has(name)) scope.parent?.weaken(name, value)
    scope.variables.set(name, value)
  }

  private keep(name: string, value: Value): void {
    let scope: Environment = this
    while (scope.parent !== null) scope = scope.parent
    const old = scope.variables.get(name)
    scope.variables.set(name, old === undefined ? value : either([old, value]))
  }

  private weaken(name: string, value: Value): void {
    let scope: Environment | null = this
    while (scope !== null) {
      const old = scope.variables.get(name)
      if (old !== undefined) {
        scope.variables.set(name, either([old, value]))
        this.root().changes++
        return
      }
      scope = scope.parent
    }
  }

  root(): Environment {
    let scope: Environment = this
    while (scope.parent !== null) scope = scope.parent
    return scope
  }

  /** Each variable for which this holds may be anything from now on, wherever it stands. */
  blur(concerns: (name: string, value: Value) => boolean): void {
    for (let scope: Environment | null = this; scope !== null; scope = scope.parent)
      for (const [name, value] of scope.variables) if (concerns(name, value)) scope.variables.set(name, either([value, UNKNOWN]))
  }

  /** Whether one of the variables of this branch is something else than it was outside, such as the next round of a loop finds. */
  differs(): boolean {
    for (const [name, value] of this.variables) {
      const before = this.parent?.get(name)
      if (before === undefined || before === value || value.kind === 'number' || value.kind === 'list' || value.kind === 'dict') continue
      if (either([before, value]).kind === 'any') return true
    }
    return false
  }

  /** Texts that this branch assigned are anything from now on where it came from, as behind many more rounds of a loop. */
  loosen(): void {
    for (const name of this.variables.keys()) {
      const before = this.parent?.get(name)
      if (before !== undefined && options(before).some(({ kind }) => kind === 'text')) this.parent?.set(name, UNKNOWN)
    }
  }

  /** Takes over what branches left behind: each variable may be what any of them made it, or what it was before. */
  merge(branches: readonly Environment[], before: boolean): void {
    if (branches.every((b) => b.variables.size === 0)) return
    const names = new Set(branches.flatMap((b) => [...b.variables.keys()]))
    for (const name of names) {
      const values = branches.map((b) => b.variables.get(name)).filter((v) => v !== undefined)
      const old = this.get(name)
      const kept = old !== undefined && (before || values.length < branches.length)
      this.set(name, either(kept ? [old, ...values] : values))
    }
  }

  names(): readonly string[] {
    return [...this.variables.keys()]
  }
}
