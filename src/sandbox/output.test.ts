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
    [10, ['abcdefghijk'], 'abcde\n[1 bytes left out]\nghijk'],
    [10, ['abcdefghij', 'k'], 'abcde\n[1 bytes left out]\nghijk'],
    [4, ['aaaa', 'bbbb', 'cccc'], 'aa\n[8 bytes left out]\ncc'],
    [4, ['a', 'b', 'c', 'd', 'e', 'f'], 'ab\n[2 bytes left out]\nef'],
    [10, ['näh', 'ü'], 'nähü'],
  ]
  for (const [most, chunks, expected] of cases) {
    test(`${most} bytes of ${JSON.stringify(chunks)}`, () => {
      expect(output(most, chunks).text()).toBe(expected)
      expect(output(most, chunks).cut).toBe(expected.includes('left out'))
    })
  }

  test('the beginning and the end stay, however it is cut into pieces', () => {
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[a-z]{0,9}$/), { maxLength: 40 }), fc.integer({ min: 2, max: 60 }), (chunks, most) => {
        const all = chunks.join('')
        const half = Math.floor(most / 2)
        const whole = all.length <= 2 * half
        expect(output(most, chunks).text()).toBe(
          whole ? all : `${all.slice(0, half)}\n[${all.length - 2 * half} bytes left out]\n${all.slice(-half)}`,
        )
      }),
    )
  })
})
