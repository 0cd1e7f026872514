/** How surprising a call is for its role, in bits. Pure. */
import type { Surprise, SurprisePart, Term, Unit } from '../core/behaviour.ts'
import { type Level, levelsOf } from './levels.ts'
import type { Counted, RoleModel } from './model.ts'

/** Likelihood of a value that nobody has shown, in whatever context. */
const NEW = 0.1
/** What is known in general weighs as much as so many sessions. */
const PRIOR = 5
/** Share of its bits that the order of tools adds, and the most that it may. */
const ORDER_SHARE = 0.25
const ORDER_MOST = 2
/** Each doubling beyond the largest amount seen is so many times rarer. */
const BEYOND = 4

/**
 * What a call does, to what and how much hangs together: a new tool brings new effects, hosts and sizes with it, so only the strangest
 * of these counts. Where its values come from and how it was asked for are told by other things.
 */
const GROUPS: readonly (readonly Unit[])[] = [['tool', 'effect', 'host', 'path', 'command', 'volume'], ['source'], ['request']]

export interface Compared {
  readonly role: RoleModel
  /** All roles together, with which a role is compared where it has seen little; null: there is no other. */
  readonly pool: RoleModel | null
}

/** Averages are reckoned once for each context of a model. */
export class Scorer {
  readonly #models: readonly RoleModel[]
  readonly #role: RoleModel
  readonly #averages = new Map<string, number>()

  constructor({ role, pool }: Compared) {
    this.#role = role
    this.#models = pool === null ? [role] : [pool, role]
  }

  surprise(terms: readonly Term[]): Surprise {
    const strangest = new Map<Unit, SurprisePart>()
    for (const term of terms) {
      const part = this.#part(term)
      if (part.bits > (strangest.get(term.unit)?.bits ?? 0)) strangest.set(term.unit, part)
    }
    const bitsOf = (unit: Unit): number => strangest.get(unit)?.bits ?? 0
    const withoutOrder = tenths(GROUPS.reduce((sum, units) => sum + Math.max(...units.map(bitsOf)), 0))
    return {
      bits: tenths(withoutOrder + Math.min(ORDER_MOST, ORDER_SHARE * bitsOf('order'))),
      withoutOrder,
      parts: [...strangest.values()].sort((a, b) => b.bits - a.bits),
    }
  }

  #part(term: Term): SurprisePart {
    const levels = levelsOf(term)
    const own = `${term.unit}\t${term.context}`
    const counted = this.#role.places.get(own)
    const isAmount = term.unit === 'volume'
    let likelihood = NEW
    for (const { places } of this.#models) {
      for (const level of levels) likelihood = backedOff(likelihood, level, { counted: places.get(level.place), isAmount })
    }
    const bits = Math.max(0, -Math.log2(likelihood) - this.#average(own, counted))
    return { ...term, bits: tenths(bits), seen: counted?.values.get(term.value) ?? 0, of: counted?.total ?? 0 }
  }

  /** Bits that a value of this context carries on average, new ones included. */
  #average(place: string, counted: Counted | undefined): number {
    if (counted === undefined || counted.total === 0) return 0
    const known = this.#averages.get(place)
    if (known !== undefined) return known
    const all = counted.total + PRIOR
    const average = [...counted.values.values(), PRIOR].reduce((sum, weight) => sum - (weight / all) * Math.log2(weight / all), 0)
    this.#averages.set(place, average)
    return average
  }
}

interface At {
  readonly counted: Counted | undefined
  /** What counts of an amount is that so much or more was seen. */
  readonly isAmount: boolean
}

function backedOff(general: number, { value }: Level, { counted, isAmount }: At): number {
  if (counted === undefined || counted.total === 0) return general
  const all = counted.total + PRIOR
  if (!isAmount) return ((counted.values.get(value) ?? 0) + PRIOR * general) / all
  const { seen, beyond } = asMuch(Number(value), counted)
  return (seen + (PRIOR * general) / BEYOND ** beyond) / all
}

/** Weight of what was as much or more, and by how many doublings the amount is beyond the largest. */
function asMuch(amount: number, { values }: Counted): { readonly seen: number; readonly beyond: number } {
  let seen = 0
  let largest = 0
  for (const [value, weight] of values) {
    largest = Math.max(largest, Number(value))
    if (Number(value) >= amount) seen += weight
  }
  return { seen, beyond: Math.max(0, amount - largest) }
}

function tenths(bits: number): number {
  return Math.round(bits * 10) / 10
}
