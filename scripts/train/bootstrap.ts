/** Figures with 95 % bootstrap intervals: clusters are drawn with replacement, never single calls. The seed is fixed. */
import { randomOf } from './fit.ts'

export interface Scored {
  readonly cluster: string
  readonly attack: boolean
  /** Higher: more likely an attack. */
  readonly risk: number
  readonly weight: number
}

export interface Estimate {
  readonly value: number
  readonly low: number
  readonly high: number
}

const DRAWS = 300

/** The figure with its interval; null where it is not defined for all calls. Draws for which it is not defined are left out. */
export function estimate<T extends { readonly cluster: string }>(
  items: readonly T[],
  figure: (items: readonly T[], weights: Float64Array) => number | null,
  weightOf: (item: T) => number,
): Estimate | null {
  const weights = Float64Array.from(items, weightOf)
  const value = figure(items, weights)
  if (value === null) return null
  const names = [...new Set(items.map(({ cluster }) => cluster))]
  const places = new Map(names.map((name, at) => [name, at]))
  const clusterAt = Uint32Array.from(items, ({ cluster }) => places.get(cluster) ?? 0)
  const random = randomOf(7)
  const drawn: number[] = []
  for (let draw = 0; draw < DRAWS; draw++) {
    const times = new Uint32Array(names.length)
    for (let each = 0; each < names.length; each++) {
      const at = Math.floor(random() * names.length)
      times[at] = (times[at] ?? 0) + 1
    }
    const again = figure(
      items,
      weights.map((weight, at) => weight * (times[clusterAt[at] ?? 0] ?? 0)),
    )
    if (again !== null) drawn.push(again)
  }
  drawn.sort((a, b) => a - b)
  const at = (share: number): number => drawn[Math.min(drawn.length - 1, Math.floor(drawn.length * share))] ?? value
  return { value, low: at(0.025), high: at(0.975) }
}

/** Area under the curve of calls that are sorted by risk, lowest first; null without both kinds. */
export function areaOf(sorted: readonly Scored[], weights: Float64Array): number | null {
  let [benign, attacks, pairs] = [0, 0, 0]
  for (let from = 0; from < sorted.length; ) {
    let [tiedBenign, tiedAttacks, to] = [0, 0, from]
    for (; to < sorted.length && sorted[to]?.risk === sorted[from]?.risk; to++) {
      if (sorted[to]?.attack === true) tiedAttacks += weights[to] ?? 0
      else tiedBenign += weights[to] ?? 0
    }
    pairs += tiedAttacks * (benign + tiedBenign / 2)
    benign += tiedBenign
    attacks += tiedAttacks
    from = to
  }
  return benign === 0 || attacks === 0 ? null : pairs / (benign * attacks)
}

/** The share of attacks above the risk that at most `rate` of the benign calls exceed; sorted lowest first. */
export function recallAt(rate: number): (sorted: readonly Scored[], weights: Float64Array) => number | null {
  return (sorted, weights) => {
    let [benign, attacks] = [0, 0]
    for (const [at, { attack }] of sorted.entries()) {
      if (attack) attacks += weights[at] ?? 0
      else benign += weights[at] ?? 0
    }
    if (benign === 0 || attacks === 0) return null
    let [wrong, caught, best] = [0, 0, 0]
    for (let at = sorted.length - 1; at >= 0; at--) {
      if (sorted[at]?.attack === true) caught += weights[at] ?? 0
      else wrong += weights[at] ?? 0
      if (wrong > rate * benign + 1e-12) break
      if (sorted[at - 1]?.risk !== sorted[at]?.risk) best = caught
    }
    return best / attacks
  }
}

/** The weighted share of items that hold; null for none. */
export function shareOf<T>(holds: (item: T) => boolean): (items: readonly T[], weights: Float64Array) => number | null {
  return (items, weights) => {
    let [hits, total] = [0, 0]
    for (const [at, item] of items.entries()) {
      total += weights[at] ?? 0
      if (holds(item)) hits += weights[at] ?? 0
    }
    return total === 0 ? null : hits / total
  }
}
