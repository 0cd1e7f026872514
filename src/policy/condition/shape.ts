/**
 * The names a condition may use, each with its type and, where there is one, its closed vocabulary. The type checker, the
 * vocabulary check and the reference page all read this one table.
 */
import { CERTAINTIES, PATH_CLASSES, SCOPES, TARGET_KINDS, VERBS } from '../../core/effect.ts'
import { isJsonObject, type Json, type JsonObject, own } from '../../core/json.ts'

export type Shape =
  | { readonly type: 'string'; readonly words?: readonly string[]; readonly wordsOf?: string; readonly names?: NamedKind }
  | { readonly type: 'number' | 'bool' | 'dyn' }
  | { readonly type: 'list'; readonly of: Shape }
  | RecordShape

/** What texts of a kind name, where the list of them is open: a name that is not on it is worth a warning. */
export type NamedKind = 'tool' | 'action'

export interface RecordShape {
  readonly type: 'record'
  readonly name: string
  readonly fields: ReadonlyMap<string, Shape>
  /** True where other fields may be there, too. */
  readonly open: boolean
  /** True where a field that is absent reads as null instead of failing. */
  readonly absentIsNull: boolean
}

const STRING: Shape = { type: 'string' }
const BOOL: Shape = { type: 'bool' }
export const DYN: Shape = { type: 'dyn' }

const words = (wordsOf: string, list: readonly string[]): Shape => ({ type: 'string', words: list, wordsOf })
const list = (of: Shape): Shape => ({ type: 'list', of })

function closed(name: string, fields: Readonly<Record<string, Shape>>): RecordShape {
  return { type: 'record', name, fields: new Map(Object.entries(fields)), open: false, absentIsNull: false }
}

/** A mapping of which nothing is known. */
export function anyMap(name: string, absentIsNull = false): RecordShape {
  return { type: 'record', name, fields: new Map(), open: true, absentIsNull }
}

const TARGET = closed('Target', {
  kind: words('target kind', TARGET_KINDS),
  value: STRING,
  real: STRING,
  scope: words('scope', SCOPES),
  classes: list(words('path class', PATH_CLASSES)),
})

const EFFECT = closed('Effect', {
  verb: words('verb', VERBS),
  action: { type: 'string', names: 'action' },
  target: TARGET,
  reversible: BOOL,
  certainty: words('certainty', CERTAINTIES),
  reason: STRING,
  attributes: anyMap('Attributes', true),
})

const COMMAND = closed('Command', { program: STRING, argv: list(STRING), wrappers: list(STRING), text: STRING })
const PRINCIPAL = closed('Principal', { agent: STRING, role: STRING, user: STRING, tenant: STRING, chain: list(STRING) })

/** Every variable of a condition; `args` is replaced where the tool's input schema is known. */
export const VARIABLES: ReadonlyMap<string, Shape> = new Map<string, Shape>([
  ['tool', { type: 'string', names: 'tool' }],
  ['server', STRING],
  ['args', anyMap('Arguments')],
  ['principal', PRINCIPAL],
  ['session', STRING],
  ['cwd', STRING],
  ['effects', list(EFFECT)],
  ['commands', list(COMMAND)],
  ['coverage', words('coverage', ['full', 'partial'])],
])

/** What a JSON Schema says of the arguments, as far as a condition can be checked against it; unknown parts are `dyn`. */
export function shapeOfSchema(schema: Json | undefined, name = 'Arguments', depth = 0): Shape {
  if (!isJsonObject(schema ?? null) || depth > 8) return depth === 0 ? anyMap(name) : DYN
  const object = schema as JsonObject
  const type = own(object, 'type')
  if (type === 'object' || (depth === 0 && type === undefined)) return recordOfSchema(object, name, depth)
  if (type === 'array') return list(shapeOfSchema(own(object, 'items'), `${name}Item`, depth + 1))
  if (type === 'string') return stringOfSchema(object, name)
  if (type === 'number' || type === 'integer') return { type: 'number' }
  return type === 'boolean' ? BOOL : DYN
}

function recordOfSchema(schema: JsonObject, name: string, depth: number): RecordShape {
  const properties = own(schema, 'properties')
  if (!isJsonObject(properties ?? null)) return anyMap(name)
  const fields = new Map<string, Shape>()
  for (const [key, value] of Object.entries(properties as JsonObject)) fields.set(key, shapeOfSchema(value, `${name}_${key}`, depth + 1))
  const additional = own(schema, 'additionalProperties')
  const composed = ['anyOf', 'oneOf', 'allOf', '$ref', 'patternProperties'].some((key) => own(schema, key) !== undefined)
  return { type: 'record', name, fields, open: composed || (additional !== undefined && additional !== false), absentIsNull: false }
}

function stringOfSchema(schema: JsonObject, name: string): Shape {
  const values = own(schema, 'enum')
  if (!Array.isArray(values) || !values.every((value) => typeof value === 'string')) return STRING
  return words(`value of \`${name.replace(/^Arguments_/, '')}\``, values)
}
