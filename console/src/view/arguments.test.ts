import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Json, JsonObject } from '../../../src/core/json.ts'
import { proves } from '../../../test/proves.ts'
import { argumentsText, headline, rowsOf } from './arguments.ts'

const json: fc.Arbitrary<Json> = fc.letrec<{ json: Json }>((tie) => ({
  json: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom<Json>(null, true, false, '', 'a', 'a\nb', '1', 'null', '{}', '"', '\u202e', ' ', 'command', '⟨LF⟩'),
    fc.string({ unit: 'binary', maxLength: 6 }),
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.array(tie('json'), { maxLength: 3 }),
    fc.dictionary(fc.oneof(fc.constantFrom('a', 'b', '0', '[0]', '', 'a b', 'x\ny', '"'), fc.string({ maxLength: 4 })), tie('json'), {
      maxKeys: 3,
    }),
  ),
})).json

const args = fc.dictionary(fc.string({ maxLength: 5 }), json, { maxKeys: 4 }) as fc.Arbitrary<JsonObject>

describe('rows of arguments', () => {
  for (const [value, rows] of [
    [{}, []],
    [{ command: 'ls' }, ['/command 0 string 2 ls']],
    [{ n: 1, yes: true, no: null }, ['/n 0 number - 1', '/yes 0 boolean - true', '/no 0 null - null']],
    [{ list: [] }, ['/list 0 array 0 ']],
    [{ deep: { er: ['x'] } }, ['/deep 0 object 1 ', '/deep/er 1 array 1 ', '/deep/er/0 2 string 1 x']],
    [{ 'a/b~c': '' }, ['/a~1b~0c 0 string 0 ']],
    [{ '': 'empty' }, ['/ 0 string 5 empty']],
    [{ b: 1, a: 2 }, ['/b 0 number - 1', '/a 0 number - 2']],
  ] as const) {
    test(`${JSON.stringify(value)} gives ${rows.length} rows`, () => {
      expect(rowsOf(value as JsonObject).map((row) => `${row.pointer} ${row.depth} ${row.kind} ${row.size ?? '-'} ${row.value}`)).toEqual(
        rows,
      )
    })
  }

  for (const [value, text] of [
    [{ command: 'ls -la' }, '"command" string 6 ls -la'],
    [{ command: 'a\nb' }, '"command" string 3 a⟨LF⟩b'],
    [{ n: '1' }, '"n" string 1 1'],
    [{ n: 1 }, '"n" number 1'],
    [{ n: null }, '"n" null null'],
    [{ n: 'null' }, '"n" string 4 null'],
    [{ list: ['a', ['b']] }, '"list" array 2\n  [0] string 1 a\n  [1] array 1\n    [0] string 1 b'],
    [{ '[0]': 'a' }, '"[0]" string 1 a'],
    [{ 'a" string 1 x': 'y' }, '"a\\" string 1 x" string 1 y'],
    [{ 'a\u202eb': 1 }, '"a⟨U+202E⟩b" number 1'],
    [{ empty: '' }, '"empty" string 0'],
    [{ object: {} }, '"object" object 0'],
  ] as const) {
    test(`${JSON.stringify(value)} is written ${JSON.stringify(text)}`, () => {
      expect(argumentsText(value as unknown as JsonObject)).toBe(text)
    })
  }

  proves('T24', 'different arguments are never shown alike', () => {
    fc.assert(
      fc.property(args, args, (a, b) => {
        const same = JSON.stringify(a) === JSON.stringify(b)
        expect(argumentsText(a) === argumentsText(b)).toBe(same)
      }),
      { numRuns: 3_000 },
    )
  })

  proves('T24', 'one changed member, name, kind or character changes what is shown', () => {
    const base: JsonObject = { command: 'git push', list: ['a', 'b'], deep: { n: 1 } }
    const variants: readonly JsonObject[] = [
      { ...base, command: 'git push ' },
      { ...base, command: 'git pus\u04bb' },
      { ...base, command: 'git\u00a0push' },
      { ...base, command: 'git push\n' },
      { ...base, list: ['a,b'] },
      { ...base, list: ['a', 'b', ''] },
      { ...base, list: { 0: 'a', 1: 'b' } },
      { ...base, deep: { n: '1' } },
      { ...base, deep: { n: 1, m: null } },
      { ...base, deep: { N: 1 } },
      { ...base, deep: [['n', 1]] },
    ]
    const shown = [base, ...variants].map(argumentsText)
    expect(new Set(shown).size).toBe(shown.length)
  })

  proves('T24', 'lines hold printable characters only', () => {
    fc.assert(
      fc.property(args, (value) => {
        for (const line of argumentsText(value).split('\n')) {
          expect(line).toMatch(/^[\x20-\x7e\p{L}\p{M}\p{N}\p{P}\p{S}]*$/u)
          expect(line).not.toMatch(/[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u)
        }
      }),
      { numRuns: 1_000 },
    )
  })

  test('arguments nested as deep as the gate takes them are shown', () => {
    let deep: Json = 'x'
    for (let i = 0; i < 60; i++) deep = [deep]
    expect(rowsOf({ deep }).at(-1)).toMatchObject({ depth: 60, value: 'x' })
  })
})

describe('headline', () => {
  for (const [value, line] of [
    [{ command: 'ls', description: 'lists' }, 'ls'],
    [{ description: 'lists', command: 'ls' }, 'ls'],
    [{ content: 'x', file_path: '/a' }, '/a'],
    [{ subject: 'hi', to: 'bob' }, 'bob, hi'],
    [{ subject: 1, to: 'bob' }, 'bob'],
    [{ subject: 'hi', command: 'ls' }, 'ls'],
    [{ anything: 'first text' }, 'anything: first text'],
    [{ amount: 5, currency: 'eur', customer: 'c' }, 'amount: 5, currency: eur, customer: c'],
    [{ yes: true, none: null, deep: { a: 1 } }, 'yes: true, none: null'],
    [{ deep: { a: 1 } }, '{"deep":{"a":1}}'],
    [{ n: 1 }, 'n: 1'],
    [{}, '{}'],
    [{ command: 7, url: 'https://a.example' }, 'https://a.example'],
  ] as const) {
    test(`${JSON.stringify(value)} is told as ${line}`, () => {
      expect(headline(value as JsonObject)).toBe(line)
    })
  }
})
