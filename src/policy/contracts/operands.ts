/** Which operands a relation looks at, and which state. */
import type { Operand, Relation } from './model.ts'

/** Every operand of a relation, fields as operands, too. */
export function operandsOf(relation: Relation): readonly Operand[] {
  switch (relation.kind) {
    case 'cmp':
      return [relation.left, relation.right]
    case 'sum':
      return [...[relation.of].flat().map((path): Operand => ({ kind: 'field', path: path as never })), relation.vs]
    case 'present':
    case 'distinct':
      return relation.fields.map((path) => ({ kind: 'field', path }))
    case 'requires':
      return [relation.when.field, ...relation.require].map((path) => ({ kind: 'field', path }))
    case 'member':
    case 'matches':
      return relation.kind === 'member' ? [relation.field, relation.in] : [relation.field]
    case 'char_at':
      return [{ kind: 'field', path: relation.string }, relation.index, relation.equals]
    case 'subset':
      return [relation.of, relation.in]
    case 'any':
      return relation.relations.flatMap(operandsOf)
    case 'cel':
      return []
    default:
      return [relation.of]
  }
}

/** What an operand is made of. */
export function partsOf(operand: Operand): readonly Operand[] {
  switch (operand.kind) {
    case 'literal':
    case 'field':
    case 'now':
      return []
    case 'state':
      return operand.of === null ? [] : [operand.of]
    case 'money':
      return [operand.amount, operand.currency]
    case 'add':
    case 'sub':
    case 'mul':
      return operand.of
    default:
      return [operand.of]
  }
}

/** Names of the state that an operand looks at. */
export function statesOf(operand: Operand): readonly string[] {
  return [...(operand.kind === 'state' ? [operand.key] : []), ...partsOf(operand).flatMap(statesOf)]
}
