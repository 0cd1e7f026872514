/**
 * Other readings of a path argument: what a server would open that decodes percent signs once more than it should, takes
 * overlong UTF-8, `\`, `%u2216`, fullwidth letters or `0x2e` for what they imitate, or stops at NUL. Readings only raise.
 */

/** Longer arguments are no paths of any file system; they are read up to here. */
const MAX_PATH = 4096
const MAX_ROUNDS = 4

/** Without any of these a path has one reading. */
const READS_TWO_WAYS = /[%\\\0\u0080-\uffff]|\.{3}|0x[25]|\.\.(?:2f|5c)|2e2e|\.\.\//i

export interface PathView {
  readonly text: string
  /** It took percent signs apart; otherwise only look-alikes and separators were read anew. */
  readonly encoded: boolean
}

/** Distinct readings of the path other than the path itself, most plausible first. Linear. */
export function pathViews(path: string): readonly PathView[] {
  if (!READS_TWO_WAYS.test(path)) return []
  const views = new Map<string, boolean>()
  let text = path.slice(0, MAX_PATH)
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const decoded = decodeOnce(text)
    if (decoded === text) break
    text = decoded
    views.set(beforeNul(text), true)
  }
  const wide = decodeWide(path)
  if (wide !== null) views.set(beforeNul(dots(spelled(imitations(wide)).replaceAll('\\', '/'))), true)
  const encoded = views.size > 0
  const folded = dots(spelled(imitations(text)).replaceAll('\\', '/'))
  for (const reading of [beforeNul(folded), beforeNul(folded.replaceAll('../', ''))]) {
    if (!views.has(reading)) views.set(reading, encoded)
  }
  views.delete(path)
  views.delete('')
  return [...views].map(([reading, from]) => ({ text: reading, encoded: from }))
}

function beforeNul(text: string): string {
  const nul = text.indexOf('\0')
  return nul < 0 ? text : text.slice(0, nul)
}

const ESCAPE = /%u([0-9a-f]{4})|%([0-9a-f]{2})/gi

/** One round of percent decoding, byte by byte, as careless decoders do. */
function decodeOnce(text: string): string {
  if (!text.includes('%')) return text
  const raw = text.replace(ESCAPE, (_, wide: string | undefined, byte: string | undefined) =>
    String.fromCharCode(Number.parseInt(wide ?? byte ?? '', 16)),
  )
  return overlong(raw)
}

/** Percent signs read as UTF-8, where they stand for more than ASCII: `%ef%bc%8f` is a fullwidth `/`. Null where they do not. */
function decodeWide(path: string): string | null {
  let text = path.slice(0, MAX_PATH)
  if (!/%[c-f][0-9a-f]|%25/i.test(text)) return null
  for (let round = 0; round < MAX_ROUNDS && text.includes('%'); round += 1) {
    try {
      text = decodeURIComponent(text)
    } catch {
      break
    }
  }
  return /[\u0080-\uffff]/.test(text) ? text : null
}

/** `C0 AE` is an overlong `.`, `C0 AF` an overlong `/`; some decoders also drop a lead byte before plain ASCII. */
function overlong(text: string): string {
  let out = ''
  for (let i = 0; i < text.length; i += 1) {
    const lead = text.charCodeAt(i)
    const skip = lead === 0xc0 || lead === 0xc1 ? 1 : lead === 0xe0 ? 2 : lead === 0xf0 ? 3 : 0
    const last = text.charCodeAt(i + skip)
    if (skip === 0 || Number.isNaN(last)) {
      out += text[i]
      continue
    }
    if (skip === 1) {
      const high = lead === 0xc1 ? 0x40 : 0
      out += String.fromCharCode(last < 0x80 ? last : high | (last & 0x3f))
    } else out += String.fromCharCode(((text.charCodeAt(i + skip - 1) & 0x3f) << 6) | (last & 0x3f))
    i += skip
  }
  return out
}

/** Code points that best-fit tables turn into `/`, `\` or `.`. */
const SLASHES = /[\u2044\u2215\u29f8\uefc8\uf025\u2216\u29f5\ufe68]/g

function imitations(text: string): string {
  return text
    .normalize('NFKC')
    .replace(SLASHES, '/')
    .replace(/[\u2024\ue0ae]/g, '.')
}

/** `0x2e0x2e0x2f` and `..2f`, as filters leave them behind. */
function spelled(text: string): string {
  return text
    .replace(/0x2e/gi, '.')
    .replace(/0x2f/gi, '/')
    .replace(/0x5c/gi, '\\')
    .replace(/(?:2e){2}2f/gi, '../')
    .replace(/\.\.(?:2f|5c)/gi, '../')
}

/** Names of three dots and more climb on some systems, and `....//` is what is left of `../` after one removal. */
function dots(text: string): string {
  return text
    .split('/')
    .map((name) => (name.length > 2 && [...name].every((char) => char === '.') ? '..' : name))
    .join('/')
}
