import { describe, expect, test } from 'vitest'
import { circles } from './circles.ts'

const graph = (text: string): ReadonlyMap<string, readonly string[]> =>
  new Map(text.split(' ').map((part) => [part.slice(0, 1), [...part.slice(2)]] as const))

const CASES: readonly (readonly [string, string, readonly string[]])[] = [
  ['none in a line', 'a:b b:c c:', []],
  ['none in a diamond', 'a:bc b:d c:d d:', []],
  ['a pair', 'a:b b:a', ['ab']],
  ['a file that names itself', 'a:a', ['a']],
  ['a long way round', 'a:b b:c c:d d:b', ['bcd']],
  ['two that touch as one', 'a:b b:ac c:b', ['abc']],
  ['two beside each other', 'a:b b:ac c:d d:c', ['ab', 'cd']],
  ['none through what is not looked at', 'a:x b:a', []],
]

describe('circles', () => {
  for (const [name, text, expected] of CASES)
    test(`finds ${name}`, () =>
      expect(
        circles(graph(text))
          .map((group) => [...group].sort().join(''))
          .sort(),
      ).toEqual(expected))
})
