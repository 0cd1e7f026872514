import { describe, expect, test } from 'vitest'
import type { Effect } from '../../../src/core/effect.ts'
import { moneyOf, severitiesOf } from './severity.ts'

const effect = (changes: Partial<Effect>, target: Partial<Effect['target']> = {}): Effect => ({
  verb: 'read',
  action: null,
  target: { kind: 'path', value: 'a', real: null, scope: 'workspace', classes: [], ...target },
  reversible: true,
  certainty: 'certain',
  span: null,
  reason: null,
  attributes: {},
  ...changes,
})

describe('severity by what a call would do', () => {
  const cases: readonly (readonly [title: string, effect: Effect, severities: readonly string[]])[] = [
    ['a read in the workspace', effect({}), []],
    ['a write in the workspace', effect({ verb: 'write' }), []],
    ['a payment', effect({ verb: 'pay', action: 'payment:transfer', reversible: false }), ['money']],
    ['a key that is read', effect({}, { classes: ['credential'] }), ['secret']],
    [
      'pods of production',
      effect({ verb: 'delete', reversible: false, attributes: { context: 'eu-production-1' } }),
      ['production', 'danger'],
    ],
    ['pods of staging', effect({ verb: 'delete', reversible: false, attributes: { context: 'staging' } }), ['danger']],
    ['a product, which is no production', effect({ verb: 'write', attributes: { database: 'products' } }), []],
    ['a look at production', effect({ attributes: { context: 'production' } }), []],
    ['a deletion that can be undone', effect({ verb: 'delete' }), []],
    ['code from elsewhere', effect({ verb: 'execute', action: 'code:remote' }), ['danger']],
  ]
  for (const [title, each, severities] of cases) test(title, () => expect(severitiesOf(each)).toEqual(severities))
})

describe('money in words', () => {
  const pays = (attributes: Effect['attributes'], value = 'ACME'): Effect => effect({ verb: 'pay', attributes }, { kind: 'account', value })
  const cases: readonly (readonly [title: string, effect: Effect, words: string | null])[] = [
    ['how much, to whom, where', pays({ amount: 500, currency: 'EUR', iban: 'DE89' }), '500 EUR to ACME, iban DE89'],
    ['the payee once', pays({ amount: 5, recipient: 'ACME' }), '5 to ACME'],
    ['nothing known', pays({}, ''), 'an unknown amount to somebody unknown'],
    ['no payment', effect({ verb: 'send' }), null],
  ]
  for (const [title, each, words] of cases) test(title, () => expect(moneyOf(each)).toBe(words))
})
