/** Readings of a text that somebody encoded: percent and backslash escapes, base64, base32 and hexadecimal runs, up to three deep. */

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
    for (const skip of [0, 1]) yield { form: 'hex', text: fromHex(run.slice(skip)) }
  }
}

const UTF8 = new TextDecoder()

/** Percent, `\x` and octal escapes as UTF-8, `\u` escapes as UTF-16. */
function withoutEscapes(text: string): string {
  if (!/[%\\]/.test(text)) return text
  return text
    .replace(/(?:%[0-9A-Fa-f]{2})+/g, (run) => fromHex(run.replaceAll('%', '')))
    .replace(/(?:\\x[0-9A-Fa-f]{2})+/g, (run) => fromHex(run.replaceAll('\\x', '')))
    .replace(/\\u([0-9A-Fa-f]{4})/g, (_, unit: string) => String.fromCharCode(Number.parseInt(unit, 16)))
    .replace(/(?:\\[0-3][0-7]{2})+/g, (run) =>
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
  const text = utf8(Array.from(decoded, (c) => c.charCodeAt(0)))
  return mostlyText(text) ? text : null
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
  const bytes: number[] = []
  for (let i = 0; i + 1 < run.length; i += 2) bytes.push(Number.parseInt(run.slice(i, i + 2), 16))
  return utf8(bytes)
}

function utf8(bytes: readonly number[]): string {
  return UTF8.decode(Uint8Array.from(bytes))
}
