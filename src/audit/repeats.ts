/**
 * Secrets that stand once more where nothing around them says so: a line of a private key that a shell would take for a
 * program, a password that an effect names. Told by their words; linear in the text.
 */
import { childPointer, type Json } from '../core/json.ts'

/** Shorter words are not told from others. */
const WORD = /[\w+.~@%-]{12,}/g
/** A mask names its rule, which may be a word of a secret as well: masks stay as they are. */
const MASK_OR_WORD = /\[redacted [a-z-]+(?: [0-9a-f]{1,64})?\]|[\w+.~@%-]{12,}/g

/** Words of secrets that were masked, and the rule that found each. */
export type SecretWords = Map<string, string>

/** Remembers the words of a secret. */
export function remember(words: SecretWords, rule: string, secret: string): void {
  for (const [word] of secret.matchAll(WORD)) words.set(word, rule)
}

export interface Repeats {
  readonly value: Json
  /** JSON pointers of what was masked here, into `value`. */
  readonly erased: readonly string[]
}

/** A copy of `value` in which every such word is masked, keys included. `value` is acyclic and of bounded depth. */
export function maskRepeats(value: Json, words: SecretWords, mask: (rule: string, original: string) => string): Repeats {
  if (words.size === 0) return { value, erased: [] }
  const erased: string[] = []
  const written = (text: string): string =>
    text.replace(MASK_OR_WORD, (word) => {
      const rule = words.get(word)
      return rule === undefined ? word : mask(rule, word)
    })
  const copy = (part: Json, pointer: string): Json => {
    if (typeof part === 'string') {
      const text = written(part)
      if (text !== part) erased.push(pointer)
      return text
    }
    if (Array.isArray(part)) return part.map((item: Json, index) => copy(item, childPointer(pointer, index)))
    if (typeof part !== 'object' || part === null) return part
    const out: Record<string, Json> = Object.create(null)
    for (const [key, inner] of Object.entries(part)) {
      const name = freeName(out, written(key))
      const below = childPointer(pointer, name)
      if (name !== key) erased.push(below)
      out[name] = copy(inner, below)
    }
    return out
  }
  return { value: copy(value, ''), erased }
}

/** Two secret keys have one mask; both members must stay. */
export function freeName(object: Readonly<Record<string, Json>>, name: string): string {
  let candidate = name
  for (let count = 2; Object.hasOwn(object, candidate); count++) candidate = `${name} ${count}`
  return candidate
}
