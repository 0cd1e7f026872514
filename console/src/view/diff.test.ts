import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../../src/core/json.ts'
import { readJson } from '../../../src/ingress/json.ts'
import { changes, editable } from './diff.ts'

describe('what an edit changes', () => {
  for (const [before, after, expected] of [
    [{ a: 1 }, { a: 1 }, []],
    [{ a: 1 }, { a: 2 }, ['/a 1 2']],
    [{ a: 1 }, { a: '1' }, ['/a 1 1']],
    [{ a: 1 }, {}, ['/a 1 gone']],
    [{}, { a: 1 }, ['/a new 1']],
    [{ a: 'x' }, { a: 'x ' }, ['/a x x ']],
    [{ a: 'x' }, { a: 'x\u200b' }, ['/a x x\u200b']],
    [{ a: ['x'] }, { a: ['x', 'y'] }, ['/a array 1 array 2', '/a/1 new y']],
    [{ a: { b: 1 } }, { a: [1] }, ['/a object 1 array 1', '/a/0 new 1', '/a/b 1 gone']],
    [{ a: 1, b: 2 }, { b: 2, a: 1 }, []],
    [{ a: null }, { a: 'null' }, ['/a null null']],
  ] as const) {
    test(`${JSON.stringify(before)} to ${JSON.stringify(after)}`, () => {
      const told = changes(before as JsonObject, after as JsonObject).map(({ pointer, before: was, after: now }) =>
        [
          pointer,
          ...[was, now].map((row, index) =>
            row === null ? (index === 0 ? 'new' : 'gone') : row.value || (row.kind === 'string' ? '' : `${row.kind} ${row.size}`),
          ),
        ].join(' '),
      )
      expect(told).toEqual(expected)
    })
  }
})

describe('text to edit', () => {
  for (const [args, text] of [
    [{ a: 'x' }, '{\n  "a": "x"\n}'],
    [{ a: '\u202e' }, '{\n  "a": "\\u202e"\n}'],
    [{ a: 'é' }, '{\n  "a": "\\u00e9"\n}'],
    [{ a: '👍' }, '{\n  "a": "\\ud83d\\udc4d"\n}'],
    [{ a: '\u007f' }, '{\n  "a": "\\u007f"\n}'],
    [{ a: 'b\nc' }, '{\n  "a": "b\\nc"\n}'],
    [{}, '{}'],
  ] as const) {
    test(`${JSON.stringify(args)} is written in ASCII`, () => expect(editable(args as unknown as JsonObject)).toBe(text))
  }

  test('read back, it is the same call', () => {
    const name = fc.string({ maxLength: 5 }).filter((key) => key !== '__proto__')
    fc.assert(
      fc.property(fc.dictionary(name, fc.oneof(fc.string({ unit: 'grapheme' }), fc.integer(), fc.boolean(), fc.constant(null))), (args) => {
        const read = readJson(editable(args))
        expect(read.ok && changes(args, read.value as JsonObject)).toEqual([])
        expect(editable(args)).toMatch(/^[\x20-\x7e\n]*$/)
      }),
    )
  })
})
