import { describe, expect, test } from 'vitest'
import type { Json } from '../../../src/core/json.ts'
import { argsOf, listOf, objectOf, summaryLine, textOf } from './call.ts'

describe('parts of a call', () => {
  for (const [call, args] of [
    [{ args: { a: 1 } }, { a: 1 }],
    [{ args: [] }, {}],
    [{}, {}],
    [null, {}],
    [undefined, {}],
    ['x', {}],
  ] as const) {
    test(`arguments of ${JSON.stringify(call)}`, () => expect(argsOf(call as Json | undefined)).toEqual(args))
  }

  for (const [object, name, value] of [
    [{ a: 'x' }, 'a', 'x'],
    [{ a: 1 }, 'a', null],
    [{}, 'toString', null],
    [{}, '__proto__', null],
    [[], 'length', null],
  ] as const) {
    test(`\`${name}\` of ${JSON.stringify(object)} as text`, () => expect(textOf(object as Json, name)).toBe(value))
  }

  test('lists and objects', () => {
    expect(listOf({ a: [1] }, 'a')).toEqual([1])
    expect(listOf({ a: 1 }, 'a')).toEqual([])
    expect(objectOf({ a: { b: 1 } }, 'a')).toEqual({ b: 1 })
    expect(objectOf({ a: [] }, 'a')).toBeNull()
  })
})

describe('summaries', () => {
  for (const [summary, line] of [
    ['{"command":"ls"}', 'ls'],
    ['{"n":1}', 'n: 1'],
    ['{"command":"very lo…', 'very lo…'],
    ['{"command":"very lo…","path":"/a"}', 'very lo…'],
    ['{"command":"a\\nb\\u00…', 'a\nb…'],
    ['{"command":"a\\…', 'a…'],
    ['{"content":"x…","file_path":"/a"}', '/a'],
    ['{"content":"x","comm…', '{"content":"x","comm…'],
    ['[1]', '[1]'],
    ['', ''],
    ['"text"', '"text"'],
  ] as const) {
    test(`${summary} is told as ${line}`, () => expect(summaryLine(summary)).toBe(line))
  }
})
