/** Base64, hexadecimal and UTF-8, without a library: facts import nothing of Node. */

import { withoutTrailing } from './trim.ts'

const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/** Text of base64, url-safe or not; null where it is none or not UTF-8. */
export function decodeBase64(encoded: string, wide = false): string | null {
  const clean = withoutTrailing(encoded.replace(/\s+/g, '').replaceAll('-', '+').replaceAll('_', '/'), '=')
  if (clean.length % 4 === 1) return null
  const bytes: number[] = []
  let bits = 0
  let count = 0
  for (const character of clean) {
    const value = BASE64.indexOf(character)
    if (value < 0) return null
    bits = ((bits << 6) | value) & 0xffff
    count += 6
    if (count >= 8) {
      count -= 8
      bytes.push((bits >> count) & 255)
    }
  }
  return wide ? fromWide(bytes) : fromUtf8(bytes)
}

function fromWide(bytes: readonly number[]): string {
  let text = ''
  for (let at = 0; at + 1 < bytes.length; at += 2) text += String.fromCharCode((bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8))
  return text
}

function fromUtf8(bytes: readonly number[]): string | null {
  const escaped = bytes.map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')
  try {
    return decodeURIComponent(escaped)
  } catch {
    return null
  }
}

export function toUtf8(text: string): number[] {
  const bytes: number[] = []
  for (const piece of encodeURIComponent(text.replace(/\p{Cs}/gu, '\ufffd')).match(/%[0-9A-F]{2}|[^%]/g) ?? []) {
    bytes.push(piece.length === 3 ? Number.parseInt(piece.slice(1), 16) : piece.charCodeAt(0))
  }
  return bytes
}

export function encodeBase64(text: string): string {
  const bytes = toUtf8(text)
  let result = ''
  for (let at = 0; at < bytes.length; at += 3) {
    const [a = 0, b = 0, c = 0] = bytes.slice(at, at + 3)
    const left = bytes.length - at
    const group = (a << 16) | (b << 8) | c
    result += BASE64.charAt(group >> 18) + BASE64.charAt((group >> 12) & 63)
    result += left > 1 ? BASE64.charAt((group >> 6) & 63) : '='
    result += left > 2 ? BASE64.charAt(group & 63) : '='
  }
  return result
}

/** Text of hexadecimal digits; null where it is none or not UTF-8. */
export function decodeHex(encoded: string): string | null {
  const digits = encoded.replace(/\s+|0x|\\x/g, '')
  if (digits.length % 2 !== 0 || !/^[0-9a-fA-F]*$/.test(digits)) return null
  return fromUtf8((digits.match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16)))
}
