import { crc32 as zlib } from 'node:zlib'
import { expect, test } from 'vitest'
import { base62, carriesChecksum, crc32, githubChecksum } from './checksum.ts'

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

const grafana = (secret: string) => {
  const sum = crc32(`glsa_${secret}`)
  const bytes = [sum & 255, (sum >>> 8) & 255, (sum >>> 16) & 255, sum >>> 24]
  return `glsa_${secret}_${bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
}

for (const [title, token, expected] of [
  // Published as an example by those who write scanners.
  ['npm', ['npm', 'qkJaB6MffYVzZXWqmcoF49yrUxP3wf0LsakP'].join('_'), true],
  ['npm, one character changed', ['npm', 'qkJaB6MffYVzZXWqmcoF49yrUxP3wf0LsakQ'].join('_'), false],
  ['GitHub', ['ghp', 'zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ0mLq17'].join('_'), true],
  ['GitHub, one character changed', ['gho', 'zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ0mLq18'].join('_'), false],
  ['Grafana', grafana('Kq9ZtLm2Xw8Pb7f3Kq9ZtLm2Xw8Pb7f3'), true],
  ['Grafana, one character changed', grafana('Kq9ZtLm2Xw8Pb7f3Kq9ZtLm2Xw8Pb7f3').replace('Kq9', 'Kq8'), false],
  ['a kind without one', 'sk-abcdefghijklmnopqrstuvwxyz', null],
  ['another length', ['npm', 'qkJaB6MffYVzZXWqmcoF49yrUxP3wf0Lsak'].join('_'), null],
  ['nothing', '', null],
] as const) {
  test(`a token that says of itself whether it is real: ${title}`, () => expect(carriesChecksum(token)).toBe(expected))
}
