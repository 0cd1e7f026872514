import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { CommandFact } from '../facts/facts.ts'
import { compileCommandPattern, coversCommand } from './command-pattern.ts'

const span = { pointer: '/command', start: 0, end: 0 }

/** `git push -f origin` with the reading of its table; `?` is a word that is not known. */
function command(text: string, read?: string): CommandFact {
  const argv = text.split(' ').map((word) => (word === '?' ? null : word))
  const names = read?.split('|')
  const list = (part: string | undefined) => (part ?? '').split(' ').filter((word) => word !== '')
  return {
    program: argv[0] ?? null,
    argv,
    wrappers: [],
    span,
    ...(names === undefined
      ? {}
      : { read: { path: list(names[0]), operands: list(names[1]).map((word) => (word === '?' ? null : word)) } }),
  }
}

describe('may match, for denials', () => {
  for (const [pattern, made, expected] of [
    ['git push *', command('git push origin', 'push|origin'), true],
    ['git push *', command('git push', 'push|'), true],
    ['git push', command('git push', 'push|'), true],
    ['git push', command('git push origin', 'push|origin'), false],
    ['git push *', command('git -C y push', 'push|'), true],
    ['git push *', command('git stash push', 'stash push|'), false],
    ['git push *', command('git commit -m push', 'commit|'), false],
    ['git push:*', command('git push -f', 'push|'), true],
    ['git push --force *', command('git push origin main --force', 'push|origin main'), true],
    ['git push -f *', command('git push -uf origin', 'push|origin'), true],
    ['git push --force-with-lease *', command('git push --force-with-lease=x', 'push|'), true],
    ['git push --force *', command('git push origin', 'push|origin'), false],
    ['git push --force *', command('git push ?', 'push|?'), true],
    ['git * main', command('git push main', 'push|main'), true],
    ['rm *', command('rm -rf x', '|x'), true],
    ['rm /etc/*', command('rm /etc/passwd', '|/etc/passwd'), true],
    ['rm /etc/*', command('rm ?', '|?'), true],
    ['rm -r *', command('rm x', '|x'), false],
    ['unknown do *', command('unknown -x do it'), true],
    ['npm publish *', command('npm pub', 'publish|'), true],
    ['*', command('anything'), true],
    ['python3 *', command('python3.11 x', '|x'), false],
    ['python3* *', command('python3.11 x', '|x'), true],
  ] as const) {
    test(`${pattern} on ${made.argv.join(' ')}`, () => expect(compileCommandPattern(pattern).mayMatch(made)).toBe(expected))
  }
})

describe('surely matches, for permits', () => {
  for (const [pattern, made, expected] of [
    ['git diff *', command('git diff HEAD', 'diff|HEAD'), true],
    ['git diff *', command('git diff --stat', 'diff|'), true],
    ['git diff', command('git diff', 'diff|'), true],
    ['git diff', command('git diff --output=x', 'diff|'), false],
    ['git diff --stat', command('git diff --stat', 'diff|'), true],
    ['git diff --stat', command('git diff', 'diff|'), false],
    ['git diff *', command('git ? HEAD', '|? HEAD'), false],
    ['git diff main', command('git diff ?', 'diff|?'), false],
    ['ls', command('ls', '|'), true],
    ['ls', command('ls -la', '|'), false],
    ['*', command('rm -rf /', '|/'), true],
  ] as const) {
    test(`${pattern} on ${made.argv.join(' ')}`, () => expect(compileCommandPattern(pattern).surelyMatches(made)).toBe(expected))
  }
})

test('patterns that say nothing or too much', () => {
  expect(() => compileCommandPattern(' ')).toThrow(/empty/)
  expect(() => compileCommandPattern('x '.repeat(65))).toThrow(/64 words/)
})

describe('a pattern that covers another', () => {
  for (const [wide, narrow, expected] of [
    ['git push *', 'git push *', true],
    ['git push *', 'git push origin *', true],
    ['git push *', 'git push', true],
    ['git push:*', 'git push origin main', true],
    ['git *', 'git push -f *', true],
    ['*', 'rm', true],
    ['git push', 'git push', true],
    ['git push -f *', 'git push -f origin', true],
    ['git p* *', 'git push *', true],
    ['git p*', 'git push', true],
    ['git push', 'git push *', false],
    ['git push', 'git push origin', false],
    ['git push origin *', 'git push *', false],
    ['git push -f *', 'git push *', false],
    ['git push -f *', 'git push --force *', false],
    ['git pull *', 'git push *', false],
    ['git p? *', 'git push *', false],
    ['git push *', 'git p* *', false],
    ['git a*b *', 'git a* *', false],
    ['git a* *', 'git a*b *', true],
  ] as const) {
    test(`\`${wide}\` and \`${narrow}\`: ${expected}`, () => expect(coversCommand(wide, narrow)).toBe(expected))
  }

  test('what the narrow pattern surely is, the wide one may be', () => {
    const word = fc.constantFrom('git', 'push', 'p*', '*', 'a', 'ab', '-f', '--force')
    const pattern = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(' '))
    const given = fc.array(fc.constantFrom('git', 'push', 'p', 'a', 'ab', '-f', '--force'), { minLength: 1, maxLength: 5 })
    fc.assert(
      fc.property(pattern, pattern, given, (wide, narrow, words) => {
        const made = command(words.join(' '))
        if (!coversCommand(wide, narrow) || !compileCommandPattern(narrow).surelyMatches(made)) return
        expect(compileCommandPattern(wide).mayMatch(made)).toBe(true)
      }),
      { seed: 11, numRuns: 3_000 },
    )
  })
})
