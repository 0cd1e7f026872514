import fc from 'fast-check'
import { expect, test } from 'vitest'
import { proves } from '../../../../test/proves.ts'
import type { Json } from '../../../core/json.ts'
import { walkStrings } from './walk.ts'

test('strings and keys come in the order of the document, with their pointers', () => {
  const value: Json = { a: 'x', 'b/~': ['y', { c: 'z', d: 1 }], e: null }
  expect([...walkStrings(value)]).toEqual([
    { pointer: '/a', text: 'a', key: true },
    { pointer: '/a', text: 'x', key: false },
    { pointer: '/b~1~0', text: 'b/~', key: true },
    { pointer: '/b~1~0/0', text: 'y', key: false },
    { pointer: '/b~1~0/1/c', text: 'c', key: true },
    { pointer: '/b~1~0/1/c', text: 'z', key: false },
    { pointer: '/b~1~0/1/d', text: 'd', key: true },
    { pointer: '/e', text: 'e', key: true },
  ])
})

for (const [value, count] of [
  ['x', 1],
  [1, 0],
  [null, 0],
  [[], 0],
  [{}, 0],
  [['', ''], 2],
] as const) {
  test(`${JSON.stringify(value)} has ${count}`, () => expect([...walkStrings(value)].length).toBe(count))
}

test('every string of any JSON is found at its pointer', () => {
  const at = (value: unknown, pointer: string) =>
    pointer
      .split('/')
      .slice(1)
      .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'))
      .reduce<unknown>((current, token) => Reflect.get(current as object, token), value)
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const strings = [...walkStrings(value as Json)]
      for (const { pointer, text } of strings.filter(({ key }) => !key)) expect(at(value, pointer)).toBe(text)
      let leaves = 0
      JSON.parse(JSON.stringify(value), (_, leaf: unknown) => {
        if (typeof leaf === 'string') leaves++
        return leaf
      })
      expect(strings.filter(({ key }) => !key).length).toBe(leaves)
    }),
    { numRuns: 500, seed: 10 },
  )
})

proves('T04', 'a value nested a hundred thousand deep is walked without recursion', () => {
  let value: Json = 'bottom'
  for (let i = 0; i < 100_000; i++) value = [value]
  expect([...walkStrings(value)].map(({ text }) => text)).toEqual(['bottom'])
})
