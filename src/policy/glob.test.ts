import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { proves } from '../../test/proves.ts'
import { compileName, compileToolPattern, coversTool } from './glob.ts'

describe('name patterns', () => {
  for (const [pattern, name, expected] of [
    ['get_*', 'get_user', true],
    ['get_*', 'get_', true],
    ['get_*', 'set_user', false],
    ['get_*', 'Get_user', false],
    ['*_user', 'get_user', true],
    ['*_user', 'get_users', false],
    ['*', '', true],
    ['**', 'x/y', true],
    ['a*b*c', 'a1b2c', true],
    ['a*b*c', 'abcd', false],
    ['a?c', 'abc', true],
    ['a?c', 'ac', false],
    ['[ab]x', 'bx', true],
    ['[!ab]x', 'bx', false],
    ['[!ab]x', 'cx', true],
    ['[a-c]x', 'bx', true],
    ['[]]x', ']x', true],
    ['[[]x', '[x', true],
    ['[^a]x', '^x', true],
    ['[^a]x', 'bx', false],
    ['a.c', 'abc', false],
    ['a.c*x', 'a.cx', true],
    ['a(b)*c+', 'a(b)c+', true],
    ['a*\u{1f600}', 'ab\u{1f600}', true],
    ['a?b', 'a\u{1f600}b', true],
    ['a*b', 'a\nb', true],
    ['exact', 'exact', true],
    ['exact', 'exact2', false],
  ] as const) {
    test(`${pattern} on ${JSON.stringify(name)}`, () => expect(compileName(pattern)(name)).toBe(expected))
  }

  test('what cannot be compiled says why', () => {
    expect(() => compileToolPattern('a[b', { strict: true })).toThrow('is not closed')
    expect(() => compileToolPattern('a'.repeat(600), { strict: true })).toThrow('longer than 512')
    expect(() => compileToolPattern('[z-a]x', { strict: true })).toThrow()
  })
})

describe('tool patterns', () => {
  for (const [pattern, server, name, permits, raises] of [
    ['get_*', null, 'get_x', true, true],
    ['get_*', 'github', 'get_x', true, true],
    ['github/*', 'github', 'get_x', true, true],
    ['github/*', 'gitlab', 'get_x', false, false],
    ['git*/get_*', 'gitlab', 'get_x', true, true],
    // A server cannot imitate another one by the bare name of its tool; a deny catches it all the same.
    ['github/*', 'evil', 'github/get_x', false, true],
    ['github/get_x', 'evil', 'github/get_x', false, true],
    // A host's own tool may have a slash in its name.
    ['github/*', null, 'github/get_x', true, true],
    ['fs/a/b', 'fs', 'a/b', true, true],
    ['fs/a/b', 'fs/a', 'b', false, false],
  ] as const) {
    test(`${pattern} on ${server}/${name}`, () => {
      expect(compileToolPattern(pattern, { strict: true }).matches(server, name)).toBe(permits)
      expect(compileToolPattern(pattern, { strict: false }).matches(server, name)).toBe(raises)
    })
  }
})

proves(['T05', 'PRO-W8'], 'a pattern agrees with a plain backtracking reading, and stays linear on hostile names', () => {
  const piece = fc.constantFrom('a', 'b', '*', '?', '[ab]', '[!a]', '.', '+')
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 6 }), fc.stringMatching(/^[abc.+]{0,8}$/), (pieces, name) => {
      expect(compileName(pieces.join(''))(name)).toBe(reads(pieces, name))
    }),
    { numRuns: 1_000, seed: 13 },
  )
  expect(compileName(`${'*a'.repeat(100)}b`)('a'.repeat(100_000))).toBe(false)
})

function reads(pieces: readonly string[], name: string): boolean {
  const [piece, ...rest] = pieces
  if (piece === undefined) return name === ''
  if (piece === '*') return Array.from({ length: name.length + 1 }, (_, i) => i).some((i) => reads(rest, name.slice(i)))
  const char = name.charAt(0)
  if (char === '') return false
  const holds = piece === '?' || (piece === '[ab]' ? 'ab'.includes(char) : piece === '[!a]' ? char !== 'a' : piece === char)
  return holds && reads(rest, name.slice(1))
}

describe('a pattern that covers another', () => {
  for (const [wide, narrow, expected] of [
    [null, 'x', true],
    ['*', null, true],
    ['**', 'a/b', true],
    ['x', null, false],
    ['x', 'x', true],
    ['fs.*', 'fs.read', true],
    ['fs.*', 'fs.*', true],
    ['fs.*', 'fs.r*', true],
    ['fs.r*', 'fs.*', false],
    ['*_user*', 'get_user*', true],
    ['github/*', 'github/get_*', true],
    ['github/get_*', 'github/*', false],
    ['get_x', 'github/get_x', true],
    ['github/get_x', 'get_x', false],
    ['get_?', 'get_x', false],
    ['get_*', 'get_[ab]', false],
  ] as const) {
    test(`${wide} and ${narrow}: ${expected}`, () => expect(coversTool(wide, narrow)).toBe(expected))
  }

  test('what the narrow pattern matches, the wide one matches', () => {
    const part = fc.constantFrom('a', 'b', '*', 'ab', '/', 's')
    const pattern = fc.array(part, { minLength: 1, maxLength: 5 }).map((parts) => parts.join(''))
    const name = fc.array(fc.constantFrom('a', 'b', 's'), { maxLength: 5 }).map((parts) => parts.join(''))
    fc.assert(
      fc.property(pattern, pattern, fc.option(name), name, (wide, narrow, server, tool) => {
        if (!coversTool(wide, narrow) || !compileToolPattern(narrow, { strict: true }).matches(server, tool)) return
        expect(compileToolPattern(wide, { strict: false }).matches(server, tool)).toBe(true)
      }),
      { seed: 5, numRuns: 3_000 },
    )
  })
})
