/**
 * What a text has in common with another, without either of them: keyed hashes of short runs of letters and digits. A long text is
 * thinned by winnowing (Schleimer, Wilkerson and Aiken, 2003), which finds every common run of a guaranteed length.
 */
import { type HashKey, keyedHash } from './keyed-hash.ts'
import { compact, fold } from './text.ts'

/** Signs of a run of a secret, and of one of a long text. */
const SECRET_RUN = 6
const TEXT_RUN = 20
/** Of so many runs in a row one is kept: a common run of 39 signs is always found. */
const WINDOW = 20

/** Every run of a short value that holds a digit, which words of a language do not; at most `limit`. */
export function runsOf(key: HashKey, text: string, limit: number): number[] {
  const plain = compact(fold(text))
  const runs: number[] = []
  let digit = plain.search(/\d/)
  for (let i = 0; i + SECRET_RUN <= plain.length && runs.length < limit && digit >= 0; i += 1) {
    if (digit < i) digit = nextDigit(plain, i)
    if (digit >= i && digit < i + SECRET_RUN) runs.push(keyedHash(key, plain.slice(i, i + SECRET_RUN)))
  }
  return runs
}

/** -1: there is none. */
function nextDigit(text: string, from: number): number {
  for (let i = from; i < text.length; i += 1) {
    const unit = text.charCodeAt(i)
    if (unit >= 48 && unit <= 57) return i
  }
  return -1
}

/** Runs of a long text, thinned; at most `limit`. */
export function winnowed(key: HashKey, text: string, limit: number): number[] {
  const plain = compact(fold(text))
  const hashes: number[] = []
  for (let i = 0; i + TEXT_RUN <= plain.length; i += 1) hashes.push(keyedHash(key, plain.slice(i, i + TEXT_RUN)))
  const kept: number[] = []
  let last = -1
  for (let i = 0; i + Math.min(WINDOW, hashes.length) <= hashes.length && kept.length < limit; i += 1) {
    const end = Math.min(i + WINDOW, hashes.length)
    let least = i
    for (let j = i + 1; j < end; j += 1) if ((hashes[j] ?? 0) <= (hashes[least] ?? 0)) least = j
    if (least !== last) kept.push(hashes[least] ?? 0)
    last = least
  }
  return kept
}

/** A value in the forms in which it may go out in pieces: as it is, in base64 from each place, in hexadecimal, backwards. */
export function outwardForms(value: string): readonly string[] {
  const bytes = new TextEncoder().encode(value)
  const binary = String.fromCharCode(...bytes)
  const shifted = [0, 1, 2].map((places) =>
    btoa(`${'\0'.repeat(places)}${binary}`)
      .slice(places === 0 ? 0 : places + 1)
      .replace(/={1,2}$/, ''),
  )
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return [value, ...shifted, hex, [...value].reverse().join('')]
}
