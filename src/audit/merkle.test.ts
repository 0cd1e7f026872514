import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { proves } from '../../test/proves.ts'
import { consistencyProof, type HashBytes, inclusionProof, leafHash, merkleRoot, verifyConsistency, verifyInclusion } from './merkle.ts'

const sha256: HashBytes = (...parts) => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return new Uint8Array(hash.digest())
}
const hex = (bytes: Uint8Array | undefined) => Buffer.from(bytes ?? []).toString('hex')

/** The leaves and roots that the implementations of RFC 6962 (certificate-transparency, trillian) test against. */
const INPUTS = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657', '606162636465666768696a6b6c6d6e6f']
const ROOTS = [
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
]
const eight = INPUTS.map((input) => leafHash(sha256, Buffer.from(input, 'hex')))

function leaves(count: number): Uint8Array[] {
  return Array.from({ length: count }, (_, index) => leafHash(sha256, new Uint8Array([index, index >> 8])))
}

function at(tree: readonly Uint8Array[], index: number): Uint8Array {
  return tree[index] ?? new Uint8Array()
}

describe('the tree of RFC 6962', () => {
  proves('T62', 'has the roots that other implementations have', () => {
    for (const [size, root] of ROOTS.entries()) expect(hex(merkleRoot(sha256, eight.slice(0, size)))).toBe(root)
  })

  proves('T62', 'proves inclusion with the paths that other implementations have', () => {
    const cases: [number, number, string[]][] = [
      [0, 1, []],
      [
        0,
        8,
        [
          '96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7',
          '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
          '6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4',
        ],
      ],
      [
        5,
        8,
        [
          'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b',
          'ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0',
          'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
        ],
      ],
      [2, 3, ['fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125']],
      [
        1,
        5,
        [
          '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
          '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
          'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b',
        ],
      ],
    ]
    for (const [index, size, path] of cases) expect(inclusionProof(sha256, eight.slice(0, size), index).map(hex)).toEqual(path)
  })

  proves('T62', 'proves consistency with the paths that other implementations have', () => {
    const cases: [number, number, string[]][] = [
      [1, 1, []],
      [
        1,
        8,
        [
          '96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7',
          '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
          '6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4',
        ],
      ],
      [
        6,
        8,
        [
          '0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a',
          'ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0',
          'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
        ],
      ],
      [
        2,
        5,
        [
          '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
          'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b',
        ],
      ],
    ]
    for (const [old, size, path] of cases) expect(consistencyProof(sha256, eight.slice(0, size), old).map(hex)).toEqual(path)
  })
})

describe('proofs', () => {
  test('of every leaf of every tree up to 40 hold, and for no other leaf, place or size', () => {
    for (let size = 1; size <= 40; size += 1) {
      const tree = leaves(size)
      const root = merkleRoot(sha256, tree)
      for (let index = 0; index < size; index += 1) {
        const proof = inclusionProof(sha256, tree, index)
        const claim = { index, size, leaf: at(tree, index), proof, root }
        expect(verifyInclusion(sha256, claim)).toBe(true)
        expect(verifyInclusion(sha256, { ...claim, leaf: leafHash(sha256, new Uint8Array([99, 99, 9])) })).toBe(false)
        expect(verifyInclusion(sha256, { ...claim, proof: [...proof, root] })).toBe(false)
        if (proof.length > 0) expect(verifyInclusion(sha256, { ...claim, proof: proof.slice(1) })).toBe(false)
        if (size > 1) expect(verifyInclusion(sha256, { ...claim, index: (index + 1) % size })).toBe(false)
      }
    }
  })

  test('that a tree continues another hold for every pair up to 40, and for no changed history', () => {
    for (let size = 1; size <= 40; size += 1) {
      const tree = leaves(size)
      const now = { size, root: merkleRoot(sha256, tree) }
      for (let earlier = 1; earlier <= size; earlier += 1) {
        const old = { size: earlier, root: merkleRoot(sha256, tree.slice(0, earlier)) }
        const proof = consistencyProof(sha256, tree, earlier)
        expect(verifyConsistency(sha256, { old, now }, proof)).toBe(true)
        const rewritten = merkleRoot(sha256, [leafHash(sha256, new Uint8Array([77])), ...tree.slice(1, earlier)])
        expect(verifyConsistency(sha256, { old: { ...old, root: rewritten }, now }, proof)).toBe(false)
        expect(verifyConsistency(sha256, { old, now: { ...now, root: rewritten } }, proof)).toBe(false)
        expect(verifyConsistency(sha256, { old, now }, [...proof, now.root])).toBe(false)
      }
    }
  })

  test('at the edges', () => {
    const tree = leaves(5)
    const root = merkleRoot(sha256, tree)
    const empty = { size: 0, root: sha256() }
    expect(verifyConsistency(sha256, { old: empty, now: { size: 5, root } }, [])).toBe(true)
    expect(verifyConsistency(sha256, { old: { size: 0, root }, now: { size: 5, root } }, [])).toBe(false)
    expect(verifyConsistency(sha256, { old: { size: 6, root }, now: { size: 5, root } }, [])).toBe(false)
    expect(verifyConsistency(sha256, { old: { size: 3, root }, now: { size: 5, root } }, [])).toBe(false)
    for (const [index, size] of [
      [5, 5],
      [-1, 5],
      [0.5, 5],
      [0, 0],
    ] as const) {
      expect(verifyInclusion(sha256, { index, size, leaf: root, proof: [], root })).toBe(false)
    }
    for (const act of [
      () => inclusionProof(sha256, tree, 5),
      () => inclusionProof(sha256, [], 0),
      () => consistencyProof(sha256, tree, 0),
      () => consistencyProof(sha256, tree, 6),
    ]) {
      expect(act).toThrow(RangeError)
    }
  })

  test('with any bit flipped hold no more', () => {
    const tree = leaves(21)
    const root = merkleRoot(sha256, tree)
    fc.assert(
      fc.property(fc.nat(20), fc.nat(), fc.nat(31), fc.nat(7), (index, pick, byte, bit) => {
        const proof = inclusionProof(sha256, tree, index).map((node) => new Uint8Array(node))
        const node = at(proof, pick % proof.length)
        node[byte] = (node[byte] ?? 0) ^ (1 << bit)
        expect(verifyInclusion(sha256, { index, size: 21, leaf: at(tree, index), proof, root })).toBe(false)
      }),
    )
  })
})
