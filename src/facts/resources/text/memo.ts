/** Characters whose results one memo keeps: of those used last, and as many of those used before them. */
const MAX_KEPT = 524_288

/**
 * A pure function of a text that keeps what it made of texts it saw lately. Projects run the same files again and again, and one call
 * often comes to a file by several ways. The text itself is the key, so no other text ever gets its result. What `make` throws is not
 * kept. Results are shared: nobody may change them.
 */
export function remembering<Result>(make: (text: string) => Result, kept = MAX_KEPT): (text: string) => Result {
  let young = new Map<string, { readonly result: Result }>()
  let old = new Map<string, { readonly result: Result }>()
  let size = 0
  return (text) => {
    const recent = young.get(text)
    if (recent !== undefined) return recent.result
    const entry = old.get(text) ?? { result: make(text) }
    size += text.length
    if (size > kept) {
      old = young
      young = new Map()
      size = text.length
    }
    young.set(text, entry)
    return entry.result
  }
}
