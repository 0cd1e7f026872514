import type { FunctionNode } from '../ast.ts'
import type { Passed } from './run.ts'
import { same, UNKNOWN, type Value } from './value.ts'

/** How often a function is followed inside itself with what it is passed, before its texts are taken to be anything. */
const FOLLOWED = 2

/** A call of a function of the program that is being followed. */
export interface Entered {
  readonly fn: FunctionNode
  readonly passed: Passed
  /** How often variables outside of functions had been changed by then. */
  readonly changes: number
}

/**
 * What a function is followed with where it is being followed already, with the calls it is within from the outermost
 * on; null where that shows nothing new. It is entered once with what it is passed, and once more with anything in place
 * of known texts, as in `f(a, b)` that calls `f(b, "rm -rf ~")`. Numbers that change are counters: they may be anything.
 */
export function recursion(within: readonly Entered[], passed: Passed, changes: number): Passed | null {
  const counted = each(passed, (value, key) => (value.kind === 'number' && isNew(value, key, within) ? UNKNOWN : value))
  if (within.length < FOLLOWED) {
    const isNewCall = changes !== within.at(-1)?.changes || entries(counted).some(([key, value]) => isNew(value, key, within))
    return isNewCall ? counted : null
  }
  if (within.length > FOLLOWED || !entries(counted).some(([key, value]) => holdsText(value) && isNew(value, key, within))) return null
  return each(counted, (value) => (holdsText(value) ? UNKNOWN : value))
}

type Key = number | string

function entries({ args, named }: Passed): readonly (readonly [Key, Value])[] {
  return [...args.entries(), ...named]
}

function each(passed: Passed, change: (value: Value, key: Key) => Value): Passed {
  const named = new Map([...passed.named].map(([name, value]) => [name, change(value, name)]))
  return { ...passed, args: passed.args.map(change), named }
}

function isNew(value: Value, key: Key, within: readonly Entered[]): boolean {
  return !within.some(({ passed }) => {
    const other = typeof key === 'number' ? passed.args[key] : passed.named.get(key)
    return other !== undefined && same(value, other)
  })
}

function holdsText(value: Value, depth = 3): boolean {
  if (value.kind === 'text') return !value.glob
  if (depth === 0) return false
  if (value.kind === 'list') return value.items.some((item) => holdsText(item, depth - 1))
  if (value.kind === 'dict') return [...value.entries.values()].some((item) => holdsText(item, depth - 1))
  return value.kind === 'any' && value.options.some((item) => holdsText(item, depth - 1))
}
