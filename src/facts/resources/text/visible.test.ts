import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { proves } from '../../../../test/proves.ts'
import { visibleParts, visibleText } from './visible.ts'

/** Reads an escaped text back; written from the documentation, not from the code. */
function readBack(shown: string): string {
  const names: Readonly<Record<string, number>> = {
    NUL: 0,
    BEL: 7,
    BS: 8,
    TAB: 9,
    LF: 10,
    CR: 13,
    ESC: 27,
    SPACE: 32,
    DEL: 127,
    NBSP: 160,
  }
  return shown.replaceAll(
    /⟨(?:U\+([0-9A-F]+)|([A-Z]+))(?:×([0-9]+))?⟩/g,
    (_whole, hex: string | undefined, name: string, count?: string) => {
      const point = hex === undefined ? names[name] : Number.parseInt(hex, 16)
      return String.fromCodePoint(point as number).repeat(Number(count ?? 1))
    },
  )
}

/** What may be printed: ASCII, letters, digits, signs and the marks that belong to them, nothing that is blank or invisible. */
const PRINTABLE = /^[\x20-\x7e\p{L}\p{M}\p{N}\p{P}\p{S}]*$/u
const INVISIBLE = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Zs}/u

const HOSTILE = [
  '\u001b[2K\u001b[1A',
  '\u001b]8;;https://evil.example\u0007click\u001b]8;;\u0007',
  '\u202egpj.exe',
  '\u2066a\u2069',
  '\u200b',
  '\u200d',
  '\ufeff',
  '\u00ad',
  '\u3164',
  '\u2800',
  '\u{e0041}\u{e0042}',
  '\ufe0f',
  'e\u0301',
  'é',
  '\u212b',
  'Å',
  '\u212a',
  'rm\u00a0-rf',
  ' '.repeat(10_000),
  '\n'.repeat(200),
  '\r',
  '\r\n',
  '\t',
  '\0',
  '\u007f',
  '\u0085',
  '\u2028',
  '⟨LF⟩',
  '⟨',
  '⟩',
  '×',
  '↵',
  '\\n',
  '\ud800',
  '\udc00\ud800',
  'раypal',
  'ｒｍ',
  '𝐫𝐦',
  'ﬁ',
  '<script>alert(1)</script>',
  '[x](javascript:alert(1))',
  'שלום',
  'ไทย',
  'हिन्दी',
  '👩‍👩‍👧',
  '\u1112\u1161\u11ab',
  '한',
]

const texts = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
  fc.array(fc.oneof(fc.constantFrom(...HOSTILE), fc.string({ maxLength: 4 })), { maxLength: 8 }).map((parts) => parts.join('')),
  fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 12 }).map((units) => String.fromCharCode(...units)),
)

describe('visible text', () => {
  for (const [text, shown] of [
    ['', ''],
    ['git push --force origin main', 'git push --force origin main'],
    ['sed "s/\\./x/" a\\nb', 'sed "s/\\./x/" a\\nb'],
    ['a\nb', 'a⟨LF⟩b'],
    ['a\r\nb', 'a⟨CR⟩⟨LF⟩b'],
    ['a\tb', 'a⟨TAB⟩b'],
    ['\u001b[31mred\u001b[0m', '⟨ESC⟩[31mred⟨ESC⟩[0m'],
    ['invoice\u202egpj.exe', 'invoice⟨U+202E⟩gpj.exe'],
    ['a\u200bb', 'a⟨U+200B⟩b'],
    ['a\u0000b', 'a⟨NUL⟩b'],
    ['a b', 'a b'],
    ['a  b', 'a  b'],
    ['a ', 'a⟨SPACE⟩'],
    ['a  \nb', 'a⟨SPACE×2⟩⟨LF⟩b'],
    [`a${' '.repeat(32)}b`, `a${' '.repeat(32)}b`],
    [`a${' '.repeat(33)}b`, 'a⟨SPACE×33⟩b'],
    [`echo hi${' '.repeat(10_240)}; rm -rf /`, 'echo hi⟨SPACE×10240⟩; rm -rf /'],
    ['a\n\n\nb', 'a⟨LF⟩⟨LF⟩⟨LF⟩b'],
    ['a\n\n\n\nb', 'a⟨LF×4⟩b'],
    ['\u200b'.repeat(1000), '⟨U+200B×1000⟩'],
    ['rm\u00a0-rf', 'rm⟨NBSP⟩-rf'],
    ['\u3000', '⟨U+3000⟩'],
    ['⟨LF⟩', '⟨U+27E8⟩LF⟨U+27E9⟩'],
    ['↵', '⟨U+21B5⟩'],
    ['é', 'é'],
    ['e\u0301', 'e⟨U+0301⟩'],
    ['\u212b', '⟨U+212B⟩'],
    ['naïve café', 'naïve café'],
    ['привет мир', 'привет мир'],
    ['pа\u0443load', 'p⟨U+0430⟩⟨U+0443⟩load'],
    ['ｒｍ -rf', '⟨U+FF52⟩⟨U+FF4D⟩ -rf'],
    ['\u{1d42b}m', '⟨U+1D42B⟩m'],
    ['日本語', '日本語'],
    ['हिन्दी', 'हिन्दी'],
    ['a\u0336b', 'a⟨U+0336⟩b'],
    ['\ud800', '⟨U+D800⟩'],
    ['\u{e0041}', '⟨U+E0041⟩'],
    ['\ue000', '⟨U+E000⟩'],
    ['ok 👍', 'ok 👍'],
    ['한', '한'],
    ['\u1112\u1161', '⟨U+1112⟩⟨U+1161⟩'],
  ] as const) {
    test(`${JSON.stringify(text).slice(0, 60)} is shown as ${shown.slice(0, 60)}`, () => {
      expect(visibleText(text)).toBe(shown)
    })
  }

  proves('T24', 'what is shown can be read back to the original, so no two texts are shown alike', () => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(readBack(visibleText(text))).toBe(text)
      }),
      { numRuns: 2_000 },
    )
  })

  proves('T24', 'nothing invisible, blank or reordering is ever shown', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const shown = visibleText(text)
        expect(shown).toMatch(PRINTABLE)
        expect(shown).not.toMatch(INVISIBLE)
        expect(shown.normalize('NFC')).toBe(shown)
      }),
      { numRuns: 2_000 },
    )
  })

  test('the parts cover the original without gaps, in order', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const parts = visibleParts(text)
        let reached = 0
        for (const { start, end } of parts) {
          expect(start).toBe(reached)
          expect(end).toBeGreaterThan(start)
          reached = end
        }
        expect(reached).toBe(text.length)
        expect(parts.map((part) => part.text).join('')).toBe(visibleText(text))
      }),
    )
  })

  for (const [text, kinds] of [
    ['plain', ['plain']],
    ['né', ['plain', 'foreign']],
    ['a\u202eb', ['plain', 'escape', 'plain']],
    ['\u202e\u202e', ['escape', 'escape']],
    ['日本', ['foreign']],
  ] as const) {
    test(`${JSON.stringify(text)} has the parts ${kinds.join(', ')}`, () => {
      expect(visibleParts(text).map(({ kind }) => kind)).toEqual(kinds)
    })
  }

  test('a long text of any kind is read in one pass', () => {
    const long = 40_000
    for (const part of ['\u200b', '\u200b\u200c', 'a\u0301', ' a', 'a', 'я', '日\n', '\u0939\u093f'])
      expect(readBack(visibleText(`${part.repeat(long / part.length)}\n`)).length).toBe(long + 1)
  })
})
