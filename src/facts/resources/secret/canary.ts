/**
 * Canary tokens: planted where only a leak could bring them from, so one in the arguments proves the leak, in whatever form an
 * agent may have put it (FUL-W3). The token itself is never repeated.
 */
import type { Json } from '../../../core/json.ts'
import type { CanaryMatch } from '../../facts.ts'
import { skeleton } from '../text/confusable.ts'
import { plainView } from '../text/plain.ts'
import { type StringAt, walkStrings } from '../text/walk.ts'
import { decodings } from './decode.ts'
import { spells } from './spelt.ts'

type Form = CanaryMatch['form']

/** A token shorter than this is looked for as it stands only: its encodings would match by chance. */
const SHORTEST_ENCODED = 8

/** One token, ready to be looked for. */
interface Canary {
  readonly index: number
  /** Lower case. */
  readonly raw: string
  readonly forms: readonly (readonly [Form, string])[]
  /** Letters and digits only, lower case; the empty string for a short token. */
  readonly squeezed: string
  /** Pieces of base64 that hold the token at each of the three alignments, without white space; case matters. */
  readonly base64: readonly string[]
  /** Those of the token as it is, which are looked for in pieces too. */
  readonly loose: readonly string[]
}

/**
 * Every configured token that is in `json`, once per token and place: as it is in any letter case, in base64 at any alignment,
 * hexadecimal, escapes, character codes, reversed, in rot13, packed by gzip, taken apart by separators, quotes, hidden characters
 * or foreign text, over several strings, and up to three encodings deep. Keys count. Blank tokens are ignored. Linear for bounded
 * tokens. What is not found: a token shorter than 8 characters in any form but its own, part of a token, pieces of a token of words
 * alone, pieces in another order (strings that are only turned round are), pieces more than 48 letters apart, ciphers other than
 * rot13, formats other than these.
 */
export function findCanaries(tokens: readonly string[], json: Json): readonly CanaryMatch[] {
  const canaries = compiled(tokens)
  if (canaries.length === 0) return []
  const strings = walkStrings(json)
  const found: CanaryMatch[] = []
  const seen = new Set<number>()
  for (const place of strings) {
    for (const { canary, form, span } of inText(canaries, place)) {
      seen.add(canary.index)
      found.push({ token: canary.index, form, span: { pointer: place.pointer, ...span } })
    }
  }
  return [
    ...found,
    ...acrossStrings(
      canaries.filter(({ index }) => !seen.has(index)),
      strings,
    ),
  ]
}

const COMPILED = new WeakMap<readonly string[], readonly Canary[]>()

/** A policy hands in the same frozen list with every call. */
function compiled(tokens: readonly string[]): readonly Canary[] {
  const known = COMPILED.get(tokens)
  if (known !== undefined) return known
  const canaries = tokens.flatMap((token, index) => compile(token.trim(), index))
  if (Object.isFrozen(tokens)) COMPILED.set(tokens, canaries)
  return canaries
}

function compile(token: string, index: number): Canary[] {
  const raw = plainView(token).toLowerCase()
  if (raw === '') return []
  if (token.length < SHORTEST_ENCODED) return [{ index, raw, forms: [], squeezed: '', base64: [], loose: [] }]
  const squeezed = squeeze(raw)
  const forms: [Form, string][] = [
    ['hex', hex(token.toLowerCase())],
    ['hex', hex(token)],
    ['hex', hex(token.toUpperCase())],
    ['hex', [...hex(token)].reverse().join('')],
    ['reversed', [...raw].reverse().join('')],
    ['rot13', rot13(raw)],
  ]
  const pieces = [...new Set([token, token.toLowerCase(), token.toUpperCase()])].flatMap(base64Pieces)
  const base64 = [...pieces, ...pieces.map((piece) => [...piece].reverse().join(''))]
  return [
    {
      index,
      raw,
      forms,
      squeezed: squeezed.length < SHORTEST_ENCODED ? '' : squeezed,
      base64,
      loose: [...new Set(base64Pieces(token))].filter((piece) => !/[-_]/.test(piece)),
    },
  ]
}

/** Encoded pieces with foreign text between them are looked for in texts up to this long. */
const LONGEST_SPELT = 16_384

interface Hit {
  readonly canary: Canary
  readonly form: Form
  readonly span: { readonly start: number; readonly end: number }
}

function inText(canaries: readonly Canary[], { text }: StringAt): Hit[] {
  const lower = text.toLowerCase()
  const layers = decodings(text)
  const views = layers.map(({ form, text: layer }) => ({ form, lower: plainView(layer).toLowerCase() }))
  const plain = plainView(text)
  const seen = /[^\0-\x7f]/.test(plain) ? skeleton(plain).toLowerCase() : ''
  const squeezed = squeeze(plain.toLowerCase())
  const packed = text.replace(/[\s"'\\+,]+/g, '')
  return canaries.flatMap((canary) => {
    const at = lower.indexOf(canary.raw)
    if (at >= 0) return [{ canary, form: 'raw', span: { start: at, end: at + canary.raw.length } }]
    const form = hidden(canary, { lower, squeezed, packed, views, seen, text })
    return form === null ? [] : [{ canary, form, span: { start: 0, end: text.length } }]
  })
}

interface Views {
  readonly text: string
  /** With letters of other scripts as the Latin ones that they look like; the empty string where there are none. */
  readonly seen: string
  readonly lower: string
  readonly squeezed: string
  readonly packed: string
  readonly views: readonly { readonly form: Form; readonly lower: string }[]
}

function hidden(canary: Canary, text: Views): Form | null {
  const { raw, forms, squeezed, base64, loose } = canary
  for (const [form, needle] of forms) if (text.lower.includes(needle)) return form
  if (base64.some((piece) => text.packed.includes(piece))) return 'base64'
  if (squeezed !== '' && inPieces(squeezed, text.squeezed)) return 'split'
  if (text.seen !== '' && text.seen.includes(raw)) return 'split'
  const decoded = text.views.find(({ lower }) => holds(lower, canary))
  if (decoded !== undefined) return decoded.form
  if (text.text.length <= LONGEST_SPELT && loose.some((piece) => spells(text.text, piece))) return 'base64'
  if (squeezed !== '' && spells(text.squeezed, squeezed)) return 'split'
  const spaced = hexadecimal(text.lower)
  return forms.some(([form, needle]) => form === 'hex' && spaced.includes(needle)) ? 'hex' : null
}

/** True where a decoding holds the token as it is, in a form, or with other signs between its own. */
function holds(lower: string, { raw, forms, squeezed }: Canary): boolean {
  if (lower.includes(raw) || forms.some(([, needle]) => lower.includes(needle))) return true
  return squeezed !== '' && squeeze(lower).includes(squeezed)
}

/** Pieces in several strings: the values one after the other, and keys and values one after the other. */
function acrossStrings(canaries: readonly Canary[], strings: readonly StringAt[]): CanaryMatch[] {
  const long = canaries.filter(({ squeezed }) => squeezed !== '')
  if (long.length === 0 || strings.length < 2) return []
  const values = strings.filter(({ key }) => !key)
  const joined = (parts: readonly StringAt[]) => parts.map(({ text }) => plainView(text).toLowerCase()).join('')
  const texts = [joined(values), joined(strings), joined(values.toReversed())].map(squeeze)
  const hexes = hexadecimal(values.map(({ text }) => text.toLowerCase()).join(''))
  const base64 = strings.map(({ text, key }) => (key ? '' : text.replace(/\s+/g, ''))).join('')
  return long
    .filter(
      ({ squeezed, base64: pieces, forms }) =>
        texts.some((text) => inPieces(squeezed, text) || spells(text, squeezed)) ||
        pieces.some((piece) => base64.includes(piece)) ||
        forms.some(([form, needle]) => form === 'hex' && hexes.includes(needle)),
    )
    .map(({ index }) => ({ token: index, form: 'split', span: null }))
}

/** Shorter pieces of a token would be found in any long text. */
const LEAST_PIECE = 6
const MAX_PIECES = 4

/** True where the text holds the token, whole or in a few long pieces in their order with other text between them. */
function inPieces(token: string, text: string): boolean {
  let from = 0
  let done = 0
  for (let piece = 0; piece < MAX_PIECES && token.length - done >= LEAST_PIECE; piece++) {
    const first = text.indexOf(token.slice(done, done + LEAST_PIECE), from)
    let at = first
    if (first < 0) return false
    let length = LEAST_PIECE
    // The longest piece that is there at all, wherever: what it leaves over must still be a piece, or nothing.
    for (let next = first; done + length < token.length; ) {
      next = text.indexOf(token.slice(done, done + length + 1), next)
      if (next < 0) break
      at = next
      length++
    }
    from = at + length
    done += length
  }
  // What is left over is short: it counts only behind the pieces, where it completes the token.
  return done > token.length - LEAST_PIECE && text.includes(token.slice(done), from)
}

function squeeze(text: string): string {
  return text.replace(/[^\p{L}\p{N}]+/gu, '')
}

/** Hexadecimal bytes without what stands between them (`6b 65`, `\x6b`, `0x6b,`, `6b:65`). */
function hexadecimal(text: string): string {
  return text.replace(/\\x|0x/g, '').replace(/[\s:,;-]+/g, '')
}

const UTF8 = new TextEncoder()

function hex(text: string): string {
  return [...UTF8.encode(text)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

function rot13(text: string): string {
  return text.replace(/[a-z]/g, (c) => String.fromCharCode(((c.charCodeAt(0) - 84) % 26) + 97))
}

/** What every base64 text that holds the token must contain, whatever comes before and after it; both alphabets. */
function base64Pieces(token: string): string[] {
  const pieces: string[] = []
  for (let before = 0; before < 3; before++) {
    const bytes = [...new Array<number>(before).fill(0), ...UTF8.encode(token)]
    const whole = bytes.length - (bytes.length % 3)
    const encoded = btoa(String.fromCharCode(...bytes.slice(0, whole)))
    const piece = encoded.slice(before === 0 ? 0 : 4)
    if (piece.length >= 8) pieces.push(piece, piece.replaceAll('+', '-').replaceAll('/', '_'))
  }
  return pieces
}
