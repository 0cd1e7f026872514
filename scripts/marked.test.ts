import { describe, expect, test } from 'vitest'
import { markedText } from './marked.ts'

describe('the part of a document that a script writes', () => {
  const text = 'a\n<!-- x: begin -->\nold\n<!-- x: end -->\nb\n<!-- y: begin --><!-- y: end -->\n'
  const cases: readonly (readonly [string, string, string])[] = [
    ['x', 'new', 'a\n<!-- x: begin -->\n\nnew\n\n<!-- x: end -->\nb\n<!-- y: begin --><!-- y: end -->\n'],
    ['y', '1\n2', 'a\n<!-- x: begin -->\nold\n<!-- x: end -->\nb\n<!-- y: begin -->\n\n1\n2\n\n<!-- y: end -->\n'],
    ['y', '$&', 'a\n<!-- x: begin -->\nold\n<!-- x: end -->\nb\n<!-- y: begin -->\n\n$&\n\n<!-- y: end -->\n'],
  ]
  for (const [name, part, expected] of cases)
    test(`${name}: ${JSON.stringify(part)}`, () => expect(markedText(text, name, part)).toBe(expected))

  test('written twice it is the same', () => expect(markedText(markedText(text, 'x', 'n'), 'x', 'n')).toBe(markedText(text, 'x', 'n')))

  const missing = ['', '<!-- x: begin -->', '<!-- x: end -->', '<!-- x: end --><!-- x: begin -->']
  for (const bad of missing) test(`no place in ${JSON.stringify(bad)}`, () => expect(() => markedText(bad, 'x', '')).toThrow('no place'))
})
