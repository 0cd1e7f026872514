import { describe, expect, test } from 'vitest'
import { comparedForms, entitiesOf, fold, hostOf, labelledIn, namesIn, quotedIn } from './text.ts'

describe('texts as they are compared', () => {
  for (const [one, other] of [
    ['Alice@Example.COM', 'alice@example.com'],
    ['ａｌｉｃｅ', 'alice'],
    ['al\u200bice', 'alice'],
    ['  two \n\t words ', 'two words'],
    ['ﬁle', 'file'],
  ] as const) {
    test(`${JSON.stringify(one)} is ${JSON.stringify(other)}`, () => expect(fold(one)).toBe(other))
  }

  for (const [one, other] of [
    ['DE89 3704 0044 0532 0130 00', 'de89370400440532013000'],
    ['https://www.Example.com/a/', 'example.com/a'],
    ['http://example.com/a#part', 'example.com/a'],
    ['example.com/%61', 'example.com/a'],
    ['./docs//notes.txt', 'docs/notes.txt'],
    ['docs\\notes.txt', 'docs/notes.txt'],
  ] as const) {
    test(`${one} may be written as ${other}`, () => expect(comparedForms(fold(one))).toContain(other))
  }
})

describe('things in a text', () => {
  for (const [text, things] of [
    ['Write to <bob@example.org>, please.', ['bob@example.org']],
    ['see www.example.com/a?b=1 (or docs/notes.txt)', ['example.com/a?b=1', 'example.com', 'docs/notes.txt']],
    ['<a href="https://evil.example/x">here</a>', ['evil.example/x', 'evil.example']],
    ['IBAN: GB29NWBK60161331926819.', ['gb29nwbk60161331926819']],
    ['code 552081 at 10:30 on 2024-05-01', ['552081']],
    ['read report.pdf', ['report.pdf']],
    ['version 1.2, or 3', []],
    ['a.txt to x.example/y, x.example/y to a.txt', ['a.txt', 'x.example/y', 'x.example', 'x.example/y', 'x.example', 'a.txt']],
  ] as const) {
    test(text, () => expect(entitiesOf(text, 50).map((entity) => entity.text)).toEqual(things))
  }

  test('hosts of what looks like a URL', () => {
    const hosts = ['https://u:p@Evil.example:8080/a', 'www.example.com', 'example.com.', 'notes.txt', '/etc/passwd', 'a@b.example'].map(
      (text) => hostOf(fold(text)),
    )
    expect(hosts).toEqual(['evil.example', 'example.com', null, null, null, null])
  })

  test('names, quotes and labels', () => {
    expect(namesIn('Book the Riverside View Hotel for Emma Johnson', 9)).toEqual([
      'book the riverside view hotel',
      'riverside view hotel',
      'view hotel',
      'hotel',
      'emma johnson',
      'johnson',
    ])
    expect(quotedIn(`Call it "Day off", not 'Holiday'; it's Bob's "x"`, 9)).toEqual(['day off', 'holiday'])
    expect(labelledIn('Username: alice\n- Password: hunter2\nno label', 9)).toEqual(['alice', 'hunter2'])
  })
})
