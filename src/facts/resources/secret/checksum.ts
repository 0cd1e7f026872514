/** Checksums that issuers put into their tokens, so that a token can be told from what only looks like one. */

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

/** Six digits of base 62 after thirty characters: classic tokens of GitHub, and those of npm. */
const BASE62_TOKEN = /^(?:gh[oprsu]|npm)_[A-Za-z0-9]{36}$/
/** Thirty-two characters and the CRC-32 of all before it, lowest byte first: service accounts of Grafana. */
const GRAFANA_TOKEN = /^glsa_[A-Za-z0-9]{32}_[a-f0-9]{8}$/

/** Whether a token of a kind that has a checksum carries its own; null for every other kind. */
export function carriesChecksum(token: string): boolean | null {
  if (BASE62_TOKEN.test(token)) return githubChecksum(token)
  if (!GRAFANA_TOKEN.test(token)) return null
  const end = token.lastIndexOf('_')
  const sum = crc32(token.slice(0, end))
  const bytes = [sum & 255, (sum >>> 8) & 255, (sum >>> 16) & 255, sum >>> 24]
  return bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('') === token.slice(end + 1)
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
