/**
 * The one strict JSON reader. It accepts a subset of RFC 8259 that every reader understands alike, so that what is judged
 * is what is forwarded (T03), within limits that hold before anything else looks at the value (T04).
 */
import type { Json } from '../core/json.ts'
import { type JsonLimits, loneSurrogate, Reader } from './reader.ts'
import { type Refusal, refusalOf } from './refusal.ts'

export type { JsonLimits } from './reader.ts'
export type { Refusal } from './refusal.ts'

export const DEFAULT_JSON_LIMITS: JsonLimits = Object.freeze({
  maxBytes: 1_048_576,
  maxDepth: 64,
  maxKeys: 10_000,
  maxString: 1_048_576,
})

const HIGHEST_DEPTH = 512

export type JsonResult = { readonly ok: true; readonly value: Json } | { readonly ok: false; readonly refusal: Refusal }

/**
 * Reads one JSON value. Objects get a null prototype; `-0` becomes `0`. Refused, each with its own code: empty input, ill-formed
 * UTF-8, a byte order mark, anything but one JSON value, duplicate keys (after escapes), an own `__proto__`, half surrogate
 * pairs, numbers that a double cannot carry, and whatever exceeds a limit. Never throws on input.
 * @throws {RangeError} when a limit is not a positive integer (depth: at most 512): a limit of NaN would be none.
 */
export function readJson(input: Uint8Array | string, limits: Partial<JsonLimits> = {}): JsonResult {
  return read(input, limits, false)
}

export type TolerantResult =
  /** `inexact`: where numbers stand that a double cannot carry (`value` holds the nearest), and halves of surrogate pairs. */
  { readonly ok: true; readonly value: Json; readonly inexact: readonly Refusal[] } | { readonly ok: false; readonly refusal: Refusal }

/**
 * As `readJson`, for envelopes that are passed on as they came: numbers that a double cannot carry and halves of surrogate pairs are no
 * fault of the whole. Whoever judges a part of it must see that none stands there.
 */
export function readJsonTolerant(input: Uint8Array | string, limits: Partial<JsonLimits> = {}): TolerantResult {
  return read(input, limits, true)
}

function read(input: Uint8Array | string, limits: Partial<JsonLimits>, tolerant: boolean): TolerantResult {
  const bounds = resolveLimits(limits)
  const decoded = decode(input, bounds.maxBytes)
  if (typeof decoded !== 'string') return { ok: false, refusal: decoded }
  const reader = new Reader(decoded, bounds, tolerant)
  try {
    const value = reader.document()
    return { ok: true, value, inexact: reader.inexact.map((fault) => refusalOf(fault, decoded)) }
  } catch (error) {
    if (reader.fault === null) throw error
    return { ok: false, refusal: refusalOf(reader.fault, decoded) }
  }
}

function resolveLimits(limits: Partial<JsonLimits>): JsonLimits {
  const bounds = { ...DEFAULT_JSON_LIMITS, ...limits }
  for (const [name, value] of Object.entries(bounds)) {
    if (!Number.isSafeInteger(value) || value < 1) throw new RangeError(`the limit \`${name}\` must be a positive integer`)
  }
  if (bounds.maxDepth > HIGHEST_DEPTH) throw new RangeError(`the limit \`maxDepth\` must be at most ${HIGHEST_DEPTH}`)
  return bounds
}

const STRICT_UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const LOSSY_UTF8 = new TextDecoder('utf-8', { ignoreBOM: true })
const UTF8 = new TextEncoder()

/** The text of the input, or why it is none: size first, so that nothing large is ever decoded. */
function decode(input: Uint8Array | string, maxBytes: number): string | Refusal {
  if (exceeds(input, maxBytes)) {
    const what = `the input is larger than ${maxBytes} bytes, refused`
    return refusalOf({ code: 'ingress.too_large', path: [], offset: 0, what, help: 'split the work into smaller calls' }, '')
  }
  let text: string
  if (typeof input === 'string') {
    const lone = input.search(/\p{Surrogate}/u)
    if (lone >= 0) return refusalOf(loneSurrogate(lone, []), input)
    text = input
  } else {
    try {
      text = STRICT_UTF8.decode(input)
    } catch {
      const { lossy, offset } = firstIllFormed(input)
      return refusalOf({ code: 'ingress.utf8', path: [], offset, what: 'the input is not well-formed UTF-8', help: 'send UTF-8' }, lossy)
    }
  }
  if (text.charCodeAt(0) !== 0xfeff) return text
  const help = 'leave the byte order mark out; JSON needs none'
  return refusalOf({ code: 'ingress.bom', path: [], offset: 0, what: 'there is a byte order mark', help }, text)
}

function exceeds(input: Uint8Array | string, maxBytes: number): boolean {
  if (typeof input !== 'string') return input.length > maxBytes
  if (input.length > maxBytes) return true
  return input.length * 3 > maxBytes && UTF8.encode(input).length > maxBytes
}

/** Where the decoder first had to put U+FFFD in place of something else. */
function firstIllFormed(bytes: Uint8Array): { lossy: string; offset: number } {
  const lossy = LOSSY_UTF8.decode(bytes)
  const again = UTF8.encode(lossy)
  let at = 0
  while (at < bytes.length && bytes[at] === again[at]) at++
  const before = LOSSY_UTF8.decode(bytes.subarray(0, at))
  const whole = at >= 3 && bytes[at - 3] === 0xef && bytes[at - 2] === 0xbf && bytes[at - 1] === 0xbd
  return { lossy, offset: before.endsWith('\ufffd') && !whole ? before.length - 1 : before.length }
}
