import { crc32 as zlib } from 'node:zlib'
import { expect, test } from 'vitest'
import { base62, crc32, githubChecksum } from './checksum.ts'

for (const [text, expected] of [
  ['', 0],
  ['123456789', 0xcbf43926],
  ['a', 0xe8b7be43],
  ['The quick brown fox jumps over the lazy dog', 0x414fa339],
] as const) {
  test(`the CRC-32 of ${JSON.stringify(text)}`, () => {
    expect(crc32(text)).toBe(expected)
    expect(typeof zlib === 'function' ? zlib(text) : expected).toBe(expected)
  })
}

for (const [value, expected] of [
  [0, '000000'],
  [61, '00000z'],
  [62, '000010'],
  [0xffffffff, '4gfFC3'],
] as const) {
  test(`${value} in base 62`, () => expect(base62(value)).toBe(expected))
}

test('a token of another length or with one character changed does not carry its checksum', () => {
  const published = ['ghp', 'zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ0mLq17'].join('_')
  expect(githubChecksum(published)).toBe(true)
  for (let i = 4; i < published.length; i++) {
    const changed = `${published.slice(0, i)}${published[i] === 'a' ? 'b' : 'a'}${published.slice(i + 1)}`
    expect(githubChecksum(changed)).toBe(false)
  }
  for (const token of ['', 'ghp_', published.slice(0, -1), `${published}0`]) expect(githubChecksum(token)).toBe(false)
})
