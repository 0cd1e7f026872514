import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { proves } from '../../../test/proves.ts'
import { temporaryDirectory, testSigner } from '../../../test/support/records.ts'
import { GENESIS } from '../chain.ts'
import { StoreError } from '../store.ts'
import { type AnchorReading, anchorPath, createAnchorFile, openAnchorWriter, readAnchor, signAnchor } from './anchor.ts'

const signer = testSigner('key')
const ring = new Map([[signer.id, signer]])
const hash = (size: number) => size.toString(16).padStart(64, '0')
const anchor = (size: number, at = 7) => signAnchor({ size, hash: hash(size) }, signer, at)

function created(): string {
  const directory = temporaryDirectory()
  createAnchorFile(directory, signAnchor({ size: 0, hash: GENESIS }, signer, 1))
  return directory
}

function sizeOf(reading: AnchorReading): number | string {
  return reading.state === 'found' ? reading.mark.size : reading.state
}

describe('anchors', () => {
  test('the largest counts, and a smaller one never replaces it', () => {
    const directory = created()
    expect(sizeOf(readAnchor(directory, ring))).toBe(0)
    const writer = openAnchorWriter(directory)
    for (const [size, expected] of [
      [3, 3],
      [5, 5],
      [4, 5],
      [5, 5],
      [900_000_000_000, 900_000_000_000],
    ] as const) {
      writer.write(anchor(size))
      expect(sizeOf(readAnchor(directory, ring))).toBe(expected)
    }
    const other = openAnchorWriter(directory)
    other.write(anchor(900_000_000_007))
    writer.write(anchor(900_000_000_003))
    expect(sizeOf(readAnchor(directory, ring))).toBe(900_000_000_007)
    writer.write(anchor(900_000_000_008))
    other.write(anchor(900_000_000_007))
    expect(sizeOf(readAnchor(directory, ring))).toBe(900_000_000_008)
    other.close()
    writer.close()
    expect(statSync(anchorPath(directory)).size).toBe(16 * 512)
  })

  test('the file is text that a person can read', () => {
    const directory = created()
    const lines = readFileSync(anchorPath(directory), 'utf8').split('\n')
    expect(lines).toHaveLength(17)
    expect(JSON.parse(lines[0] ?? '')).toEqual(signAnchor({ size: 0, hash: GENESIS }, signer, 1))
  })

  test('making the file twice keeps the first', () => {
    const directory = created()
    createAnchorFile(directory, anchor(9))
    expect(sizeOf(readAnchor(directory, ring))).toBe(0)
  })

  proves(['T33', 'P12'], 'an anchor with any byte changed, or a file cut anywhere, is invalid', () => {
    const directory = created()
    const path = anchorPath(directory)
    const whole = readFileSync(path)
    for (let offset = 0; offset < whole.length; offset += offset < 600 ? 1 : 97) {
      const bytes = Buffer.from(whole)
      bytes[offset] = (bytes[offset] ?? 0) ^ 0x01
      writeFileSync(path, bytes)
      expect([offset, sizeOf(readAnchor(directory, ring))]).toEqual([offset, 'invalid'])
    }
    for (const length of [0, 1, 511, 512, whole.length - 1]) {
      writeFileSync(path, whole.subarray(0, length))
      expect([length, sizeOf(readAnchor(directory, ring))]).toEqual([length, 'invalid'])
    }
    writeFileSync(path, `${' '.repeat(511)}\n`.repeat(16))
    expect(sizeOf(readAnchor(directory, ring))).toBe('missing')
    rmSync(path)
    expect(sizeOf(readAnchor(directory, ring))).toBe('missing')
  })

  test('an anchor by a key that is not ours, or forged under its id, is invalid', () => {
    const other = testSigner('other')
    const directory = temporaryDirectory()
    createAnchorFile(directory, signAnchor({ size: 2, hash: hash(2) }, other, 1))
    expect(readAnchor(directory, ring)).toEqual({ state: 'invalid', detail: `an anchor is signed with the unknown key \`${other.id}\`` })
    expect(sizeOf(readAnchor(directory, new Map([[other.id, other]])))).toBe(2)
    expect(readAnchor(directory, new Map([[other.id, signer]]))).toEqual({
      state: 'invalid',
      detail: 'the signature of an anchor does not hold',
    })
  })

  test('a file that was removed while open is noticed', () => {
    const directory = created()
    const writer = openAnchorWriter(directory)
    rmSync(anchorPath(directory))
    expect(() => writer.write(anchor(1))).toThrow(StoreError)
    writer.close()
  })
})
