import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Output } from './output.ts'

function output(most: number, chunks: readonly string[]): Output {
  const made = new Output(most)
  for (const chunk of chunks) made.add(Buffer.from(chunk))
  return made
}

describe('output', () => {
  const cases: readonly (readonly [number, readonly string[], string])[] = [
    [10, [], ''],
    [10, ['abc'], 'abc'],
    [10, ['abcde', 'fghij'], 'abcdefghij'],
    [10, ['abcdefghij'], 'abcdefghij'],
    [10, ['abcdefghijk'], '[11 bytes left out]\n'],
    [10, ['abcdefghij', 'k'], '[11 bytes left out]\n'],
    [4, ['aaaa', 'bbbb', 'cccc'], '[12 bytes left out]\n'],
    [4, ['a', 'b', 'c', 'd', 'e', 'f'], '[6 bytes left out]\n'],
    [10, ['a\nb\nc\nd\ne\nf\ng\n'], 'a\nb\n[6 bytes left out]\nf\ng\n'],
    [10, ['one\ntwo\nthree\nfour\n'], 'one\n[15 bytes left out]\n'],
    [20, ['one\nsecret-half-and-half\nfour\n'], 'one\n[21 bytes left out]\nfour\n'],
    [12, ['é\n', 'ü'.repeat(20), '\nä\n'], 'é\n[41 bytes left out]\nä\n'],
    [10, ['näh', 'ü'], 'nähü'],
  ]
  for (const [most, chunks, expected] of cases) {
    test(`${most} bytes of ${JSON.stringify(chunks)}`, () => {
      expect(output(most, chunks).text()).toBe(expected)
      expect(output(most, chunks).cut).toBe(expected.includes('left out'))
    })
  }

  test('whole lines of the beginning and the end stay, however it is cut into pieces', () => {
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[a-z\n]{0,9}$/), { maxLength: 40 }), fc.integer({ min: 2, max: 60 }), (chunks, most) => {
        const all = chunks.join('')
        const half = Math.floor(most / 2)
        const told = output(most, chunks).text()
        if (all.length <= 2 * half) {
          expect(told).toBe(all)
          return true
        }
        const [before = '', after = ''] = told.split(/\[\d+ bytes left out\]\n/)
        expect(all.startsWith(before) && all.endsWith(after)).toBe(true)
        expect(before === '' || before.endsWith('\n')).toBe(true)
        expect(after === '' || all.at(-after.length - 1) === '\n').toBe(true)
        expect(told).toContain(`[${all.length - before.length - after.length} bytes left out]`)
        return before.length <= half && after.length <= half
      }),
    )
  })
})
