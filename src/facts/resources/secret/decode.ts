/**
 * Readings of a text that somebody encoded: escapes of URLs, shells, HTML and mail, lists of character codes, base64, base32 and
 * hexadecimal runs, packed by gzip or not, up to three deep.
 */
import { tagText } from '../text/plain.ts'
import { inflate } from './inflate.ts'

export interface Decoding {
  /** The outermost encoding. */
  readonly form: 'url' | 'base64' | 'base32' | 'hex'
  readonly text: string
}

const DEEPEST = 3
/** All readings together are at most this many times as long as the text, and a little for short ones. */
const GROWTH = 8
const ALLOWANCE = 4096

/** Every reading found, outermost first. Work is bounded by the length of the text, whatever it holds. */
export function decodings(text: string): readonly Decoding[] {
  const found: Decoding[] = []
  let budget = text.length * GROWTH + ALLOWANCE
  let level: readonly { form: Decoding['form'] | null; text: string }[] = [{ form: null, text }]
  for (let depth = 0; depth < DEEPEST && level.length > 0; depth++) {
    const next: Decoding[] = []
    for (const { form, text: layer } of level) {
      for (const reading of readings(layer)) {
        budget -= reading.text.length
        if (budget < 0) return found
        const named = { form: form ?? reading.form, text: reading.text }
        next.push(named)
        found.push(named)
      }
    }
    level = next
  }
  return found
}

function* readings(text: string): Generator<Decoding> {
  const unescaped = withoutEscapes(text)
  if (unescaped !== text) yield { form: 'url', text: unescaped }
  const tags = text.includes('\udb40') ? tagText(text, text.length) : ''
  if (tags !== '') yield { form: 'url', text: tags }
  for (const codes of codeLists(text)) yield { form: 'hex', text: codes }
  for (const [run] of text.matchAll(/[A-Za-z0-9+/_-]{12,}/g)) {
    for (let skip = 0; skip < 4; skip++) {
      const decoded = fromBase64(run.slice(skip))
      if (decoded !== null) yield { form: 'base64', text: decoded }
    }
  }
  for (const [run] of text.matchAll(/[A-Za-z2-7]{16,}/g)) {
    const decoded = fromBase32(run)
    if (mostlyText(decoded)) yield { form: 'base32', text: decoded }
  }
  for (const [run] of text.matchAll(/[0-9A-Fa-f]{16,}/g)) {
    for (const skip of [0, 1]) {
      const bytes = hexBytes(run.slice(skip))
      yield { form: 'hex', text: utf8(inflate(bytes) ?? bytes) }
    }
  }
}

const UTF8 = new TextDecoder()

/** Percent, `\x` and octal escapes as UTF-8, `\u` escapes as UTF-16; `&#99;` of HTML, `=63` of mail. */
function withoutEscapes(text: string): string {
  if (!/[%\\&=]/.test(text)) return text
  return text
    .replace(/&#(?:x([0-9A-Fa-f]{1,6})|([0-9]{1,7}));?/g, (whole, hexadecimal?: string, decimal?: string) => {
      const point = hexadecimal === undefined ? Number(decimal) : Number.parseInt(hexadecimal, 16)
      return point <= 0x10ffff ? String.fromCodePoint(point) : whole
    })
    .replace(/\\u\{([0-9A-Fa-f]{1,6})\}/g, (whole, hexadecimal: string) => {
      const point = Number.parseInt(hexadecimal, 16)
      return point <= 0x10ffff ? String.fromCodePoint(point) : whole
    })
    .replace(/(?:=[0-9A-F]{2}){2,}/g, (run) => fromHex(run.replaceAll('=', '')))
    .replace(/(?:%[0-9A-Fa-f]{2})+/g, (run) => fromHex(run.replaceAll('%', '')))
    .replace(/(?:\\x[0-9A-Fa-f]{2})+/g, (run) => fromHex(run.replaceAll('\\x', '')))
    .replace(/\\u([0-9A-Fa-f]{4})/g, (_, unit: string) => String.fromCharCode(Number.parseInt(unit, 16)))
    .replace(/(?:\\[0-3]?[0-7]{1,2})+/g, (run) =>
      utf8(
        run
          .slice(1)
          .split('\\')
          .map((octal) => Number.parseInt(octal, 8)),
      ),
    )
}

/** Null where most of it is no text, as of any word that only looks like base64. */
function fromBase64(run: string): string | null {
  const standard = run.replaceAll('-', '+').replaceAll('_', '/')
  const decoded = atob(standard.slice(0, standard.length - (standard.length % 4 === 1 ? 1 : 0)))
  const bytes = Array.from(decoded, (c) => c.charCodeAt(0))
  const unpacked = inflate(bytes)
  if (unpacked !== null && unpacked.length > 0) return utf8(unpacked)
  // Every other byte of UTF-16 is zero where the text is plain.
  const text = utf8(bytes).replaceAll('\0', '')
  return mostlyText(text) ? text : null
}

const FEWEST_CODES = 6
const LONGEST_BETWEEN = 12

/** Texts that lists of character codes spell: `99,110,114`, `chr(99)+chr(110)`, `01100011 01101110`. */
function* codeLists(text: string): Generator<string> {
  for (const [digits, radix] of [
    [/(?<![0-9A-Za-z_.])[0-9]{2,3}(?![0-9A-Za-z_.])/g, 10],
    [/(?<![0-9])[01]{8}/g, 2],
  ] as const) {
    let run = ''
    let end = 0
    for (const match of text.matchAll(digits)) {
      const code = Number.parseInt(match[0], radix)
      const near = match.index - end <= LONGEST_BETWEEN
      if (run.length >= FEWEST_CODES && !near) yield run
      if (!near) run = ''
      end = match.index + match[0].length
      if (code >= 32 && code < 127) run += String.fromCharCode(code)
    }
    if (run.length >= FEWEST_CODES) yield run
  }
}

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Without regard to case, as names in the DNS go. */
function fromBase32(run: string): string {
  const bytes: number[] = []
  let bits = 0
  let held = 0
  for (const letter of run.toUpperCase()) {
    held = ((held << 5) | BASE32.indexOf(letter)) & 0xfff
    bits += 5
    if (bits >= 8) {
      bits -= 8
      bytes.push((held >> bits) & 0xff)
    }
  }
  return utf8(bytes)
}

function mostlyText(text: string): boolean {
  const sample = text.slice(0, 256)
  const odd = sample.match(/[^\t\n\r\x20-\x7e\p{L}\p{M}\p{N}\p{P}\p{S}]|\ufffd/gu)?.length ?? 0
  return odd * 4 <= sample.length
}

function fromHex(run: string): string {
  return utf8(hexBytes(run))
}

function hexBytes(run: string): readonly number[] {
  const bytes: number[] = []
  for (let i = 0; i + 1 < run.length; i += 2) bytes.push(Number.parseInt(run.slice(i, i + 2), 16))
  return bytes
}

function utf8(bytes: readonly number[]): string {
  return UTF8.decode(Uint8Array.from(bytes))
}
