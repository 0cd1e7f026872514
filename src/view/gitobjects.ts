/** Reads objects of a repository by their names: loose ones, and those in packs. No subprocess: a repository's configuration may name programs. */
import { closeSync, openSync, readdirSync, readFileSync, readSync, statSync } from 'node:fs'
import { inflateSync } from 'node:zlib'

export interface GitObject {
  readonly type: 'commit' | 'tree' | 'blob' | 'tag'
  readonly body: Buffer
}

/** By its name, 40 hexadecimal digits; null where it is not there or cannot be read. Never throws. */
export type ReadObject = (id: string) => GitObject | null

/** No object that is looked at here is larger. */
const MAX_BYTES = 4 * 1024 * 1024
const MAX_PACKS = 64
/** How many deltas may stand on each other. */
const MAX_DELTAS = 64

/** @param directory the `objects` of the repository that its work trees share. */
export function createObjects(directory: string): ReadObject {
  let packs: readonly string[] | undefined
  const named = (id: string): GitObject | null => {
    const loose = readLoose(`${directory}/${id.slice(0, 2)}/${id.slice(2)}`)
    if (loose !== null) return loose
    packs ??= packsIn(`${directory}/pack`)
    for (const pack of packs) {
      const found = withFile(`${pack}.idx`, (index) => offsetOf(index, id))
      if (found !== null) return withFile(`${pack}.pack`, (at) => packed({ at, named }, found, 0))
    }
    return null
  }
  return (id) => (/^[0-9a-f]{40}$/.test(id) ? named(id) : null)
}

function packsIn(directory: string): readonly string[] {
  try {
    const indexes = readdirSync(directory).filter((name) => /^pack-[0-9a-f]+\.idx$/.test(name))
    return indexes.slice(0, MAX_PACKS).map((name) => `${directory}/${name.slice(0, -'.idx'.length)}`)
  } catch {
    return []
  }
}

function withFile<T>(path: string, use: (descriptor: number) => T): T | null {
  let descriptor: number | null = null
  try {
    descriptor = openSync(path, 'r')
    return use(descriptor)
  } catch {
    return null // gone, cut short, or not what its name says
  } finally {
    if (descriptor !== null) closeSync(descriptor)
  }
}

const TYPES = ['', 'commit', 'tree', 'blob', 'tag'] as const

function typeNamed(name: string | undefined): GitObject['type'] | null {
  return TYPES.find((type): type is GitObject['type'] => type !== '' && type === name) ?? null
}

function readLoose(path: string): GitObject | null {
  try {
    if (statSync(path).size > MAX_BYTES) return null
    const whole = inflateSync(readFileSync(path), { maxOutputLength: MAX_BYTES })
    const end = whole.indexOf(0)
    const [name, size] = whole.toString('latin1', 0, end).split(' ')
    const [type, body] = [typeNamed(name), whole.subarray(end + 1)]
    return type === null || Number(size) !== body.length ? null : { type, body }
  } catch {
    return null
  }
}

function piece(descriptor: number, at: number, length: number): Buffer {
  const buffer = Buffer.alloc(length)
  return buffer.subarray(0, readSync(descriptor, buffer, 0, length, at))
}

const INDEX_HEAD = 8
const FAN_OUT = 1024

/** Where the object lies in the pack of an index of the second version; null where it has none of this name. */
function offsetOf(index: number, id: string): number | null {
  const head = piece(index, 0, INDEX_HEAD + FAN_OUT)
  if (head.readUInt32BE(0) !== 0xff744f63 || head.readUInt32BE(4) !== 2) return null
  const below = (byte: number): number => (byte < 0 ? 0 : head.readUInt32BE(INDEX_HEAD + byte * 4))
  const wanted = Buffer.from(id, 'hex')
  const first = wanted[0] ?? 0
  const count = below(255)
  let [low, high] = [below(first - 1), below(first)]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const order = wanted.compare(piece(index, INDEX_HEAD + FAN_OUT + middle * 20, 20))
    if (order === 0) return placeOf(index, { count, position: middle })
    if (order < 0) high = middle
    else low = middle + 1
  }
  return null
}

function placeOf(index: number, { count, position }: { readonly count: number; readonly position: number }): number {
  // Behind the names stand a checksum and an offset for each object, and then the offsets that need eight bytes.
  const offsets = INDEX_HEAD + FAN_OUT + count * 24
  const offset = piece(index, offsets + position * 4, 4).readUInt32BE(0)
  if (offset < 0x8000_0000) return offset
  return Number(piece(index, offsets + count * 4 + (offset - 0x8000_0000) * 8, 8).readBigUInt64BE(0))
}

interface Pack {
  readonly at: number
  readonly named: ReadObject
}

const OFFSET_DELTA = 6
const NAME_DELTA = 7

function packed(pack: Pack, offset: number, depth: number): GitObject | null {
  if (depth > MAX_DELTAS) return null
  const head = piece(pack.at, offset, 64)
  const { value: size, next, first } = sized(head)
  const kind = (first >> 4) & 7
  if (size > MAX_BYTES) return null
  if (kind === OFFSET_DELTA) {
    const { back, end } = distance(head, next)
    return rebuilt(packed(pack, offset - back, depth + 1), inflated(pack.at, offset + end, size))
  }
  if (kind === NAME_DELTA) {
    return rebuilt(pack.named(head.toString('hex', next, next + 20)), inflated(pack.at, offset + next + 20, size))
  }
  const type = typeNamed(TYPES[kind])
  return type === null ? null : { type, body: inflated(pack.at, offset + next, size) }
}

/** The size at the head of an object: four bits beside its type, then seven in each byte that follows. */
function sized(head: Buffer): { readonly value: number; readonly next: number; readonly first: number } {
  const first = head.readUInt8(0)
  let [value, factor, next, byte] = [first & 15, 16, 1, first]
  while (byte & 0x80) {
    byte = head.readUInt8(next++)
    value += (byte & 0x7f) * factor
    factor *= 128
  }
  return { value, next, first }
}

/** How far before a delta the object lies that it changes. */
function distance(head: Buffer, from: number): { readonly back: number; readonly end: number } {
  let [end, byte] = [from + 1, head.readUInt8(from)]
  let back = byte & 0x7f
  while (byte & 0x80) {
    byte = head.readUInt8(end++)
    back = (back + 1) * 128 + (byte & 0x7f)
  }
  return { back, end }
}

function inflated(pack: number, at: number, size: number): Buffer {
  // What cannot be made smaller grows by less than this.
  const body = inflateSync(piece(pack, at, size + Math.ceil(size / 100) + 128), { maxOutputLength: Math.max(1, size) })
  if (body.length !== size) throw new RangeError('an object of a pack has another length than it says')
  return body
}

/** An object made of another one: pieces that are copied from there, and pieces that are new. */
function rebuilt(base: GitObject | null, delta: Buffer): GitObject | null {
  if (base === null) return null
  const before = varint(delta, 0)
  const after = varint(delta, before.next)
  if (before.value !== base.body.length || after.value > MAX_BYTES) return null
  const parts: Buffer[] = []
  for (let at = after.next; at < delta.length; ) {
    const command = delta.readUInt8(at++)
    if (command & 0x80) {
      const { start, length, next } = copied(delta, command, at)
      parts.push(base.body.subarray(start, start + length))
      at = next
    } else {
      parts.push(delta.subarray(at, at + command))
      at += command
    }
  }
  const body = Buffer.concat(parts)
  return body.length === after.value ? { type: base.type, body } : null
}

function varint(buffer: Buffer, from: number): { readonly value: number; readonly next: number } {
  let [value, factor, next, byte] = [0, 1, from, 0x80]
  while (byte & 0x80) {
    byte = buffer.readUInt8(next++)
    value += (byte & 0x7f) * factor
    factor *= 128
  }
  return { value, next }
}

/** Which bytes of the offset and of the length follow is told by the bits of the command. */
function copied(delta: Buffer, command: number, from: number): { readonly start: number; readonly length: number; readonly next: number } {
  let [start, length, next] = [0, 0, from]
  for (let bit = 0; bit < 4; bit++) if (command & (1 << bit)) start += delta.readUInt8(next++) * 256 ** bit
  for (let bit = 0; bit < 3; bit++) if (command & (16 << bit)) length += delta.readUInt8(next++) * 256 ** bit
  return { start, length: length === 0 ? 0x10000 : length, next }
}
