/** How surprising a call is for its role, in bits. Pure. */
import { MAX_NEW_BITS, type Surprise, type SurprisePart, type Term, type Unit } from '../core/behaviour.ts'
import { levelsOf } from './levels.ts'
import type { Counted, RoleModel } from './model.ts'

/** Likelihood of a value that nobody has shown, in whatever context. */
const NEW = 0.1
/** What is known in general weighs as much as so many sessions. */
const PRIOR = 5
/** Share of its bits that the order of tools adds, and the most that it may. */
const ORDER_SHARE = 0.25
const MAX_ORDER_BITS = 1
/** Weight of amounts beyond the largest seen. */
const BEYOND = 0.5
/** A new tool brings new effects, hosts and sizes with it, so only the strangest of what a call does and touches counts. */
const NEW_UNITS: readonly Unit[] = ['tool', 'effect', 'host', 'path', 'command', 'volume']
/** Share of the bits that is left of something new that the user asked for by name. */
const ASKED_SHARE = 0.25
/** The request tells more than its rarity, because few calls go without one; up to so many bits. */
const REQUEST_FACTOR = 2
const MAX_REQUEST_BITS = 8

export interface Compared {
  readonly role: RoleModel
  /** All roles together, with which a role is compared where it has seen little; null: there is no other. */
  readonly pool: RoleModel | null
}

/** Averages are reckoned once for each context of a model. */
export class Scorer {
  readonly #role: RoleModel
  readonly #pool: RoleModel | null
  readonly #averages = new Map<string, number>()
  readonly #others = new Map<string, Counted | undefined>()

  constructor({ role, pool }: Compared) {
    this.#role = role
    this.#pool = pool
  }

  surprise(terms: readonly Term[]): Surprise {
    const strangest = new Map<Unit, SurprisePart>()
    for (const term of terms) {
      const part = this.#part(term)
      if (part.bits > (strangest.get(term.unit)?.bits ?? 0)) strangest.set(term.unit, part)
    }
    const bitsOf = (unit: Unit): number => strangest.get(unit)?.bits ?? 0
    const isNew = Math.max(...NEW_UNITS.map(bitsOf))
    const unrequested = Math.min(MAX_REQUEST_BITS, REQUEST_FACTOR * bitsOf('request'))
    const withoutOrder = tenths(Math.max(isNew, bitsOf('source') + unrequested + bitsOf('doubt')))
    return {
      bits: tenths(withoutOrder + Math.min(MAX_ORDER_BITS, ORDER_SHARE * bitsOf('order'))),
      withoutOrder,
      parts: [...strangest.values()].sort((a, b) => b.bits - a.bits),
    }
  }

  #part(term: Term): SurprisePart {
    const counted = this.#role.places.get(`${term.unit}\t${term.context}`)
    const bits = term.unit === 'volume' ? this.#amountBits(term) : this.#valueBits(term)
    const left = Math.min(term.asked === true ? bits * ASKED_SHARE : bits, NEW_UNITS.includes(term.unit) ? MAX_NEW_BITS : bits)
    return {
      unit: term.unit,
      context: term.context,
      value: term.value,
      bits: tenths(Math.max(0, left)),
      seen: counted?.values.get(term.value) ?? 0,
      of: counted?.total ?? 0,
    }
  }

  #valueBits(term: Term): number {
    const levels = levelsOf(term)
    const own = `${term.unit}\t${term.context}`
    const isOrdinal = term.unit === 'doubt'
    let likelihood = NEW
    for (const { place, value } of levels) likelihood = backedOff(likelihood, value, { counted: this.#ofOthers(place), isOrdinal })
    for (const { place, value } of levels) likelihood = backedOff(likelihood, value, { counted: this.#role.places.get(place), isOrdinal })
    const expected = isOrdinal ? 0 : this.#average(own, this.#role.places.get(own))
    return -Math.log2(likelihood) - expected
  }

  /** How rarely as much was seen, of the role itself or, where it has shown none, of others; one bit less than that, as half of all is. */
  #amountBits({ unit, context, value }: Term): number {
    const place = `${unit}\t${context}`
    const own = this.#role.places.get(place)
    const counted = own !== undefined && own.total > 0 ? own : this.#ofOthers(place)
    if (counted === undefined || counted.total === 0) return 0
    const { seen, beyond } = asMuch(Number(value), counted)
    return -Math.log2((seen + BEYOND / 2 ** (beyond * beyond)) / (counted.total + 1)) - 1
  }

  /** What all roles have shown without this one: its own is not counted twice. */
  #ofOthers(place: string): Counted | undefined {
    const all = this.#pool?.places.get(place)
    const own = this.#role.places.get(place)
    if (all === undefined || own === undefined) return all
    if (this.#others.has(place)) return this.#others.get(place)
    const others = without(all, own)
    this.#others.set(place, others)
    return others
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
  /** What counts is that so much or more was seen. */
  readonly isOrdinal: boolean
}

function backedOff(general: number, value: string, { counted, isOrdinal }: At): number {
  if (counted === undefined || counted.total === 0) return general
  const seen = isOrdinal ? asMuch(Number(value), counted).seen : (counted.values.get(value) ?? 0)
  return (seen + PRIOR * general) / (counted.total + PRIOR)
}

function without(all: Counted, own: Counted): Counted {
  const others: Counted = { total: 0, values: new Map() }
  for (const [value, weight] of all.values) {
    const left = weight - (own.values.get(value) ?? 0)
    if (left < LEAST_WEIGHT) continue
    others.values.set(value, left)
    others.total += left
  }
  return others
}

/** Less is left of rounding. */
const LEAST_WEIGHT = 1e-4

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
