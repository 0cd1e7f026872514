import { describe, expect, test } from 'vitest'
import { lines } from '../../bash/harness.ts'

/** What runs of a `Procfile` and of the scripts of a `composer.json`, and what is said where it cannot be read. */

const seen = (command: string, files: Readonly<Record<string, string>>): readonly string[] =>
  lines(command, { files: Object.fromEntries(Object.entries(files).map(([name, text]) => [`/repo/${name}`, text])) }).filter((line) =>
    /delete|opaque|fs:/.test(line),
  )

describe('processes', () => {
  const Procfile = 'web: rm a.txt\n# x: rm no\nworker:   rm "b.txt"\nbad line\n release: ls\n'
  for (const [command, files, expected] of [
    ['foreman start', { Procfile }, ['delete /repo/a.txt', 'delete /repo/b.txt']],
    ['honcho start web', { Procfile }, ['delete /repo/a.txt']],
    ['overmind s -l worker', { Procfile }, ['delete /repo/a.txt', 'delete /repo/b.txt']],
    ['hivemind', { Procfile }, ['delete /repo/a.txt', 'delete /repo/b.txt']],
    ['foreman start -f Procfile.dev', { Procfile, 'Procfile.dev': 'web: rm c.txt' }, ['delete /repo/c.txt']],
    ['foreman run rm d.txt', { Procfile }, ['delete /repo/d.txt']],
    ['foreman check', { Procfile }, []],
    ['foreman start', {}, []],
    ['foreman start -f $X', { Procfile }, ['opaque which file `foreman` follows is not known before it runs']],
    ['echo "web: rm e.txt" > Procfile; foreman start', {}, ['delete /repo/e.txt']],
  ] as const) {
    test(command, () => expect(seen(command, files)).toEqual(expected))
  }

  test('more than can be followed', () => {
    const many = Array.from({ length: 65 }, (_, i) => `p${i}: true`).join('\n')
    expect(seen('foreman start', { Procfile: many })).toEqual(['opaque `/repo/Procfile` starts more than can be followed'])
  })
})

describe('scripts of composer', () => {
  const scripts = {
    build: ['@clean', '@php gen.php', 'rm b.txt'],
    clean: 'rm a.txt',
    circle: ['@circle', 'rm c.txt'],
    call: 'App\\Build::run',
    'post-install-cmd': '@clean',
    'pre-update-cmd': ['rm u.txt'],
    'post-autoload-dump': 'rm d.txt',
  }
  const manifest = { 'composer.json': JSON.stringify({ scripts }) }
  for (const [command, files, expected] of [
    ['composer run-script clean', manifest, ['delete /repo/a.txt']],
    ['composer run build', manifest, ['delete /repo/b.txt', 'delete /repo/a.txt']],
    ['composer build', manifest, ['delete /repo/b.txt', 'delete /repo/a.txt']],
    ['composer circle', manifest, ['delete /repo/c.txt']],
    ['composer call', manifest, ['opaque the script `App\\Build::run` is a function of PHP, which is not followed']],
    ['composer install', manifest, ['delete /repo/d.txt', 'delete /repo/a.txt']],
    ['composer install --no-scripts', manifest, []],
    ['composer update', manifest, ['delete /repo/u.txt', 'delete /repo/d.txt']],
    ['composer require a/b', manifest, ['delete /repo/u.txt', 'delete /repo/d.txt']],
    ['composer dump-autoload', manifest, ['delete /repo/d.txt']],
    ['composer show', manifest, []],
    ['composer install', {}, []],
    ['composer install', { 'composer.json': '{"scripts": 1}' }, []],
    ['composer install', { 'composer.json': '{' }, ['opaque `/repo/composer.json`, which says what runs, cannot be read as JSON']],
    ['composer constructor', manifest, []],
    ['composer -d sub run clean', { 'sub/composer.json': JSON.stringify({ scripts }) }, ['delete /repo/a.txt']],
    ['cd "$D"; composer run clean', manifest, ['opaque in which directory `composer` looks for its scripts is not known']],
  ] as const) {
    test(`${command} with ${Object.keys(files).join()}`, () => expect(seen(command, files)).toEqual(expected))
  }

  test('more than can be followed', () => {
    const many = { a: Array(33).fill('true') }
    expect(seen('composer a', { 'composer.json': JSON.stringify({ scripts: many }) })).toEqual([
      'opaque `/repo/composer.json` runs more scripts than can be followed',
    ])
  })
})
