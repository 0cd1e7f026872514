import type { Effect, Span } from '../../effect.ts'
import type { Word } from '../../host.ts'

export function knownWord(text: string, span: Span): Word {
  return { text, prefix: text, glob: false, dynamic: false, span }
}

/** The word with all that is known of it changed; its span stays that of the whole word, since quoting moves offsets. */
export function changedWord(word: Word, change: (text: string) => string): Word {
  return { ...word, text: word.text === null ? null : change(word.text), prefix: change(word.prefix) }
}

/** The rest of a word from offset `from`. */
export function sliceWord(word: Word, from: number): Word {
  return changedWord(word, (text) => text.slice(from))
}

/** A word of which nothing is known. */
export function unknownWord(span: Span, from: readonly Effect[] = [], dynamic = false): Word {
  return { text: null, prefix: '', glob: false, dynamic, span, ...(from.length > 0 ? { from } : {}) }
}
