/** The schema floor: L1 types, L2 presence, L3 values, in the words of the seed; nested fields and further bounds beyond it. */
import { isJsonObject, type Json, type JsonObject, own } from '../../core/json.ts'
import { isDay, isInstant } from './dates.ts'
import type { Format, Param, ParamType, ValueRule } from './model.ts'
import { equal, show } from './operand.ts'

export type Rung = 'L1' | 'L2' | 'L3' | 'L4' | 'schema'

export interface FloorViolation {
  readonly rung: Rung
  readonly text: string
  /** For the agent, where it is another: patterns are the gate's own (T53). */
  readonly note?: string
}

/** More violations of one call than this tell nobody anything new. */
export const MAX_VIOLATIONS = 20

/** Everything that is mechanically wrong with the arguments; empty says nothing about the call. */
export function schemaFloor(args: JsonObject, params: readonly Param[], closed: boolean): readonly FloorViolation[] {
  const found: FloorViolation[] = []
  checkFields(args, params, { prefix: '', found })
  if (closed) {
    const known = new Set(params.map((param) => param.name))
    for (const name of Object.keys(args))
      if (!known.has(name)) found.push({ rung: 'L2', text: `'${name}' is not an argument of this tool` })
  }
  return found.slice(0, MAX_VIOLATIONS)
}

interface Position {
  readonly prefix: string
  readonly found: FloorViolation[]
}

function checkFields(object: JsonObject, params: readonly Param[], { prefix, found }: Position): void {
  for (const param of params) {
    const name = `${prefix}${param.name}`
    const value = own(object, param.name)
    if (value !== undefined) checkValue(value, param, { prefix: name, found })
    // Presence is presence of the key: an explicit null counts as given.
    else if (param.required) found.push({ rung: 'L2', text: `missing required '${name}'` })
  }
}

function checkValue(value: Json, rule: ValueRule, { prefix: name, found }: Position): void {
  if (found.length >= MAX_VIOLATIONS) return
  if (rule.types.length > 0 && !rule.types.some((type) => IS[type](value))) {
    found.push({ rung: 'L1', text: `'${name}' should be ${rule.types.join(' or ')}` })
    return
  }
  for (const wrong of wrongs(value, rule)) found.push({ rung: 'L3', text: `'${name}' ${wrong}` })
  if (typeof value === 'string' && rule.pattern !== null && !rule.pattern.test(value)) {
    found.push({ rung: 'L3', text: `'${name}' does not match ${rule.pattern.text}`, note: `'${name}' has not the form it needs` })
  }
  if (isJsonObject(value) && rule.fields.length > 0) checkFields(value, rule.fields, { prefix: `${name}.`, found })
  if (rule.items === null || !Array.isArray(value)) return
  for (const [index, item] of value.entries()) checkValue(item as Json, rule.items, { prefix: `${name}[${index}]`, found })
}

const IS: Readonly<Record<ParamType, (value: Json) => boolean>> = {
  string: (value) => typeof value === 'string',
  integer: (value) => Number.isInteger(value),
  number: (value) => typeof value === 'number',
  boolean: (value) => typeof value === 'boolean',
  array: (value) => Array.isArray(value),
  object: (value) => isJsonObject(value),
  null: (value) => value === null,
}

function wrongs(value: Json, rule: ValueRule): readonly string[] {
  const found: string[] = []
  if (rule.enum !== null && !rule.enum.some((each) => equal(each, value))) found.push(`not in enum ${show(rule.enum)}`)
  if (typeof value === 'number') outside(value, { min: rule.min, max: rule.max, what: '' }, found)
  else if (typeof value === 'string') wrongText(value, rule, found)
  else if (Array.isArray(value)) outside(value.length, { min: rule.minItems, max: rule.maxItems, what: 'number of items ' }, found)
  return found
}

function wrongText(value: string, rule: ValueRule, found: string[]): void {
  if (rule.minLength !== null || rule.maxLength !== null) {
    outside([...value].length, { min: rule.minLength, max: rule.maxLength, what: 'length ' }, found)
  }
  if (rule.format !== null && !FORMATTED[rule.format](value)) found.push(`is not a ${rule.format}`)
}

interface Bounds {
  readonly min: number | null
  readonly max: number | null
  readonly what: string
}

function outside(value: number, { min, max, what }: Bounds, found: string[]): void {
  if (max !== null && value > max) found.push(`${what}exceeds max ${max}`)
  if (min !== null && value < min) found.push(`${what}is below min ${min}`)
}

const FORMATTED: Readonly<Record<Format, (text: string) => boolean>> = {
  date: isDay,
  'date-time': isInstant,
  currency: (text) => /^[A-Z]{3}$/.test(text),
}
