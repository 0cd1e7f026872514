/**
 * A tool's own JSON Schema (drafts 7 and 2020-12) on its arguments. The schema comes from whoever offers the tool, so it is
 * data of an attacker: no code is generated from it, its patterns run in linear time, and a schema whose evaluation could
 * explode, or that refers to what is not there, is not used at all. `format` is an annotation, as the specification says.
 */
import { RE2JS } from 're2js'
import { Check, Errors } from 'typebox/schema'
import { isJsonObject, type Json, type JsonObject, own } from '../../core/json.ts'
import { costOf } from './schema-cost.ts'

export interface PreparedSchema {
  /** What is wrong with the arguments, in words; empty says nothing about the call; null where it cannot be told. */
  readonly check: (args: JsonObject) => readonly string[] | null
}

export interface SchemaOptions {
  /** True: an argument that the schema does not name is wrong, unless the schema itself settles it. */
  readonly closed: boolean
}

/** Steps that one evaluation may take at worst. */
const BUDGET = 5_000_000
const MAX_ERRORS = 8

/** Prepares a schema; null where it cannot be used. */
export function prepareSchema(schema: JsonObject, { closed }: SchemaOptions): PreparedSchema | null {
  const cost = costOf(schema)
  if (cost === null) return null
  let rewritten: Rewritten
  try {
    rewritten = rewrite(schema, 0, { loose: false }) as Rewritten
  } catch {
    return null
  }
  const names = closed ? closedNames(schema) : null
  return {
    check: (args) => {
      const { nodes, depth } = measure(args)
      if (cost.steps * nodes * cost.branching ** Math.min(depth, 64) > BUDGET) return null
      try {
        const unknown = names === null ? [] : Object.keys(args).filter((name) => !names.has(name))
        const bare = withoutPrototypes(args) as JsonObject
        const wrong = Check(rewritten, bare) ? [] : messages(rewritten, bare)
        return [...wrong, ...unknown.map((name) => `'${name}' is not an argument of this tool`)].slice(0, MAX_ERRORS)
      } catch {
        return null
      }
    },
  }
}

type Rewritten = Readonly<Record<string, unknown>>

/** Keywords that hold one schema, a list of them, or schemas by name. Everything else is copied as data. */
const SCHEMAS: ReadonlySet<string> = new Set(
  (
    'additionalProperties additionalItems propertyNames unevaluatedProperties unevaluatedItems items contains not if then else ' +
    'allOf anyOf oneOf prefixItems properties patternProperties $defs definitions dependentSchemas dependencies'
  ).split(' '),
)
const BY_NAME: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
  'dependencies',
])
const MAX_DEPTH = 64

/** True once anything was left out: what holds a schema negatively must then be left out, too, or more than nothing would be wrong. */
interface Loosened {
  loose: boolean
}

/** A copy in which patterns are linear, formats are gone and OpenAPI's `nullable` is said in JSON Schema. */
function rewrite(schema: Json, depth: number, outer: Loosened): unknown {
  if (depth > MAX_DEPTH) throw new RangeError('nested too deep')
  if (!isJsonObject(schema)) return schema
  const copy: Record<string, unknown> = Object.create(null)
  for (const [key, value] of Object.entries(schema)) {
    if (key === 'pattern' || key.startsWith('~')) continue
    if (key === 'format') outer.loose = true
    else if (!SCHEMAS.has(key)) copy[key] = value
    else setUnder(copy, { key, value, depth, outer })
  }
  const pattern = own(schema, 'pattern')
  const refine = typeof pattern === 'string' ? linear(pattern) : null
  if (refine !== null) copy['~refine'] = [refine]
  else if (pattern !== undefined) outer.loose = true
  if (own(schema, 'nullable') === true || own(schema, 'default') === null) takeNull(schema, copy)
  return copy
}

/** OpenAPI's `nullable`, and a `default` of null: who gives null as the value of an argument left out takes it when it is given. */
function takeNull(schema: JsonObject, copy: Record<string, unknown>): void {
  const type = own(schema, 'type')
  const values = own(schema, 'enum')
  if (typeof type === 'string') copy.type = [type, 'null']
  if (Array.isArray(values)) copy.enum = [...values, null]
}

interface Under {
  readonly key: string
  readonly value: Json
  readonly depth: number
  readonly outer: Loosened
}

/** Of a `oneOf` whose branches became looser only “any of them” is left; a `not` or `if` over such a schema is left out. */
function setUnder(copy: Record<string, unknown>, { key, value, depth, outer }: Under): void {
  const inner: Loosened = { loose: false }
  const rewritten = rewriteUnder(key, value, { depth, outer: inner })
  if (inner.loose) outer.loose = true
  if (inner.loose && (key === 'not' || key === 'if')) return
  if (inner.loose && key === 'oneOf' && !Object.hasOwn(copy, 'anyOf')) copy.anyOf = rewritten
  else if (!inner.loose || key !== 'oneOf') copy[key] = rewritten
}

function rewriteUnder(key: string, value: Json, { depth, outer }: { readonly depth: number; readonly outer: Loosened }): unknown {
  if (Array.isArray(value)) return value.map((each) => rewrite(each as Json, depth + 1, outer))
  if (!BY_NAME.has(key) || !isJsonObject(value)) return rewrite(value, depth + 1, outer)
  const copy: Record<string, unknown> = Object.create(null)
  for (const [name, each] of Object.entries(value)) {
    // Names of `patternProperties` run as native patterns, so only those that cannot backtrack may stay.
    if (key === 'patternProperties' && !isPlain(name)) throw new SyntaxError('a pattern over names that is not plain')
    copy[name] = Array.isArray(each) ? each : rewrite(each, depth + 1, outer)
  }
  return copy
}

/** Characters and dots between optional anchors, perhaps with `.*` at the end: nothing that could backtrack. */
function isPlain(pattern: string): boolean {
  const body = pattern.replace(/^\^/, '').replace(/\$$/, '')
  return /^[\w :/@.-]*$/.test(body.endsWith('.*') ? body.slice(0, -2) : body)
}

/** Null for what a linear matcher does not have, such as look-ahead. */
function linear(pattern: string) {
  let compiled: RE2JS
  try {
    compiled = RE2JS.compile(pattern)
  } catch {
    return null
  }
  return {
    check: (value: unknown) => typeof value !== 'string' || compiled.test(value),
    error: () => 'must match its pattern',
  }
}

/** The names that the schema lists, where listing them is all it says about names; null where it says more. */
function closedNames(schema: JsonObject): ReadonlySet<string> | null {
  const says = [
    'additionalProperties',
    'unevaluatedProperties',
    'patternProperties',
    'propertyNames',
    '$ref',
    'allOf',
    'anyOf',
    'oneOf',
    'if',
  ]
  const properties = own(schema, 'properties')
  if (!isJsonObject(properties) || says.some((key) => own(schema, key) !== undefined)) return null
  return new Set(Object.keys(properties))
}

interface SchemaError {
  readonly keyword: string
  readonly instancePath: string
  readonly params?: unknown
  readonly message: string
}

/** In the words of the floor where it has some. */
function messages(schema: Rewritten, args: JsonObject): readonly string[] {
  const [, errors] = Errors(schema, args) as unknown as readonly [boolean, readonly SchemaError[]]
  const texts = errors.flatMap((error) => wording(error))
  return texts.length === 0 ? ['the arguments do not fit the schema of the tool'] : [...new Set(texts)].slice(0, MAX_ERRORS)
}

function wording({ keyword, instancePath, params, message }: SchemaError): readonly string[] {
  const name = instancePath === '' ? 'the arguments' : `'${instancePath.slice(1).replaceAll('/', '.')}'`
  const detail = (params ?? {}) as JsonObject
  switch (keyword) {
    case 'required':
      return listed(own(detail, 'requiredProperties')).map((each) => `missing required '${inside(instancePath)}${each}'`)
    case 'additionalProperties':
      return listed(own(detail, 'additionalProperties')).map((each) => `'${inside(instancePath)}${each}' is not an argument of this tool`)
    case 'boolean':
      return []
    case 'type':
      return [`${name} should be ${[own(detail, 'type')].flat().join(' or ')}`]
    case 'enum':
      return [`${name} not in enum ${JSON.stringify(own(detail, 'allowedValues') ?? []).slice(0, 200)}`]
    default:
      return [`${name} ${message}`]
  }
}

function inside(pointer: string): string {
  return pointer === '' ? '' : `${pointer.slice(1).replaceAll('/', '.')}.`
}

function listed(value: Json | undefined): readonly string[] {
  return Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string') : []
}

/** Values from outside have no prototypes; for others a validator would take what every object inherits for arguments (ROS-W9). */
function withoutPrototypes(value: Json): Json {
  if (Array.isArray(value)) return value.map((each) => withoutPrototypes(each as Json))
  if (!isJsonObject(value)) return value
  const copy: Record<string, Json> = Object.create(null)
  for (const [key, each] of Object.entries(value)) copy[key] = withoutPrototypes(each)
  return copy
}

function measure(args: Json): { readonly nodes: number; readonly depth: number } {
  let nodes = 0
  let depth = 0
  const open: [Json, number][] = [[args, 1]]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [value, level] = next
    nodes++
    depth = Math.max(depth, level)
    if (typeof value === 'object' && value !== null) for (const each of Object.values(value)) open.push([each as Json, level + 1])
  }
  return { nodes, depth }
}
