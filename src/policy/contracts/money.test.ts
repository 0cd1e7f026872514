import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addMoney, money, readMoney } from './money.ts'

describe('amounts with a currency', () => {
  for (const [value, expected] of [
    ['12.50 EUR', '12.5 EUR'],
    ['EUR 12.50', '12.5 EUR'],
    ['  usd   3 ', '3 USD'],
    ['-0.01 USD', '-0.01 USD'],
    [{ amount: 10, currency: 'EUR' }, '10 EUR'],
    [{ amount: '10.10', currency: 'eur' }, '10.1 EUR'],
    [{ value: '7', currency_code: 'GBP' }, '7 GBP'],
    [{ amount: 0.1, currency: 'EUR' }, '0.1 EUR'],
    [{ amount: 1e-7, currency: 'EUR' }, '0.0000001 EUR'],
    [{ amount: 10 }, undefined],
    [{ amount: 10, currency: 'EURO' }, undefined],
    [{ amount: '1,000', currency: 'EUR' }, undefined],
    [{ amount: 1e30, currency: 'EUR' }, undefined],
    [{ amount: '0.0000000001', currency: 'EUR' }, undefined],
    [{ amount: '0.1000000000', currency: 'EUR' }, '0.1 EUR'],
    ['12.50', undefined],
    ['$12', undefined],
    ['12 EUR net', undefined],
    ['EUR EUR', undefined],
    [12, undefined],
    [null, undefined],
    [['12', 'EUR'], undefined],
  ] as const) {
    test(`${JSON.stringify(value)}: ${expected}`, () => expect(readMoney(value)?.toString()).toBe(expected))
  }
})

describe('sums', () => {
  const parse = (text: string) => readMoney(text) ?? money(0, 'XXX')
  for (const [amounts, expected] of [
    [['0.1 EUR', '0.2 EUR'], '0.3 EUR'],
    [['10 EUR', '-10 EUR'], '0 EUR'],
    [['10 EUR'], '10 EUR'],
    [['10 EUR', '10 USD'], undefined],
    [[], undefined],
  ] as const) {
    test(`${amounts.join(' + ')}: ${expected}`, () =>
      expect(addMoney(amounts.flatMap((amount) => parse(amount) ?? []))?.toString()).toBe(expected))
  }

  test('adding cents is exact, whatever binary fractions do', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 10_000_000 }), { minLength: 1, maxLength: 50 }), (cents) => {
        const total = addMoney(cents.flatMap((each) => money(each / 100, 'EUR') ?? []))
        const expected = money((cents.reduce((sum, each) => sum + each, 0) / 100).toFixed(2), 'EUR')
        expect(total?.units).toBe(expected?.units)
      }),
    )
  })
})
