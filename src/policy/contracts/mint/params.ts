/** Parameters of a proposed contract: from the tool's schema where there is one, else from what calls have in common. */
import { isJsonObject, type Json, type JsonObject, own } from '../../../core/json.ts'

/** A parameter in the format of the file, as JSON. */
export type DraftParam = JsonObject

const MAX_DEPTH = 3
/** Fewer calls than this say nothing of what every call has. */
const FEWEST_CALLS = 8

/** @param examples arguments of calls that were right. */
export function draftParams(schema: JsonObject | null, examples: readonly JsonObject[]): readonly DraftParam[] {
  const properties = schema === null ? undefined : own(schema, 'properties')
  return isJsonObject(properties) ? fromSchema(schema as JsonObject, properties, 0) : fromCalls(examples)
}

function fromSchema(schema: JsonObject, properties: JsonObject, depth: number): readonly DraftParam[] {
  const required = own(schema, 'required')
  const names = new Set(Array.isArray(required) ? required : [])
  return Object.entries(properties).flatMap(([name, property]) =>
    isJsonObject(property) ? [{ name, ...(names.has(name) ? { required: true } : {}), ...ruleOf(property, depth) }] : [],
  )
}

/** Keywords that say the same in both. Exclusive bounds, references and combinations stay with the schema itself. */
const SAME: readonly (readonly [string, string])[] = [
  ['minimum', 'min'],
  ['maximum', 'max'],
  ['minLength', 'min_length'],
  ['maxLength', 'max_length'],
  ['minItems', 'min_items'],
  ['maxItems', 'max_items'],
  ['pattern', 'pattern'],
]
const TYPES = new Set(['string', 'integer', 'number', 'boolean', 'array', 'object', 'null'])

function typesOf(schema: JsonObject, nullable: boolean): readonly string[] {
  const type = own(schema, 'type')
  const types = (Array.isArray(type) ? type : [type]).filter((each): each is string => typeof each === 'string' && TYPES.has(each))
  return nullable && types.length > 0 && !types.includes('null') ? [...types, 'null'] : types
}

function ruleOf(schema: JsonObject, depth: number): JsonObject {
  const rule: Record<string, Json> = {}
  const nullable = own(schema, 'nullable') === true || own(schema, 'default') === null
  const all = typesOf(schema, nullable)
  if (all.length > 0) rule.type = all.length === 1 ? (all[0] as Json) : [...all]
  const values = own(schema, 'enum')
  if (Array.isArray(values) && values.length > 0) rule.enum = nullable && !values.includes(null) ? [...values, null] : values
  for (const [theirs, ours] of SAME) {
    const value = own(schema, theirs)
    if (typeof value === (theirs === 'pattern' ? 'string' : 'number')) rule[ours] = value as Json
  }
  if (depth < MAX_DEPTH) nest(rule, schema, depth)
  return rule
}

function nest(rule: Record<string, Json>, schema: JsonObject, depth: number): void {
  const items = own(schema, 'items')
  const properties = own(schema, 'properties')
  if (isJsonObject(items)) {
    const inner = ruleOf(items, depth + 1)
    if (Object.keys(inner).length > 0) rule.items = inner
  }
  if (isJsonObject(properties)) {
    const fields = fromSchema(schema, properties, depth + 1)
    if (fields.length > 0) rule.fields = fields
  }
}

function fromCalls(examples: readonly JsonObject[]): readonly DraftParam[] {
  if (examples.length < FEWEST_CALLS) return []
  const names = [...new Set(examples.flatMap((args) => Object.keys(args)))]
  return names.map((name) => {
    const values = examples.flatMap((args) => (Object.hasOwn(args, name) ? [args[name] as Json] : []))
    const types = [...new Set(values.map(typeOf))].toSorted()
    return {
      name,
      ...(values.length === examples.length ? { required: true } : {}),
      type: types.length === 1 ? (types[0] as Json) : types,
    }
  })
}

function typeOf(value: Json): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}
