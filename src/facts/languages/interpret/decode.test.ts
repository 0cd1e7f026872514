import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fromBase32, fromBase64, fromHex, fromPercent, fromUtf8, rot13, toBase64, toUtf8 } from './decode.ts'

/** Encodings and their undoing, against what Node makes of them. */

describe('base64', () => {
  for (const [encoded, plain] of [
    ['', ''],
    ['YQ==', 'a'],
    ['YWI=', 'ab'],
    ['YWJj', 'abc'],
    ['YWJj\n', 'abc'],
    ['Y W J j', 'abc'],
    ['YQ', 'a'],
    ['-_-_', '\xfb\xff\xbf'],
    ['+/+/', '\xfb\xff\xbf'],
    ['c3lzdGVtKCJpZCIp', 'system("id")'],
    ['%%%', null],
    ['a!', null],
    ['é', null],
  ] as const)
    test(JSON.stringify(encoded), () => expect(fromBase64(encoded)).toBe(plain))

  test('agrees with Node both ways', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
        const plain = String.fromCharCode(...bytes)
        const encoded = Buffer.from(bytes).toString('base64')
        expect(toBase64(plain)).toBe(encoded)
        expect(fromBase64(encoded)).toBe(plain)
        expect(fromBase64(Buffer.from(bytes).toString('base64url'))).toBe(plain)
      }),
    )
  })
})

describe('base32', () => {
  for (const [encoded, plain] of [
    ['', ''],
    ['ME======', 'a'],
    ['MFRGG===', 'abc'],
    ['mfrgg', 'abc'],
    ['1', null],
  ] as const)
    test(JSON.stringify(encoded), () => expect(fromBase32(encoded)).toBe(plain))
})

describe('hex', () => {
  for (const [encoded, plain] of [
    ['', ''],
    ['6162', 'ab'],
    ['61 62', 'ab'],
    ['61:62', 'ab'],
    ['4A4b', 'JK'],
    ['6', null],
    ['6g', null],
    ['zz', null],
  ] as const)
    test(JSON.stringify(encoded), () => expect(fromHex(encoded)).toBe(plain))

  test('agrees with Node', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
        expect(fromHex(Buffer.from(bytes).toString('hex'))).toBe(String.fromCharCode(...bytes))
      }),
    )
  })
})

describe('rot13', () => {
  for (const [encoded, plain] of [
    ['flfgrz', 'system'],
    ['FLFGRZ', 'SYSTEM'],
    ['riny("1")', 'eval("1")'],
    ['123 é', '123 é'],
  ] as const)
    test(encoded, () => expect(rot13(encoded)).toBe(plain))

  test('twice is once', () => {
    fc.assert(
      fc.property(fc.string(), (s) => {
        expect(rot13(rot13(s))).toBe(s)
      }),
    )
  })
})

describe('percent', () => {
  for (const [encoded, plain] of [
    ['%61b%20', 'ab '],
    ['%E2%98%BA', '☺'],
    ['plain', 'plain'],
    ['%', null],
    ['%zz', null],
    ['%ff', null],
  ] as const)
    test(encoded, () => expect(fromPercent(encoded)).toBe(plain))
})

describe('UTF-8', () => {
  for (const [bytes, plain] of [
    ['abc', 'abc'],
    ['\xc3\xa9', 'é'],
    ['\xe2\x98\xba', '☺'],
    ['\xf0\x9f\x98\x80', '😀'],
    ['\xff', '\xff'],
    ['\xc3', '\xc3'],
    ['\xe2\x98', '\xe2\x98'],
    ['\x80a', '\x80a'],
  ] as const)
    test(JSON.stringify(bytes), () => expect(fromUtf8(bytes)).toBe(plain))

  test('there and back', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (s) => {
        fc.pre(s.isWellFormed())
        expect(toUtf8(s)).toBe(Buffer.from(s).toString('latin1'))
        expect(fromUtf8(toUtf8(s))).toBe(s)
      }),
    )
  })
})
