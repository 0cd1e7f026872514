/** The operators of conditions over JSON values: numbers are JSON numbers, clashing types have no answer, steps are paid for. */
import { asBoolean, asNumber, ConditionError, typeName } from './functions.ts'

/** Exhaustion is never absorbed by `||` or `exists`. */
export class BudgetError extends ConditionError {
  override readonly name: string = 'BudgetError'
}

export interface Frame {
  readonly variables: Readonly<Record<string, unknown>>
  readonly locals: unknown[]
  /** Units left; one is about one step or 64 characters looked at. */
  budget: number
}

/** `exists` (wanted true) and `all` (wanted false): an item that decides outweighs items that fail; nothing else does. */
export function quantify(each: readonly (() => unknown)[], wanted: boolean): boolean {
  let failure: unknown = null
  for (const test of each) {
    try {
      if (asBoolean(test()) === wanted) return wanted
    } catch (error) {
      if (error instanceof BudgetError) throw error
      failure ??= error
    }
  }
  if (failure !== null) throw failure
  return !wanted
}

export type Operate = (a: unknown, b: unknown, frame: Frame) => unknown

/** What each binary operator does with two values, `&&` and `||` apart. */
export const OPERATORS: ReadonlyMap<string, Operate> = new Map<string, Operate>([
  ['==', (a, b, frame) => equal(a, b, frame)],
  ['!=', (a, b, frame) => !equal(a, b, frame)],
  ['in', member],
  ['<', (a, b) => order(a, b) < 0],
  ['<=', (a, b) => order(a, b) <= 0],
  ['>', (a, b) => order(a, b) > 0],
  ['>=', (a, b) => order(a, b) >= 0],
  ['+', add],
  ['-', (a, b) => finite(asNumber(a) - asNumber(b))],
  ['*', (a, b) => finite(asNumber(a) * asNumber(b))],
  ['/', (a, b) => finite(asNumber(a) / asNumber(b))],
  ['%', (a, b) => finite(asNumber(a) % asNumber(b))],
])

function finite(value: number): number {
  if (Number.isFinite(value)) return value
  throw new ConditionError('the result is no number')
}

function add(a: unknown, b: unknown): unknown {
  if (typeof a === 'string' && typeof b === 'string') return a + b
  if (Array.isArray(a) && Array.isArray(b)) return [...a, ...b]
  return finite(asNumber(a) + asNumber(b))
}

function order(a: unknown, b: unknown): number {
  if (typeof a === 'string' && typeof b === 'string') return a < b ? -1 : a > b ? 1 : 0
  return asNumber(a) - asNumber(b)
}

/** INVARIANT: text never equals or differs from a number: `"22"` must not slip past a rule about `22`. Null compares with all. */
function equal(a: unknown, b: unknown, frame: Frame): boolean {
  spend(frame, 1)
  if (a === b) return true
  if (a === null || b === null) return false
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((item, place) => equal(item, b[place], frame))
  if (typeof a !== typeof b || Array.isArray(a) || Array.isArray(b))
    throw new ConditionError(`${typeName(a)} cannot be compared with ${typeName(b)}`)
  if (typeof a !== 'object' || typeof b !== 'object') return false
  const keys = Object.keys(a)
  const other = b as Record<string, unknown>
  if (keys.length !== Object.keys(other).length) return false
  return keys.every((key) => Object.hasOwn(other, key) && equal((a as Record<string, unknown>)[key], other[key], frame))
}

function member(item: unknown, container: unknown, frame: Frame): boolean {
  if (!Array.isArray(container)) {
    if (typeof container !== 'object' || container === null)
      throw new ConditionError(`\`in\` needs a list or a mapping, not ${typeName(container)}`)
    return typeof item === 'string' && Object.hasOwn(container, item)
  }
  return quantify(
    container.map((value) => () => equal(item, value, frame)),
    true,
  )
}

/** Takes units off the budget of this evaluation. */
export function spend(frame: Frame, units: number): void {
  frame.budget -= units
  if (frame.budget < 0) throw new BudgetError('the condition takes too many steps on this call')
}

/** Pays for looking at a whole text or list. */
export function charge(frame: Frame, value: unknown): void {
  if (typeof value === 'string' || Array.isArray(value)) spend(frame, value.length >> 6)
}
