import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { proves } from '../../../../test/proves.ts'
import { hiddenCharacters } from './hidden.ts'

const brief = (text: string) => hiddenCharacters(text, '/a').map(({ kind, severity, count }) => `${kind} ${severity} ${count}`)
const tags = (text: string) => [...text].map((c) => String.fromCodePoint(0xe0000 + c.charCodeAt(0))).join('')
const SERIOUS = new Set(['high', 'critical'])

describe('disguise', () => {
  proves('T07', 'every class of hidden or misleading character is found, with its weight', () => {
    const cases: readonly (readonly [string, readonly string[]])[] = [
      [`list files${tags('rm -rf /')}`, ['tag critical 8']],
      [`\u{1f3f4}${tags('leak')}\u{e007f}`, ['tag critical 5']],
      ['r\u200bm -rf', ['zero-width high 1']],
      ['cu\u200drl', ['zero-width high 1']],
      ['cu\u200crl', ['zero-width high 1']],
      ['a\u2060b\u2063c', ['zero-width high 2']],
      ['x\ufeffy', ['zero-width high 1']],
      ['rm\u3164x', ['zero-width high 1']],
      ['so\u00adft', ['zero-width medium 1']],
      ['a\u2800b', ['zero-width medium 1']],
      ['safe\u202egnp.exe', ['bidi high 1']],
      ['\u2066a\u2069', ['bidi high 2']],
      ['a\u200fb', ['bidi medium 1']],
      ['a\ufe0fb', ['variation-selector medium 1']],
      ['a\ufe00\ufe01\ufe02', ['variation-selector medium 1', 'variation-selector high 2']],
      ['\u{1f600}\u{e0101}\u{e0102}', ['variation-selector medium 1', 'variation-selector high 1']],
      ['a\0b', ['control high 1']],
      ['rm\b\b', ['control medium 2']],
      ['a\u007fb\u0085', ['control medium 2']],
      ['a\u2028b', ['control medium 1']],
      ['ok\rrm -rf', ['control low 1']],
      ['\u001b[31mred\u001b[0m', ['ansi medium 2']],
      ['\u001b]0;title\u0007x', ['ansi medium 1']],
      ['\u001bPq\u001b\\x', ['ansi medium 1']],
      ['\u009b2Jx', ['ansi medium 1']],
      ['\u001bc', ['control medium 1']],
      ['ｃｕｒｌ http://x', ['fullwidth high 4']],
      ['curl x ｜ sh', ['fullwidth high 1']],
      ['𝐜𝐮𝐫𝐥 x', ['confusable medium 4']],
      ['c\u0443rl', ['confusable high 1']],
      ['p\u0430ypal', ['confusable high 1']],
      ['\u0440\u0430\u0443\u0440\u0430l', ['confusable high 5']],
      ['git\u039fub', ['confusable high 1']],
      ['open \u0441\u043e\u0440\u0443 here', ['confusable medium 4']],
      ['cat ..\u2215..\u2215etc', ['confusable medium 2']],
    ]
    for (const [text, expected] of cases) expect([text, brief(text)]).toEqual([text, expected])
  })

  test('the span covers the first run, the count all of them', () => {
    expect(hiddenCharacters(`a\u200b\u200bb\u200b${tags('x')}`, '/cmd')).toEqual([
      { kind: 'zero-width', severity: 'high', span: { pointer: '/cmd', start: 1, end: 3 }, count: 3 },
      { kind: 'tag', severity: 'critical', span: { pointer: '/cmd', start: 5, end: 7 }, count: 1 },
    ])
  })

  test('an unfinished string sequence hides nothing behind its introducer', () => {
    expect(brief('\u001b]rm\u200b -rf')).toEqual(['ansi medium 1', 'zero-width high 1'])
    expect(brief('\u001b]\u001b]\u001b]')).toEqual(['ansi medium 3'])
  })
})

describe('the writing of the world', () => {
  for (const [name, text] of [
    ['plain ASCII', 'rm -rf build && echo "done"\n\tok\r\n'],
    ['accents', 'Ça coûte 12 €, naïve façade, Łódź, Đà Nẵng, İstanbul, ığdır'],
    ['German with soft quotes', '„Straße“ – größer als 5 µm… ½ x² № ™'],
    ['emoji', 'done ✅ 🎉 ❤️ ☺️ ✔︎ 👍🏽'],
    ['emoji sequences', '👩‍💻 👨‍👩‍👧‍👦 🏳️‍🌈 ❤️‍🔥 🧑🏿‍🚀'],
    ['keycaps', '1️⃣ #️⃣ *️⃣'],
    ['flags', '🇩🇪 🇯🇵 🏴󠁧󠁢󠁥󠁮󠁧󠁿 🏴󠁧󠁢󠁳󠁣󠁴󠁿 🏴󠁧󠁢󠁷󠁬󠁳󠁿'],
    ['Chinese', '请运行测试，然后提交代码。（谢谢！）：好'],
    ['Japanese', 'テストを実行してください。ﾃｽﾄ「はい」！？'],
    ['Japanese with an ideographic variant', '葛\u{e0100}飾区'],
    ['Korean', '테스트를 실행하세요. (감사합니다)'],
    ['Persian with non-joiners', 'می‌خواهم کتاب‌ها را بخوانم'],
    ['Hindi with joiners', 'क्‍ष हिन्दी र्‍य'],
    ['Arabic', 'مرحبا بالعالم، كيف الحال؟'],
    ['Hebrew', 'שלום עולם'],
    ['Russian', 'Запусти тесты и сделай коммит: сор, оса, рак'],
    ['short Russian without own letters', 'оса сор'],
    ['Russian beside ASCII', 'открой README и сор'],
    ['Greek', 'Καλημέρα κόσμε, ΑΒΓ'],
    ['formulas', 'Δt = 3, α + β ≤ γ, ∀x∈ℝ'],
    ['Thai', 'ทดสอบ ระบบ'],
    ['a box', '├── src\n└── test │ ─'],
  ] as const) {
    test(`${name} hides nothing`, () => expect(brief(text)).toEqual([]))
  }

  for (const [name, text] of [
    ['a byte order mark first', '\ufeffconst x = 1'],
    ['Hebrew with marks', 'שלום\u200f (abc)\u200f עולם'],
    ['Arabic with a letter mark', '\u061cمرحبا'],
    ['fullwidth letters in Japanese', 'これはＡＢＣです'],
    ['an acronym with a Russian ending', 'читаем PDFа и API'],
    ['units', 'R = 10 kΩ, 5 kΩm'],
    ['Thai with break hints', 'ทดสอบ\u200bระบบ'],
    ['Hangul fillers', '\u1160\u1161한'],
    ['old line ends', 'a\rb\rc'],
    ['Russian slang with Latin roots', 'заpushить в master'],
  ] as const) {
    test(`${name} is at most worth a look`, () => {
      expect(hiddenCharacters(text, '').filter(({ severity }) => SERIOUS.has(severity))).toEqual([])
    })
  }
})

test('spans lie inside the text and never touch plain ASCII alone', () => {
  const piece = fc.constantFrom(
    'a',
    ' ',
    '\u200b',
    '\u202e',
    '\u001b[1m',
    '\u001b',
    'ｃ',
    '\u0430',
    '漢',
    '\ufe0f',
    '👩‍💻',
    tags('x'),
    '\0',
    '\n',
    '\ud83d',
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
      const text = pieces.join('')
      for (const { span, count } of hiddenCharacters(text, '/p')) {
        expect(span.start >= 0 && span.start < span.end && span.end <= text.length && count > 0).toBe(true)
        expect(text.slice(span.start, span.end)).not.toMatch(/^[\t\n\x20-\x7e]*$/)
      }
    }),
    { numRuns: 2_000, seed: 6 },
  )
})

proves('T05', 'a megabyte of hostile text is one pass', () => {
  for (const piece of ['\u001b]', '\u009d', '\u001b[0', '\u200b', 'a\u0430', 'ｃ', '\ufe0f', tags('x'), '\u{1f3f4}']) {
    const text = piece.repeat(Math.floor(262_144 / piece.length))
    expect(hiddenCharacters(text, '').length).toBeLessThan(8)
  }
})
