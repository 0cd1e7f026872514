/** Free JSON inside a policy: input schemas and the arguments of examples. Null prototypes, bounded depth, exact numbers. */
import { isMap, isScalar, isSeq } from 'yaml'
import type { Json, JsonObject } from '../../core/json.ts'
import { type Field, keyText, type Reader, rangeOf, wrongType, type YamlNode } from './fields.ts'
import type { Range } from './source.ts'

const MAX_DEPTH = 64

interface Position {
  readonly reader: Reader
  readonly key: Range
  readonly depth: number
}

/** Any JSON value that YAML can write. */
export const json: Field<Json> = {
  expects: 'a JSON value',
  schema: {},
  read: (node, reader, key) => toJson(node, { reader, key, depth: 0 }),
}

/** A JSON object. */
export const jsonObject: Field<JsonObject> = {
  expects: 'a mapping',
  schema: { type: 'object' },
  read: (node, reader, key) =>
    isMap(node) ? (toJson(node, { reader, key, depth: 0 }) as JsonObject | undefined) : wrongType(jsonObject, node, { reader, key }),
}

function toJson(node: YamlNode, position: Position): Json | undefined {
  const { reader, depth } = position
  const key = rangeOf(node, position.key)
  if (depth > MAX_DEPTH) return reader.fail({ code: 'policy.wrong_value', message: `this is nested deeper than ${MAX_DEPTH}`, at: key })
  if (isSeq(node)) return node.items.map((item) => toJson(item as YamlNode, { reader, key, depth: depth + 1 }) ?? null)
  if (isMap(node)) {
    const object: Record<string, Json> = Object.create(null)
    for (const pair of node.items) object[keyText(pair)] = toJson(pair.value as YamlNode, { reader, key, depth: depth + 1 }) ?? null
    return object
  }
  const value: unknown = isScalar(node) ? node.value : null
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number' && Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value))) return value
  return reader.fail({ code: 'policy.wrong_value', message: 'this number cannot be held exactly', help: 'quote it', at: key })
}
