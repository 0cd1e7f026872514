import { describe, expect, test } from 'vitest'
import type { Json } from '../core/json.ts'
import { changedWorld, describedWorld } from './described.ts'
import { createFixedView } from './fixed.ts'

const BASE = { home: '/home/user', cwd: '/home/user/project' }
const view = (world: Json, ...changes: readonly Json[]) =>
  createFixedView(
    changes.reduce<ReturnType<typeof describedWorld>>((now, change) => changedWorld(change, now), describedWorld(world, BASE)),
  )

describe('a described world', () => {
  test('files, directories and links stand where they are written: absolute, in the home, or in the directory of the call', () => {
    const seen = view({ files: { 'a.sh': 'one', '~/b': 'two', '/c': 'three', 'd/': null }, links: { l: '~/b' }, directories: ['x/../y'] })
    const read = (path: string) => seen.read(path, 100)?.text ?? null
    expect([read('/home/user/project/a.sh'), read('/home/user/b'), read('/c'), read('/home/user/project/l')]).toEqual([
      'one',
      'two',
      'three',
      'two',
    ])
    expect([seen.realpath('/home/user/project/d').type, seen.realpath('/home/user/project/y').type]).toEqual(['directory', 'directory'])
  })

  test('another home moves the directory of the call; a directory of its own stays', () => {
    expect([view({ home: '/home/ann' }).cwd, view({ home: '/home/ann' }).roots]).toEqual(['/home/ann/project', ['/home/ann/project']])
    expect([view({ home: '/home/ann', cwd: '/srv/shop' }).cwd, view({ cwd: '~/shop' }).cwd]).toEqual(['/srv/shop', '/home/user/shop'])
    expect([view({ roots: ['/a', 'b'] }).roots, view({ temporary: ['/scratch'] }).temporary]).toEqual([
      ['/a', '/home/user/project/b'],
      ['/scratch'],
    ])
  })

  test('git of the directory of the call, or of several tops', () => {
    expect(view({ git: { branch: 'main', remotes: { origin: 'u' } } }).git('/home/user/project/a')).toEqual({
      top: '/home/user/project',
      branch: 'main',
      remotes: { origin: 'u' },
      aliases: {},
    })
    const several = view({ git: { '~/shop': { branch: 'dev' }, '/srv': {} } })
    expect([several.git('/home/user/shop')?.branch, several.git('/srv/x')?.top, several.git('/home/user/project')]).toEqual([
      'dev',
      '/srv',
      null,
    ])
  })

  test('hosts and variables', () => {
    const seen = view({ hosts: { 'a.example': ['10.0.0.1'], 'b.example': [] }, env: { TMPDIR: '/t' } })
    expect([seen.hosts?.('a.example'), seen.hosts?.('b.example'), seen.hosts?.('c.example')]).toEqual([['10.0.0.1'], [], null])
    expect(view({}).hosts).toBeUndefined()
  })

  test('what a call left behind: files that came, changed and went', () => {
    const seen = view({ files: { a: '1', b: '1' } }, { files: { a: null, b: '2' } }, { files: { c: '3' } })
    expect(['a', 'b', 'c'].map((name) => seen.read(`/home/user/project/${name}`, 9)?.text ?? null)).toEqual([null, '2', '3'])
  })

  for (const [world, message] of [
    [[], 'a world is a mapping'],
    [{ filez: {} }, 'no `filez`; valid: home'],
    [{ files: { a: 1 } }, 'the content of `a`'],
    [{ files: [] }, '`files` is a mapping'],
    [{ cwd: 1 }, '`cwd` is text'],
    [{ roots: 'a' }, '`roots` is a list of texts'],
    [{ git: { brunch: 'main' } }, 'no `brunch`'],
    [{ git: { remotes: { origin: 1 } } }, '`remotes` maps names to texts'],
    [{ hosts: { a: 'b' } }, '`a` is a list of texts'],
  ] as const) {
    test(`refuses ${JSON.stringify(world)}`, () => expect(() => describedWorld(world as Json, BASE)).toThrow(message))
  }

  test('a change of the world moves nobody', () => expect(() => changedWorld({ cwd: '/x' }, BASE)).toThrow('`after` has no `cwd`'))
})
