/** Readers of relations and constraints: one record per kind, so that a misspelt or foreign field is an error with its place. */

import { isMap, isScalar, isSeq } from 'yaml'
import { ENFORCEMENTS } from '../../core/verdict.ts'
import { anyMap, type Shape } from '../condition/shape.ts'
import { type Condition, compileCondition } from '../condition.ts'
import { made } from '../keep/recipes.ts'
import {
  described,
  type Field,
  flag,
  keyText,
  type Located,
  listOf,
  located,
  oneOf,
  type Reader,
  rangeOf,
  text,
  whole,
  wrongType,
  type YamlNode,
} from '../reading/fields.ts'
import { json } from '../reading/json-field.ts'
import { suggestion } from '../reading/nearest.ts'
import { rangeInFile } from '../reading/offsets.ts'
import { type Fields, record } from '../reading/record.ts'
import type { Range } from '../reading/source.ts'
import { type Antecedent, COMPARISONS, type Constraint, type Relation } from './model.ts'
import { NO_SCOPE, operandField, pathField, type Scope } from './operand-field.ts'
import type { Path } from './path.ts'
import { compilePattern } from './pattern.ts'

/** Conditions of contracts see the state besides what every condition sees. */
/** What a condition of a contract sees besides. */
export const CONTRACT_VARIABLES: ReadonlyMap<string, Shape> = new Map<string, Shape>([
  ['state', anyMap('State')],
  ['now', { type: 'number' }],
])

const MAX_NESTING = 4
const NOT_SHARED: Fields = {}
const SHARED = {
  id: described(text, 'Name of the constraint in findings; default its kind and place, such as `cmp[0]`.'),
  if: described(located(text), 'A CEL condition without which the relation does not apply.'),
  enforcement: described(oneOf(ENFORCEMENTS), 'Level of this constraint; default that of the contract.'),
  reason: described(text, 'For the operator: why.'),
  advice: described(text, 'For the agent: what to do instead.'),
}

type Kind = Relation['kind']
type Fault = (message: string, help: string) => undefined
interface Maker {
  readonly fields: Fields
  readonly required: readonly string[]
  readonly make: (values: Readonly<Record<string, unknown>>, fail: Fault, reader: Reader) => Relation | undefined
}

export interface RelationFields {
  readonly constraint: Field<Constraint>
}

/** The readers of contracts whose parameters are named plainly: nearly all of them, so they are made once. */
let plain: RelationFields | null = null

/** The readers for one contract. */
export function relationFields(scope: Scope): RelationFields {
  if (scope.exact.size > 0) return fieldsFor(scope)
  plain ??= fieldsFor(NO_SCOPE)
  return plain
}

function fieldsFor(scope: Scope): RelationFields {
  const makers = kinds(scope)
  const constraint: Field<Constraint> = {
    expects: 'a constraint such as `{kind: cmp, op: le, left: limit, right: 100}`',
    schema: { type: 'object', required: ['kind'], properties: { kind: { enum: [...makers.keys()] } } },
    read: (node, reader, key) => readConstraint(node, { makers, reader, key, depth: 0, shared: SHARED }),
  }
  return { constraint }
}

interface Reading {
  readonly makers: ReadonlyMap<Kind, Maker>
  readonly reader: Reader
  readonly key: Range
  readonly depth: number
  readonly shared: Fields
}

function readConstraint(node: YamlNode, reading: Reading): Constraint | undefined {
  const { reader, key } = reading
  const at = rangeOf(node, key)
  const read = readRelation(node, reading)
  if (read === undefined) return undefined
  const { relation, values } = read
  const condition = values.if === undefined ? null : compileCel(values.if as Located<string>, reader)
  if (condition === undefined) return undefined
  return {
    id: (values.id as string | undefined) ?? '',
    relation,
    guard: condition,
    enforcement: (values.enforcement as Constraint['enforcement'] | undefined) ?? null,
    reason: (values.reason as string | undefined) ?? '',
    advice: (values.advice as string | undefined) ?? null,
    place: { path: reader.source.path, ...reader.source.place(at.start) },
  }
}

const records = new WeakMap<Maker, Map<Fields, Field<Readonly<Record<string, unknown>>>>>()

/** The record of one kind; made once for each kind, except for the ways of an `any`, whose depth it knows. */
function recordFor(maker: Maker, reading: Reading): Field<Readonly<Record<string, unknown>>> {
  const { required } = maker
  if (required.includes('relations')) {
    return record({ kind: text, relations: severalField(reading), ...reading.shared }, { required })
  }
  const known = records.get(maker) ?? new Map<Fields, Field<Readonly<Record<string, unknown>>>>()
  const made = known.get(reading.shared) ?? record({ kind: text, ...maker.fields, ...reading.shared }, { required })
  records.set(maker, known.set(reading.shared, made))
  return made
}

interface ReadRelation {
  readonly relation: Relation
  readonly values: Readonly<Record<string, unknown>>
}

function readRelation(node: YamlNode, reading: Reading): ReadRelation | undefined {
  const { makers, reader, key } = reading
  const at = rangeOf(node, key)
  if (!isMap(node))
    return wrongType({ expects: 'a constraint such as `{kind: cmp, op: le, left: limit, right: 100}`' }, node, { reader, key })
  const pair = node.items.find((each) => keyText(each) === 'kind')
  if (pair === undefined)
    return reader.fail({
      code: 'policy.missing_field',
      message: 'the field `kind` is missing',
      help: suggestion('', [...makers.keys()]),
      at: { start: at.start, end: at.start + 1 },
    })
  const written: unknown = isScalar(pair.value) ? pair.value.value : null
  const maker = makers.get(written as Kind)
  if (maker === undefined) {
    const message = typeof written === 'string' ? `there is no relation \`${written}\`` : 'the kind of a relation is a name'
    return reader.fail({
      code: 'policy.contract_kind',
      message,
      help: suggestion(String(written), [...makers.keys()]),
      at: rangeOf(pair.value as YamlNode, at),
    })
  }
  const before = reader.errors.length
  const values = recordFor(maker, reading).read(node, reader, key)
  if (values === undefined || reader.errors.length > before) return undefined
  const fail: Fault = (message, help) => reader.fail({ code: 'policy.wrong_value', message, help, at })
  const relation = maker.make(values, fail, reader)
  return relation === undefined ? undefined : { relation, values }
}

/** The ways of an `any`: relations without names or levels of their own. */
function severalField(reading: Reading): Field<readonly Relation[]> {
  const field: Field<readonly Relation[]> = {
    expects: 'a list of two or more relations',
    schema: { type: 'array', minItems: 2, items: { type: 'object' } },
    read: (node, reader, key) => {
      if (!isSeq(node) || node.items.length < 2) return wrongType(field, node, { reader, key })
      if (reading.depth >= MAX_NESTING)
        return reader.fail({ code: 'policy.wrong_value', message: `\`any\` is nested deeper than ${MAX_NESTING}`, at: rangeOf(node, key) })
      return node.items.flatMap(
        (item) => readRelation(item as YamlNode, { ...reading, key, depth: reading.depth + 1, shared: NOT_SHARED })?.relation ?? [],
      )
    },
  }
  return field
}

/** A compiled condition, or undefined after its faults were reported where they stand. */
function compileCel(written: Located<string>, reader: Reader): Condition | undefined {
  const result = compileCondition(written.value, null, CONTRACT_VARIABLES)
  if (result.ok) return made(result.condition, 'contract-condition', written.value)
  for (const { code, message, help, at } of result.faults)
    reader.fail({ code, message, help, at: rangeInFile(reader.source.text, written, at) })
  return undefined
}

/** A whole number of either sign. */
const offsetField: Field<number> = {
  expects: 'a whole number',
  schema: { type: 'integer' },
  read: (node, reader, key) => {
    const value: unknown = isScalar(node) ? node.value : null
    return typeof value === 'number' && Number.isSafeInteger(value) ? value : wrongType(offsetField, node, { reader, key })
  },
}

const antecedent = (path: Field<Path>) =>
  record(
    {
      field: described(path, 'The argument that decides whether the rule applies.'),
      equals: described(json, 'It applies where the argument is this.'),
      in: described(listOf(json), 'It applies where the argument is one of these.'),
      presence: described(flag, 'It applies where the argument is there.'),
    },
    { required: ['field'] },
  )

function kinds(scope: Scope): ReadonlyMap<Kind, Maker> {
  const path = pathField(scope)
  const operand = operandField(scope)
  const op = oneOf(COMPARISONS)
  const paths = listOf(path)
  const maker = <F extends Fields>(fields: F, required: readonly (keyof F & string)[], make: Maker['make']): Maker => ({
    fields,
    required,
    make,
  })
  return new Map<Kind, Maker>([
    [
      'cmp',
      maker(
        { op, left: operand, right: operand },
        ['op', 'left', 'right'],
        (v) => ({ kind: 'cmp', op: v.op, left: v.left, right: v.right }) as Relation,
      ),
    ],
    [
      'sum',
      maker(
        { op, of: oneOrSeveral(path), vs: operand },
        ['of', 'vs'],
        (v) => ({ kind: 'sum', op: v.op ?? 'eq', of: v.of, vs: v.vs }) as Relation,
      ),
    ],
    [
      'present',
      maker(
        { fields: paths, count: whole(0, 1_000) },
        ['fields'],
        (v) => ({ kind: 'present', fields: v.fields, count: v.count ?? 1 }) as Relation,
      ),
    ],
    ['requires', maker({ when: antecedent(path), require: paths }, ['when', 'require'], makeRequires)],
    ['distinct', maker({ fields: paths }, ['fields'], (v) => ({ kind: 'distinct', fields: v.fields }) as Relation)],
    ['member', maker({ field: operand, in: operand }, ['field', 'in'], (v) => ({ kind: 'member', field: v.field, in: v.in }) as Relation)],
    [
      'char_at',
      maker(
        { string: path, index: operand, equals: operand, offset: offsetField },
        ['string', 'index', 'equals'],
        (v) => ({ kind: 'char_at', string: v.string, index: v.index, equals: v.equals, offset: v.offset ?? 0 }) as Relation,
      ),
    ],
    ['matches', maker({ field: operand, pattern: text }, ['field', 'pattern'], makeMatches)],
    ['subset', maker({ of: operand, in: operand }, ['of', 'in'], (v) => ({ kind: 'subset', of: v.of, in: v.in }) as Relation)],
    ...(['unique', 'known', 'unknown'] as const).map(
      (kind) => [kind, maker({ of: operand }, ['of'], (v) => ({ kind, of: v.of }) as Relation)] as const,
    ),
    ['any', { fields: {}, required: ['relations'], make: (v) => ({ kind: 'any', relations: v.relations }) as Relation }],
    ['cel', maker({ holds: located(text) }, ['holds'], makeCel)],
  ])
}

function oneOrSeveral(path: Field<Path>): Field<Path | readonly Path[]> {
  const several = listOf(path)
  return {
    expects: 'the name of an argument, or a list of names',
    schema: { anyOf: [path.schema, several.schema] },
    read: (node, reader, key) => (isSeq(node) ? several : path).read(node, reader, key),
  }
}

const makeRequires: Maker['make'] = (values, fail) => {
  const when = values.when as { field: Path; equals?: unknown; in?: unknown; presence?: boolean }
  const given = [when.equals !== undefined, when.in !== undefined, when.presence !== undefined].filter(Boolean).length
  if (given > 1) return fail('`when` has several of `equals`, `in` and `presence`', 'keep one of them')
  if (when.presence === false) return fail('`presence: false` is not a condition of this relation', 'use `kind: cel` with `!has(…)`')
  const test = when.equals !== undefined ? { equals: when.equals } : when.in !== undefined ? { in: when.in } : 'presence'
  return { kind: 'requires', when: { field: when.field, test } as Antecedent, require: values.require as readonly Path[] }
}

const makeMatches: Maker['make'] = (values, fail) => {
  const pattern = values.pattern as string
  const compiled = compilePattern(pattern)
  if (typeof compiled === 'string')
    return fail(`this pattern cannot be compiled: ${compiled}`, 'patterns are RE2: no look-around, no back-references')
  return { kind: 'matches', field: values.field, pattern, test: compiled } as Relation
}

const makeCel: Maker['make'] = (values, _fail, reader) => {
  const holds = values.holds as Located<string>
  const condition = compileCel(holds, reader)
  return condition === undefined ? undefined : { kind: 'cel', holds: holds.value, condition }
}
