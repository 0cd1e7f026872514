/** The checksum inside GitHub's classic tokens: the last six characters are the CRC-32 of the thirty before them, in base 62. */

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const TABLE = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1
  return value
})

/** CRC-32 (ISO-HDLC) of ASCII text. */
export function crc32(text: string): number {
  let crc = 0xffffffff
  for (let i = 0; i < text.length; i++) crc = (crc >>> 8) ^ (TABLE[(crc ^ text.charCodeAt(i)) & 0xff] ?? 0)
  return (crc ^ 0xffffffff) >>> 0
}

/** True where the 36 characters after the prefix of a `ghp_…` token carry their own checksum. */
export function githubChecksum(token: string): boolean {
  const body = token.slice(token.indexOf('_') + 1)
  return body.length === 36 && base62(crc32(body.slice(0, 30))) === body.slice(30)
}

/** Six base-62 digits, padded with zeros. */
export function base62(value: number): string {
  let rest = value
  let out = ''
  for (let i = 0; i < 6; i++) {
    out = BASE62[rest % 62] + out
    rest = Math.floor(rest / 62)
  }
  return out
}
