import { describe, expect } from 'vitest'
import { proves } from '../../test/proves.ts'
import type { Ruling } from './accept.ts'
import { tribunalOf } from './combine.ts'

const ruling = (verdict: Ruling['verdict']): Ruling => ({ verdict, reason: verdict })

describe('a tribunal of two', () => {
  proves(['SIG-15', 'SIG-16', 'SIG-17', 'SIG-18', 'SIG-19'], 'agreement holds, a split asks, no answers are no acceptance', () => {
    const cases: readonly (readonly [Ruling['verdict'] | null, Ruling['verdict'] | null, string | null])[] = [
      ['allow', 'allow', 'allow'],
      ['deny', 'deny', 'deny'],
      ['allow', 'deny', 'ask'],
      ['deny', 'allow', 'ask'],
      ['flag', 'allow', 'flag'],
      ['allow', 'flag', 'flag'],
      ['halt', 'deny', 'halt'],
      ['deny', 'halt', 'halt'],
      ['halt', 'allow', 'ask'],
      ['allow', null, null],
      [null, 'flag', null],
      ['deny', null, 'deny'],
      [null, 'deny', 'deny'],
      [null, 'halt', 'halt'],
      [null, null, null],
    ]
    for (const [first, second, expected] of cases) {
      const combined = tribunalOf(first === null ? null : ruling(first), second === null ? null : ruling(second))
      expect(combined?.verdict ?? null, `${first} and ${second}`).toBe(expected)
    }
  })
})
