/** JSON as data. Objects that came from outside have a null prototype (T06). */
export type JsonPrimitive = string | number | boolean | null
/** A value of JSON (RFC 8259). */
export type Json = JsonPrimitive | readonly Json[] | JsonObject
/** An object of JSON, without a prototype where it came from outside. */
export interface JsonObject {
  readonly [key: string]: Json
}

/** JSON text as it is, without the strictness of the reader of calls: files of a project, stored rows; undefined where it is none. */
export function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}

/** True for a JSON object, false for arrays, null and primitives. */
export function isJsonObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The own property `key`, never one inherited: a tool named `constructor` is just an unknown tool (H14). */
export function own(object: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined
}

/** The JSON pointer (RFC 6901) of a member or element below `parent`; the whole document is the empty string. */
export function childPointer(parent: string, key: string | number): string {
  if (typeof key === 'number' || !/[~/]/.test(key)) return `${parent}/${key}`
  return `${parent}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`
}

/** The value at a JSON pointer (RFC 6901); undefined where it leads nowhere. */
export function atPointer(root: Json, pointer: string): Json | undefined {
  let value: Json | undefined = root
  for (const token of pointer.split('/').slice(1)) {
    const key = token.replaceAll('~1', '/').replaceAll('~0', '~')
    if (Array.isArray(value)) value = value[Number(key)]
    else if (isJsonObject(value)) value = own(value, key)
    else return undefined
  }
  return value
}
