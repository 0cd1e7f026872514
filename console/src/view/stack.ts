/** Counts per outcome as layers that stand on each other, for a chart. Pure. */
import type { Bucket } from '../api/types.ts'

export const OUTCOMES = ['allow', 'flag', 'ask', 'deny', 'halt'] as const

export interface Layer {
  readonly outcome: (typeof OUTCOMES)[number]
  /** Of each bucket, this outcome and all beneath it. */
  readonly counts: readonly number[]
}

/** The topmost layer (`halt`, on all others) first, so that a chart which paints in this order leaves each visible. */
export function stacked(series: readonly Bucket[]): readonly Layer[] {
  return OUTCOMES.map((outcome, last) => ({
    outcome,
    counts: series.map((bucket) => OUTCOMES.slice(0, last + 1).reduce((sum, each) => sum + bucket[each], 0)),
  })).toReversed()
}

/** Where the chart ends: the highest bar, and at least four. */
export function top(series: readonly Bucket[]): number {
  return Math.max(4, ...(stacked(series)[0]?.counts ?? []))
}
