import { describe, expect, test } from 'vitest'
import { createFixedView } from '../../../view/fixed.ts'
import { facts } from '../harness.ts'
import { expandBraces } from './brace.ts'
import { globbed } from './glob.ts'

const FILES = {
  '/home/me/.ssh/id_rsa': 'k',
  '/home/me/.ssh/id_rsa.pub': 'p',
  '/home/me/notes': '',
  '/repo/a.txt': '',
  '/repo/b.txt': '',
  '/repo/.env': '',
  '/bin/cat': '',
}
const view = () => createFixedView({ home: '/home/me', cwd: '/repo', files: FILES })

describe('globs against files', () => {
  for (const [pattern, expected] of [
    ['/home/me/.ss?/id_*', ['/home/me/.ssh/id_rsa', '/home/me/.ssh/id_rsa.pub']],
    ['*.txt', ['/repo/a.txt', '/repo/b.txt']],
    ['*', ['/repo/a.txt', '/repo/b.txt']],
    ['.e*', ['/repo/.env']],
    ['/b?n/c[a]t', ['/bin/cat']],
    ['/nowhere/*', []],
    ['**/x', []],
    ['/*/*/*/*', []],
  ] as const) {
    test(pattern, () => expect(globbed(pattern, '/repo', view())).toEqual(expected))
  }
  test('without a directory nothing relative is found', () => expect(globbed('*.txt', null, view())).toEqual([]))
})

test('a glob is classified by what it finds', () => {
  for (const text of ['cat ~/.ss?/id_*', 'cat /home/*/.ssh/id_rsa', 'cat .e*']) {
    const read = facts(text, { files: FILES }).effects.find((item) => item.verb === 'read')
    expect(read?.target.classes, text).toContain('credential')
  }
})

test('the whole of a directory is that directory', () => {
  for (const [text, scope] of [
    ['rm -rf /*', 'filesystem-root'],
    ['rm -rf ~/*', 'home-root'],
    ['rm -rf ./*', 'workspace-root'],
    ['rm -rf *', 'workspace-root'],
  ] as const) {
    expect(facts(text).effects[0]?.target.classes, text).toContain(scope)
  }
})

test('a program named by a pattern is what the pattern finds', () => {
  const found = facts('/b?n/c?t ~/.ssh/id_rsa', { files: FILES })
  expect(found.effects.some((item) => item.verb === 'read' && item.target.classes.includes('credential'))).toBe(true)
  expect(found.coverage).toBe('partial')
})

describe('braces', () => {
  for (const [text, expected] of [
    ['a', ['a']],
    ['{a,b}', ['a', 'b']],
    ['{a,b}{c,d}', ['ac', 'ad', 'bc', 'bd']],
    ['{a,{b,c}}', ['a', 'b', 'c']],
    ['{,a}', ['a']],
    ['a{b', ['a{b']],
    ['{a}', ['{a}']],
    ['{1..3}', ['1', '2', '3']],
    ['{3..1}', ['3', '2', '1']],
    ['{a..c}', ['a', 'b', 'c']],
    ['{1..5..2}', ['1', '3', '5']],
    ['{-1..1}', ['-1', '0', '1']],
    ['{08..10}', ['08', '09', '10']],
    ["{'a,b',c}", ['a,b', 'c']],
    ['{"a b",c}', ['a b', 'c']],
    ['{\\,,c}', [',', 'c']],
    ['{#,c}', ['#', 'c']],
    ['{1..x}', ['{1..x}']],
  ] as const) {
    test(text, () => expect(expandBraces(text)?.map((word) => word.value)).toEqual(expected))
  }
  test('too many are not written out', () => {
    expect(expandBraces('{1..100000}')).toBeNull()
    expect(expandBraces('{a,b}'.repeat(12))).toBeNull()
    expect(expandBraces(`${'{a,'.repeat(40)}b${'}'.repeat(40)}`)).toBeNull()
  })
})
