/** Classes of characters that a reader cannot see, and the terminal sequences that start with one. */

/** False for text of printable ASCII, tabs and line ends only: nothing in this folder can find anything there. */
export function needsLook(text: string): boolean {
  return /[^\t\n\r\x20-\x7e]|\r(?!\n)/.test(text)
}

/** Tags: a full invisible copy of ASCII, the usual carrier of smuggled instructions. */
export function isTag(point: number): boolean {
  return point >= 0xe0000 && point <= 0xe007f
}

export function isVariationSelector(point: number): boolean {
  return (point >= 0xfe00 && point <= 0xfe0f) || (point >= 0xe0100 && point <= 0xe01ef)
}

/** Bidirectional embeddings, overrides and isolates: what is shown is not the order of what runs. */
export function isBidiControl(point: number): boolean {
  return (point >= 0x202a && point <= 0x202e) || (point >= 0x2066 && point <= 0x2069)
}

/** Left-to-right, right-to-left and Arabic letter mark. */
export function isBidiMark(point: number): boolean {
  return point === 0x200e || point === 0x200f || point === 0x061c
}

const ZERO_WIDTH: ReadonlySet<number> = new Set([
  0x00ad, 0x034f, 0x115f, 0x1160, 0x17b4, 0x17b5, 0x180b, 0x180c, 0x180d, 0x180e, 0x180f, 0x200b, 0x200c, 0x200d, 0x2800, 0x3164, 0xfeff,
  0xffa0,
])

/** Characters without width: spaces of none, joiners, fillers, invisible operators, the byte order mark. */
export function isZeroWidth(point: number): boolean {
  return ZERO_WIDTH.has(point) || (point >= 0x2060 && point <= 0x2065) || (point >= 0x206a && point <= 0x206f)
}

/** C0 without tab and line ends, DEL, C1, and the line and paragraph separators. */
export function isControl(point: number): boolean {
  if (point < 0x20) return point !== 0x09 && point !== 0x0a && point !== 0x0d
  return (point >= 0x7f && point <= 0x9f) || point === 0x2028 || point === 0x2029
}

/** True for whatever is left out of the plain view. */
export function isUnseen(point: number): boolean {
  if (point < 0x7f) return isControl(point)
  return isControl(point) || isZeroWidth(point) || isBidiControl(point) || isBidiMark(point) || isVariationSelector(point) || isTag(point)
}

const ESCAPE = 0x1b
/** C1 forms of the introducers, as the letter after ESC. */
const C1: ReadonlyMap<number, string> = new Map([
  [0x90, 'P'],
  [0x98, 'X'],
  [0x9b, '['],
  [0x9d, ']'],
  [0x9e, '^'],
  [0x9f, '_'],
])
const CSI_BODY = /[\x20-\x3f]*[\x40-\x7e]/y

/**
 * UTF-16 length of the terminal sequence that starts at `at` (CSI, OSC, DCS, APC, PM, SOS); 0 where none does. Of a string
 * sequence without an end only the introducer counts, and a lone ESC is a control: the text after it must stay in view.
 */
export function sequenceLength(text: string, at: number): number {
  const first = text.charCodeAt(at)
  const letter = first === ESCAPE ? text[at + 1] : C1.get(first)
  if (letter === undefined) return 0
  const body = first === ESCAPE ? at + 2 : at + 1
  if (']P_^X'.includes(letter)) return stringEnd(text, body) - at
  CSI_BODY.lastIndex = body
  return letter === '[' && CSI_BODY.test(text) ? CSI_BODY.lastIndex - at : 0
}

/** The end of a string sequence: BEL, ST or ESC `\`. Any other control aborts it, which also keeps this linear. */
function stringEnd(text: string, body: number): number {
  for (let i = body; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === 0x07 || code === 0x9c) return i + 1
    if (code === ESCAPE) return text[i + 1] === '\\' ? i + 2 : body
    if (isControl(code)) return body
  }
  return body
}
