import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Json } from '../../core/json.ts'
import { keyPath, parsePath, readPath } from './path.ts'

const VALUE: Json = {
  a: { b: 1, 'x.y': 2, n: null },
  items: [{ price: 1 }, { price: 2.5 }, { price: 3 }],
  uneven: [{ price: 1 }, {}],
  empty: [],
  variants: { r: { id: 'r1' }, s: { id: 's1' } },
  'dotted.name': 'exact',
  deep: [{ tags: ['p', 'q'] }, { tags: ['r'] }],
}

describe('where a path leads', () => {
  for (const [path, expected] of [
    ['a.b', 1],
    ['a.n', null],
    ['a.c', undefined],
    ['a.b.c', undefined],
    ['a["x.y"]', 2],
    ['["dotted.name"]', 'exact'],
    ['dotted.name', undefined],
    ['items[0].price', 1],
    ['items[2].price', 3],
    ['items[3].price', undefined],
    ['items.price', undefined],
    ['items[*].price', [1, 2.5, 3]],
    ['items.*.price', [1, 2.5, 3]],
    ['variants.*.id', ['r1', 's1']],
    ['variants.r.id', 'r1'],
    ['variants[0]', undefined],
    ['uneven[*].price', undefined],
    ['empty[*]', []],
    ['empty[*].price', []],
    ['a.b[*]', undefined],
    ['deep[*].tags', [['p', 'q'], ['r']]],
    ['deep[*].tags[*]', ['p', 'q', 'r']],
    ['constructor', undefined],
    ['a.__proto__', undefined],
    ['toString.length', undefined],
  ] as const) {
    test(`${path}: ${JSON.stringify(expected)}`, () => expect(readPath(VALUE, parsePath(path))).toEqual(expected))
  }

  test('an exact name is never taken apart', () => {
    expect(readPath(VALUE, keyPath('dotted.name'))).toBe('exact')
    expect(readPath(VALUE, keyPath('items[*]'))).toBeUndefined()
  })

  test('nothing leads anywhere in what is no container', () => {
    for (const value of [null, 1, 'text', true, undefined]) expect(readPath(value, parsePath('a'))).toBeUndefined()
  })
})

describe('what is no path', () => {
  for (const [path, message] of [
    ['', 'the path is empty'],
    ['.a', 'the path has an empty name at character 1'],
    ['a..b', 'the path has an empty name at character 3'],
    ['a.', 'the path ends with a dot'],
    ['a[', 'the bracket at character 2 of the path is not closed'],
    ['a["b]', 'the bracket at character 2 of the path is not closed'],
    ['a[b]', 'the path needs a place, `*` or a quoted name at character 3'],
    ['a[-1]', 'the path needs a place, `*` or a quoted name at character 3'],
    ['a[0]b', 'the path needs `.` or `[` at character 5'],
    ['a.b.c.d.e.f.g.h.i.j.k.l.m.n.o.p.q', 'the path has more than 16 steps'],
  ] as const) {
    test(`${path}`, () => expect(() => parsePath(path)).toThrow(new SyntaxError(message)))
  }
})

test('reading never throws, and finds only what is there', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.array(fc.constantFrom('a', '*', 'b.c', '0'), { minLength: 1, maxLength: 4 }), (value, names) => {
      const path = parsePath(names.map((name) => (name === '*' ? '[*]' : `["${name}"]`)).join(''))
      const found = readPath(value as Json, path)
      expect(found === undefined || path.many === Array.isArray(found) || !path.many).toBe(true)
    }),
  )
})
