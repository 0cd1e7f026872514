/**
 * How much work a JSON Schema can be, before it is used: references multiply, and a schema of a few lines may cost more steps
 * than there is time. Also refuses references that lead nowhere, which a validator would take for “nothing is valid”.
 */
import { isJsonObject, type Json, type JsonObject, own } from '../../core/json.ts'

export interface SchemaCost {
  /** Evaluations per value at worst, with every reference written out once. */
  readonly steps: number
  /** By how much one level of recursion can multiply them: 1 where nothing recurs more than once. */
  readonly branching: number
}

const MAX_STEPS = 100_000
const MAX_DEPTH = 64

/** The cost, or null where the schema is too costly, too deep, or refers to what is not in it. */
export function costOf(schema: JsonObject): SchemaCost | null {
  const walk = new Walk(schema)
  try {
    const steps = walk.visit(schema, 0)
    return { steps, branching: Math.max(1, walk.recursions) }
  } catch (error) {
    if (error instanceof Unusable) return null
    throw error
  }
}

class Unusable extends Error {
  override readonly name: string = 'Unusable'
}

class Walk {
  recursions = 0
  readonly #root: JsonObject
  readonly #known = new Map<JsonObject, number>()
  readonly #open = new Set<JsonObject>()

  constructor(root: JsonObject) {
    this.#root = root
  }

  visit(schema: Json, depth: number): number {
    if (!isJsonObject(schema)) return 1
    if (depth > MAX_DEPTH) throw new Unusable()
    const known = this.#known.get(schema)
    if (known !== undefined) return known
    if (this.#open.has(schema)) {
      this.recursions++
      return 1
    }
    this.#open.add(schema)
    const steps = this.#steps(schema, depth)
    this.#open.delete(schema)
    if (steps > MAX_STEPS) throw new Unusable()
    this.#known.set(schema, steps)
    return steps
  }

  #steps(schema: JsonObject, depth: number): number {
    let steps = 1
    for (const [key, value] of Object.entries(schema)) {
      if (DYNAMIC.has(key)) throw new Unusable()
      if (key === '$ref') steps += this.visit(this.#target(value), depth + 1)
      else if (ONE.has(key)) steps += WEIGHT(key) * this.#list(Array.isArray(value) ? value : [value], depth)
      else if (MANY.has(key)) steps += this.#list(Array.isArray(value) ? value : [], depth)
      else if (NAMED.has(key) && isJsonObject(value)) steps += this.#list(Object.values(value), depth)
    }
    return steps
  }

  #list(schemas: readonly Json[], depth: number): number {
    return schemas.reduce((sum: number, each) => sum + (Array.isArray(each) ? 1 : this.visit(each, depth + 1)), 0)
  }

  /** Only pointers into this very schema: nothing is fetched, and no other base is followed. */
  #target(reference: Json): Json {
    if (typeof reference !== 'string' || !reference.startsWith('#') || own(this.#root, '$id') !== undefined) throw new Unusable()
    let current: Json | undefined = this.#root
    for (const part of reference.slice(1).split('/').slice(1)) {
      const key = decode(part)
      current = Array.isArray(current) ? (current[Number(key)] as Json | undefined) : isJsonObject(current) ? own(current, key) : undefined
    }
    if (!isJsonObject(current) && typeof current !== 'boolean') throw new Unusable()
    if (reference.length > 1 && !reference.startsWith('#/')) throw new Unusable()
    return current
  }
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~')
  } catch {
    throw new Unusable()
  }
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '))
/** References whose target depends on the way that led to them. */
const DYNAMIC = words('$dynamicRef $recursiveRef')
const ONE = words(
  'items additionalItems additionalProperties propertyNames contains not if then else unevaluatedItems unevaluatedProperties',
)
const MANY = words('allOf anyOf oneOf prefixItems')
// Definitions cost only where they are referred to, but a pointer may lead anywhere, so they are checked like the rest.
const NAMED = words('properties patternProperties dependentSchemas dependencies')
/** `contains` is evaluated again for its bounds. */
const WEIGHT = (key: string): number => (key === 'contains' ? 3 : 1)
