/**
 * The Merkle tree of RFC 6962, section 2.1, over the lines of the log: proofs that a record is in a log, and that a later
 * log continues an earlier one, without showing the rest. Pure; the hash is handed in.
 */

/** SHA-256 of the concatenation of the parts. */
export type HashBytes = (...parts: readonly Uint8Array[]) => Uint8Array

const LEAF = new Uint8Array([0])
const NODE = new Uint8Array([1])

export function leafHash(hash: HashBytes, data: Uint8Array): Uint8Array {
  return hash(LEAF, data)
}

export function nodeHash(hash: HashBytes, left: Uint8Array, right: Uint8Array): Uint8Array {
  return hash(NODE, left, right)
}

/** Root over leaf hashes, in one pass; the hash of nothing for an empty tree. */
export function merkleRoot(hash: HashBytes, leaves: Iterable<Uint8Array>): Uint8Array {
  // Complete subtrees from left to right, each smaller than the one before: the binary digits of the size.
  const peaks: { readonly height: number; readonly root: Uint8Array }[] = []
  for (const leaf of leaves) {
    let peak = { height: 0, root: leaf }
    for (let last = peaks.at(-1); last !== undefined && last.height === peak.height; last = peaks.at(-1)) {
      peaks.pop()
      peak = { height: peak.height + 1, root: nodeHash(hash, last.root, peak.root) }
    }
    peaks.push(peak)
  }
  const last = peaks.pop()
  if (last === undefined) return hash()
  return peaks.reduceRight((right, { root }) => nodeHash(hash, root, right), last.root)
}

/** The audit path of leaf `index` (from 0), nearest sibling first. Throws `RangeError` where there is no such leaf. */
export function inclusionProof(hash: HashBytes, leaves: readonly Uint8Array[], index: number): Uint8Array[] {
  assertWithin(index, 0, leaves.length - 1)
  if (leaves.length === 1) return []
  const split = splitOf(leaves.length)
  const [left, right] = [leaves.slice(0, split), leaves.slice(split)]
  if (index < split) return [...inclusionProof(hash, left, index), merkleRoot(hash, right)]
  return [...inclusionProof(hash, right, index - split), merkleRoot(hash, left)]
}

export interface Inclusion {
  readonly index: number
  readonly size: number
  readonly leaf: Uint8Array
  readonly proof: readonly Uint8Array[]
  readonly root: Uint8Array
}

/** RFC 9162, section 2.1.3.2. */
export function verifyInclusion(hash: HashBytes, { index, size, leaf, proof, root }: Inclusion): boolean {
  if (!isIndex(index) || !isIndex(size) || index >= size) return false
  let [position, last] = [index, size - 1]
  let reached = leaf
  for (const sibling of proof) {
    if (last === 0) return false
    if (position % 2 === 1 || position === last) {
      reached = nodeHash(hash, sibling, reached)
      while (position % 2 === 0 && position !== 0) [position, last] = [half(position), half(last)]
    } else {
      reached = nodeHash(hash, reached, sibling)
    }
    ;[position, last] = [half(position), half(last)]
  }
  return last === 0 && equal(reached, root)
}

/** Proof that the tree of all leaves continues the tree of the first `size`. Throws `RangeError` where there are fewer. */
export function consistencyProof(hash: HashBytes, leaves: readonly Uint8Array[], size: number): Uint8Array[] {
  assertWithin(size, 1, leaves.length)
  return subproof(hash, leaves, { size, whole: true })
}

function subproof(hash: HashBytes, leaves: readonly Uint8Array[], { size, whole }: { size: number; whole: boolean }): Uint8Array[] {
  if (size === leaves.length) return whole ? [] : [merkleRoot(hash, leaves)]
  const split = splitOf(leaves.length)
  const [left, right] = [leaves.slice(0, split), leaves.slice(split)]
  if (size <= split) return [...subproof(hash, left, { size, whole }), merkleRoot(hash, right)]
  return [...subproof(hash, right, { size: size - split, whole: false }), merkleRoot(hash, left)]
}

export interface TreeHead {
  readonly size: number
  readonly root: Uint8Array
}

/** RFC 9162, section 2.1.4.2. A tree continues the empty tree without proof. */
export function verifyConsistency(
  hash: HashBytes,
  trees: { readonly old: TreeHead; readonly now: TreeHead },
  proof: readonly Uint8Array[],
): boolean {
  const { old, now } = trees
  if (!isIndex(old.size) || !isIndex(now.size) || old.size > now.size) return false
  if (old.size === 0) return proof.length === 0 && equal(old.root, hash())
  if (old.size === now.size) return proof.length === 0 && equal(old.root, now.root)
  const path = isPowerOfTwo(old.size) ? [old.root, ...proof] : [...proof]
  const [first, ...rest] = path
  if (first === undefined) return false
  let [position, last] = [old.size - 1, now.size - 1]
  while (position % 2 === 1) [position, last] = [half(position), half(last)]
  const roots = climb(hash, { first, rest, position, last })
  return roots !== null && equal(roots.old, old.root) && equal(roots.now, now.root)
}

interface Way {
  readonly first: Uint8Array
  readonly rest: readonly Uint8Array[]
  readonly position: number
  readonly last: number
}

/** The roots of both trees that the proof leads to; null where it is too long or too short. */
function climb(hash: HashBytes, way: Way): { readonly old: Uint8Array; readonly now: Uint8Array } | null {
  let { position, last } = way
  let [old, now] = [way.first, way.first]
  for (const sibling of way.rest) {
    if (last === 0) return null
    if (position % 2 === 1 || position === last) {
      old = nodeHash(hash, sibling, old)
      now = nodeHash(hash, sibling, now)
      while (position % 2 === 0 && position !== 0) [position, last] = [half(position), half(last)]
    } else {
      now = nodeHash(hash, now, sibling)
    }
    ;[position, last] = [half(position), half(last)]
  }
  return last === 0 ? { old, now } : null
}

/** The largest power of two below `size`. */
function splitOf(size: number): number {
  let split = 1
  while (split * 2 < size) split *= 2
  return split
}

function half(value: number): number {
  return Math.floor(value / 2)
}

function isPowerOfTwo(value: number): boolean {
  return value === 1 || splitOf(value) * 2 === value
}

function isIndex(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0
}

function assertWithin(value: number, least: number, most: number): void {
  if (!Number.isSafeInteger(value) || value < least || value > most) throw new RangeError(`\`${value}\` is not within ${least} to ${most}`)
}

function equal(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index])
}
