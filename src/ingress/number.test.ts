import fc from 'fast-check'
import { expect, test } from 'vitest'
import { numberFault } from './number.ts'

const fault = (literal: string) => numberFault(literal, Number(literal))?.code ?? null

for (const [literal, expected] of [
  ['0', null],
  ['-0', null],
  ['0.000', null],
  ['0e999', null],
  ['999999999999999', null],
  ['9007199254740991', null],
  ['9007199254740991.0', null],
  ['9007199254740992', 'ingress.unsafe_number'],
  ['1e15', null],
  ['1e16', null],
  ['1.0e16', null],
  ['90071992547409930e-1', 'ingress.unsafe_number'],
  ['1e308', null],
  ['1e309', 'ingress.non_finite'],
  ['-1e309', 'ingress.non_finite'],
  ['1.7976931348623157e308', null],
  ['12345678901234567890e5', 'ingress.unsafe_number'],
  ['2.5e-324', null],
  ['1e-324', 'ingress.unsafe_number'],
  ['0.00000000000000000000000000001', null],
] as const) {
  test(`${literal} is ${expected ?? 'fine'}`, () => expect(fault(literal)).toBe(expected))
}

test('every safe integer and every finite double in its shortest form passes', () => {
  fc.assert(fc.property(fc.maxSafeInteger(), (n) => fault(String(n)) === null))
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (n) => {
      const literal = JSON.stringify(n)
      const unsafe = /^-?\d+$/.test(literal) && !Number.isSafeInteger(n)
      expect(fault(literal)).toBe(unsafe ? 'ingress.unsafe_number' : null)
    }),
  )
})

test('an integer literal passes exactly when a double holds it and its neighbours apart', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }), (n) => {
      const safe = n <= 2n ** 53n - 1n && n >= -(2n ** 53n) + 1n
      expect(fault(String(n)) === null).toBe(safe)
    }),
  )
})
