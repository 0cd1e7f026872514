/**
 * The seven relations of Role OS's grammar, written a second time from their description and on the raw file: plain, slow, and
 * sharing nothing with the product. True: provably violated. False: it holds, or cannot be told.
 */
export type Raw = Readonly<Record<string, unknown>>

export function referenceViolates(constraint: Raw, args: Raw, state: Raw): boolean {
  const operand = (raw: unknown): unknown => referenceOperand(raw, args, state)
  switch (constraint.kind) {
    case 'cmp': {
      const [a, b] = [operand(constraint.left), operand(constraint.right)]
      return a !== undefined && b !== undefined && comparisonFails(String(constraint.op), a, b)
    }
    case 'sum':
      return sumFails(constraint, args, operand(constraint.vs))
    case 'present':
      return list(constraint.fields).filter((field) => has(args, field)).length !== (constraint.count ?? 1)
    case 'requires':
      return requiresFails(constraint, args)
    case 'distinct': {
      const values = list(constraint.fields).map((field) => get(args, field))
      if (values.includes(undefined)) return false
      const texts = values.map((value) => (typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value)))
      return new Set(texts).size < texts.length
    }
    case 'member': {
      const value = get(args, String(constraint.field))
      const among = operand(constraint.in)
      return value !== undefined && Array.isArray(among) && !among.some((each) => same(each, value))
    }
    case 'char_at': {
      const text = get(args, String(constraint.string))
      const index = number(operand(constraint.index)) + Number(constraint.offset ?? 0)
      const asked = operand(constraint.equals)
      const wanted = typeof asked === 'number' ? `${asked}` : asked
      if (typeof text !== 'string' || Number.isNaN(index) || typeof wanted !== 'string') return false
      return index < 0 || text.substring(Math.trunc(index), Math.trunc(index) + wanted.length) !== wanted
    }
    default:
      throw new Error(`the reference does not know ${String(constraint.kind)}`)
  }
}

function referenceOperand(raw: unknown, args: Raw, state: Raw): unknown {
  if (typeof raw === 'string') return get(args, raw)
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) return raw
  const form = raw as Raw
  if ('value' in form) return form.value
  if ('enum' in form) return form.enum
  if ('field' in form) return get(args, String(form.field))
  if ('state' in form) return get(state, String(form.state))
  const counted = get(args, String(form.len))
  if (Array.isArray(counted)) return counted.length
  return typeof counted === 'object' && counted !== null ? Object.keys(counted).length : undefined
}

function comparisonFails(op: string, a: unknown, b: unknown): boolean {
  if (op === 'eq') return !same(a, b)
  if (op === 'ne') return same(a, b)
  const [x, y] = [number(a), number(b)]
  if (Number.isNaN(x) || Number.isNaN(y)) return false
  if (op === 'lt') return x >= y
  if (op === 'le') return x > y
  return op === 'gt' ? x <= y : x < y
}

function sumFails(constraint: Raw, args: Raw, vs: unknown): boolean {
  const { of } = constraint
  const whole = Array.isArray(of) ? of.map((field) => get(args, String(field))) : get(args, String(of))
  const values = Array.isArray(whole) ? whole : typeof whole === 'object' && whole !== null ? Object.values(whole) : null
  if (values === null) return false
  const numbers = values.map(number)
  const limit = number(vs)
  if (numbers.some(Number.isNaN) || Number.isNaN(limit)) return false
  let total = 0
  for (const each of numbers) total += each
  return comparisonFails(String(constraint.op ?? 'eq'), total, limit)
}

function requiresFails(constraint: Raw, args: Raw): boolean {
  const when = constraint.when as Raw
  const value = get(args, String(when.field))
  if (value === undefined) return false
  const applies = 'equals' in when ? same(value, when.equals) : !('in' in when) || list(when.in).some((each) => same(each, value))
  return applies && !list(constraint.require).every((field) => has(args, field))
}

function number(value: unknown): number {
  if (typeof value === 'number') return value
  return typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN
}

/** Numbers within 1e-9, everything else by value, as JSON. */
function same(a: unknown, b: unknown): boolean {
  if (typeof a === 'number' && typeof b === 'number') return Math.abs(a - b) < 1e-9
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b
  if (Array.isArray(a) !== Array.isArray(b)) return false
  const [left, right] = [Object.entries(a), new Map(Object.entries(b))]
  return left.length === right.size && left.every(([key, value]) => right.has(key) && same(value, right.get(key)))
}

const list = (value: unknown): readonly string[] => (Array.isArray(value) ? value : [])
const has = (object: Raw, key: string): boolean => Object.hasOwn(object, key)
const get = (object: Raw, key: string): unknown => (has(object, key) ? object[key] : undefined)
