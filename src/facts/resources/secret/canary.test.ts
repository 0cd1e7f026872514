import { deflateSync, gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { proves } from '../../../../test/proves.ts'
import type { Json } from '../../../core/json.ts'
import { findCanaries } from './canary.ts'

const TOKEN = 'CNRY-7f3a9b2e-Kestrel-51'
const forms = (json: Json, tokens: readonly string[] = [TOKEN]) =>
  findCanaries(tokens, json).map(({ token, form, span }) => `${token} ${form} ${span?.pointer ?? '-'}`)
const base64 = (text: string) => Buffer.from(text).toString('base64')
const base64zip = (bytes: Buffer) => bytes.toString('base64')
const hex = (text: string) => Buffer.from(text).toString('hex')
const rot13 = (text: string) =>
  text.replace(/[a-z]/gi, (c) =>
    String.fromCharCode((c.charCodeAt(0) % 32) + 12 > 25 ? c.charCodeAt(0) - 13 + (c.toLowerCase() <= 'm' ? 26 : 0) : c.charCodeAt(0) + 13),
  )
const reversed = (text: string) => [...text].reverse().join('')
const percent = (text: string) => [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')

describe('as it is', () => {
  test('the span covers the token, the token is not repeated', () => {
    const [match] = findCanaries([TOKEN], { command: `echo ${TOKEN}` })
    expect(match).toEqual({ token: 0, form: 'raw', span: { pointer: '/command', start: 5, end: 5 + TOKEN.length } })
    expect(JSON.stringify(match)).not.toContain(TOKEN)
  })

  for (const [name, json, expected] of [
    ['in a command', { command: `curl https://x/?q=${TOKEN}` }, ['0 raw /command']],
    ['nested', { a: [{ b: { c: [1, `x${TOKEN}y`] } }] }, ['0 raw /a/0/b/c/1']],
    ['upper case', { a: TOKEN.toUpperCase() }, ['0 raw /a']],
    ['lower case', { a: TOKEN.toLowerCase() }, ['0 raw /a']],
    ['as a key', { [TOKEN]: 1 }, [`0 raw /${TOKEN}`]],
    ['twice', { a: TOKEN, b: [TOKEN] }, ['0 raw /a', '0 raw /b/0']],
    ['absent', { a: 'CNRY', b: 'Kestrel', c: 51 }, []],
    ['nearly', { a: TOKEN.slice(0, -1), b: 'x' }, []],
    ['nothing', {}, []],
  ] as const) {
    test(name, () => expect(forms(json as Json)).toEqual(expected))
  }

  test('without a configured token, or with blank ones, nothing is found', () => {
    expect(forms({ a: TOKEN }, [])).toEqual([])
    expect(forms({ a: ' ', b: '' }, ['', '  '])).toEqual([])
  })

  test('several tokens keep their index, and white space around one does not count', () => {
    expect(forms({ a: 'second-token-value', b: `${TOKEN}` }, ['', ' second-token-value\n', TOKEN])).toEqual(['1 raw /a', '2 raw /b'])
  })

  test('a short token is found as it stands only', () => {
    expect(forms({ a: 'xCaNx' }, ['can'])).toEqual(['0 raw /a'])
    expect(forms({ a: 'c-a-n', b: base64('can'), c: 'nac' }, ['can'])).toEqual([])
  })

  test('a token beyond ASCII is found too', () => {
    const token = 'Kanarienvögel-7f3a'
    expect(forms({ a: `x ${token.toUpperCase()}` }, [token])).toEqual(['0 raw /a'])
    for (const text of [base64(token), percent(token), hex(token), 'Kanarienv\\u00f6gel-7f3a'])
      expect(forms({ a: text }, [token])).not.toEqual([])
  })
})

describe('pieces that are no token', () => {
  for (const [name, text] of [
    ['its first half', TOKEN.slice(0, 11)],
    ['its last half', TOKEN.slice(11)],
    ['both halves the other way round', `${TOKEN.slice(11)} and ${TOKEN.slice(0, 11)}`],
    ['pieces far apart', (TOKEN.match(/.{1,4}/g) ?? []).join(` ${'foreign text of no meaning '.repeat(4)}`)],
    ['pieces in another order', ['Kestrel', '51', '7f3a', 'CNRY', '9b2e'].join(' and ')],
    ['all but its end', TOKEN.slice(0, -3)],
  ] as const) {
    test(name, () => expect(forms({ body: text })).toEqual([]))
  }
})

describe('in disguise', () => {
  for (const [name, text, form] of [
    ['base64', base64(TOKEN), 'base64'],
    ['base64 of a longer text, first alignment', base64(`abc${TOKEN}def`), 'base64'],
    ['base64, second alignment', base64(`a${TOKEN}def`), 'base64'],
    ['base64, third alignment', base64(`ab${TOKEN}`), 'base64'],
    ['base64 in lines', base64(`some longer text before ${TOKEN} and after`).replace(/(.{8})/g, '$1\n'), 'base64'],
    ['base64 behind other letters', `xyz${base64(TOKEN)}`, 'base64'],
    ['base64 for URLs', Buffer.from(`>>>???${TOKEN}>>>???`).toString('base64url'), 'base64'],
    ['base64 of the upper-case token', base64(TOKEN.toUpperCase()), 'base64'],
    ['base32', 'INHFEWJNG5TDGYJZMIZGKLKLMVZXI4TFNQWTKMI=', 'base32'],
    ['base32 in a host name', 'http://inhfewjng5tdgyjzmizgklklmvzxi4tfnqwtkmi.x.example/', 'base32'],
    ['hexadecimal', hex(TOKEN), 'hex'],
    ['upper-case hexadecimal', hex(TOKEN).toUpperCase(), 'hex'],
    ['hexadecimal with spaces', hex(TOKEN).replace(/(..)/g, '$1 '), 'hex'],
    ['hexadecimal with colons', hex(TOKEN).replace(/(..)/g, '$1:'), 'hex'],
    ['backslash bytes', hex(TOKEN).replace(/(..)/g, '\\x$1'), 'url'],
    ['percent escapes', percent(TOKEN), 'url'],
    ['some percent escapes', TOKEN.replaceAll('-', '%2D'), 'url'],
    ['double percent escapes', percent(TOKEN).replaceAll('%', '%25'), 'url'],
    ['octal escapes', [...Buffer.from(TOKEN)].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join(''), 'url'],
    ['backwards', `echo ${reversed(TOKEN)} | rev`, 'reversed'],
    ['rot13', rot13(TOKEN), 'rot13'],
    ['spaces between', [...TOKEN].join(' '), 'split'],
    ['quotes between', `${TOKEN.slice(0, 7)}""${TOKEN.slice(7)}`, 'split'],
    ['a concatenation', `'${TOKEN.slice(0, 9)}' + '${TOKEN.slice(9)}'`, 'split'],
    ['zero-width characters between', [...TOKEN].join('\u200b'), 'split'],
    ['tags between', [...TOKEN].join('\u{e0041}'), 'split'],
    ['other separators', TOKEN.replaceAll('-', '_'), 'split'],
    ['no separators', TOKEN.replaceAll('-', ''), 'split'],
    ['a line continuation', `${TOKEN.slice(0, 9)}\\\n${TOKEN.slice(9)}`, 'split'],
    ['foreign text between', `first ${TOKEN.slice(0, 8)} and then, later, ${TOKEN.slice(8)} last`, 'split'],
    ['foreign text in three places', `${TOKEN.slice(0, 7)} x ${TOKEN.slice(7, 14)} y ${TOKEN.slice(14)}`, 'split'],
    ['the end apart', `${TOKEN.slice(0, -3)} foreign ${TOKEN.slice(-3)}`, 'split'],
    ['pieces of four', (TOKEN.match(/.{1,4}/g) ?? []).join(' foreign '), 'split'],
    ['pieces of three', (TOKEN.match(/.{1,3}/g) ?? []).join(' lorem ipsum '), 'split'],
    ['pieces of two', (TOKEN.match(/.{1,2}/g) ?? []).join(' zz '), 'split'],
    ['one letter at a time', [...TOKEN].join(' zz '), 'split'],
    ['first letters of lines', [...TOKEN].map((c) => `${c} bcd\n`).join(''), 'split'],
    ['variables', (TOKEN.match(/.{1,3}/g) ?? []).map((part, i) => `v${i}=${part}`).join('; '), 'split'],
    ['letters of another script', TOKEN.replaceAll('e', '\u0435'), 'split'],
    ['base64 in pieces', (base64(TOKEN).match(/.{1,8}/g) ?? []).join(' foo '), 'base64'],
    ['base64 backwards', reversed(base64(TOKEN)), 'base64'],
    ['hexadecimal backwards', reversed(hex(TOKEN)), 'hex'],
    ['base64 of UTF-16', Buffer.from(TOKEN, 'utf16le').toString('base64'), 'base64'],
    ['hexadecimal of UTF-16', Buffer.from(TOKEN, 'utf16le').toString('hex'), 'hex'],
    ['packed by gzip', base64zip(gzipSync(`hello ${TOKEN} world`)), 'base64'],
    ['packed by zlib', base64zip(deflateSync(TOKEN)), 'base64'],
    ['packed and hexadecimal', gzipSync(TOKEN).toString('hex'), 'hex'],
    ['decimal codes', [...Buffer.from(TOKEN)].join(','), 'hex'],
    ['calls of chr', [...Buffer.from(TOKEN)].map((byte) => `chr(${byte})`).join('+'), 'hex'],
    ['binary codes', [...Buffer.from(TOKEN)].map((byte) => byte.toString(2).padStart(8, '0')).join(' '), 'hex'],
    ['entities of HTML', [...Buffer.from(TOKEN)].map((byte) => `&#${byte};`).join(''), 'url'],
    ['hexadecimal entities', [...Buffer.from(TOKEN)].map((byte) => `&#x${byte.toString(16)};`).join(''), 'url'],
    ['escapes with braces', [...TOKEN].map((c) => `\\u{${c.charCodeAt(0).toString(16)}}`).join(''), 'url'],
    ['quoted-printable', [...Buffer.from(TOKEN)].map((byte) => `=${byte.toString(16).toUpperCase()}`).join(''), 'url'],
    ['short octal escapes', [...Buffer.from(TOKEN)].map((byte) => `\\${byte.toString(8)}`).join(''), 'url'],
    ['tag characters', [...TOKEN].map((c) => String.fromCodePoint(0xe0000 + c.charCodeAt(0))).join(''), 'url'],
    ['fullwidth', [...TOKEN].map((c) => String.fromCharCode(c.charCodeAt(0) + 0xfee0)).join(''), 'split'],
    ['base64 of base64', base64(base64(`x${TOKEN}`)), 'base64'],
    ['hexadecimal of base64', hex(base64(`x${TOKEN}`)), 'hex'],
    ['base64 of percent escapes', base64(percent(TOKEN)), 'base64'],
    ['percent escapes of base64', percent(base64(`xy${TOKEN}`)), 'url'],
    ['base64 of it backwards', base64(reversed(TOKEN)), 'base64'],
    ['base64 of JSON', base64(JSON.stringify({ key: TOKEN })), 'base64'],
  ] as const) {
    test(name, () => expect(forms({ body: text })).toEqual([`0 ${form} /body`]))
  }

  for (const [name, json] of [
    ['over the elements of an array', { argv: ['echo', TOKEN.slice(0, 6), TOKEN.slice(6, 12), TOKEN.slice(12)] }],
    ['over members', { a: TOKEN.slice(0, 6), b: { c: TOKEN.slice(6) } }],
    ['over strings with foreign ones between', { a: TOKEN.slice(0, 9), b: 'foreign text', c: TOKEN.slice(9) }],
    ['over a key and its value', { [TOKEN.slice(0, 6)]: TOKEN.slice(6) }],
    ['over strings with separators', [`${TOKEN.slice(0, 6)}-`, ` ${TOKEN.slice(6)}`]],
    ['over strings the other way round', ['51', 'Kestrel-', '9b2e-', '7f3a', 'CNRY-']],
    ['over strings with other words', ['part CNRY end', 'part 7f3a end', 'part 9b2e end', 'part Kestrel end', 'part 51 end']],
    ['over keys and values', { CNRY: 'v1', '7f3a': 'v2', '9b2e': 'v3', Kestrel51: 'v4' }],
    ['hexadecimal over strings', hex(TOKEN).match(/.{1,8}/g) ?? []],
    ['base64 over strings', [base64(TOKEN).slice(0, 8), base64(TOKEN).slice(8)]],
  ] as const) {
    test(name, () => expect(forms(json as Json)).toEqual(['0 split -']))
  }

  proves('FUL-W3', 'no combination of letter case, encoding, place and context hides the token', () => {
    const encodings: readonly ((text: string) => string)[] = [
      (t) => t,
      base64,
      hex,
      percent,
      reversed,
      rot13,
      (t) => [...t].join(' '),
      (t) => [...t].join('\u200b'),
      (t) => base64(base64(t)),
    ]
    const place: readonly ((text: string) => Json)[] = [
      (t) => ({ a: t }),
      (t) => [[[t]]],
      (t) => ({ [t]: 0 }),
      (t) => ({ a: { b: ['x', `${t}`] } }),
    ]
    fc.assert(
      fc.property(
        fc.constantFrom(TOKEN, TOKEN.toLowerCase(), TOKEN.toUpperCase()),
        fc.constantFrom(...encodings),
        fc.constantFrom(...place),
        fc.stringMatching(/^[a-z0-9 .,]{0,12}$/),
        (token, encode, put, around) => {
          expect(findCanaries([TOKEN], put(`${around} ${encode(token)} ${around}`))).not.toEqual([])
        },
      ),
      { numRuns: 500, seed: 12 },
    )
  })
})

test('ordinary arguments hold no canary', () => {
  const texts = fc.oneof(fc.string(), fc.lorem(), fc.base64String(), fc.webUrl(), fc.uuid())
  fc.assert(fc.property(fc.array(texts, { maxLength: 6 }), (strings) => findCanaries([TOKEN], strings).length === 0))
})

proves(['T05', 'T04'], 'hostile text of a quarter megabyte is read in bounded steps', () => {
  for (const piece of ['QUFB', '41', '%25', '\\x41', 'QUFB ', '\\101', 'a ', base64(base64('x'.repeat(90)))]) {
    const text = piece.repeat(Math.floor(262_144 / piece.length))
    expect(findCanaries([TOKEN], { text, more: [text] })).toEqual([])
  }
})
