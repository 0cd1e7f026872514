/** Encodings that hide code, undone: base64, hex, rot13, percent, UTF-8. Byte strings are texts of characters up to 255. */
const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

function bits(encoded: string, alphabet: string, width: number): string | null {
  let buffer = 0
  let count = 0
  let out = ''
  for (const c of encoded) {
    if (c === '=' || c <= ' ') continue
    const value = alphabet.indexOf(c)
    if (value < 0) return null
    buffer = ((buffer << width) | value) & 0xffff
    count += width
    if (count >= 8) {
      count -= 8
      out += String.fromCharCode((buffer >> count) & 0xff)
    }
  }
  return out
}

export function fromBase64(encoded: string): string | null {
  return bits(encoded.replace(/-/g, '+').replace(/_/g, '/'), BASE64, 6)
}

export function fromBase32(encoded: string): string | null {
  return bits(encoded.toUpperCase(), BASE32, 5)
}

export function fromHex(encoded: string): string | null {
  const digits = encoded.replace(/[\s:]/g, '')
  if (digits.length % 2 === 1 || !/^[0-9a-fA-F]*$/.test(digits)) return null
  let out = ''
  for (let i = 0; i < digits.length; i += 2) out += String.fromCharCode(Number.parseInt(digits.slice(i, i + 2), 16))
  return out
}

export function rot13(plain: string): string {
  return plain.replace(/[a-zA-Z]/g, (c) => {
    const base = c <= 'Z' ? 65 : 97
    return String.fromCharCode(((c.charCodeAt(0) - base + 13) % 26) + base)
  })
}

export function fromPercent(encoded: string): string | null {
  try {
    return decodeURIComponent(encoded)
  } catch {
    return null
  }
}

/** Bytes as UTF-8 text; a byte that fits nowhere stays as it is. */
export function fromUtf8(bytes: string): string {
  let out = ''
  for (let i = 0; i < bytes.length; i += 1) {
    const lead = bytes.charCodeAt(i)
    const extra = lead >= 0xf0 && lead < 0xf8 ? 3 : lead >= 0xe0 && lead < 0xf0 ? 2 : lead >= 0xc2 && lead < 0xe0 ? 1 : 0
    let point = extra === 0 ? lead : lead & (0x3f >> extra)
    let valid = extra > 0
    for (let k = 1; k <= extra; k += 1) {
      const next = bytes.charCodeAt(i + k)
      valid = valid && (next & 0xc0) === 0x80
      point = (point << 6) | (next & 0x3f)
    }
    if (valid && point <= 0x10ffff) {
      out += String.fromCodePoint(point)
      i += extra
    } else out += String.fromCharCode(lead)
  }
  return out
}

/** Text as UTF-8 bytes. */
export function toUtf8(plain: string): string {
  let out = ''
  for (const c of plain) {
    const point = c.codePointAt(0) ?? 0
    if (point < 0x80) out += c
    else if (point < 0x800) out += String.fromCharCode(0xc0 | (point >> 6), 0x80 | (point & 63))
    else if (point < 0x10000) out += String.fromCharCode(0xe0 | (point >> 12), 0x80 | ((point >> 6) & 63), 0x80 | (point & 63))
    else out += String.fromCharCode(0xf0 | (point >> 18), 0x80 | ((point >> 12) & 63), 0x80 | ((point >> 6) & 63), 0x80 | (point & 63))
  }
  return out
}

export function toBase64(bytes: string): string {
  let out = ''
  for (let i = 0; i < bytes.length; i += 3) {
    const a = bytes.charCodeAt(i) & 255
    const b = i + 1 < bytes.length ? bytes.charCodeAt(i + 1) & 255 : 0
    const c = i + 2 < bytes.length ? bytes.charCodeAt(i + 2) & 255 : 0
    const left = bytes.length - i
    out += BASE64.charAt(a >> 2) + BASE64.charAt(((a & 3) << 4) | (b >> 4))
    out += (left > 1 ? BASE64.charAt(((b & 15) << 2) | (c >> 6)) : '=') + (left > 2 ? BASE64.charAt(c & 63) : '=')
  }
  return out
}
