import { describe, expect, test } from 'vitest'
import { atPointer, childPointer, isJsonObject, own, parseJson } from './json.ts'

describe('JSON text of files and rows', () => {
  for (const [text, expected] of [
    ['{"a":[1,null,"x"]}', { a: [1, null, 'x'] }],
    ['null', null],
    ['"x"', 'x'],
    ['', undefined],
    ['{', undefined],
    ['{"a":1,}', undefined],
    ["{'a':1}", undefined],
    ['\ufeff{}', undefined],
  ] as const) {
    test(JSON.stringify(text), () => expect(parseJson(text)).toEqual(expected))
  }

  test('what an object inherits is no member of it', () => {
    const value = parseJson('{"__proto__":{"scripts":"x"},"constructor":1}')
    if (!isJsonObject(value)) throw new Error('no object')
    expect([own(value, 'scripts'), own(value, 'toString'), own(value, 'constructor')]).toEqual([undefined, undefined, 1])
    expect(own(value, '__proto__')).toEqual({ scripts: 'x' })
  })
})

test('arrays, null and primitives are no objects', () => {
  expect([{}, [], null, 'x', 1, undefined].map(isJsonObject)).toEqual([true, false, false, false, false, false])
})

test('a pointer leads to what it was made for, whatever its keys hold', () => {
  const root = { 'a/b': [{ '~': 'x', '~1': 'y' }] }
  const at = childPointer(childPointer('', 'a/b'), 0)
  expect(at).toBe('/a~1b/0')
  expect(['~', '~1'].map((key) => atPointer(root, childPointer(at, key)))).toEqual(['x', 'y'])
  expect(atPointer(root, '/a~1b/7/~0')).toBeUndefined()
})
