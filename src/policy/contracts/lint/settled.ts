/** Relations that are settled before any call: they can never hold, or can never fail. */
import type { Json } from '../../../core/json.ts'
import type { Operand, Param, Relation } from '../model.ts'
import { equal, label, show } from '../operand.ts'
import type { Path } from '../path.ts'

/** Why no call can satisfy the relation, or null. */
export function neverHolds(relation: Relation, params: readonly Param[]): string | null {
  switch (relation.kind) {
    case 'cmp':
      return comparisonNeverHolds(relation, params)
    case 'present':
      return relation.count > relation.fields.length ? `${relation.count} of ${relation.fields.length} arguments cannot be present` : null
    case 'distinct':
      return repeated(relation.fields) === null ? null : `\`${repeated(relation.fields)}\` is listed twice`
    case 'member':
    case 'subset':
      return isEmptyList(relation.in) && relation.kind === 'member' ? 'nothing is in an empty list' : memberNeverHolds(relation, params)
    case 'any':
      return relation.relations.every((each) => neverHolds(each, params) !== null) ? 'none of its ways can hold' : null
    default:
      return null
  }
}

/** Why no call can violate the relation, or null. */
export function neverFails(relation: Relation, params: readonly Param[]): string | null {
  switch (relation.kind) {
    case 'cmp':
      return comparisonNeverFails(relation)
    case 'distinct':
      return relation.fields.length < 2 ? 'one value is always distinct' : null
    case 'requires':
      return requiresNeverFails(relation, params)
    case 'member':
      return enumInside(relation, params) ? 'the parameter takes no other values' : null
    case 'cel':
      return relation.condition.always ? 'the condition always holds' : null
    case 'any':
      return relation.relations.some((each) => neverFails(each, params) !== null) ? 'one of its ways always holds' : null
    default:
      return null
  }
}

type Of<K extends Relation['kind']> = Extract<Relation, { kind: K }>

function comparisonNeverHolds({ op, left, right }: Of<'cmp'>, params: readonly Param[]): string | null {
  if (label(left) === label(right) && (op === 'lt' || op === 'gt' || op === 'ne')) return 'both sides are the same'
  if (op !== 'eq' || right.kind !== 'literal') return null
  const param = paramOf(left, params)
  if (param === null) return null
  if (param.enum !== null && !param.enum.some((each) => equal(each, right.value)))
    return `${show(right.value)} is not in the enum of \`${param.name}\``
  return typesDiffer(param, right.value) ? `\`${param.name}\` is ${param.types.join(' or ')}` : null
}

function comparisonNeverFails({ op, left, right }: Of<'cmp'>): string | null {
  if (label(left) === label(right) && (op === 'le' || op === 'ge' || op === 'eq')) return 'both sides are the same'
  const counts = left.kind === 'len' || left.kind === 'count' || left.kind === 'chars'
  if (!counts || right.kind !== 'literal' || typeof right.value !== 'number') return null
  return (op === 'ge' && right.value <= 0) || (op === 'gt' && right.value < 0) ? 'a count is never negative' : null
}

function memberNeverHolds(relation: Of<'member'> | Of<'subset'>, params: readonly Param[]): string | null {
  if (relation.kind !== 'member' || relation.in.kind !== 'literal' || !Array.isArray(relation.in.value)) return null
  const param = paramOf(relation.field, params)
  const among = relation.in.value as readonly Json[]
  if (param === null || param.enum === null || among.length === 0) return null
  return param.enum.some((each) => among.some((other) => equal(each, other))) ? null : `the enum of \`${param.name}\` has none of these`
}

function enumInside({ field, in: set }: Of<'member'>, params: readonly Param[]): boolean {
  const param = paramOf(field, params)
  if (param?.enum == null || set.kind !== 'literal' || !Array.isArray(set.value)) return false
  const among = set.value as readonly Json[]
  return param.enum.every((each) => among.some((other) => equal(each, other)))
}

function requiresNeverFails({ when, require }: Of<'requires'>, params: readonly Param[]): string | null {
  if (require.length === 0) return 'it requires nothing'
  if (require.every((path) => params.some((param) => param.name === path.text && param.required)))
    return 'what it requires is required anyway'
  const param = paramNamed(when.field, params)
  if (param?.enum == null || when.test === 'presence' || !('equals' in when.test)) return null
  const { equals } = when.test
  return param.enum.some((each) => equal(each, equals)) ? null : `\`${param.name}\` is never ${show(equals)}`
}

function paramOf(operand: Operand, params: readonly Param[]): Param | null {
  return operand.kind === 'field' ? paramNamed(operand.path, params) : null
}

function paramNamed(path: Path, params: readonly Param[]): Param | null {
  return path.steps.length === 1 ? (params.find((param) => param.name === path.text) ?? null) : null
}

function typesDiffer({ types }: Param, value: Json): boolean {
  if (types.length === 0) return false
  const type = Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value
  return !types.some((each) => each === type || (type === 'number' && each === 'integer'))
}

function isEmptyList(operand: Operand): boolean {
  return operand.kind === 'literal' && Array.isArray(operand.value) && operand.value.length === 0
}

function repeated(fields: readonly Path[]): string | null {
  return fields.find((field, index) => fields.findIndex((other) => other.text === field.text) < index)?.text ?? null
}
