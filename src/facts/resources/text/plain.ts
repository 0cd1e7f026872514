/**
 * What a text says once its disguise is off (T07). Views are for matching and for showing, never for execution or digests, and
 * never lower a verdict: a finding in the raw text stays one.
 */
import { isUnseen, needsLook, sequenceLength } from './characters.ts'

const ESCAPE = 0x1b

/**
 * NFKC without hidden characters and terminal sequences. A second pass takes what NFKC put together, such as ESC and a
 * fullwidth bracket (FUL-49). Tabs and line ends stay. Idempotent; linear.
 */
export function plainView(text: string): string {
  if (!needsLook(text)) return text
  const folded = strip(text, true).normalize('NFKC')
  return strip(folded, false).normalize('NFKC')
}

function strip(text: string, keepEscape: boolean): string {
  let out = ''
  let from = 0
  for (let i = 0; i < text.length; ) {
    const point = text.codePointAt(i) as number
    const size = point > 0xffff ? 2 : 1
    const sequence = sequenceLength(text, i)
    const gone = sequence > 0 || (isUnseen(point) && !(keepEscape && point === ESCAPE))
    if (gone) {
      out += text.slice(from, i)
      from = i + Math.max(sequence, size)
    }
    i += Math.max(sequence, size)
  }
  return out + text.slice(from)
}

/** A plain view that knows where each of its characters came from. */
export interface FoldedText {
  readonly text: string
  /** UTF-16 offset in the original for each UTF-16 offset in `text`, and the original's length at the end. */
  readonly origins: readonly number[]
}

/**
 * The plain view, folded character by character (so letters and marks stay apart), with the way back to the original: for
 * masking what was found under a disguise. Null where the text wears none: where folding changes nothing.
 */
export function foldWithOrigins(text: string): FoldedText | null {
  if (!needsLook(text) || !folds(text)) return null
  const once = fold({ text, origins: null })
  return folds(once.text) ? fold(once) : once
}

/** True where folding would change a character: prose with dashes, arrows and accents wears no disguise. */
function folds(text: string): boolean {
  for (const { index, 0: character } of text.matchAll(/[^\t\n\r\x20-\x7e]/gu)) {
    const point = character.codePointAt(0) as number
    if (isUnseen(point) || sequenceLength(text, index) > 0 || character.normalize('NFKC') !== character) return true
  }
  return false
}

/** `before` are the origins of the text itself, where it was folded already. */
function fold({ text, origins: before }: { text: string; origins: readonly number[] | null }): FoldedText {
  const origins: number[] = []
  const special = /[^\t\n\r\x20-\x7e]/gu
  let out = ''
  let i = 0
  while (i < text.length) {
    special.lastIndex = i
    const next = special.exec(text)?.index ?? text.length
    out += text.slice(i, next)
    for (; i < next; i++) origins.push(before?.[i] ?? i)
    if (i === text.length) break
    const point = text.codePointAt(i) as number
    const size = point > 0xffff ? 2 : 1
    const sequence = sequenceLength(text, i)
    if (sequence === 0 && (!isUnseen(point) || (point === ESCAPE && before === null))) {
      const plain = text.slice(i, i + size).normalize('NFKC')
      out += plain
      for (let k = 0; k < plain.length; k++) origins.push(before?.[i] ?? i)
    }
    i += Math.max(sequence, size)
  }
  origins.push(before?.[text.length] ?? text.length)
  return { text: out, origins }
}

/** The ASCII that tag characters in a text spell, at most `limit` characters: for the operator's log only (FUL-45). */
export function tagText(text: string, limit = 200): string {
  let out = ''
  for (const character of text) {
    const point = character.codePointAt(0) as number
    if (point >= 0xe0020 && point <= 0xe007e) out += String.fromCharCode(point - 0xe0000)
    if (out.length >= limit) break
  }
  return out
}
