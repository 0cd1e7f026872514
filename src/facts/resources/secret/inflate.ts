/** Deflate (RFC 1951) with the headers of gzip and zlib, as far as a bound: nobody unpacks a bomb here. */

const MAX_OUT = 65_536
const LENGTH_BASE = [3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258]
const LENGTH_EXTRA = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0]
const DISTANCE_BASE = [
  ...[1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145, 8193, 12_289],
  ...[16_385, 24_577],
]
const DISTANCE_EXTRA = [0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13]
const ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]
const LONGEST_CODE = 15

class Broken extends Error {}

interface Stream {
  readonly bytes: readonly number[]
  /** Position in bits. */
  at: number
  readonly out: number[]
}

/** The content, or as much of it as is let out; null where the bytes begin like neither format. What breaks off is kept as far as it goes. */
export function inflate(bytes: readonly number[]): readonly number[] | null {
  const start = headerLength(bytes)
  if (start === null) return null
  const stream: Stream = { bytes, at: start * 8, out: [] }
  try {
    while (!block(stream)) if (stream.out.length >= MAX_OUT) break
  } catch (error) {
    if (!(error instanceof Broken)) throw error
  }
  return stream.out
}

function headerLength(bytes: readonly number[]): number | null {
  const [a = 0, b = 0, c = 0, flags = 0] = bytes
  if ((a & 15) === 8 && a <= 0x78 && (a * 256 + b) % 31 === 0) return 2
  if (a !== 0x1f || b !== 0x8b || c !== 8) return null
  let at = 10
  if ((flags & 4) !== 0) at += 2 + (bytes[at] ?? 0) + (bytes[at + 1] ?? 0) * 256
  for (const flag of [8, 16]) {
    if ((flags & flag) === 0) continue
    while (at < bytes.length && bytes[at] !== 0) at += 1
    at += 1
  }
  return (flags & 2) === 0 ? at : at + 2
}

function take(stream: Stream, count: number): number {
  let value = 0
  for (let i = 0; i < count; i++) {
    const byte = stream.bytes[stream.at >> 3]
    if (byte === undefined) throw new Broken()
    value |= ((byte >> (stream.at & 7)) & 1) << i
    stream.at += 1
  }
  return value
}

/** True after the last block. */
function block(stream: Stream): boolean {
  const last = take(stream, 1) === 1
  const kind = take(stream, 2)
  if (kind === 0) stored(stream)
  else if (kind === 1) packed(stream, FIXED_LITERALS, FIXED_DISTANCES)
  else if (kind === 2) {
    const { literals, distances } = tables(stream)
    packed(stream, literals, distances)
  } else throw new Broken()
  return last
}

function stored(stream: Stream): void {
  stream.at = (stream.at + 7) & ~7
  const length = take(stream, 16)
  take(stream, 16)
  for (let i = 0; i < length && stream.out.length < MAX_OUT; i++) stream.out.push(take(stream, 8))
}

/** Symbols in the order of their codes, and how many codes there are of each length. */
interface Codes {
  readonly counts: readonly number[]
  readonly symbols: readonly number[]
}

function codesOf(lengths: readonly number[]): Codes {
  const counts = new Array<number>(LONGEST_CODE + 1).fill(0)
  for (const length of lengths) counts[length] = (counts[length] ?? 0) + 1
  counts[0] = 0
  const symbols: number[] = []
  for (let length = 1; length <= LONGEST_CODE; length++) {
    for (const [symbol, own] of lengths.entries()) if (own === length) symbols.push(symbol)
  }
  return { counts, symbols }
}

function symbolOf(stream: Stream, { counts, symbols }: Codes): number {
  let code = 0
  let first = 0
  let index = 0
  for (let length = 1; length <= LONGEST_CODE; length++) {
    code |= take(stream, 1)
    const count = counts[length] ?? 0
    if (code - count < first) return symbols[index + (code - first)] ?? 0
    index += count
    first = (first + count) << 1
    code <<= 1
  }
  throw new Broken()
}

const FIXED_LITERALS = codesOf(Array.from({ length: 288 }, (_, i) => (i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8)))
const FIXED_DISTANCES = codesOf(new Array<number>(30).fill(5))

function tables(stream: Stream): { literals: Codes; distances: Codes } {
  const [literals, distances, own] = [take(stream, 5) + 257, take(stream, 5) + 1, take(stream, 4) + 4]
  const short = new Array<number>(19).fill(0)
  for (const symbol of ORDER.slice(0, own)) short[symbol] = take(stream, 3)
  const codes = codesOf(short)
  const lengths: number[] = []
  while (lengths.length < literals + distances) {
    const symbol = symbolOf(stream, codes)
    if (symbol < 16) lengths.push(symbol)
    else {
      const repeated = symbol === 16 ? (lengths.at(-1) ?? 0) : 0
      const count = symbol === 16 ? 3 + take(stream, 2) : symbol === 17 ? 3 + take(stream, 3) : 11 + take(stream, 7)
      for (let i = 0; i < count; i++) lengths.push(repeated)
    }
  }
  return { literals: codesOf(lengths.slice(0, literals)), distances: codesOf(lengths.slice(literals, literals + distances)) }
}

function packed(stream: Stream, literals: Codes, distances: Codes): void {
  const { out } = stream
  while (out.length < MAX_OUT) {
    const symbol = symbolOf(stream, literals)
    if (symbol === 256) return
    if (symbol < 256) out.push(symbol)
    else {
      const length = (LENGTH_BASE[symbol - 257] ?? 0) + take(stream, LENGTH_EXTRA[symbol - 257] ?? 0)
      const own = symbolOf(stream, distances)
      const distance = (DISTANCE_BASE[own] ?? 0) + take(stream, DISTANCE_EXTRA[own] ?? 0)
      if (distance === 0 || distance > out.length) throw new Broken()
      for (let i = 0; i < length; i++) out.push(out[out.length - distance] ?? 0)
    }
  }
}
