/** Counts per outcome as layers that stand on each other, for a chart. Pure. */
import type { Bucket } from '../api/types.ts'

export const OUTCOMES = ['allow', 'flag', 'ask', 'deny', 'halt'] as const

/**
 * Seconds since the epoch, then one layer per outcome, the topmost (`halt`, on all others) first, so that a chart which paints in
 * this order leaves each visible.
 */
export function stacked(series: readonly Bucket[]): [number[], ...number[][]] {
  const times = series.map(({ at }) => Date.parse(at) / 1_000)
  const layers = OUTCOMES.map((_, last) =>
    series.map((bucket) => OUTCOMES.slice(0, last + 1).reduce((sum, outcome) => sum + bucket[outcome], 0)),
  )
  return [times, ...layers.toReversed()]
}
