import type { Effect, Span } from '../../effect.ts'
import type { Word } from '../../host.ts'

/** A word that is known. */
export function knownWord(text: string, span: Span): Word {
  return { text, prefix: text, glob: false, dynamic: false, span }
}

/** A word of which nothing is known. */
export function unknownWord(span: Span, from: readonly Effect[] = [], dynamic = false): Word {
  return { text: null, prefix: '', glob: false, dynamic, span, ...(from.length > 0 ? { from } : {}) }
}
