/** The secrets in a text, also those that hidden characters take apart (FUL-46). */
import type { SecretMatch } from '../../facts.ts'
import { remembering } from '../text/memo.ts'
import { type FoldedText, foldWithOrigins } from '../text/plain.ts'
import { findEmbedded } from './embedded.ts'
import { findPairs } from './pairs.ts'
import { type FoundSecret, findTokens } from './rules.ts'

/**
 * Every secret in `text`, in order, without overlaps. A span covers the secret alone, not its name, in the original text,
 * hidden characters included. Linear; text without a candidate costs one scan.
 * @param pointer JSON pointer of the text, for the spans
 */
export function findSecrets(text: string, pointer: string): readonly SecretMatch[] {
  return secretSpans(text).map(({ rule, start, end }) => ({ rule, span: { pointer, start, end } }))
}

/** `pwd=1234`: nothing shorter names a secret and holds it. */
const SHORTEST = 8

/** A long text is asked about several times: is there a secret, which, and where to mask it. */
const LONG = 256
/** UTF-16 units of long texts whose spans are kept: records of one repository hold the same files again and again. */
const MAX_KEPT = 2_097_152
const spansOfLong = remembering(spansIn, MAX_KEPT)

/** The same as bare offsets, for masking. */
export function secretSpans(text: string): readonly FoundSecret[] {
  if (text.length < SHORTEST) return []
  return text.length <= LONG ? spansIn(text) : spansOfLong(text)
}

function spansIn(text: string): readonly FoundSecret[] {
  const found = search(text)
  const folded = foldWithOrigins(text)
  if (folded !== null && folded.text !== text) {
    for (const { rule, start, end } of search(folded.text)) found.push({ rule, ...unfold(folded, start, end) })
  }
  return found.length === 0 ? [] : merge(found)
}

/** Back to the original: hidden characters inside the span and right after it go with it. */
function unfold({ origins }: FoldedText, start: number, end: number): { start: number; end: number } {
  const last = origins[end - 1] as number
  return { start: origins[start] as number, end: Math.max(last + 1, origins[end] as number) }
}

function search(text: string): FoundSecret[] {
  const found = findTokens(text)
  for (const secret of findEmbedded(text)) found.push(secret)
  for (const secret of findPairs(text)) found.push(secret)
  return found
}

/** One span for spans that overlap, named by the one that starts first, and of those by the most specific, which came first. */
function merge(found: FoundSecret[]): readonly FoundSecret[] {
  const merged: { rule: string; start: number; end: number }[] = []
  for (const next of found.sort((a, b) => a.start - b.start)) {
    const last = merged.at(-1)
    if (last === undefined || next.start >= last.end) merged.push({ ...next })
    else last.end = Math.max(last.end, next.end)
  }
  return merged
}
