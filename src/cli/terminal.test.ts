import { describe, expect } from 'vitest'
import { proves } from '../../test/proves.ts'
import { visible } from './terminal.ts'

describe('a line that holds text of an agent', () => {
  for (const [text, shown] of [
    ['git status', 'git status'],
    ['grün, 日本語, привет', 'grün, 日本語, привет'],
    ['\u001b[2Krm -rf /', '⟨ESC⟩[2Krm -rf /'],
    ['a\nallow', 'a⟨LF⟩allow'],
    ['a\rallow', 'a⟨CR⟩allow'],
    ['\u202egpj.exe', '⟨U+202E⟩gpj.exe'],
    ['a\u200bb\u{e0041}', 'a⟨U+200B⟩b⟨U+E0041⟩'],
    ['https://p\u0430ypal.com', 'https://p⟨U+0430⟩ypal.com'],
    [`ls${' '.repeat(200)}; rm -rf /`, 'ls⟨SPACE×200⟩; rm -rf /'],
    ['what looks like an escape: ⟨LF⟩', 'what looks like an escape: ⟨U+27E8⟩LF⟨U+27E9⟩'],
    ['what was cut …', 'what was cut …'],
    ['cut… \u202e…', 'cut… ⟨U+202E⟩…'],
  ] as const) {
    proves(['T24', 'T61'], JSON.stringify(text), () => expect(visible(text)).toBe(shown))
  }
})
