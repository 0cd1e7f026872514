/**
 * Logistic regression by AdaGrad with a fixed seed. Weights stay at or above zero, so that a feature only ever raises the
 * risk; an L1 penalty keeps few of them. The vocabulary holds only what several sources share: nothing of one alone is in it.
 */
import type { Row } from './corpus.ts'

export interface FitOptions {
  readonly seed: number
  readonly epochs: number
  readonly rate: number
  /** Pull towards zero per update, of named features and of text. */
  readonly penalty: readonly [named: number, text: number]
  /** How many groups must share a feature, named and of text. */
  readonly shared: readonly [named: number, text: number]
  /** Most features of text. */
  readonly mostText: number
}

export const FIT: FitOptions = { seed: 20_261_121, epochs: 4, rate: 0.1, penalty: [0.003, 0.02], shared: [3, 6], mostText: 2_000 }

export interface Example {
  readonly named: readonly number[] | Uint32Array
  readonly text: readonly number[] | Uint32Array
  readonly label: 0 | 1
  readonly weight: number
}

export interface Fitted {
  readonly bias: number
  readonly named: ReadonlyMap<number, number>
  readonly text: ReadonlyMap<number, number>
}

/** Mulberry32: the same numbers on every machine. From 0 up to 1. */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    const first = Math.imul(state ^ (state >>> 15), state | 1)
    const second = first ^ (first + Math.imul(first ^ (first >>> 7), first | 61))
    return ((second ^ (second >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** Every other row without its findings: a judge is asked with all, with one, or with none of them. Each group weighs as the root of its size. */
export function examplesOf(rows: readonly Row[]): readonly Example[] {
  const sizes = new Map<string, number>()
  for (const { group } of rows) sizes.set(group, (sizes.get(group) ?? 0) + 1)
  return rows.flatMap(({ group, label, named, bare, text }, index) => {
    const weight = Math.sqrt(1_000 / (sizes.get(group) ?? 1))
    return label === null ? [] : [{ named: index % 2 === 0 ? named : bare, text, label, weight }]
  })
}

/** Hashes that at least `shared` groups have, most groups first, then by the hash; at most `most`. */
function sharedHashes(
  rows: readonly Row[],
  of: (row: Row) => Uint32Array,
  { shared, most }: { shared: number; most: number },
): readonly number[] {
  const bits = new Map([...new Set(rows.map(({ group }) => group))].map((group, index) => [group, 2 ** index]))
  const seen = new Map<number, number>()
  const counts = new Map<number, number>()
  for (const row of rows) {
    const bit = bits.get(row.group) ?? 0
    for (const hash of of(row)) {
      seen.set(hash, (seen.get(hash) ?? 0) | bit)
      counts.set(hash, (counts.get(hash) ?? 0) + 1)
    }
  }
  const kept = [...seen].filter(([, groups]) => ones(groups) >= shared)
  const order = kept.toSorted(([a, x], [b, y]) => ones(y) - ones(x) || (counts.get(b) ?? 0) - (counts.get(a) ?? 0) || a - b)
  return order.slice(0, most).map(([hash]) => hash)
}

function ones(bits: number): number {
  let count = 0
  for (let rest = bits; rest !== 0; rest &= rest - 1) count++
  return count
}

/** Fits one model to the labelled rows. The same rows and options give the same weights. */
export function fitModel(rows: readonly Row[], options: FitOptions = FIT): Fitted {
  const labelled = rows.filter(({ label }) => label !== null)
  const [inNamed, inText] = options.shared
  const namedHashes = sharedHashes(labelled, ({ named }) => named, { shared: inNamed, most: 100_000 })
  const textHashes = sharedHashes(labelled, ({ text }) => text, { shared: inText, most: options.mostText })
  const index = {
    named: new Map(namedHashes.map((hash, at) => [hash, at])),
    text: new Map(textHashes.map((hash, at) => [hash, at + namedHashes.length])),
  }
  const size = namedHashes.length + textHashes.length
  const examples = examplesOf(labelled).map(({ named, text, label, weight }) => {
    const places = [...placesOf(named, index.named), ...placesOf(text, index.text)]
    return { places: Int32Array.from(places), label, weight }
  })
  const { weights, bias } = descend(examples, { size, firstText: namedHashes.length, options })
  const pairs = (hashes: readonly number[], from: number) => new Map(hashes.map((hash, at) => [hash, weights[from + at] ?? 0]))
  return { bias, named: pairs(namedHashes, 0), text: pairs(textHashes, namedHashes.length) }
}

function placesOf(hashes: Iterable<number>, index: ReadonlyMap<number, number>): readonly number[] {
  const places: number[] = []
  for (const hash of hashes) {
    const at = index.get(hash)
    if (at !== undefined) places.push(at)
  }
  return places
}

interface Placed {
  readonly places: Int32Array
  readonly label: 0 | 1
  readonly weight: number
}

interface Descent {
  readonly size: number
  readonly firstText: number
  readonly options: FitOptions
}

function descend(examples: readonly Placed[], { size, firstText, options }: Descent): { weights: Float64Array; bias: number } {
  const weights = new Float64Array(size)
  const squares = new Float64Array(size).fill(1e-6)
  const random = randomOf(options.seed)
  const order = Uint32Array.from(examples, (_, at) => at)
  let [bias, biasSquare] = [-3, 1e-6]
  for (let epoch = 0; epoch < options.epochs; epoch++) {
    shuffle(order, random)
    for (const at of order) {
      const example = examples[at]
      if (example === undefined) continue
      const { places, label, weight } = example
      let z = bias
      for (const place of places) z += weights[place] ?? 0
      const gradient = weight * (1 / (1 + Math.exp(-z)) - label)
      biasSquare += gradient ** 2
      bias -= (options.rate * gradient) / Math.sqrt(biasSquare)
      for (const place of places) {
        const pulled = gradient + options.penalty[place < firstText ? 0 : 1]
        const square = (squares[place] ?? 0) + pulled ** 2
        squares[place] = square
        weights[place] = Math.max(0, (weights[place] ?? 0) - (options.rate * pulled) / Math.sqrt(square))
      }
    }
  }
  return { weights, bias }
}

function shuffle(order: Uint32Array, random: () => number): void {
  for (let last = order.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1))
    const kept = order[last] ?? 0
    order[last] = order[other] ?? 0
    order[other] = kept
  }
}

/** Log-odds of the risk, before calibration. */
export function riskOf({ bias, named, text }: Fitted, row: { readonly named: Iterable<number>; readonly text: Iterable<number> }): number {
  let z = bias
  for (const hash of row.named) z += named.get(hash) ?? 0
  for (const hash of row.text) z += text.get(hash) ?? 0
  return z
}
