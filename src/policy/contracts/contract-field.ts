/** Readers of parameters and whole contracts, in the grammar of `tool-contracts.json` and with what goes beyond it. */
import { isScalar, isSeq } from 'yaml'
import { isJsonObject, type Json } from '../../core/json.ts'
import { ENFORCEMENTS, type Enforcement } from '../../core/verdict.ts'
import {
  described,
  type Field,
  flag,
  type Located,
  listOf,
  located,
  oneOf,
  type Reader,
  text,
  whole,
  wrongType,
  type YamlNode,
} from '../reading/fields.ts'
import { json, jsonObject } from '../reading/json-field.ts'
import { nearest } from '../reading/nearest.ts'
import { record } from '../reading/record.ts'
import type { Range } from '../reading/source.ts'
import { evaluateContract } from './evaluate.ts'
import { inputOf } from './input.ts'
import { type Constraint, type Contract, FORMATS, PARAM_TYPES, type Param, type ParamType, type ValueRule } from './model.ts'
import { NO_SCOPE } from './operand-field.ts'
import { compilePattern } from './pattern.ts'
import { relationFields } from './relation-field.ts'

const finite: Field<number> = {
  expects: 'a number',
  schema: { type: 'number' },
  read: (node, reader, key) => {
    const value: unknown = isScalar(node) ? node.value : null
    return typeof value === 'number' && Number.isFinite(value) ? value : wrongType(finite, node, { reader, key })
  },
}

/** One type or several; what the grammar does not know is kept for the linter, because the seed ignores it. */
const typeField: Field<readonly string[]> = {
  expects: `one of ${PARAM_TYPES.map((type) => `\`${type}\``).join(', ')}, or a list of them`,
  schema: { anyOf: [{ enum: [...PARAM_TYPES] }, { type: 'array', items: { enum: [...PARAM_TYPES] } }] },
  read: (node, reader, key) => {
    if (isSeq(node)) return listOf(text).read(node, reader, key)
    const one = text.read(node, reader, key)
    return one === undefined ? undefined : [one]
  },
}

const COUNT = whole(0, 1_000_000_000)

/** Fields that hold parameters again are read by the same reader, one level down. */
function nested<T>(inner: () => Field<T>, expects: string): Field<T> {
  return { expects, schema: { type: 'object' }, read: (node, reader, key) => inner().read(node, reader, key) }
}

const RULE = {
  type: described(typeField, 'Type of the value; null is a type of its own, and `integer` takes no fraction.'),
  description: described(text, 'For readers.'),
  enum: described(listOf(json), 'The only values.'),
  min: described(finite, 'Smallest number.'),
  max: described(finite, 'Largest number.'),
  min_length: described(COUNT, 'Fewest characters of a text.'),
  max_length: described(COUNT, 'Most characters of a text.'),
  min_items: described(COUNT, 'Fewest items of a list.'),
  max_items: described(COUNT, 'Most items of a list.'),
  pattern: described(located(text), 'RE2 pattern that a text must match somewhere; anchor it with `^` and `$`.'),
  format: described(oneOf(FORMATS), 'A date, an instant with its zone, or a currency code.'),
  fields: described(
    nested<readonly RawParam[]>(() => listOf(paramField), 'a list of parameters'),
    'Parameters of an object.',
  ),
  items: described(
    nested<RawRule>(() => itemField, 'a mapping such as `{type: string}`'),
    'What every item of a list must be.',
  ),
}

interface RawRule {
  readonly type?: readonly string[] | undefined
  readonly enum?: readonly Json[] | undefined
  readonly min?: number | undefined
  readonly max?: number | undefined
  readonly min_length?: number | undefined
  readonly max_length?: number | undefined
  readonly min_items?: number | undefined
  readonly max_items?: number | undefined
  readonly pattern?: Located<string> | undefined
  readonly format?: (typeof FORMATS)[number] | undefined
  readonly fields?: readonly RawParam[] | undefined
  readonly items?: RawRule | undefined
  readonly at: Range
}

export interface RawParam extends RawRule {
  readonly name?: string | undefined
  readonly required?: boolean | undefined
}

const itemField: Field<RawRule> = record(RULE, { expects: 'a mapping such as `{type: string}`' })
const paramField: Field<RawParam> = record(
  {
    name: described(text, 'Name of the argument, exactly.'),
    required: described(flag, 'True where the argument must be given; an explicit null counts as given.'),
    ...RULE,
  },
  { required: ['name'], expects: 'a parameter such as `{name: limit, type: integer}`' },
)

/** A list of any nodes, read later with the names of the parameters at hand. */
const laterField: Field<YamlNode> = {
  expects: 'a list of constraints',
  schema: { type: 'array', items: relationFields(NO_SCOPE).constraint.schema },
  read: (node, reader, key) => (isSeq(node) ? node : wrongType(laterField, node, { reader, key })),
}

const contractRecord = record({
  contract: described(text, 'What the tool asks of its callers, in words.'),
  description: described(text, 'For readers.'),
  enforcement: described(oneOf(ENFORCEMENTS), '`advisory` flags, `soft` asks, `hard` denies; default that of the section.'),
  params: described(listOf(paramField), 'The arguments.'),
  closed: described(flag, 'True: an argument that is not a parameter is a violation; default false.'),
  constraints: described(laterField, 'Relations between arguments, and between arguments and state.'),
  state: described(json, 'State that the relations may refer to; prose is not looked at.'),
  state_struct: described(json, 'State that the relations may refer to.'),
  examples: described(
    record({
      conformant: described(listOf(located(jsonObject)), 'Arguments that the contract must not flag.'),
      violating: described(listOf(located(jsonObject)), 'Arguments that it must flag.'),
    }),
    'Executed whenever the policy is loaded.',
  ),
})

type RawContract = NonNullable<ReturnType<(typeof contractRecord)['read']>>

/** A contract as it stands in a file. */
export const contractField: Field<RawContract> = contractRecord

export interface ContractContext {
  readonly reader: Reader
  /** Level of contracts that have none of their own. */
  readonly enforcement: Enforcement
  readonly warn: (code: string, message: string, at: Range) => void
}

/** The contract of a tool; faults go to the reader. */
export function compileContract(tool: string, raw: RawContract, context: ContractContext): Contract {
  const { reader } = context
  const params = compileParams(raw.params ?? [], context)
  const exact = new Set(params.map((param) => param.name).filter((name) => /[.[*]/.test(name)))
  const constraints =
    raw.constraints === undefined ? [] : (listOf(relationFields({ exact }).constraint).read(raw.constraints, reader, raw.at) ?? [])
  const state = raw.state ?? raw.state_struct ?? null
  const contract: Contract = {
    tool,
    words: raw.contract ?? null,
    params,
    closed: raw.closed ?? false,
    constraints: named(constraints, { tool, at: raw.at, reader }),
    enforcement: raw.enforcement ?? context.enforcement,
    state: isJsonObject(state) ? state : null,
    place: { path: reader.source.path, ...reader.source.place(raw.at.start) },
  }
  if (reader.errors.length === 0) runExamples(contract, raw, reader)
  return contract
}

interface Naming {
  readonly tool: string
  readonly at: Range
  readonly reader: Reader
}

/** Constraints without a name are called by their kind and place; a name stands for one constraint. */
function named(constraints: readonly Constraint[], { tool, at, reader }: Naming): readonly Constraint[] {
  const seen = new Set<string>()
  return constraints.map((constraint, index) => {
    const id = constraint.id === '' ? `${constraint.relation.kind}[${index}]` : constraint.id
    if (seen.has(id)) {
      reader.fail({
        code: 'policy.duplicate_rule',
        message: `two constraints of \`${tool}\` are called \`${id}\``,
        help: 'rename one of them',
        at,
      })
    }
    seen.add(id)
    return { ...constraint, id }
  })
}

function compileParams(raw: readonly RawParam[], context: ContractContext): readonly Param[] {
  const names = new Set<string>()
  return raw.flatMap((each) => {
    const name = each.name ?? ''
    if (names.has(name)) {
      context.reader.fail({
        code: 'policy.duplicate_rule',
        message: `the parameter \`${name}\` is there twice`,
        help: 'keep one of them',
        at: each.at,
      })
      return []
    }
    names.add(name)
    return [{ name, required: each.required ?? false, ...compileRule(each, context) }]
  })
}

function compileRule(raw: RawRule, context: ContractContext): ValueRule {
  const range = (low: number | undefined, high: number | undefined) => {
    if (low !== undefined && high !== undefined && low > high)
      context.reader.fail({ code: 'policy.wrong_value', message: `no value is at least ${low} and at most ${high}`, at: raw.at })
    return [low ?? null, high ?? null] as const
  }
  const [min, max] = range(raw.min, raw.max)
  const [minLength, maxLength] = range(raw.min_length, raw.max_length)
  const [minItems, maxItems] = range(raw.min_items, raw.max_items)
  return {
    types: compileTypes(raw, context),
    enum: raw.enum ?? null,
    min,
    max,
    minLength,
    maxLength,
    minItems,
    maxItems,
    pattern: raw.pattern === undefined ? null : compileText(raw.pattern, context),
    format: raw.format ?? null,
    fields: compileParams(raw.fields ?? [], context),
    items: raw.items === undefined ? null : compileRule(raw.items, context),
  }
}

/** A type that the grammar does not have is ignored, as by the seed, and the linter says so. */
function compileTypes(raw: RawRule, { warn }: ContractContext): readonly ParamType[] {
  const written = raw.type ?? []
  const known = written.filter((type): type is ParamType => PARAM_TYPES.some((each) => each === type))
  if (known.length === written.length) return known
  const strange = written.filter((type) => !PARAM_TYPES.some((each) => each === type))
  const near = nearest(strange[0] ?? '', PARAM_TYPES)
  const hint = near === null ? '' : `; did you mean \`${near}\`?`
  warn('lint.contract_type', `nothing checks the type \`${strange.join(', ')}\`${hint}`, raw.at)
  return []
}

function compileText({ value, at }: Located<string>, { reader }: ContractContext): ValueRule['pattern'] {
  const test = compilePattern(value)
  if (typeof test === 'function') return { text: value, test }
  reader.fail({
    code: 'policy.pattern',
    message: `this pattern cannot be compiled: ${test}`,
    help: 'patterns are RE2: no look-around, no back-references',
    at,
  })
  return null
}

/** A contract that does not do what its examples say is an error of the policy (T42). */
function runExamples(contract: Contract, raw: RawContract, reader: Reader): void {
  for (const [examples, expected] of [
    [raw.examples?.conformant ?? [], false],
    [raw.examples?.violating ?? [], true],
  ] as const) {
    for (const { value: args, at } of examples) {
      const { violations } = evaluateContract(contract, inputOf({ args, contract }))
      if (violations.length > 0 === expected) continue
      const message = expected
        ? `nothing in the contract of \`${contract.tool}\` flags this example`
        : `the contract of \`${contract.tool}\` flags this example: ${violations.map(({ text: why }) => why).join('; ')}`
      reader.fail({ code: 'policy.example_failed', message, help: 'correct the contract or the example', at })
    }
  }
}
