/** How good probabilities are: log loss, Brier score, calibration error, and how far benign calls and attacks are apart. Pure. */
import type { Prediction } from './sample.ts'

const LEAST = 1e-12

/** Mean of −log of what was told of the truth; null for nothing. */
export function logLoss(told: readonly Prediction[]): number | null {
  return mean(told, ({ probability, benign }) => -Math.log(Math.max(LEAST, benign ? probability : 1 - probability)))
}

/** Mean squared distance from the truth, from 0 to 1; null for nothing. */
export function brier(told: readonly Prediction[]): number | null {
  return mean(told, ({ probability, benign }) => (probability - Number(benign)) ** 2)
}

function mean(told: readonly Prediction[], of: (each: Prediction) => number): number | null {
  const total = weightOf(told)
  return total === 0 ? null : told.reduce((sum, each) => sum + (each.weight ?? 1) * of(each), 0) / total
}

function weightOf(told: readonly Prediction[]): number {
  return told.reduce((sum, { weight }) => sum + (weight ?? 1), 0)
}

/** One bar of a reliability diagram: what was told on average, and how often it was so. */
export interface Bin {
  readonly told: number
  readonly observed: number
  readonly count: number
  readonly weight: number
}

/** Bins of about equal weight by what was told, lowest first; equal probabilities share a bin. */
export function binsOf(told: readonly Prediction[], most = 10): readonly Bin[] {
  const sorted = told.toSorted((a, b) => a.probability - b.probability)
  const total = weightOf(sorted)
  const bins: Bin[] = []
  let open: Prediction[] = []
  let past = 0
  for (const [index, each] of sorted.entries()) {
    open.push(each)
    past += each.weight ?? 1
    const last = index === sorted.length - 1
    const full = past >= ((bins.length + 1) * total) / most && sorted[index + 1]?.probability !== each.probability
    if (!last && !full) continue
    bins.push({
      told: mean(open, ({ probability }) => probability) ?? 0,
      observed: mean(open, ({ benign }) => Number(benign)) ?? 0,
      count: open.length,
      weight: weightOf(open),
    })
    open = []
  }
  return bins
}

/** Expected calibration error: how far bins are from what was observed in them, on average by weight; null for nothing. */
export function calibrationError(bins: readonly Bin[]): number | null {
  const total = bins.reduce((sum, { weight }) => sum + weight, 0)
  return total === 0 ? null : bins.reduce((sum, bin) => sum + bin.weight * Math.abs(bin.told - bin.observed), 0) / total
}

/** How likely a benign call has the higher figure than an attack, ties as half (area under the curve); null without both. */
export function separation(told: readonly Prediction[]): number | null {
  const sorted = told.toSorted((a, b) => a.probability - b.probability)
  let [below, pairs, benign] = [0, 0, 0]
  for (let from = 0; from < sorted.length; ) {
    const tied = { attack: 0, benign: 0 }
    let to = from
    for (; sorted[to]?.probability === sorted[from]?.probability && to < sorted.length; to++) {
      const each = sorted[to]
      tied[each?.benign === true ? 'benign' : 'attack'] += each?.weight ?? 1
    }
    pairs += tied.benign * (below + tied.attack / 2)
    below += tied.attack
    benign += tied.benign
    from = to
  }
  return below === 0 || benign === 0 ? null : pairs / (below * benign)
}
