import { describe, expect, test } from 'vitest'
import { decodedForms, reversed } from './decode.ts'

describe('other forms of a text', () => {
  const value = 'mark@evil.example'
  for (const [form, text] of [
    ['base64', Buffer.from(value).toString('base64')],
    ['base64 for addresses', Buffer.from(value).toString('base64url')],
    ['hexadecimal', Buffer.from(value).toString('hex')],
    ['hexadecimal, in pairs', Buffer.from(value).toString('hex').replace(/../g, '$& ')],
    ['percent-encoding', value.replaceAll(/./g, (char) => `%${char.charCodeAt(0).toString(16)}`)],
    ['percent-encoding, twice', encodeURIComponent(encodeURIComponent(value))],
    ['escapes of JSON', value.replace('@', '\\u0040')],
    ['entities of HTML', value.replace('@', '&#64;').replace('.', '&#x2e;')],
    ['entities with names', value.replace('@', '&commat;').replace('.', '&period;')],
  ] as const) {
    test(form, () => expect(decodedForms(text)).toContain(value))
  }

  test('backwards', () => expect(reversed('moc.elpmaxe')).toBe('example.com'))

  test('plain words and bytes that say nothing have no other form', () => {
    expect(decodedForms('a perfectly ordinary sentence')).toEqual([])
    expect(decodedForms('AAAAAAAAAAAAAAAA')).toEqual([])
    expect(decodedForms('x'.repeat(10_000))).toEqual([])
  })
})
