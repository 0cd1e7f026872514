import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { random } from '../../../../test/secret-kinds.ts'
import { spells } from './spelt.ts'

const TOKEN = 'k7f3q9ztlm2xw8pb'
const pieces = (size: number, between: string) => (TOKEN.match(new RegExp(`.{1,${size}}`, 'g')) ?? []).join(between)

describe('what spells a token', () => {
  for (const [name, text, expected] of [
    ['whole', `xx${TOKEN}yy`, true],
    ['in fours', pieces(4, 'foreign'), true],
    ['in twos', pieces(2, 'abcd'), true],
    ['letter by letter', pieces(1, 'ab'), true],
    ['in halves far apart', pieces(8, 'x'.repeat(40)), true],
    ['in halves too far apart', pieces(8, 'x'.repeat(60)), false],
    ['all but the last letter', TOKEN.slice(0, -1), false],
    ['all but the first letter', TOKEN.slice(1), false],
    ['the other way round', [...TOKEN].reverse().join(''), false],
    ['letter by letter, wide apart', pieces(1, 'abcdefghijklmnopqrst'), false],
    ['nothing', '', false],
    ['the alphabet', 'abcdefghijklmnopqrstuvwxyz0123456789'.repeat(200), false],
  ] as const) {
    test(`${name}: ${expected}`, () => expect(spells(text, TOKEN)).toBe(expected))
  }
  test('a short token has too little to say', () => expect(spells('a1b2', 'a1b2')).toBe(false))
})

describe('chance does not', () => {
  const tokens = [TOKEN, '4f9a1c77e20b', 'internalcanarydonotuse', '902117345566', 'bluelakeheron42', 'cnry7f3a9b2ekestrel51']
  const words = (
    'the quick brown fox jumps over lazy dog and then internal notes say do not use this canary in blue lake until the heron ' +
    'returns 42 times or 51 lines later const function return import export value index length string number'
  ).split(' ')
  for (const token of tokens) {
    test(token, () => {
      for (let seed = 1; seed < 40; seed++) {
        const noise = random('abcdefghijklmnopqrstuvwxyz0123456789', 5_000, seed)
        const prose = Array.from({ length: 900 }, (_, i) => words[(i * 7 + seed * (i % 13) + (i >> 3)) % words.length]).join('')
        expect([seed, spells(noise, token), spells(prose, token)]).toEqual([seed, false, false])
      }
    })
  }
  test('whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 400 }), (text) => !spells(text.toLowerCase(), TOKEN)),
      { numRuns: 300, seed: 9 },
    )
  })
})

test('every cut of the token with short text between is found', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 16, maxLength: 16 }),
      fc.stringMatching(/^[a-z ]{0,2}$/),
      (sizes, between) => {
        let at = 0
        const cut: string[] = []
        for (const size of sizes) {
          cut.push(TOKEN.slice(at, at + size))
          at += size
        }
        return spells(cut.filter((part) => part !== '').join(between), TOKEN)
      },
    ),
    { numRuns: 300, seed: 4 },
  )
})
