/** Finds the characters of a text that a reader cannot see or would misread, and tells disguise from the writing of the world. */
import type { HiddenCharacters } from '../../facts.ts'
import { isBidiControl, isBidiMark, isControl, isTag, isVariationSelector, isZeroWidth, needsLook, sequenceLength } from './characters.ts'
import { type Misread, misreadings } from './misread.ts'

type Kind = HiddenCharacters['kind']
type Severity = HiddenCharacters['severity']

/**
 * One entry per kind and severity, in order of appearance; `span` covers the first run, `count` all of them.
 * Not found: emoji sequences and flags, joiners inside scripts that need them, marks in right-to-left prose and fullwidth
 * punctuation in East Asian prose, or found as `low`. Linear.
 */
export function hiddenCharacters(text: string, pointer: string): readonly HiddenCharacters[] {
  if (!needsLook(text)) return []
  const groups: Group[] = []
  const add = (found: Misread) => collect(groups, found)
  scan(text, add)
  for (const found of misreadings(text)) add(found)
  return groups
    .sort((a, b) => a.start - b.start)
    .map(({ kind, severity, start, end, count }) => ({ kind, severity, span: { pointer, start, end }, count }))
}

type Group = { -readonly [K in keyof Misread]: Misread[K] }

function collect(groups: Group[], { kind, severity, start, end, count }: Misread): void {
  const group = groups.find((known) => known.kind === kind && known.severity === severity)
  if (group === undefined) {
    groups.push({ kind, severity, start, end, count })
    return
  }
  group.count += count
  if (start === group.end) group.end = end
}

function scan(text: string, add: (found: Misread) => void): void {
  for (let i = 0; i < text.length; ) {
    const point = text.codePointAt(i) as number
    let size = point > 0xffff ? 2 : 1
    const sequence = sequenceLength(text, i)
    if (sequence > 0) {
      add({ kind: 'ansi', severity: 'medium', start: i, end: i + sequence, count: 1 })
      size = sequence
    } else if (point === 0x1f3f4) {
      size = flagLength(text, i)
    } else {
      const judged = judge(text, i, point)
      if (judged !== null) add({ kind: judged.kind, severity: judged.severity, start: i, end: i + size, count: 1 })
    }
    i += size
  }
}

/** The three flags made of tags that keyboards offer: England, Scotland, Wales. Any other tag spells something hidden. */
const TAG_FLAGS = ['gbeng', 'gbsct', 'gbwls'].map(
  (region) => `\u{1f3f4}${[...region].map((c) => String.fromCodePoint(0xe0000 + c.charCodeAt(0))).join('')}\u{e007f}`,
)

function flagLength(text: string, at: number): number {
  return TAG_FLAGS.find((flag) => text.startsWith(flag, at))?.length ?? 2
}

interface Judged {
  readonly kind: Kind
  readonly severity: Severity
}

function judge(text: string, at: number, point: number): Judged | null {
  if (point < 0x7f && point >= 0x20) return null
  if (isTag(point)) return { kind: 'tag', severity: 'critical' }
  if (isBidiControl(point)) return { kind: 'bidi', severity: 'high' }
  if (isBidiMark(point)) return { kind: 'bidi', severity: RIGHT_TO_LEFT.test(around(text, at)) ? 'low' : 'medium' }
  if (isVariationSelector(point)) return selector(text, at, point)
  if (isZeroWidth(point)) return zeroWidth(text, at, point)
  if (point === 0x0d) return text[at + 1] === '\n' ? null : { kind: 'control', severity: 'low' }
  if (isControl(point)) return { kind: 'control', severity: point === 0 ? 'high' : 'medium' }
  return null
}

const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u
const EMOJI = /[\p{Extended_Pictographic}\p{Emoji_Modifier}\u{1f1e6}-\u{1f1ff}\ufe0f]/u
/** Scripts whose spelling uses the joiner and the non-joiner. */
const JOINING = new RegExp(
  `[${'Arabic Syriac Mongolian Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu Kannada Malayalam Sinhala Khmer'
    .split(' ')
    .map((script) => `\\p{Script=${script}}`)
    .join('')}]`,
  'u',
)

/** Scripts without spaces, where a zero-width space says where a line may break. */
const UNSPACED = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
/** Scripts whose fillers and selectors are part of their spelling. */
const FILLED = /[\p{Script=Hangul}\p{Script=Khmer}\p{Script=Mongolian}]/u

function around(text: string, at: number): string {
  return text.slice(Math.max(0, at - 16), at + 17)
}

/** After an emoji, a digit of a keycap or an ideograph, one selector is spelling; two in a row carry bytes. */
function selector(text: string, at: number, point: number): Judged | null {
  const base = before(text, at)
  if (isVariationSelector(base.codePointAt(0) ?? 0)) return { kind: 'variation-selector', severity: 'high' }
  const presentation = point === 0xfe0e || point === 0xfe0f
  if (presentation && (/[\p{Emoji}]/u.test(base) || EMOJI.test(base))) {
    const keycap = text[at + 1] === '\u20e3'
    return /[0-9#*]/.test(base) && !keycap ? { kind: 'variation-selector', severity: 'medium' } : null
  }
  if (/[\p{Script=Han}\p{Script=Mongolian}]/u.test(base)) return null
  return { kind: 'variation-selector', severity: 'medium' }
}

/** Between emoji, or beside letters of scripts that join, a joiner is how the text is written. */
function isJoiner(point: number, left: string, right: string): boolean {
  if (point === 0x200d && EMOJI.test(left) && EMOJI.test(right)) return true
  return (point === 0x200c || point === 0x200d) && (JOINING.test(left) || JOINING.test(right))
}

function zeroWidth(text: string, at: number, point: number): Judged | null {
  if (point === 0xfeff && at === 0) return { kind: 'zero-width', severity: 'low' }
  if (point === 0x00ad || point === 0x2800) return { kind: 'zero-width', severity: 'medium' }
  const [left, right] = [before(text, at), after(text, at)]
  if (left <= '\x7f' && right <= '\x7f') return { kind: 'zero-width', severity: 'high' }
  if (isJoiner(point, left, right)) return null
  const native = point === 0x200b ? UNSPACED : point < 0x2060 || point > 0x206f ? FILLED : null
  return { kind: 'zero-width', severity: native?.test(left + right) ? 'low' : 'high' }
}

/** The character that ends before `at`, or the empty string. */
function before(text: string, at: number): string {
  const low = text.charCodeAt(at - 1)
  return low >= 0xdc00 && low <= 0xdfff ? text.slice(Math.max(0, at - 2), at) : text.slice(Math.max(0, at - 1), at)
}

/** The character after the one-unit character at `at`. */
function after(text: string, at: number): string {
  const point = text.codePointAt(at + 1)
  return point === undefined ? '' : String.fromCodePoint(point)
}
