/**
 * HalfSipHash-2-4 with 32 bits of output (Aumasson and Bernstein, https://github.com/veorq/SipHash): a keyed hash of short texts that
 * is cheap without native code. Without the key nobody can check a guess of a remembered value, and nobody can craft two values that
 * are taken for one. The message is the text in UTF-16LE.
 */

/** 64 bits, in two halves. */
export interface HashKey {
  readonly low: number
  readonly high: number
}

/** The key in the first 16 hexadecimal digits of a text that nobody can guess. */
export function hashKeyOf(hex: string): HashKey {
  return { low: Number.parseInt(hex.slice(0, 8), 16) | 0, high: Number.parseInt(hex.slice(8, 16), 16) | 0 }
}

/** 32 bits, unsigned. */
export function keyedHash({ low, high }: HashKey, text: string): number {
  let v0 = low | 0
  let v1 = high | 0
  let v2 = 0x6c796765 ^ low
  let v3 = 0x74656462 ^ high
  const { length } = text
  // One word per two units, then one with what is left and the length in bytes, then four rounds over the end.
  const whole = length >> 1
  for (let i = 0; i <= whole + 2; i += 1) {
    const word = i < whole ? text.charCodeAt(2 * i) | (text.charCodeAt(2 * i + 1) << 16) : i === whole ? lastWord(text) : 0
    if (i === whole + 1) v2 ^= 0xff
    if (i <= whole) v3 ^= word
    for (let round = 0; round < 2; round += 1) {
      v0 = (v0 + v1) | 0
      v1 = (v1 << 5) | (v1 >>> 27)
      v1 ^= v0
      v0 = (v0 << 16) | (v0 >>> 16)
      v2 = (v2 + v3) | 0
      v3 = (v3 << 8) | (v3 >>> 24)
      v3 ^= v2
      v0 = (v0 + v3) | 0
      v3 = (v3 << 7) | (v3 >>> 25)
      v3 ^= v0
      v2 = (v2 + v1) | 0
      v1 = (v1 << 13) | (v1 >>> 19)
      v1 ^= v2
      v2 = (v2 << 16) | (v2 >>> 16)
    }
    if (i <= whole) v0 ^= word
  }
  return (v1 ^ v3) >>> 0
}

function lastWord(text: string): number {
  const { length } = text
  const rest = (length & 1) === 1 ? text.charCodeAt(length - 1) : 0
  return rest | (((2 * length) & 0xff) << 24)
}

/** What a tool is aimed at, as it is remembered. */
export function aimHash(key: HashKey, { server, name }: { readonly server: string | null; readonly name: string }, form: string): number {
  return keyedHash(key, `${server ?? ''}/${name}\0${form}`)
}
