/** Finds URLs in free text in one pass. */

export interface FoundUrl {
  readonly text: string
  /** UTF-16 offsets `[start, end)`. */
  readonly start: number
  readonly end: number
}

const MAX_FOUND = 256
const MAX_SCHEME = 32

/** Every `scheme://…` of the text, in order, at most 256; trailing punctuation of the sentence is left out. */
export function urlsIn(text: string): readonly FoundUrl[] {
  const found: FoundUrl[] = []
  let from = 0
  for (let at = text.indexOf('://'); at >= 0 && found.length < MAX_FOUND; at = text.indexOf('://', from)) {
    let start = at
    while (start > from && at - start < MAX_SCHEME && isSchemeChar(text.charCodeAt(start - 1))) start -= 1
    while (start < at && !isLetter(text.charCodeAt(start))) start += 1
    let end = at + 3
    while (end < text.length && !ends(text.charCodeAt(end))) end += 1
    from = end
    while (end > at + 3 && '.,:!?'.includes(text[end - 1] ?? '')) end -= 1
    if (start < at && end > at + 3) found.push({ text: text.slice(start, end), start, end })
  }
  return found
}

function isLetter(code: number): boolean {
  return (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a)
}

function isSchemeChar(code: number): boolean {
  return isLetter(code) || (code >= 0x30 && code <= 0x39) || code === 0x2b || code === 0x2d || code === 0x2e
}

const ENDS = new Set([...'"\'`<>|;(){}^'].map((char) => char.charCodeAt(0)))

function ends(code: number): boolean {
  return code <= 0x20 || code === 0x7f || ENDS.has(code)
}
