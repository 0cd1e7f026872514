/** A compiled policy as plain data, and back. The data may be cloned by structure: maps, sets and what is shared stay as they are. */
import type { Policy } from '../policy.ts'
import { makeAgain } from './makers.ts'
import { type Recipe, recipeOf } from './recipes.ts'

/** No key of a policy: its names hold no such character. */
const RECIPE = '\u0000recipe'

/** Null where a part of the policy cannot be made again. */
export function toData(policy: Policy): unknown {
  const known = new Map<object, unknown>()
  try {
    return write(policy, known)
  } catch (error) {
    if (error instanceof Unkept) return null
    throw error
  }
}

/** Throws where the data is none of a policy. */
export function fromData(data: unknown): Policy {
  return read(data, new Map()) as Policy
}

class Unkept extends Error {}

function write(value: unknown, known: Map<object, unknown>): unknown {
  if (typeof value !== 'object' && typeof value !== 'function') return value
  if (value === null) return null
  const before = known.get(value)
  if (before !== undefined) return before
  const recipe = recipeOf(value)
  if (recipe !== undefined) {
    const kept: Record<string, unknown> = { [RECIPE]: recipe.name, given: [] }
    known.set(value, kept)
    kept.given = recipe.given.map((each) => write(each, known))
    return kept
  }
  if (value instanceof Map || value instanceof Set) return writeCollection(value, known)
  if (Array.isArray(value)) {
    const kept: unknown[] = []
    known.set(value, kept)
    for (const each of value) kept.push(write(each, known))
    return kept
  }
  return writeObject(value, known)
}

function writeCollection(value: ReadonlyMap<unknown, unknown> | ReadonlySet<unknown>, known: Map<object, unknown>): unknown {
  if (value instanceof Map) {
    const kept = new Map<unknown, unknown>()
    known.set(value, kept)
    for (const [key, each] of value) kept.set(write(key, known), write(each, known))
    return kept
  }
  const kept = new Set<unknown>()
  known.set(value, kept)
  for (const each of value.values()) kept.add(write(each, known))
  return kept
}

function writeObject(value: object, known: Map<object, unknown>): unknown {
  const prototype: unknown = Object.getPrototypeOf(value)
  if ((prototype !== Object.prototype && prototype !== null) || Object.hasOwn(value, '__proto__')) throw new Unkept()
  const kept: Record<string, unknown> = {}
  known.set(value, kept)
  for (const [key, each] of Object.entries(value)) kept[key] = write(each, known)
  return kept
}

/** In place: the data is nobody else's. */
function read(value: unknown, known: Map<object, unknown>): unknown {
  if (typeof value !== 'object' || value === null) return value
  const before = known.get(value)
  if (before !== undefined) return before
  if (RECIPE in value) {
    const { [RECIPE]: name, given } = value as { [RECIPE]: Recipe['name']; given: readonly unknown[] }
    const again = makeAgain({ name, given: given.map((each) => read(each, known)) })
    known.set(value, again)
    return again
  }
  known.set(value, value)
  if (value instanceof Map) {
    for (const [key, each] of value) if (isObject(each)) value.set(key, read(each, known))
  } else if (Array.isArray(value)) {
    for (const [at, each] of value.entries()) if (isObject(each)) value[at] = read(each, known)
  } else if (!(value instanceof Set)) {
    const fields = value as Record<string, unknown>
    for (const key of Object.keys(fields)) if (isObject(fields[key])) fields[key] = read(fields[key], known)
  }
  return value
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
