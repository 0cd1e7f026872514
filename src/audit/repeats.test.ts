import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { proves } from '../../test/proves.ts'
import { secretKinds } from '../../test/secret-kinds.ts'
import type { Json } from '../core/json.ts'
import { redactJson } from './redact.ts'
import { maskRepeats, remember } from './repeats.ts'

const words = (...secrets: readonly string[]) => {
  const all = new Map<string, string>()
  for (const secret of secrets) remember(all, 'rule', secret)
  return all
}
const masked = (value: Json, ...secrets: readonly string[]) => maskRepeats(value, words(...secrets), (rule) => `[redacted ${rule}]`)

describe('the words of a secret', () => {
  for (const [secret, expected] of [
    ['correct-horse-battery', ['correct-horse-battery']],
    ['short', []],
    ['elevenchars', []],
    ['twelve-chars', ['twelve-chars']],
    ['first-long-word\nsecond-long-word', ['first-long-word', 'second-long-word']],
    ['aaaaaaaaaaaa/bbbbbbbbbbbb=cccccccccccc', ['aaaaaaaaaaaa', 'bbbbbbbbbbbb', 'cccccccccccc']],
    ['', []],
  ] as const) {
    test(JSON.stringify(secret), () => expect([...words(secret).keys()]).toEqual(expected))
  }
})

describe('what stands once more', () => {
  const cases: readonly (readonly [value: Json, expected: Json, erased: readonly string[]])[] = [
    ['run correct-horse-battery now', 'run [redacted rule] now', ['']],
    ['run correct-horse-batteries now', 'run correct-horse-batteries now', []],
    ['nothing', 'nothing', []],
    [{ a: ['x', { b: '/repo/correct-horse-battery' }] }, { a: ['x', { b: '/repo/[redacted rule]' }] }, ['/a/1/b']],
    [{ 'correct-horse-battery': 1 }, { '[redacted rule]': 1 }, ['/[redacted rule]']],
    [
      { 'correct-horse-battery': 1, '/correct-horse-battery': 2 },
      { '[redacted rule]': 1, '/[redacted rule]': 2 },
      ['/[redacted rule]', '/~1[redacted rule]'],
    ],
    [[null, true, 12, ''], [null, true, 12, ''], []],
    ['[redacted correct-horse-battery]', '[redacted correct-horse-battery]', []],
  ]
  for (const [value, expected, erased] of cases) {
    test(JSON.stringify(value), () => {
      const found = masked(value, 'correct-horse-battery')
      expect(JSON.parse(JSON.stringify(found.value))).toEqual(expected)
      expect(found.erased).toEqual(erased)
    })
  }

  test('without secrets everything stays as it is', () => {
    const value = { a: 1 }
    expect(masked(value).value).toBe(value)
  })
})

proves('T60', 'a line of a key that a shell would take for a program is masked wherever it stands alone', () => {
  for (const { kind, secret, text } of secretKinds(9)) {
    const lines = secret.split('\n').filter((line) => line.length >= 12)
    const record = { effects: lines.map((line) => ({ target: { value: line, real: `/repo/${line}` } })), call: { command: text } }
    const { value } = redactJson(record)
    const kept = JSON.stringify(value)
    for (const line of lines.filter((each) => /^[\w+.~@%-]+$/.test(each))) expect([kind, kept.includes(line)]).toEqual([kind, false])
  }
})

test('masking twice changes nothing', () => {
  const value = fc.record({
    password: fc.string({ unit: fc.constantFrom('a', 'b', '-', 'named-secret', ' '), minLength: 8 }),
    text: fc.string(),
  })
  fc.assert(
    fc.property(value, ({ password, text }) => {
      const once = redactJson({ password, text: `${text} ${password}`, note: [password] }).value
      expect(redactJson(once).value).toEqual(once)
    }),
    { numRuns: 300 },
  )
})
