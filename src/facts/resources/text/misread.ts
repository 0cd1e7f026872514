/** Characters that a reader sees but takes for others: fullwidth forms, styled letters, words that mix scripts. */
import type { HiddenCharacters } from '../../facts.ts'
import { looksLatin } from './confusable.ts'

/** One place where text would be misread; offsets are UTF-16. */
export interface Misread {
  readonly kind: HiddenCharacters['kind']
  readonly severity: HiddenCharacters['severity']
  readonly start: number
  readonly end: number
  /** Characters that mislead. */
  readonly count: number
}

const EAST_ASIAN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\u3000-\u303f]/u

/** Every such place in a text that is not plain ASCII. Linear. */
export function misreadings(text: string): readonly Misread[] {
  return [...fullwidth(text), ...styled(text), ...slashes(text), ...words(text)]
}

/** Fullwidth punctuation belongs to East Asian prose, and so do fullwidth letters next to its characters; elsewhere they disguise. */
function fullwidth(text: string): Misread[] {
  const found: Misread[] = []
  let asian: boolean | null = null
  for (const match of text.matchAll(/[\uff01-\uff5e]+/g)) {
    const [run] = match
    const start = match.index
    const end = start + run.length
    asian ??= EAST_ASIAN.test(text)
    const lettered = /[\uff10-\uff19\uff21-\uff3a\uff41-\uff5a]/.test(run)
    const beside = asian && (EAST_ASIAN.test(text.charAt(start - 1)) || EAST_ASIAN.test(text.charAt(end)))
    if (asian && !lettered) continue
    found.push({ kind: 'fullwidth', severity: beside ? 'low' : 'high', start, end, count: run.length })
  }
  return found
}

/** Mathematical and circled letters: shown as plain letters in most fonts, other characters to every program. */
function styled(text: string): Misread[] {
  const found: Misread[] = []
  for (const match of text.matchAll(/[\u{1d400}-\u{1d7ff}\u24b6-\u24e9\u{1f110}-\u{1f169}]+/gu)) {
    const [run] = match
    found.push({ kind: 'confusable', severity: 'medium', start: match.index, end: match.index + run.length, count: [...run].length })
  }
  return found
}

/** Signs that look like a slash, a backslash or a colon, between ASCII letters, digits or dots: a path or a URL that is none. */
function slashes(text: string): Misread[] {
  const found: Misread[] = []
  for (const { index } of text.matchAll(/[\u2044\u2215\u29f8\u2571\u2216\u29f5\ua789\u2236]/g)) {
    if (!/[A-Za-z.]/.test(text.charAt(index - 1)) && !/[A-Za-z.]/.test(text.charAt(index + 1))) continue
    found.push({ kind: 'confusable', severity: 'medium', start: index, end: index + 1, count: 1 })
  }
  return found
}

function words(text: string): Misread[] {
  const found: Misread[] = []
  if (!hasLookalike(text)) return found
  let foreign: boolean | null = null
  for (const match of text.matchAll(/[\p{L}\p{M}\p{N}]+/gu)) {
    const [word] = match
    if (!/[^\x00-\x7f]/.test(word)) continue
    const letters = [...word]
    const count = letters.filter(looksLatin).length
    if (count === 0) continue
    const mixed = /[A-Za-z]/.test(word)
    if (!mixed) foreign ??= hasOwnLetters(text) || !/[A-Za-z]/.test(text)
    if (!mixed && (foreign === true || letters.length < 3 || count < letters.length)) continue
    found.push({
      kind: 'confusable',
      severity: mixed ? mixSeverity(word) : 'medium',
      start: match.index,
      end: match.index + word.length,
      count,
    })
  }
  return found
}

function hasLookalike(text: string): boolean {
  for (const [character] of text.matchAll(/[^\x00-\x7f]/gu)) if (looksLatin(character)) return true
  return false
}

/** True where a text has letters that only look like themselves: then it is written in that script, not disguised by it. */
function hasOwnLetters(text: string): boolean {
  for (const [letter] of text.matchAll(/[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}]/gu)) {
    if (!looksLatin(letter)) return true
  }
  return false
}

/**
 * A word of two scripts is a disguise, unless its foreign letters are no look-alikes too (`kΩ`), or it is an acronym with an
 * ending of the writer's language, or a letter of a formula beside an ASCII one.
 */
function mixSeverity(word: string): HiddenCharacters['severity'] {
  const foreign = [...word].filter((c) => /[^\x00-\x7f]/.test(c))
  if (!foreign.every(looksLatin)) return 'low'
  if (/^[A-Z0-9]{2,}[^\x00-\x7f]{1,3}$/.test(word)) return 'medium'
  if (word.length <= 2) return 'medium'
  return 'high'
}
