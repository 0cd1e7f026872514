/** Field by field reading of a JSON object whose shape is fixed: every type checked, every unknown field refused. */
import { isJsonObject, type Json, type JsonObject, own } from '../core/json.ts'
import { type Fault, type IngressCode, quote } from './refusal.ts'

/** The longest name of a tool, a server, a principal, a session or a call, in UTF-16 code units. */
export const LONGEST_NAME = 256

/** Carries the first fault of a shape out to whoever reads it. */
export class ShapeFault {
  readonly fault: Fault
  constructor(code: IngressCode, path: readonly (string | number)[], texts: { what: string; help: string }) {
    this.fault = { code, path, offset: null, ...texts }
  }
}

/** One object being read; every method throws a `ShapeFault` for what does not fit. */
export class Shape {
  private readonly object: JsonObject
  private readonly path: readonly (string | number)[]

  /** @param fields the only keys the object may have */
  constructor(value: Json, path: readonly (string | number)[], fields: readonly string[]) {
    if (!isJsonObject(value)) throw wrongType(path, 'an object', value)
    this.object = value
    this.path = path
    for (const key of Object.keys(value)) {
      if (fields.includes(key)) continue
      const what = `the field ${quote(key)} is not known`
      throw new ShapeFault('ingress.unknown_field', [...path, key], { what, help: `leave it out; known fields: ${fields.join(', ')}` })
    }
  }

  /** The field, or null where it is absent or null. */
  optional(key: string): Json {
    return own(this.object, key) ?? null
  }

  /** The field, present (it may be null). */
  required(key: string): Json {
    const value = own(this.object, key)
    if (value !== undefined) return value
    throw new ShapeFault('ingress.missing_field', [...this.path, key], { what: `the field \`${key}\` is missing`, help: `add \`${key}\`` })
  }

  at(key: string): readonly (string | number)[] {
    return [...this.path, key]
  }

  text(key: string, longest: number = Number.POSITIVE_INFINITY): string | null {
    const value = this.optional(key)
    if (value === null) return null
    if (typeof value !== 'string') throw wrongType(this.at(key), 'a string or null', value)
    if (value.length > longest || value.includes('\0')) throw badName(this.at(key), longest)
    return value
  }

  name(key: string): string | null {
    const value = this.optional(key)
    return value === null ? null : nameOf(value, this.at(key))
  }

  objectOrNull(key: string): JsonObject | null {
    const value = this.optional(key)
    if (value === null || isJsonObject(value)) return value
    throw wrongType(this.at(key), 'an object or null', value)
  }

  list(key: string): readonly Json[] {
    const value = this.optional(key)
    if (value === null) return []
    if (!Array.isArray(value)) throw wrongType(this.at(key), 'an array', value)
    return value
  }
}

/** Everything without a shape of its own: such a character makes two different names look alike (T11). */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u

/** A name, exact bytes: visible, not blank, at most 256 UTF-16 code units. */
export function nameOf(value: Json, path: readonly (string | number)[]): string {
  if (typeof value !== 'string') throw wrongType(path, 'a string', value)
  if (value.length > LONGEST_NAME || value.trim() === '' || UNSEEN.test(value)) throw badName(path, LONGEST_NAME)
  return value
}

function badName(path: readonly (string | number)[], longest: number): ShapeFault {
  const what = `the text of ${quote(String(path.at(-1)))} is empty, too long, or holds characters that a reader cannot see`
  return new ShapeFault('ingress.bad_name', path, { what, help: `use at most ${longest} visible characters` })
}

export function wrongType(path: readonly (string | number)[], expected: string, found: Json): ShapeFault {
  const where = path.length === 0 ? 'the call' : `the field ${quote(String(path.at(-1)))}`
  const kind = found === null ? 'null' : Array.isArray(found) ? 'an array' : typeof found === 'object' ? 'an object' : `a ${typeof found}`
  return new ShapeFault('ingress.wrong_type', path, { what: `${where} must be ${expected}, not ${kind}`, help: `send ${expected}` })
}
