/** What literal comparisons of a contract leave of each value: an interval, an exact value, excluded values (ROS-W10). */
import type { Json } from '../../../core/json.ts'
import type { Comparison, Contract, Operand, Param, Place } from '../model.ts'
import { equal, label, show } from '../operand.ts'

interface Bound {
  readonly subject: string
  readonly op: Comparison
  readonly value: Json
  readonly place: Place
  readonly source: string
}

const MIRRORED: Readonly<Record<Comparison, Comparison>> = { lt: 'gt', le: 'ge', gt: 'lt', ge: 'le', eq: 'eq', ne: 'ne' }

/** Every bound by a literal that always applies, parameters included. */
export function boundsOf(contract: Contract): readonly Bound[] {
  const fromParams = contract.params.flatMap((param) => paramBounds(param, contract.place))
  const fromConstraints = contract.constraints.flatMap(({ relation, guard, id, place }) => {
    if (guard !== null || relation.kind !== 'cmp') return []
    const bound = literalBound(relation)
    return bound === null
      ? []
      : [...natural(bound.operand, place), { subject: label(bound.operand), op: bound.op, value: bound.value, place, source: `\`${id}\`` }]
  })
  return [...fromParams, ...fromConstraints]
}

function paramBounds({ name, min, max }: Param, place: Place): readonly Bound[] {
  const source = `the parameter \`${name}\``
  return [
    ...(min === null ? [] : [{ subject: name, op: 'ge' as const, value: min, place, source }]),
    ...(max === null ? [] : [{ subject: name, op: 'le' as const, value: max, place, source }]),
  ]
}

/** Lengths and counts are never negative. */
function natural(operand: Operand, place: Place): readonly Bound[] {
  if (operand.kind !== 'len' && operand.kind !== 'count' && operand.kind !== 'chars') return []
  return [{ subject: label(operand), op: 'ge', value: 0, place, source: 'a count' }]
}

interface LiteralBound {
  readonly operand: Operand
  readonly op: Comparison
  readonly value: Json
}

function literalBound({
  op,
  left,
  right,
}: {
  readonly op: Comparison
  readonly left: Operand
  readonly right: Operand
}): LiteralBound | null {
  if (right.kind === 'literal' && left.kind !== 'literal') return { operand: left, op, value: right.value }
  if (left.kind === 'literal' && right.kind !== 'literal') return { operand: right, op: MIRRORED[op], value: left.value }
  return null
}

export interface Contradiction {
  readonly place: Place
  readonly message: string
}

/** Pairs of bounds on one value that no value satisfies; each value is reported once. */
export function contradictions(bounds: readonly Bound[]): readonly Contradiction[] {
  const bySubject = new Map<string, Bound[]>()
  for (const bound of bounds) bySubject.set(bound.subject, [...(bySubject.get(bound.subject) ?? []), bound])
  return [...bySubject.values()].flatMap((own) => {
    const pair = firstPair(own)
    if (pair === null) return []
    const [a, b] = pair
    return [
      {
        place: b.place,
        message: `no \`${b.subject}\` satisfies both ${a.source} (${a.op} ${show(a.value)}) and ${b.source} (${b.op} ${show(b.value)})`,
      },
    ]
  })
}

function firstPair(bounds: readonly Bound[]): readonly [Bound, Bound] | null {
  for (const [index, b] of bounds.entries()) {
    const a = bounds.slice(0, index).find((other) => excludes(other, b))
    if (a !== undefined) return [a, b]
  }
  return null
}

function excludes(a: Bound, b: Bound): boolean {
  if (a.op === 'eq') return !satisfies(a.value, b)
  if (b.op === 'eq') return !satisfies(b.value, a)
  const [low, high] = isLower(a) ? [a, b] : [b, a]
  if (!isLower(low) || !isUpper(high) || typeof low.value !== 'number' || typeof high.value !== 'number') return false
  return low.value > high.value || (low.value === high.value && (low.op === 'gt' || high.op === 'lt'))
}

const isLower = ({ op }: Bound): boolean => op === 'gt' || op === 'ge'
const isUpper = ({ op }: Bound): boolean => op === 'lt' || op === 'le'

function satisfies(value: Json, { op, value: bound }: Bound): boolean {
  if (op === 'eq') return equal(value, bound)
  if (op === 'ne') return !equal(value, bound)
  if (typeof value !== 'number' || typeof bound !== 'number') return true
  return op === 'lt' ? value < bound : op === 'le' ? value <= bound : op === 'gt' ? value > bound : value >= bound
}
