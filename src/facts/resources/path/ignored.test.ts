import { describe, expect, test } from 'vitest'
import { createFixedView } from '../../../view/fixed.ts'
import { isIgnored } from './ignored.ts'

const ROOT = '/home/me/shop'

function ignored(path: string, files: Readonly<Record<string, string>>): boolean {
  const view = createFixedView({
    home: '/home/me',
    cwd: ROOT,
    files: Object.fromEntries(Object.entries(files).map(([name, text]) => [`${ROOT}/${name}`, text])),
    git: { [ROOT]: { top: ROOT, branch: 'main', remotes: {}, aliases: {} } },
  })
  return isIgnored(`${ROOT}/${path}`, view)
}

describe('what a repository leaves out', () => {
  for (const [pattern, path, expected] of [
    ['out', 'out', true],
    ['out/', 'a/out', true],
    ['/out', 'out', true],
    ['/out', 'a/out', false],
    ['test/dest', 'test/dest', true],
    ['test/dest', 'a/test/dest', false],
    ['/cmake-build-*', 'cmake-build-debug', true],
    ['**/gen', 'a/b/gen', true],
    ['a/**', 'a/b/c', true],
    ['out', 'out/deep/file', true],
    ['# out', 'out', false],
    ['', 'out', false],
    ['*\n!keep', 'keep', false],
    ['*\n!keep', 'gone', true],
    ['out ', 'out', true],
  ] as const)
    test(`${JSON.stringify(pattern)} and ${path}: ${expected}`, () => expect(ignored(path, { '.gitignore': pattern })).toBe(expected))

  test('a file of a directory below counts from there', () => {
    expect(ignored('docs/examples', { 'docs/.gitignore': '/examples/' })).toBe(true)
    expect(ignored('examples', { 'docs/.gitignore': '/examples/' })).toBe(false)
  })
  test('outside of a repository nothing is ignored', () =>
    expect(isIgnored('/srv/out', createFixedView({ home: '/home/me', cwd: '/srv' }))).toBe(false))
  test('patterns of many stars end', () => {
    const stars = Array.from({ length: 12 }, () => '**').join('/')
    expect(ignored(Array.from({ length: 12 }, () => 'a').join('/'), { '.gitignore': `${stars}/b` })).toBe(false)
  })
})
