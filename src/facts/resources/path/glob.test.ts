import { describe, expect, test } from 'vitest'
import { matchGlob } from './glob.ts'

describe('patterns against names', () => {
  for (const [pattern, name, expected] of [
    ['*', 'abc', true],
    ['*', '', true],
    ['a*c', 'abbc', true],
    ['a*c', 'abcd', false],
    ['a?c', 'abc', true],
    ['a?c', 'ac', false],
    ['[abc]x', 'bx', true],
    ['[a-c]x', 'cx', true],
    ['[!a-c]x', 'cx', false],
    ['[^a-c]x', 'dx', true],
    ['[]a]x', ']x', true],
    ['[a', '[a', true],
    ['*a*a*a*b', 'a'.repeat(500), false],
    ['a**b', 'ab', true],
  ] as const) {
    test(`${pattern} and ${name.slice(0, 8)}`, () => expect(matchGlob(pattern, name)).toBe(expected))
  }
})
