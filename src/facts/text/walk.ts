/** Every string of a JSON value with the way to it, without recursion: a deep value must not end the walk (T04). */
import { childPointer, type Json } from '../../core/json.ts'

export interface StringAt {
  /** JSON pointer of the string, or of the member whose key it is. */
  readonly pointer: string
  readonly text: string
  /** True for a key: data hides there too. */
  readonly key: boolean
}

/** Strings and keys in the order of the document; a key comes before its value. */
export function* walkStrings(value: Json): Generator<StringAt, void, undefined> {
  const open: { pointer: string; value: Json; key: string | null }[] = [{ pointer: '', value, key: null }]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { pointer, value: current, key } = next
    if (key !== null) yield { pointer, text: key, key: true }
    if (typeof current === 'string') yield { pointer, text: current, key: false }
    if (typeof current !== 'object' || current === null) continue
    const isArray = Array.isArray(current)
    const entries = Object.entries(current)
    for (let i = entries.length - 1; i >= 0; i--) {
      const [name, child] = entries[i] as [string, Json]
      open.push({ pointer: childPointer(pointer, name), value: child, key: isArray ? null : name })
    }
  }
}
