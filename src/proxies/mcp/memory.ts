/** A few things by name; the oldest are forgotten first. */
export interface Memory<T> {
  readonly get: (key: string) => T | null
  readonly set: (key: string, value: T) => void
  readonly isEmpty: () => boolean
  /** Once. */
  readonly take: (key: string) => T | null
}

export function createMemory<T>(most: number): Memory<T> {
  const known = new Map<string, T>()
  return {
    isEmpty: () => known.size === 0,
    get: (key) => known.get(key) ?? null,
    set: (key, value) => {
      known.delete(key)
      known.set(key, value)
      const [oldest] = known.keys()
      if (known.size > most && oldest !== undefined) known.delete(oldest)
    },
    take: (key) => {
      const value = known.get(key) ?? null
      known.delete(key)
      return value
    },
  }
}
