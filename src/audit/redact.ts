/**
 * Takes the secrets out of a value before it is hashed, stored or shown (P11, T60). What cannot be read is left out, never let
 * through: this never throws and never returns what it was given on an error.
 */
import { childPointer, type Json } from '../core/json.ts'
import { secretSpans } from '../facts/resources/secret/find.ts'
import { maskFor, maskLength, withoutMasks } from '../facts/resources/secret/mask.ts'
import { secretCollection, secretName } from '../facts/resources/secret/names.ts'
import { freeName, maskRepeats, remember, type SecretWords } from './repeats.ts'

export interface RedactOptions {
  /**
   * A keyed digest of an original, such as the first digits of an HMAC: it goes into the mask, so that two records can be found
   * equal but nobody can guess the secret. Must return lower-case hexadecimal digits. Default: none.
   */
  readonly fingerprint?: (original: string) => string
}

export interface Redaction {
  /** A copy; objects have a null prototype. */
  readonly value: Json
  /** JSON pointers, into the copy, of everything that was masked in whole or in part. */
  readonly erased: readonly string[]
}

const DEEPEST = 128
/** A value with more parts than this is no call of ours (ingress allows a million bytes), but a cycle or an attack. */
const MAX_PARTS = 1_000_000

/**
 * A copy of `value` without secrets: tokens of known issuers, private keys, passwords in URLs and headers, and whatever stands
 * under a name that says secret, numbers and booleans too. Keys are texts like any other. Hidden characters are looked through
 * (FUL-46). A mask reads `[redacted rule]`. Cycles, functions and whatever else is no JSON become a mask.
 */
export function redactJson(value: unknown, options: RedactOptions = {}): Redaction {
  try {
    const work: Work = { erased: [], mask: masker(options), words: new Map(), open: new Set(), parts: 0 }
    const copied = copy(value, { pointer: '', depth: 0, secret: null }, work)
    const repeats = maskRepeats(copied, work.words, work.mask)
    return { value: repeats.value, erased: [...new Set([...work.erased, ...repeats.erased])] }
  } catch {
    return { value: maskFor('unreadable', null), erased: [''] }
  }
}

/**
 * True where `redactJson` would answer an equal copy with nothing erased, told without a copy and without pointers: most records hold no
 * secret. False where it is not sure.
 * @param apart a member of `value` that is not looked at, as it is no text of anybody.
 */
export function isUntouched(value: unknown, apart: string | null = null): boolean {
  try {
    return untouched(value, null, { parts: 0, depth: 0, apart })
  } catch {
    return false
  }
}

interface Looked {
  parts: number
  depth: number
  readonly apart: string | null
}

/** @param secret the rule under which everything here is secret, or null. */
function untouched(value: unknown, secret: string | null, looked: Looked): boolean {
  if (++looked.parts > MAX_PARTS || looked.depth > DEEPEST) return false
  if (value === null) return true
  switch (typeof value) {
    case 'string':
      return secret === null ? isHarmless(value) : value === ''
    case 'number':
      return secret === null && Number.isFinite(value)
    case 'boolean':
      return secret === null
    case 'object':
      return Array.isArray(value) ? itemsUntouched(value, secret, looked) : membersUntouched(value, secret, looked)
    default:
      return false
  }
}

function itemsUntouched(items: readonly unknown[], secret: string | null, looked: Looked): boolean {
  looked.depth++
  for (const item of items) if (!untouched(item, secret, looked)) return false
  looked.depth--
  return true
}

function membersUntouched(object: object, secret: string | null, looked: Looked): boolean {
  const prototype: unknown = Object.getPrototypeOf(object)
  if (prototype !== null && prototype !== Object.prototype) return false
  const apart = looked.depth === 0 ? looked.apart : null
  looked.depth++
  for (const key of Object.keys(object)) {
    if (key === apart) continue
    const { count, single, several } = keyOf(key, WITHOUT_DIGEST)
    if (count > 0) return false
    const value = (object as Readonly<Record<string, unknown>>)[key]
    if (!untouched(value, secret ?? (typeof value === 'object' ? several : single), looked)) return false
  }
  looked.depth--
  return true
}

/** A text without its secrets; the same text where it has none. */
export function redactText(text: string, options: RedactOptions = {}): string {
  try {
    return maskSpans(text, masker(options)).text
  } catch {
    return maskFor('unreadable', null)
  }
}

type Mask = (rule: string, original: string) => string

const WITHOUT_DIGEST: Mask = (rule) => maskFor(rule, null)

function masker({ fingerprint }: RedactOptions): Mask {
  return (rule, original) => maskFor(rule, fingerprint === undefined ? null : fingerprint(original))
}

interface Work {
  readonly erased: string[]
  readonly mask: Mask
  /** Of what was masked, so that it is masked where it stands once more. */
  readonly words: SecretWords
  /** The objects around the current one: one that is its own part is a cycle. */
  readonly open: Set<object>
  parts: number
}

interface Place {
  readonly pointer: string
  readonly depth: number
  /** The rule under which everything here is secret, or null. */
  readonly secret: string | null
}

function copy(value: unknown, place: Place, work: Work): Json {
  if (++work.parts > MAX_PARTS || place.depth > DEEPEST) return erase('too-large', '', { place, work })
  if (value === null || (value === '' && place.secret !== null)) return value
  switch (typeof value) {
    case 'string':
      return place.secret === null ? text(value, place, work) : erase(place.secret, value, { place, work })
    case 'number':
    case 'boolean':
      if (place.secret !== null) return erase(place.secret, String(value), { place, work })
      return typeof value === 'number' && !Number.isFinite(value) ? String(value) : value
    case 'object':
      return container(value, place, work)
    default:
      return erase('unreadable', typeof value, { place, work })
  }
}

function erase(rule: string, original: string, { place, work }: { place: Place; work: Work }): string {
  if (original !== '' && maskLength(original, 0) === original.length) return original
  work.erased.push(place.pointer)
  remember(work.words, rule, original)
  return work.mask(rule, original)
}

function text(original: string, place: Place, work: Work): string {
  if (HARMLESS.has(original)) return original
  const masked = maskSpans(original, work.mask, work.words)
  if (masked.count > 0) work.erased.push(place.pointer)
  else keepHarmless(original)
  return masked.text
}

function isHarmless(original: string): boolean {
  if (HARMLESS.has(original)) return true
  if (secretSpans(original).length > 0) return false
  keepHarmless(original)
  return true
}

/** Texts that were looked through and hold no secret: records say the same again and again. Bounded in number and length. */
const HARMLESS = new Set<string>()
const MAX_HARMLESS = 8_192
const LONGEST_HARMLESS = 256

function keepHarmless(found: string): void {
  if (found.length > LONGEST_HARMLESS) return
  if (HARMLESS.size >= MAX_HARMLESS) HARMLESS.clear()
  HARMLESS.add(found)
}

function maskSpans(original: string, mask: Mask, words?: SecretWords): { text: string; count: number } {
  const spans = secretSpans(original)
  let out = ''
  let from = 0
  for (const { rule, start, end } of spans) {
    const secret = original.slice(start, end)
    if (words !== undefined) remember(words, rule, secret)
    out += original.slice(from, start) + mask(rule, secret)
    from = end
  }
  return { text: out + original.slice(from), count: spans.length }
}

function container(value: object, place: Place, work: Work): Json {
  if (work.open.has(value)) return erase('unreadable', 'cycle', { place, work })
  work.open.add(value)
  const copied = Array.isArray(value) ? list(value, place, work) : members(value, place, work)
  work.open.delete(value)
  return copied
}

function list(items: readonly unknown[], place: Place, work: Work): Json {
  const { pointer, depth, secret } = place
  return items.map((item, index) => copy(item, { pointer: childPointer(pointer, index), depth: depth + 1, secret }, work))
}

/** The key is masked first, for its text is part of every pointer below it. */
function members(object: object, { pointer, depth, secret }: Place, work: Work): Json {
  const out: Record<string, Json> = Object.create(null)
  for (const [key, value] of Object.entries(object)) {
    const { masked, count, single, several } = keyOf(key, work.mask)
    const name = freeName(out, masked)
    const below = childPointer(pointer, name)
    if (count > 0) work.erased.push(below)
    const rule = typeof value === 'object' ? several : single
    out[name] = copy(value, { pointer: below, depth: depth + 1, secret: secret ?? rule }, work)
  }
  return out
}

/** What a key is once masked, and the rule under which one value or several below it are secret. */
interface Key {
  readonly masked: string
  readonly count: number
  readonly single: string | null
  readonly several: string | null
}

/** Records say the same few keys again and again. Keys with a secret in them are never kept, and the memory is bounded. */
const KNOWN_KEYS = new Map<string, Key>()
const MAX_KNOWN_KEYS = 4_096
const LONGEST_KNOWN_KEY = 64

function keyOf(key: string, mask: Mask): Key {
  const known = KNOWN_KEYS.get(key)
  if (known !== undefined) return known
  const { text: masked, count } = maskSpans(key, mask)
  const plain = withoutMasks(masked)
  const read: Key = {
    masked,
    count,
    single: secretName(plain) === null ? null : 'named-secret',
    several: secretCollection(plain) ? 'named-secret' : null,
  }
  if (count === 0 && key.length <= LONGEST_KNOWN_KEY) {
    if (KNOWN_KEYS.size >= MAX_KNOWN_KEYS) KNOWN_KEYS.clear()
    KNOWN_KEYS.set(key, read)
  }
  return read
}
