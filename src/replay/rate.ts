/** Rates with honest intervals: calls of one task are not independent, so they count as one cluster. */

/** A share with its counts and a 95 % interval. */
export interface Rate {
  readonly name: string
  readonly hits: number
  readonly of: number
  /** Tasks that the observations come from. */
  readonly clusters: number
  readonly low: number
  readonly high: number
}

/** Hits and observations of one cluster. */
export interface Tally {
  hits: number
  of: number
}

const Z = 1.959964

/**
 * The share over all clusters with Wilson's interval on the effective number of observations: their number divided by the
 * design effect, how much wider the clusters make the variance. Where all observations agree the design effect cannot be
 * estimated, and every cluster counts as one observation.
 */
export function rateOf(name: string, clusters: readonly Tally[]): Rate {
  const hits = clusters.reduce((sum, cluster) => sum + cluster.hits, 0)
  const of = clusters.reduce((sum, cluster) => sum + cluster.of, 0)
  const n = clusters.length
  if (of === 0) return { name, hits, of, clusters: n, low: 0, high: 1 }
  const share = hits / of
  const effective = hits === 0 || hits === of ? n : of / designEffect(clusters, share, of)
  const { low, high } = wilson(share, effective)
  return { name, hits, of, clusters: n, low, high }
}

/** Variance of the ratio estimator over that of as many independent observations; never taken to be below 1. */
function designEffect(clusters: readonly Tally[], share: number, of: number): number {
  const n = clusters.length
  // One cluster says nothing of how clusters differ: it is worth one observation.
  if (n < 2) return of
  const spread = clusters.reduce((sum, cluster) => sum + (cluster.hits - share * cluster.of) ** 2, 0)
  const clustered = ((n / (n - 1)) * spread) / of ** 2
  return Math.max(1, clustered / ((share * (1 - share)) / Math.max(1, of - 1)))
}

function wilson(share: number, n: number): { readonly low: number; readonly high: number } {
  const scale = 1 + Z ** 2 / n
  const middle = (share + Z ** 2 / (2 * n)) / scale
  const margin = (Z / scale) * Math.sqrt((share * (1 - share)) / n + Z ** 2 / (4 * n ** 2))
  return { low: Math.min(share, Math.max(0, middle - margin)), high: Math.max(share, Math.min(1, middle + margin)) }
}
