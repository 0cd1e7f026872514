/** Every string of a JSON value with the way to it, without recursion: a deep value must not end the walk (T04). */
import { childPointer, type Json, type JsonObject } from '../../../core/json.ts'

export interface StringAt {
  /** JSON pointer of the string, or of the member whose key it is. */
  readonly pointer: string
  readonly text: string
  /** True for a key: data hides there too. */
  readonly key: boolean
}

/** Strings and keys in the order of the document; a key comes before its value. */
export function walkStrings(value: Json): readonly StringAt[] {
  const found: StringAt[] = typeof value === 'string' ? [{ pointer: '', text: value, key: false }] : []
  const open: Frame[] = []
  for (let frame = frameOf('', value); frame !== undefined; ) {
    const key = frame.keys[frame.next]
    frame.next += 1
    if (key === undefined) {
      frame = open.pop()
      continue
    }
    const child = (frame.value as JsonObject)[key]
    const pointer = childPointer(frame.pointer, key)
    if (!frame.array) found.push({ pointer, text: key, key: true })
    if (typeof child === 'string') found.push({ pointer, text: child, key: false })
    else if (typeof child === 'object' && child !== null) {
      open.push(frame)
      frame = frameOf(pointer, child)
    }
  }
  return found
}

/** An array or object that is being read, and how far. */
interface Frame {
  readonly pointer: string
  readonly value: readonly Json[] | JsonObject
  readonly array: boolean
  readonly keys: readonly string[]
  next: number
}

function frameOf(pointer: string, value: Json): Frame | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  return { pointer, value, array: Array.isArray(value), keys: Object.keys(value), next: 0 }
}
