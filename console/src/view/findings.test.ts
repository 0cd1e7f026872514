import { describe, expect, test } from 'vitest'
import { gravestFirst, isSaidBy } from './findings.ts'

const said = (verdict: string, message = verdict) => ({ layer: 'l', rule: 'r', verdict, code: 'c', message })

describe('the order of findings', () => {
  for (const [verdicts, expected] of [
    ['', ''],
    ['ask', 'ask'],
    ['ask deny', 'deny ask'],
    ['allow ask', 'ask'],
    ['flag abstain ask halt', 'halt ask flag abstain'],
    ['allow', ''],
  ] as const) {
    test(`${verdicts} reads ${expected}`, () => {
      const found = verdicts === '' ? [] : verdicts.split(' ').map((verdict) => said(verdict))
      expect(gravestFirst(found).map(({ verdict }) => verdict)).toEqual(expected === '' ? [] : expected.split(' '))
    })
  }

  test('keeps its own order among equals', () => {
    expect(gravestFirst([said('ask', '1'), said('deny', '2'), said('ask', '3')]).map(({ message }) => message)).toEqual(['2', '1', '3'])
  })
})

describe('a reason', () => {
  for (const [reason, messages, expected] of [
    ['a', ['a'], true],
    ['a; b', ['a', 'b'], true],
    ['b; a', ['a', 'b'], true],
    ['a; b', ['a'], false],
    ['ab; a', ['a', 'ab'], true],
    ['', [], true],
    [null, ['a'], false],
    ['more than that', ['that'], false],
    ['a; a', ['a', 'a'], true],
    ['$& a', ['$& a'], true],
  ] as const) {
    test(`${reason} of ${messages.join(' and ')}`, () =>
      expect(
        isSaidBy(
          reason,
          messages.map((message) => said('ask', message)),
        ),
      ).toBe(expected))
  }
})
