/**
 * The seven relations of Role OS and the ones beyond. A relation holds, is provably violated, or defers: what cannot be told from
 * the call and the state proves nothing. Nothing here ever says that a call is right.
 */
import { canonicalJson } from '../../core/canonical.ts'
import type { Json } from '../../core/json.ts'
import { ConditionError } from '../condition.ts'
import type { Comparison, Operand, Relation } from './model.ts'
import { Money, readMoney } from './money.ts'
import { type ContractInput, equal, label, readsState, resolve, show, toNumber, type Value } from './operand.ts'
import { statesOf } from './operands.ts'
import { itemsOf, type Path, readPath } from './path.ts'

export type Outcome =
  | { readonly kind: 'holds' }
  /** `state`: something outside of the call is missing, which is worth a trace. */
  | { readonly kind: 'defers'; readonly on: 'argument' | 'state' }
  /** `text` for the operator; `note` for the agent, without values it has not written itself. */
  | { readonly kind: 'violated'; readonly text: string; readonly note: string }

const HOLDS: Outcome = { kind: 'holds' }

function defers(...operands: readonly Operand[]): Outcome {
  return { kind: 'defers', on: operands.some(readsState) ? 'state' : 'argument' }
}

function violated(text: string, note: string = text): Outcome {
  return { kind: 'violated', text, note }
}

/** What the relation says of this call. */
export function evaluateRelation(relation: Relation, input: ContractInput): Outcome {
  switch (relation.kind) {
    case 'cmp':
      return compare(relation, input)
    case 'sum':
      return sum(relation, input)
    case 'present':
      return present(relation, input)
    case 'requires':
      return requires(relation, input)
    case 'distinct':
      return distinct(relation, input)
    case 'member':
      return member(relation, input)
    case 'char_at':
      return charAt(relation, input)
    default:
      return evaluateFurther(relation, input)
  }
}

type Of<K extends Relation['kind']> = Extract<Relation, { kind: K }>
type Seed = 'cmp' | 'sum' | 'present' | 'requires' | 'distinct' | 'member' | 'char_at'

function evaluateFurther(relation: Exclude<Relation, { kind: Seed }>, input: ContractInput): Outcome {
  switch (relation.kind) {
    case 'matches':
      return matches(relation, input)
    case 'subset':
      return subset(relation, input)
    case 'unique':
      return unique(relation, input)
    case 'known':
    case 'unknown':
      return isKnown(relation, input)
    case 'any':
      return any(relation, input)
    case 'cel':
      return condition(relation, input)
  }
}

/** A lookup that failed proves neither that there is something nor that there is nothing. */
function isKnown({ kind, of }: Of<'known'> | Of<'unknown'>, input: ContractInput): Outcome {
  const known = resolve(of, input) !== undefined
  if (!known && statesOf(of).some((key) => input.failed.has(key))) return defers(of)
  if (known === (kind === 'known')) return HOLDS
  return violated(`${label(of)} is ${known ? 'there already' : 'not known'}`)
}

const ORDER: Readonly<Record<Comparison, (sign: number) => boolean>> = {
  lt: (sign) => sign < 0,
  le: (sign) => sign <= 0,
  gt: (sign) => sign > 0,
  ge: (sign) => sign >= 0,
  eq: (sign) => sign === 0,
  ne: (sign) => sign !== 0,
}

function compare({ op, left, right }: Of<'cmp'>, input: ContractInput): Outcome {
  const a = resolve(left, input)
  const b = resolve(right, input)
  if (a === undefined || b === undefined) return defers(left, right)
  const holds = a instanceof Money || b instanceof Money ? compareMoney(op, a, b) : compareJson(op, a, b)
  if (holds === undefined) return defers(left, right)
  if (holds) return HOLDS
  return violated(`${valued(left, a)} not ${op} ${valued(right, b)}`, `${valued(left, a, true)} not ${op} ${valued(right, b, true)}`)
}

function compareJson(op: Comparison, a: Json, b: Json): boolean | undefined {
  if (op === 'eq' || op === 'ne') return equal(a, b) === (op === 'eq')
  const [x, y] = [toNumber(a), toNumber(b)]
  return Number.isNaN(x) || Number.isNaN(y) ? undefined : ORDER[op](x - y || (x === y ? 0 : x > y ? 1 : -1))
}

/** An amount in another currency is not within a limit: that much is proven without any rate. */
function compareMoney(op: Comparison, a: Value, b: Value): boolean | undefined {
  const x = a instanceof Money ? a : readMoney(a)
  const y = b instanceof Money ? b : readMoney(b)
  if (x === undefined || y === undefined) return undefined
  if (x.currency !== y.currency) return op === 'ne'
  return ORDER[op](x.units < y.units ? -1 : x.units > y.units ? 1 : 0)
}

function valued(operand: Operand, value: Value, forAgent = false): string {
  if (operand.kind === 'literal') return show(value)
  return forAgent && readsState(operand) ? label(operand) : `${label(operand)}(${show(value)})`
}

function sum({ op, of, vs }: Of<'sum'>, input: ContractInput): Outcome {
  const values = Array.isArray(of)
    ? (of as readonly Path[]).map((path) => readPath(input.args, path))
    : itemsOf(readPath(input.args, of as Path))
  const resolved = resolve(vs, input)
  const limit = resolved instanceof Money ? Number.NaN : toNumber(resolved)
  const numbers = values?.map(toNumber)
  if (numbers === undefined || numbers.some(Number.isNaN) || Number.isNaN(limit)) return defers(vs)
  const result = numbers.reduce((a, b) => a + b, 0)
  if (compareJson(op, result, limit) === true) return HOLDS
  const name = Array.isArray(of) ? (of as readonly Path[]).map((path) => path.text).join(' + ') : (of as Path).text
  const left = `sum(${name})=${show(result)} not ${op}`
  return violated(`${left} ${show(limit)}`, readsState(vs) ? `${left} ${label(vs)}` : undefined)
}

function present({ fields, count }: Of<'present'>, { args }: ContractInput): Outcome {
  const there = fields.filter((field) => readPath(args, field) !== undefined).length
  return there === count ? HOLDS : violated(`expected exactly ${count} of [${names(fields)}] present, got ${there}`)
}

function requires({ when, require }: Of<'requires'>, { args }: ContractInput): Outcome {
  const value = readPath(args, when.field)
  if (value === undefined) return when.test === 'presence' ? HOLDS : defers()
  if (!applies(value, when.test)) return HOLDS
  const missing = require.filter((field) => readPath(args, field) === undefined)
  return missing.length === 0 ? HOLDS : violated(`when ${when.field.text}=${show(value)} requires [${names(missing)}] present`)
}

function applies(value: Json, test: Of<'requires'>['when']['test']): boolean {
  if (test === 'presence') return true
  return 'equals' in test ? equal(value, test.equals) : test.in.some((each) => equal(value, each))
}

function distinct({ fields }: Of<'distinct'>, { args }: ContractInput): Outcome {
  const values = fields.map((field) => readPath(args, field))
  if (values.includes(undefined)) return defers()
  const repeated = firstRepeat(values as readonly Json[])
  return repeated === undefined ? HOLDS : violated(`fields [${names(fields)}] must be distinct (duplicate ${repeated})`)
}

/** By their text, as the seed does: 1 and "1" are the same. */
function firstRepeat(values: readonly Json[]): string | undefined {
  const seen = new Set<string>()
  for (const value of values) {
    const key = typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value)
    if (seen.has(key)) return show(key)
    seen.add(key)
  }
  return undefined
}

function member({ field, in: set }: Of<'member'>, input: ContractInput): Outcome {
  const value = resolve(field, input)
  const among = resolve(set, input)
  if (value === undefined || value instanceof Money || !Array.isArray(among)) return defers(field, set)
  if ((among as readonly Json[]).some((each) => equal(each, value))) return HOLDS
  const left = `'${label(field)}'`
  return violated(
    `${left}=${show(value)} not in ${show(among)}`,
    readsState(field) || readsState(set) ? `${left} not in ${label(set)}` : undefined,
  )
}

function charAt({ string, index, equals, offset }: Of<'char_at'>, input: ContractInput): Outcome {
  const text = readPath(input.args, string)
  const wanted = resolve(equals, input)
  const at = resolve(index, input)
  const place = Math.trunc(at instanceof Money ? Number.NaN : toNumber(at)) + offset
  const expected = typeof wanted === 'number' ? String(wanted) : wanted
  if (typeof text !== 'string' || typeof expected !== 'string' || Number.isNaN(place)) return defers(index, equals)
  const found = place < 0 ? '' : text.slice(place, place + expected.length)
  if (found === expected) return HOLDS
  const left = `${string.text}[${place}]=${show(found)}`
  return violated(`${left} is not ${show(expected)}`, readsState(equals) ? `${left} is not ${label(equals)}` : undefined)
}

function matches({ field, pattern, test }: Of<'matches'>, input: ContractInput): Outcome {
  const value = resolve(field, input)
  const texts = Array.isArray(value) ? (value as readonly Json[]) : [value]
  if (texts.some((text) => typeof text !== 'string')) return defers(field)
  const wrong = (texts as readonly string[]).find((text) => !test(text))
  if (wrong === undefined) return HOLDS
  return violated(
    `${label(field)}(${show(wrong)}) does not match ${pattern}`,
    `${readsState(field) ? label(field) : `${label(field)}(${show(wrong)})`} has not the form it needs`,
  )
}

function subset({ of, in: set }: Of<'subset'>, input: ContractInput): Outcome {
  const values = resolve(of, input)
  const among = resolve(set, input)
  if (!Array.isArray(values) || !Array.isArray(among)) return defers(of, set)
  const known = new Set((among as readonly Json[]).map(key))
  const outside = (values as readonly Json[]).filter((value) => !known.has(key(value)))
  if (outside.length === 0) return HOLDS
  const hidden = readsState(of) ? label(of) : `${label(of)}: ${show(outside)}`
  return violated(`${label(of)}: ${show(outside)} not in ${show(among)}`, `${hidden} not in ${readsState(set) ? label(set) : show(among)}`)
}

/** One text per JSON value, so that sets of values are looked up in constant time. */
function key(value: Json): string {
  return typeof value === 'object' && value !== null ? canonicalJson(value) : JSON.stringify(value)
}

function unique({ of }: Of<'unique'>, input: ContractInput): Outcome {
  const values = resolve(of, input)
  if (!Array.isArray(values)) return defers(of)
  const seen = new Set<string>()
  for (const value of values as readonly Json[]) {
    if (seen.has(key(value))) {
      return violated(`${label(of)} has ${show(value)} twice`, readsState(of) ? `${label(of)} repeats a value` : undefined)
    }
    seen.add(key(value))
  }
  return HOLDS
}

/** Violated only where every way is violated. */
function any({ relations }: Of<'any'>, input: ContractInput): Outcome {
  const outcomes = relations.map((relation) => evaluateRelation(relation, input))
  if (outcomes.some((outcome) => outcome.kind === 'holds')) return HOLDS
  const deferred = outcomes.filter((outcome) => outcome.kind === 'defers')
  if (deferred.length > 0) return { kind: 'defers', on: deferred.some((outcome) => outcome.on === 'state') ? 'state' : 'argument' }
  const texts = outcomes.flatMap((outcome) => (outcome.kind === 'violated' ? [outcome] : []))
  return violated(texts.map(({ text }) => text).join(', and '), texts.map(({ note }) => note).join(', and '))
}

function condition({ holds, condition: { test } }: Of<'cel'>, input: ContractInput): Outcome {
  const result = attempt(() => test(input.condition() as never))
  if (result === undefined) return { kind: 'defers', on: 'state' }
  return result
    ? HOLDS
    : violated(`not so: ${holds.replace(/\s+/g, ' ').trim()}`, 'a relation between the arguments and what is known does not hold')
}

/** Undefined where a condition cannot be evaluated on this call. */
export function attempt(test: () => boolean): boolean | undefined {
  try {
    return test()
  } catch (error) {
    if (error instanceof ConditionError) return undefined
    throw error
  }
}

function names(paths: readonly Path[]): string {
  return paths.map((path) => path.text).join(', ')
}
