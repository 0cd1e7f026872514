import type { Json } from '../../../core/json.ts'
import type { Value } from './value.ts'

/** How deep a value is looked into. */
const MAX_DEPTH = 8

/** A value as JSON: null where JSON itself has null, undefined where a part is not known. */
export function exactJson(value: Value, depth = 0): Json | undefined {
  if (depth > MAX_DEPTH) return undefined
  if (value.kind === 'text') return value.text
  if (value.kind === 'number' || value.kind === 'constant') return value.value
  if (value.kind === 'list') {
    const items = value.open ? [undefined] : value.items.map((item) => exactJson(item, depth + 1))
    return items.every((item) => item !== undefined) ? items : undefined
  }
  if (value.kind !== 'dict' || value.open) return undefined
  const made: Record<string, Json> = Object.create(null)
  for (const [key, item] of value.entries) {
    const json = exactJson(item, depth + 1)
    if (json === undefined) return undefined
    made[key] = json
  }
  return made
}
