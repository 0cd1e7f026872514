/** What `make` gives when it is first asked; made again only where it threw. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/** The same for each list of texts. */
export function onceEach<K extends readonly string[], T>(make: (key: K) => T): (key: K) => T {
  const made = new Map<string, T>()
  return (key) => {
    const name = JSON.stringify(key)
    const known = made.get(name)
    if (known !== undefined || made.has(name)) return known as T
    const value = make(key)
    made.set(name, value)
    return value
  }
}
