/**
 * Which values a session has seen, as keyed hashes with where each came from: a table of fixed size, a cache of eight places a set. What
 * is pushed out is forgotten, and a value that nobody remembers is one from nowhere, so that padding never makes a call look better.
 */
import type { SeenValue } from './events.ts'

const WAYS = 8
/** Values that are remembered. */
export const VALUE_SLOTS = 2048
const SETS = VALUE_SLOTS / WAYS

/** What is known of a value besides its source, as bits. */
export const SEEN = {
  /** In a text of a sentence or more; otherwise it was a value of its own. */
  prose: 1,
  /** Told of a thing that the user spoke of. */
  selected: 2,
  /** In a source that the user pointed at. */
  named: 4,
  /** In what an action of the agent's own returned. */
  own: 8,
  /** In a file of the workspace, or printed by a program there. */
  workspace: 16,
  /** In a document from the network. */
  fetched: 32,
  /** The same value was also seen in some text. */
  alsoProse: 64,
  /** Said by what the agent had told what to do. */
  made: 128,
  /** In a file of which the user says what stands in it. */
  located: 256,
  /** Where anybody can write any address. */
  claimed: 512,
} as const

/**
 * Better known first: a value of its own before one in a text, one that the user led to before one that came along. What an action of
 * the agent's own returns, or what it had made, it may have been given first: that never makes a known value better.
 */
function worth(flags: number): number {
  if ((flags & (SEEN.own | SEEN.made)) !== 0) return 0
  return (
    (flags & SEEN.located) +
    (flags & SEEN.prose ? 0 : 64) +
    (flags & SEEN.named ? 32 : 0) +
    (flags & SEEN.selected ? 16 : 0) +
    (flags & SEEN.workspace ? 8 : 0)
  )
}

const OUTSIDE_IN = SEEN.workspace | SEEN.made | SEEN.own
/** By the user. */
export const LED_TO = SEEN.selected | SEEN.named | SEEN.located

/** In the workspace the agent writes what it likes: that something of others stands there, too, says nothing, unless the user led there. */
function isLaundered(known: number, flags: number): boolean {
  return (flags & SEEN.workspace) !== 0 && (flags & LED_TO) === 0 && (known & OUTSIDE_IN) === 0
}

export class ValueTable {
  readonly #hashes: Uint32Array
  /** Flags in the lower 8 bits, source in the 22 above, two more flags on top; 0: free. */
  readonly #notes: Uint32Array
  readonly #next: Uint8Array
  /** Something was pushed out: what is not found may have been seen. */
  forgot = false

  /** @param bytes what `bytes()` gave of another table. */
  constructor(bytes?: Uint8Array) {
    const size = VALUE_SLOTS
    this.#hashes = new Uint32Array(size)
    this.#notes = new Uint32Array(size)
    this.#next = new Uint8Array(SETS)
    if (bytes !== undefined) this.#read(bytes)
  }

  add({ hash, source, flags }: SeenValue): void {
    const first = (hash % SETS) * WAYS
    let slot = -1
    for (let i = first; i < first + WAYS; i += 1) {
      if (this.#notes[i] !== 0 && this.#hashes[i] === hash) {
        const known = flagsOf(this.#notes[i] ?? 0)
        const also = (known | flags) & (SEEN.prose | SEEN.alsoProse) ? SEEN.alsoProse : 0
        const better = worth(flags) > worth(known) && !isLaundered(known, flags)
        this.#notes[i] = better ? note(source, flags | also) : ((this.#notes[i] ?? 0) | also) >>> 0
        return
      }
      if (slot < 0 && this.#notes[i] === 0) slot = i
    }
    const set = hash % SETS
    if (slot < 0) {
      slot = first + ((this.#next[set] ?? 0) % WAYS)
      this.#next[set] = ((this.#next[set] ?? 0) + 1) % WAYS
      this.forgot = true
    }
    this.#hashes[slot] = hash
    this.#notes[slot] = note(source, flags)
  }

  get(hash: number): { readonly source: number; readonly flags: number } | null {
    const first = (hash % SETS) * WAYS
    for (let i = first; i < first + WAYS; i += 1) {
      const found = this.#notes[i] ?? 0
      if (found !== 0 && this.#hashes[i] === hash) return { source: (found >>> 8) & MAX_SOURCE, flags: flagsOf(found) }
    }
    return null
  }

  get size(): number {
    let size = 0
    for (const found of this.#notes) if (found !== 0) size += 1
    return size
  }

  /** The places in use, in their order, at most so many, behind what is pushed out next: what belongs into a set stands in the order of the set. */
  bytes(most = VALUE_SLOTS): Uint8Array {
    const kept = this.#best(most)
    const bytes = new Uint8Array(SETS + kept.length * ENTRY)
    const view = new DataView(bytes.buffer)
    bytes.set(this.#next, 0)
    let offset = SETS
    for (const slot of kept) {
      const found = this.#notes[slot] ?? 0
      view.setUint32(offset, this.#hashes[slot] ?? 0)
      view.setUint32(offset + 4, found)
      offset += ENTRY
    }
    return bytes
  }

  /** Places in use, in their order; of more than `most` the better known ones. */
  #best(most: number): readonly number[] {
    const used = [...this.#notes.keys()].filter((slot) => this.#notes[slot] !== 0)
    if (used.length <= most) return used
    const worthOf = (slot: number): number => worth(flagsOf(this.#notes[slot] ?? 0))
    const best = new Set(used.toSorted((a, b) => worthOf(b) - worthOf(a)).slice(0, most))
    return used.filter((slot) => best.has(slot))
  }

  #read(bytes: Uint8Array): void {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    this.#next.set(bytes.subarray(0, SETS))
    for (let offset = SETS; offset + ENTRY <= bytes.length; offset += ENTRY) {
      const hash = view.getUint32(offset)
      const first = (hash % SETS) * WAYS
      let slot = first
      while (slot < first + WAYS - 1 && this.#notes[slot] !== 0) slot += 1
      this.#hashes[slot] = hash
      this.#notes[slot] = view.getUint32(offset + 4)
    }
  }
}

const ENTRY = 8
/** Numbers of sources begin anew after this one. */
export const MAX_SOURCE = 0x3fffff

function note(source: number, flags: number): number {
  return (((flags >>> 8) << 30) | ((source & MAX_SOURCE) << 8) | (flags & 0xff)) >>> 0
}

function flagsOf(found: number): number {
  return (found & 0xff) | ((found >>> 30) << 8)
}
