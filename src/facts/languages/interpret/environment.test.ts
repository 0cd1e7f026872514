import { describe, expect, test } from 'vitest'
import { known } from './reading.ts'
import { Environment, number, options, text, type Value } from './value.ts'

/** Variables through branches, functions and objects. */

const all = (value: Value | undefined) => (value === undefined ? null : options(value).map((v) => known(v)))

describe('assignment', () => {
  test('a variable is what it was last given', () => {
    const env = new Environment()
    env.assign('x', text('a'))
    env.assign('x', text('b'))
    expect(all(env.get('x'))).toEqual(['b'])
  })
  test('a plain scope inside assigns outside where the name is known', () => {
    const outer = new Environment()
    outer.set('x', text('a'))
    new Environment(outer).assign('x', text('b'))
    expect(all(outer.get('x'))).toEqual(['b'])
  })
  test('a function has its own, and what is outside may be either', () => {
    const outer = new Environment()
    outer.set('x', text('a'))
    const inner = new Environment(outer, 'function')
    inner.assign('x', text('b'))
    expect(all(inner.get('x'))).toEqual(['b'])
    expect(all(outer.get('x'))).toEqual(['a', 'b'])
  })
  test('a new name in a function stays in it', () => {
    const outer = new Environment()
    new Environment(outer, 'function').assign('y', text('b'))
    expect(outer.get('y')).toBeUndefined()
  })
  test('an instance variable outlives the method', () => {
    const outer = new Environment()
    new Environment(new Environment(outer), 'function').assign('@x', text('b'))
    new Environment(new Environment(outer), 'function').assign('@x', text('c'))
    expect(all(outer.get('@x'))).toEqual(['b', 'c'])
  })
  test('magic names are names', () => {
    const env = new Environment()
    for (const name of ['__proto__', 'constructor', 'toString']) {
      expect(env.get(name)).toBeUndefined()
      env.assign(name, number(1))
      expect(all(env.get(name))).toEqual(['1'])
    }
  })
})

describe('branches', () => {
  const branched = (assigned: readonly (string | null)[], before: string | null, keepsBefore: boolean) => {
    const env = new Environment()
    if (before !== null) env.set('x', text(before))
    const branches = assigned.map((value) => {
      const inner = new Environment(env, 'branch')
      if (value !== null) inner.assign('x', text(value))
      return inner
    })
    env.merge(branches, keepsBefore)
    return all(env.get('x'))
  }
  for (const [name, assigned, before, keeps, expected] of [
    ['if without else', ['b'], 'a', true, ['a', 'b']],
    ['if and else', ['b', 'c'], 'a', false, ['b', 'c']],
    ['only one of two assigns', ['b', null], 'a', false, ['a', 'b']],
    ['none assigns', [null, null], 'a', false, ['a']],
    ['nothing was there before', ['b'], null, true, ['b']],
    ['the same in both', ['b', 'b'], 'a', false, ['b']],
  ] as const)
    test(name, () => expect(branched(assigned, before, keeps)).toEqual(expected))

  test('a branch does not touch what is outside until it is merged', () => {
    const env = new Environment()
    env.set('x', text('a'))
    new Environment(env, 'branch').assign('x', text('b'))
    expect(all(env.get('x'))).toEqual(['a'])
  })
  test('names are its own only', () => {
    const env = new Environment()
    env.set('x', text('a'))
    const inner = new Environment(env, 'branch')
    inner.assign('y', text('b'))
    expect(inner.names()).toEqual(['y'])
  })
})
