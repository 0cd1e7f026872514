/** A contract in words, one fact per line, for `policy explain`. */
import type { Constraint, Contract, Param, Relation } from './model.ts'
import { label, show } from './operand.ts'
import type { Path } from './path.ts'

/** The contract with its place, its parameters and its constraints. */
export function describeContract({ tool, enforcement, params, closed, constraints, place }: Contract): readonly string[] {
  const arguments_ = params.length === 0 ? [] : [`  arguments${closed ? ' (no others)' : ''}: ${params.map(describeParam).join(', ')}`]
  return [
    `${tool} (${enforcement}), ${place.path ?? 'policy'}:${place.line}`,
    ...arguments_,
    ...constraints.map((each) => `  ${describeConstraint(each)}`),
  ]
}

function describeParam({ name, types, required, enum: values, min, max }: Param): string {
  const parts = [
    types.join(' or '),
    required ? 'required' : '',
    values === null ? '' : `one of ${show(values)}`,
    min === null ? '' : `at least ${min}`,
    max === null ? '' : `at most ${max}`,
  ].filter((part) => part !== '')
  return parts.length === 0 ? name : `${name} (${parts.join(', ')})`
}

function describeConstraint({ id, relation, enforcement, reason, guard }: Constraint): string {
  const level = enforcement === null ? '' : ` (${enforcement})`
  const condition = guard === null ? '' : ', under a condition'
  return `${id}${level}: ${describeRelation(relation)}${condition}${reason === '' ? '' : `: ${reason}`}`
}

/** The relation as it would have to hold. */
export function describeRelation(relation: Relation): string {
  switch (relation.kind) {
    case 'cmp':
      return `${label(relation.left)} ${relation.op} ${label(relation.right)}`
    case 'sum':
      return `sum(${names([relation.of].flat() as readonly Path[], ' + ')}) ${relation.op} ${label(relation.vs)}`
    case 'present':
      return `exactly ${relation.count} of [${names(relation.fields)}] present`
    case 'requires':
      return `${describeWhen(relation)} requires [${names(relation.require)}]`
    case 'distinct':
      return `[${names(relation.fields)}] distinct`
    case 'member':
      return `${label(relation.field)} in ${label(relation.in)}`
    case 'char_at':
      return `${relation.string.text}[${label(relation.index)}${relation.offset === 0 ? '' : ` + ${relation.offset}`}] is ${label(relation.equals)}`
    case 'matches':
      return `${label(relation.field)} matches ${relation.pattern}`
    case 'subset':
      return `every one of ${label(relation.of)} in ${label(relation.in)}`
    case 'any':
      return relation.relations.map(describeRelation).join(', or ')
    case 'cel':
      return relation.holds.replace(/\s+/g, ' ').trim()
    default:
      return `${label(relation.of)} is ${relation.kind}`
  }
}

function describeWhen({ when }: Extract<Relation, { kind: 'requires' }>): string {
  if (when.test === 'presence') return when.field.text
  return 'equals' in when.test ? `${when.field.text}=${show(when.test.equals)}` : `${when.field.text} in ${show(when.test.in)}`
}

function names(paths: readonly Path[], between = ', '): string {
  return paths.map((path) => path.text).join(between)
}
