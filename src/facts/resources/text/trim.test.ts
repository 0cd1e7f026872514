import { expect, test } from 'vitest'
import { withoutTrailing } from './trim.ts'

for (const [text, character, expected] of [
  ['', '/', ''],
  ['/', '/', ''],
  ['a//', '/', 'a'],
  ['//a', '/', '//a'],
  ['a/b', '/', 'a/b'],
  ['YQ==', '=', 'YQ'],
  ['a\n\n', '\n', 'a'],
] as const) {
  test(`${JSON.stringify(text)} without ${JSON.stringify(character)}`, () => expect(withoutTrailing(text, character)).toBe(expected))
}
