/**
 * Text of an agent written so that no two texts look alike (T24): whatever a reader cannot see, or would take for something
 * else, stands as `⟨U+202E⟩`. Reading it back gives the original. Pure; linear.
 */
import { isUnseen, isZeroWidth } from './characters.ts'
import { misreadings } from './misread.ts'

export interface VisiblePart {
  /** `foreign`: printed as it is, but no ASCII; a viewer may mark it. */
  readonly kind: 'plain' | 'foreign' | 'escape'
  /** What is shown. An escape starts with `⟨` and ends with `⟩`, which occur nowhere else. */
  readonly text: string
  /** UTF-16 offsets in the original. */
  readonly start: number
  readonly end: number
}

/** The whole text, with every escape in place. */
export function visibleText(text: string): string {
  return isSimple(text)
    ? text
    : visibleParts(text)
        .map((part) => part.text)
        .join('')
}

/** The text in order, as runs of what is printed as it is and single escapes; of a repeated character one escape with its count. */
export function visibleParts(text: string): readonly VisiblePart[] {
  if (text === '') return []
  if (isSimple(text)) return [{ kind: 'plain', text, start: 0, end: text.length }]
  const parts: VisiblePart[] = []
  const misread = misreadPoints(text)
  let cluster = ''
  for (let i = 0; i < text.length; ) {
    const plain = plainRun(text, i)
    if (plain > i) {
      append(parts, { kind: 'plain', text: text.slice(i, plain), start: i, end: plain })
      cluster = text.charAt(plain - 1)
      i = plain
      continue
    }
    const point = text.codePointAt(i) as number
    const char = String.fromCodePoint(point)
    if (point === 0x20 || isEscaped(char, { point, cluster }) || misread(i)) {
      const count = repeats(text, i, char)
      const run = point === 0x20 || count >= REPEATED ? count : 1
      parts.push({ kind: 'escape', text: escapeOf(point, run), start: i, end: i + run * char.length })
      cluster = ''
      i += run * char.length
    } else {
      append(parts, { kind: 'foreign', text: char, start: i, end: i + char.length })
      cluster = isMark(char) ? cluster + char : char
      i += char.length
    }
  }
  return parts
}

/** Four of the same escape in a row are one, with their number. */
const REPEATED = 4
/** More blanks than this in a row push what follows out of sight. */
const MAX_BLANKS = 32
/** A letter of a script that needs marks carries at most this many. */
const MAX_MARKS = 3

/** Printable ASCII without long or trailing blanks is shown as it is. */
function isSimple(text: string): boolean {
  return !/[^\x20-\x7e]/.test(text) && !text.endsWith(' ') && !text.includes(' '.repeat(MAX_BLANKS + 1))
}

/** Where a run of printable ASCII ends; blanks that nobody would see are not part of it. */
function plainRun(text: string, from: number): number {
  let i = from
  while (i < text.length) {
    PRINTABLE.lastIndex = i
    if (PRINTABLE.test(text)) i = PRINTABLE.lastIndex
    if (text[i] !== ' ') break
    const count = repeats(text, i, ' ')
    if (isHiddenRun(text, i, count)) break
    i += count
  }
  return i
}

const PRINTABLE = /[\x21-\x7e]+/y

function repeats(text: string, at: number, char: string): number {
  let count = 1
  while (text.startsWith(char, at + count * char.length)) count++
  return count
}

/** Blanks before a line's end or the text's end, or very many. */
function isHiddenRun(text: string, at: number, count: number): boolean {
  const next = text.charAt(at + count)
  return count > MAX_BLANKS || next === '' || next === '\n' || next === '\r'
}

/** Our own signs: a literal one is escaped, so that nothing can imitate an escape or the sign that a viewer sets for a line end. */
const OWN = new Set(['⟨', '⟩', '↵'])

interface Place {
  readonly point: number
  /** The character before with its marks; empty after an escape. */
  readonly cluster: string
}

function isEscaped(char: string, { point, cluster }: Place): boolean {
  if (point < 0x7f) return point < 0x20
  if (OWN.has(char) || isUnseen(point) || isZeroWidth(point) || isJamo(point)) return true
  if (/[\p{C}\p{Z}\p{Me}\p{Default_Ignorable_Code_Point}]/u.test(char)) return true
  if (char.normalize('NFC') !== char || /^[\x20-\x7e]+$/.test(char.normalize('NFKC'))) return true
  return isMark(char) && !belongs(char, cluster)
}

/** Letters that combine into a syllable which is a character of its own. */
function isJamo(point: number): boolean {
  return (point >= 0x1100 && point <= 0x11ff) || (point >= 0xa960 && point <= 0xa97f) || (point >= 0xd7b0 && point <= 0xd7ff)
}

function isMark(char: string): boolean {
  return /\p{M}/u.test(char)
}

/** A mark stays with a letter of a script that is written with marks, where no single character says the same. */
function belongs(mark: string, cluster: string): boolean {
  if (cluster === '' || cluster.length > MAX_MARKS || /^[\x00-\x7f]/.test(cluster) || /^\p{Script=Latin}/u.test(cluster)) return false
  return (cluster + mark).normalize('NFC') === cluster + mark
}

const NAMES: ReadonlyMap<number, string> = new Map([
  [0x00, 'NUL'],
  [0x07, 'BEL'],
  [0x08, 'BS'],
  [0x09, 'TAB'],
  [0x0a, 'LF'],
  [0x0d, 'CR'],
  [0x1b, 'ESC'],
  [0x20, 'SPACE'],
  [0x7f, 'DEL'],
  [0xa0, 'NBSP'],
])

function escapeOf(point: number, count: number): string {
  const name = NAMES.get(point) ?? `U+${point.toString(16).toUpperCase().padStart(4, '0')}`
  return count === 1 ? `⟨${name}⟩` : `⟨${name}×${count}⟩`
}

/** Whether the character at an offset stands in a word or a run that would be misread; offsets must be asked for in order. */
function misreadPoints(text: string): (at: number) => boolean {
  const spans = [...misreadings(text)].sort((a, b) => a.start - b.start)
  let next = 0
  let reach = 0
  return (at) => {
    for (let span = spans[next]; span !== undefined && span.start <= at; span = spans[++next]) reach = Math.max(reach, span.end)
    return at < reach
  }
}

function append(parts: VisiblePart[], part: VisiblePart): void {
  const last = parts.at(-1)
  if (last === undefined || last.kind !== part.kind) parts.push(part)
  else parts[parts.length - 1] = { ...last, text: last.text + part.text, end: part.end }
}
