/** Operands of relations: what they resolve to on one call, and how they are called in a message. Undefined means “cannot tell”. */
import { isJsonObject, type Json, type JsonObject, own } from '../../core/json.ts'
import { readDate } from './dates.ts'
import type { Arithmetic, Fold, Operand } from './model.ts'
import { addMoney, Money, money, readMoney } from './money.ts'
import { itemsOf, readPath } from './path.ts'

/** What contracts see of the session and of lookups: single values, and tables by key. */
export type StateValue = Json | ReadonlyMap<string, Json>

export interface ContractInput {
  readonly args: JsonObject
  /** Undefined where nothing is known under this name. */
  readonly state: (key: string) => StateValue | undefined
  /** Names of state whose lookup failed: what is there, if anything, nobody knows. */
  readonly failed: ReadonlySet<string>
  /** Milliseconds since the epoch. */
  readonly now: number
  /** Variables of CEL conditions, `state` included; made only if asked for. */
  readonly condition: () => Readonly<Record<string, unknown>>
}

export type Value = Json | Money

/** The value, or undefined where any part of it is not there or has a type that the operand cannot use. */
export function resolve(operand: Operand, input: ContractInput): Value | undefined {
  switch (operand.kind) {
    case 'literal':
      return operand.value
    case 'field':
      return readPath(input.args, operand.path)
    case 'state':
      return fromState(operand, input)
    case 'now':
      return input.now
    case 'money':
      return money(plain(resolve(operand.amount, input)), plain(resolve(operand.currency, input)))
    case 'add':
    case 'sub':
    case 'mul':
      return calculate(
        operand.kind,
        operand.of.map((each) => resolve(each, input)),
      )
    default:
      return fold(operand.kind, resolve(operand.of, input))
  }
}

function plain(value: Value | undefined): Json | undefined {
  return value instanceof Money ? undefined : value
}

type StateOperand = Extract<Operand, { kind: 'state' }>

function fromState({ key, of, path }: StateOperand, input: ContractInput): Value | undefined {
  const table = input.state(key)
  if (table === undefined) return undefined
  if (of === null) return path === null ? whole(table) : readPath(whole(table), path)
  const wanted = plain(resolve(of, input))
  const one = (entry: Json): Json | undefined => {
    const found = entryOf(table, entry)
    return path === null ? found : readPath(found, path)
  }
  if (!Array.isArray(wanted)) return wanted === undefined ? undefined : one(wanted)
  const found = (wanted as readonly Json[]).map(one)
  return found.includes(undefined) ? undefined : (found as readonly Json[])
}

function entryOf(table: StateValue, key: Json): Json | undefined {
  if (typeof key !== 'string' && typeof key !== 'number') return undefined
  if (table instanceof Map) return table.get(String(key)) as Json | undefined
  return isJsonObject(table as Json) ? own(table as JsonObject, String(key)) : undefined
}

/** A table as an object, for paths and conditions. */
export function whole(value: StateValue): Json {
  if (!(value instanceof Map)) return value as Json
  const object: Record<string, Json> = Object.create(null)
  for (const [key, entry] of value) object[key] = entry as Json
  return object
}

function fold(kind: Fold, value: Value | undefined): Value | undefined {
  if (value === undefined) return undefined
  if (kind === 'date') return typeof value === 'string' ? readDate(value) : undefined
  if (kind === 'chars') return typeof value === 'string' ? [...value].length : undefined
  const json = plain(value)
  if (kind === 'keys') return isJsonObject(json) ? Object.keys(json) : undefined
  const items = itemsOf(json)
  if (items === undefined) return undefined
  if (kind === 'values') return items
  if (kind === 'len' || kind === 'count') return items.length
  return kind === 'sum' ? total(items) : extreme(kind, items)
}

function total(items: readonly Json[]): Value | undefined {
  const numbers = items.map(toNumber)
  if (!numbers.some(Number.isNaN)) return numbers.reduce((sum, number) => sum + number, 0)
  const amounts = items.map((item) => readMoney(item))
  return amounts.includes(undefined) ? undefined : addMoney(amounts as readonly Money[])
}

function extreme(kind: 'min' | 'max', items: readonly Json[]): number | undefined {
  if (items.length === 0) return undefined
  let best = toNumber(items[0])
  for (const item of items) {
    const number = toNumber(item)
    if (Number.isNaN(number)) return undefined
    best = kind === 'min' ? Math.min(best, number) : Math.max(best, number)
  }
  return best
}

function calculate(kind: Arithmetic, values: readonly (Value | undefined)[]): Value | undefined {
  if (values.some((value) => value instanceof Money)) {
    return kind === 'add' && values.every((value) => value instanceof Money) ? addMoney(values as readonly Money[]) : undefined
  }
  const [first = Number.NaN, ...rest] = values.map((value) => toNumber(plain(value)))
  const result = rest.reduce((a, b) => (kind === 'add' ? a + b : kind === 'sub' ? a - b : a * b), first)
  return Number.isFinite(result) ? result : undefined
}

/** Numbers, and text that is one; NaN for everything else. */
export function toNumber(value: Json | undefined): number {
  if (typeof value === 'number') return value
  return typeof value === 'string' && value.length <= 64 && value.trim() !== '' ? Number(value) : Number.NaN
}

const EPSILON = 1e-9

/** Equal as JSON: by value, numbers within 1e-9. */
export function equal(a: Json, b: Json): boolean {
  if (typeof a === 'number' && typeof b === 'number') return a === b || Math.abs(a - b) < EPSILON
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((item, index) => equal(item as Json, b[index] as Json))
  if (!isJsonObject(a)) return a === b
  if (!isJsonObject(b)) return false
  const keys = Object.keys(a)
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && equal(a[key] as Json, b[key] as Json))
}

/** How the operand is called: `limit`, `len(docs)`, `state.order[order_id].status`. */
export function label(operand: Operand): string {
  switch (operand.kind) {
    case 'literal':
      return show(operand.value)
    case 'field':
      return operand.path.text
    case 'state': {
      const key = operand.of === null ? '' : `[${label(operand.of)}]`
      return `state.${operand.key}${key}${operand.path === null ? '' : `.${operand.path.text}`}`
    }
    case 'now':
      return 'now'
    case 'money':
      return `${label(operand.amount)} ${operand.currency.kind === 'literal' ? String(operand.currency.value) : label(operand.currency)}`
    case 'add':
    case 'sub':
    case 'mul':
      return `(${operand.of.map(label).join({ add: ' + ', sub: ' - ', mul: ' * ' }[operand.kind])})`
    default:
      return `${operand.kind}(${label(operand.of)})`
  }
}

/** True where the value comes from outside of the call: it is then not for the agent's eyes. */
export function readsState(operand: Operand): boolean {
  switch (operand.kind) {
    case 'literal':
    case 'field':
    case 'now':
      return false
    case 'state':
      return true
    case 'money':
      return readsState(operand.amount) || readsState(operand.currency)
    case 'add':
    case 'sub':
    case 'mul':
      return operand.of.some(readsState)
    default:
      return readsState(operand.of)
  }
}

const LONGEST = 120

/** A value in a message: JSON, cut. */
export function show(value: Value | undefined): string {
  const text = value instanceof Money ? value.toString() : (JSON.stringify(value) ?? 'nothing')
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}…`
}
