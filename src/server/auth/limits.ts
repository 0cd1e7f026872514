/** Token buckets: so many requests a minute for each caller, with bursts; memory is bounded whoever sends. */

interface Bucket {
  level: number
  at: number
}

export interface Limiter {
  /** Seconds until the next request may come; 0: it may come now, and is counted. */
  readonly take: (who: string) => number
}

const MAX_CALLERS = 10_000

/** `perMinute` requests for each caller, as many at once as in ten seconds but at least five. `now` in milliseconds, monotonic. */
export function createLimiter(perMinute: number, now: () => number): Limiter {
  const rate = perMinute / 60_000
  const burst = Math.max(5, perMinute / 6)
  const buckets = new Map<string, Bucket>()
  return {
    take: (who) => {
      const at = now()
      const known = buckets.get(who)
      const bucket = known ?? { level: burst, at }
      bucket.level = Math.min(burst, bucket.level + (at - bucket.at) * rate)
      bucket.at = at
      // The one that was seen last is dropped last.
      if (known !== undefined) buckets.delete(who)
      buckets.set(who, bucket)
      if (buckets.size > MAX_CALLERS) buckets.delete(buckets.keys().next().value ?? who)
      if (bucket.level < 1) return Math.max(1, Math.ceil((1 - bucket.level) / rate / 1000))
      bucket.level -= 1
      return 0
    },
  }
}
