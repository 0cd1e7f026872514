import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { proves } from '../../test/proves.ts'
import { compare, ENFORCEMENTS, enforced, join, runs, VERDICTS } from './verdict.ts'

const verdict = fc.constantFrom(...VERDICTS)

describe('the lattice', () => {
  proves(['P3', 'PIT-2'], 'join is commutative, associative and idempotent, and `ask` ranks above `allow`', () => {
    fc.assert(fc.property(verdict, verdict, (a, b) => join(a, b) === join(b, a)))
    fc.assert(fc.property(verdict, verdict, verdict, (a, b, c) => join(join(a, b), c) === join(a, join(b, c))))
    fc.assert(fc.property(verdict, (a) => join(a, a) === a && join('abstain', a) === a))
    expect(join('allow', 'ask')).toBe('ask')
  })

  proves('P2', 'nothing joined to a deny brings it down', () => {
    fc.assert(fc.property(verdict, (a) => compare(join('deny', a), 'deny') >= 0))
    fc.assert(fc.property(verdict, (a) => join('halt', a) === 'halt'))
  })

  test('a level turns a violation into its verdict', () => {
    expect(ENFORCEMENTS.map(enforced)).toEqual(['flag', 'ask', 'deny'])
  })

  test('low and medium run; high and critical do not', () => {
    expect(VERDICTS.filter(runs)).toEqual(['allow', 'flag'])
  })
})
