import { parse } from 'yaml'
import { isJsonObject, type Json, own } from '../../core/json.ts'
import type { Found } from './wrappers-nearest.ts'

/** YAML files of a project as plain values. */

/** UTF-16 units of YAML that are read. */
const LONGEST_YAML = 24_576

const read = new WeakMap<object, Json>()

/** The content of a YAML file as plain values; null where it is none, or too long. */
export function yamlOf(found: Found): Json {
  const key = found.answer ?? found
  const known = read.get(key)
  if (known !== undefined) return known
  let made: Json = null
  try {
    if (found.text.length <= LONGEST_YAML) made = parse(found.text, { maxAliasCount: 32, logLevel: 'silent' }) as Json
  } catch {
    made = null
  }
  read.set(key, made)
  return made
}

/** A field of a mapping; null where there is none. */
export function field(value: Json | undefined, name: string): Json {
  return isJsonObject(value) ? (own(value, name) ?? null) : null
}

/** A sequence, or the one thing that stands in its place. */
export function items(value: Json): readonly Json[] {
  return Array.isArray(value) ? value : value === null ? [] : [value]
}
