import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decodeBase64, decodeHex } from '../../resources/text/decode-bytes.ts'
import { decodes, knownOutput } from './decode.ts'

describe('known output', () => {
  for (const [name, args, stdin, expected] of [
    ['echo', ['a', 'b'], null, 'a b\n'],
    ['echo', ['-n', 'a'], null, 'a'],
    ['echo', ['-e', 'a\\tb\\x41\\0101'], null, 'a\tbAA\n'],
    ['echo', ['-E', 'a\\tb'], null, 'a\\tb\n'],
    ['echo', ['-x', 'a'], null, '-x a\n'],
    ['printf', ['a\\n'], null, 'a\n'],
    ['printf', ['%s-%d%%', 'x', '7'], null, 'x-7%'],
    ['printf', ['%s\\n', 'a', 'b'], null, 'a\nb\n'],
    ['printf', ['%b', 'a\\x41'], null, 'aA'],
    ['printf', ['%5s|%-3s|', 'a', 'b'], null, '    a|b  |'],
    ['printf', ['%x', '255'], null, 'ff'],
    ['printf', ['%c', 'abc'], null, 'a'],
    ['printf', ['%q', 'x'], null, null],
    ['printf', [], null, null],
    ['printf', ['\\162\\155'], null, 'rm'],
    ['base64', ['-d'], 'aGk=\n', 'hi'],
    ['base64', ['--decode'], 'aGk', 'hi'],
    ['base64', [], 'hi', 'aGk=\n'],
    ['base64', ['-d'], '!!!', null],
    ['base64', ['-d', 'file'], null, null],
    ['openssl', ['base64', '-d'], 'aGk=', 'hi'],
    ['openssl', ['enc', '-base64', '-d'], 'aGk=', 'hi'],
    ['openssl', ['enc', '-aes-256-cbc', '-d'], 'aGk=', null],
    ['xxd', ['-r', '-p'], '6869', 'hi'],
    ['xxd', ['-p'], 'hi', '6869\n'],
    ['xxd', ['-r', '-p'], '686', null],
    ['rev', [], 'abc\nde', 'cba\ned'],
    ['tr', ['a-c', 'x-z'], 'abcd', 'xyzd'],
    ['tr', ['-d', 'b'], 'abc', 'ac'],
    ['tr', ['[:lower:]', '[:upper:]'], 'ab', 'AB'],
    ['tr', ['a', ''], 'ab', null],
    ['tr', ['-s', 'a'], 'aab', null],
    ['cat', [], 'x', 'x'],
    ['cat', ['f'], 'x', null],
    ['tee', ['f'], 'x', 'x'],
    ['tac', [], 'a\nb\n', 'b\na\n'],
    ['head', ['-n', '1'], 'a\nb\n', 'a\n'],
    ['head', ['-1'], 'a\nb\n', 'a\n'],
    ['tail', ['-n1'], 'a\nb\n', 'b\n'],
    ['head', ['-c', '1'], 'ab', null],
    ['basename', ['/a/b.c', '.c'], null, 'b\n'],
    ['basename', ['/'], null, '/\n'],
    ['dirname', ['/a/b/'], null, '/a\n'],
    ['dirname', ['a'], null, '.\n'],
    ['dirname', ['/a'], null, '/\n'],
    ['seq', ['2', '4'], null, '2\n3\n4\n'],
    ['seq', ['3', '-1', '1'], null, '3\n2\n1\n'],
    ['seq', ['1', '100000'], null, null],
    ['true', [], null, ''],
    ['constructor', [], null, null],
    ['cat', [], null, null],
  ] as const) {
    test(`${name} ${args.join(' ')} < ${stdin}`, () => expect(knownOutput(name, args, stdin)?.text ?? null).toBe(expected))
  }
})

describe('what hides code', () => {
  for (const [name, args, stdin, expected] of [
    ['base64', ['-d'], 'aGk=', true],
    ['base64', [], 'hi', false],
    ['rev', [], 'ab', true],
    ['printf', ['\\x72m'], null, true],
    ['printf', ['a\\n\\t'], null, false],
    ['echo', ['-e', '\\x72'], null, true],
    ['echo', ['-e', 'a\\nb\\033[0m'], null, false],
    ['echo', ['\\x72'], null, false],
  ] as const) {
    test(`${name} ${args.join(' ')}`, () => expect(knownOutput(name, args, stdin)?.decoded).toBe(expected))
  }

  test('decoders of unknown input', () => {
    for (const [name, ...args] of [
      ['base64', '-d'],
      ['base64', '-di'],
      ['xxd', '-r'],
      ['openssl', 'enc', '-d'],
      ['gunzip'],
      ['zcat', 'f'],
      ['gzip', '-dc'],
    ] as const) {
      expect(decodes(name, args), name).toBe(true)
    }
    for (const [name, ...args] of [['base64'], ['xxd', '-p'], ['gzip', '-k'], ['cat']] as const)
      expect(decodes(name, args), name).toBe(false)
  })
})

test('what base64 makes of a text is that text again', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (text) => {
      const encoded = knownOutput('base64', [], text)?.text ?? ''
      expect(encoded.trim()).toBe(Buffer.from(text).toString('base64'))
      expect(decodeBase64(encoded)).toBe(text)
    }),
  )
})

test('hexadecimal digits are what Node makes of them', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (text) => {
      expect(decodeHex(Buffer.from(text).toString('hex'))).toBe(text)
    }),
  )
})

test('wide base64, as PowerShell has it', () => {
  expect(decodeBase64(Buffer.from('iex x', 'utf16le').toString('base64'), true)).toBe('iex x')
})

test('no arguments and no input make it throw', () => {
  const names = fc.constantFrom(
    'echo',
    'printf',
    'base64',
    'xxd',
    'openssl',
    'rev',
    'tr',
    'cat',
    'tac',
    'head',
    'tail',
    'basename',
    'dirname',
    'seq',
  )
  fc.assert(
    fc.property(names, fc.array(fc.string(), { maxLength: 4 }), fc.option(fc.string()), (name, args, stdin) => {
      const output = knownOutput(name, args, stdin)
      expect(output === null || typeof output.text === 'string').toBe(true)
    }),
  )
})
