import { deflateSync, gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { inflate } from './inflate.ts'

const text = (bytes: readonly number[] | null) => (bytes === null ? null : Buffer.from(bytes).toString('latin1'))

describe('what was packed', () => {
  for (const [name, content] of [
    ['nothing', ''],
    ['one letter', 'a'],
    ['a word', 'canary'],
    ['a run', 'a'.repeat(1_000)],
    ['prose', 'the quick brown fox jumps over the lazy dog, and the lazy dog does not mind. '.repeat(40)],
    ['every byte', String.fromCharCode(...Array.from({ length: 256 }, (_, i) => i)).repeat(3)],
  ] as const) {
    for (const level of [0, 1, 6, 9]) {
      const bytes = Buffer.from(content, 'latin1')
      test(`${name}, gzip at level ${level}`, () => expect(text(inflate([...gzipSync(bytes, { level })]))).toBe(content))
      test(`${name}, zlib at level ${level}`, () => expect(text(inflate([...deflateSync(bytes, { level })]))).toBe(content))
    }
  }
  test('whatever it was', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 600 }), (bytes) => {
        expect(inflate([...gzipSync(bytes)])).toEqual([...bytes])
      }),
      { numRuns: 200, seed: 3 },
    )
  })
})

describe('what was not', () => {
  for (const [name, bytes] of [
    ['nothing', []],
    ['text', [...Buffer.from('hello world')]],
    ['half a header', [0x1f, 0x8b]],
    ['another method', [0x1f, 0x8b, 7, 0]],
  ] as const) {
    test(name, () => expect(inflate(bytes)).toBeNull())
  }
  test('a stream that breaks off gives what it had', () => {
    const packed = [...gzipSync('hello hello hello canary')]
    for (let cut = 10; cut < packed.length; cut++) expect(inflate(packed.slice(0, cut))).not.toBeNull()
  })
  test('a bomb is let out up to the bound', () => {
    const bomb = [...gzipSync(Buffer.alloc(20_000_000))]
    expect(inflate(bomb)?.length).toBeLessThan(70_000)
  })
  test('noise behind a header never throws and never runs on', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (noise) => {
        for (const head of [
          [0x78, 0x9c],
          [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0],
        ]) {
          expect(inflate([...head, ...noise])?.length).toBeLessThan(70_000)
        }
      }),
      { numRuns: 300, seed: 8 },
    )
  })
})
