import type { Span } from '../../effect.ts'
import type { Word } from '../../host.ts'
import { knownWord, unknownWord } from '../../resources/text/word.ts'

/** Elements of arrays and positional parameters: which one it is is known only where nothing before it may be several words, or none. */

/** An array, or parameters, of which nothing is known. */
export function unknownMany(span: Span): Word {
  return { text: null, prefix: '', glob: false, dynamic: false, span, many: true }
}

/** Whether each of the words is exactly one. */
export function isCounted(words: readonly Word[]): boolean {
  return words.every(isOne)
}

function isOne({ many, glob }: Word): boolean {
  return many !== true && !glob
}

/** `${a[i]}`. A pattern that is all there is stands for each of its elements. */
export function elementOf(elements: readonly Word[], index: Word, span: Span): Word {
  const at = index.text === null || !/^-?\d{1,6}$/.test(index.text) ? null : Number(index.text)
  if (at === null) return anyOf(elements, span)
  const only = elements.length === 1 ? elements[0] : undefined
  if (only?.glob === true) return only
  const beside = at < 0 ? elements.slice(at) : elements.slice(0, at + 1)
  const [nearest] = at < 0 ? beside : beside.slice(-1)
  if (isCounted(beside)) return elements.at(at) ?? knownWord('', span)
  // The first words of a pattern are words of that pattern.
  return at === 0 && nearest?.glob === true ? nearest : anyOf(elements, span)
}

/** `$1` and its kin; `all` begins with `$0`. */
export function parameterOf(all: readonly Word[], at: number, span: Span): Word {
  return at === 0 ? (all[0] ?? knownWord('', span)) : elementOf(all.slice(1), knownWord(String(at - 1), span), span)
}

/** One of them, nobody knows which. */
export function anyOf(elements: readonly Word[], span: Span): Word {
  const from = elements.flatMap((item) => item.from ?? [])
  const dynamic = elements.some((item) => item.dynamic)
  return unknownWord(span, from.slice(0, 64), dynamic)
}

interface Slice {
  readonly from: number
  readonly count: number
  readonly span: Span
}

/** `${a[@]:from:count}` */
export function sliceOf(values: readonly Word[], { from, count, span }: Slice): readonly Word[] {
  const [only, ...others] = values
  if (only !== undefined && others.length === 0 && !isOne(only)) return [only]
  const start = from < 0 ? values.length + from : from
  const skipped = from < 0 ? values.slice(Math.max(0, start)) : values.slice(0, start)
  // Counting from the end sees what is behind, counting from the start what is before; the rest may be of any length.
  const exact = isCounted(skipped) && (count === Number.POSITIVE_INFINITY || isCounted(values.slice(Math.max(0, start), start + count)))
  if (!exact || count < 0) return [{ ...anyOf(values, span), many: true }]
  return start < 0 ? [] : values.slice(start, start + count)
}

/** Parameters after `shift`: what is shifted out of words of any number is not known. `all` begins with `$0`. */
export function shifted(all: readonly Word[], count: number, span: Span): readonly Word[] {
  const [zero, ...rest] = all
  if (zero === undefined) return all
  const left = rest.slice(count)
  const gone = rest.slice(0, count)
  const pattern = gone.find(({ glob }) => glob)
  if (isCounted(gone)) return [zero, ...left]
  return [zero, gone.length === 1 && pattern !== undefined ? pattern : { ...anyOf(gone, span), many: true }, ...left]
}
