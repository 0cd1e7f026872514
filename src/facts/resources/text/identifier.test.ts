import { describe, expect, test } from 'vitest'
import { wordsOf } from './identifier.ts'
import { scriptIndex, shellWord, shellWords } from './quote.ts'

describe('words of names', () => {
  for (const [name, expected] of [
    ['send_email', ['send', 'email']],
    ['sendEmail', ['send', 'email']],
    ['SendEmail', ['send', 'email']],
    ['send-email', ['send', 'email']],
    ['GmailSendEmail', ['gmail', 'send', 'email']],
    ['getURLOfPage', ['get', 'url', 'of', 'page']],
    ['file_name2', ['file', 'name2']],
    ['mcp__a__b', ['mcp', 'a', 'b']],
    ['send.email/now', ['send', 'email', 'now']],
    ['überweisung_senden', ['überweisung', 'senden']],
    ['', []],
    ['___', []],
  ] as const) {
    test(name, () => expect(wordsOf(name)).toEqual(expected))
  }
  test('only the start of an endless name is read', () => expect(wordsOf('ab_'.repeat(100_000)).length).toBeLessThan(100))
})

describe('words back to shell text', () => {
  for (const [word, expected] of [
    ['a', 'a'],
    ['a/b.c-d_e=f', 'a/b.c-d_e=f'],
    ['a b', "'a b'"],
    ["it's", `'it'\\''s'`],
    ['$(id)', "'$(id)'"],
    ['', "''"],
    ['a\nb', "'a\nb'"],
    ['*', "'*'"],
    ['~', "'~'"],
  ] as const) {
    test(JSON.stringify(word), () => expect(shellWord(word)).toBe(expected))
  }
  test('lists', () => expect(shellWords(['rm', '-r', 'a b'])).toBe("rm -r 'a b'"))
})

describe('a list that hands a script to a shell', () => {
  for (const [words, expected] of [
    [['bash', '-c', 'x'], 2],
    [['bash', '-lc', 'x'], 2],
    [['/bin/sh', '-c', 'x'], 2],
    [['zsh', '-ic', 'x'], 2],
    [['bash', 'x.sh'], -1],
    [['bash', '--version', 'x'], -1],
    [['bash', '-c', 'x', 'y'], -1],
    [['python', '-c', 'x'], -1],
    [[], -1],
  ] as const) {
    test(words.join(' '), () => expect(scriptIndex(words)).toBe(expected))
  }
})
