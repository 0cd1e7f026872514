import { createHash } from 'node:crypto'
import { linkSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { proves } from '../../test/proves.ts'
import type { View } from '../facts/view.ts'
import { isAllowedVariable } from './environment.ts'
import { createFixedView } from './fixed.ts'
import { parseGitConfig } from './gitfiles.ts'
import { createNodeView } from './node.ts'
import { createRecordedView, UnrecordedQuestion } from './recorded.ts'

let root = ''
const at = (...names: readonly string[]): string => join(root, ...names)
const sha = (text: string): string => `sha256:${createHash('sha256').update(text).digest('hex')}`

beforeAll(() => {
  root = realpathSync.native(mkdtempSync(join(tmpdir(), 'countersign-view-')))
  mkdirSync(at('repo', '.git', 'worktrees', 'side'), { recursive: true })
  mkdirSync(at('repo', 'src'))
  mkdirSync(at('side'))
  mkdirSync(at('home'))
  writeFileSync(at('repo', '.git', 'HEAD'), 'ref: refs/heads/feature/x\n')
  writeFileSync(
    at('repo', '.git', 'config'),
    '[core]\n\tbare = false\n[remote "origin"]\n\turl = git@example.com:o/r.git ; main\n\tfetch = +refs/*\n[alias]\n\tco = checkout\n\tx = "!sh -c \\"echo hi\\""\n',
  )
  writeFileSync(at('repo', '.git', 'worktrees', 'side', 'HEAD'), 'abc123\n')
  writeFileSync(at('repo', '.git', 'worktrees', 'side', 'commondir'), '../..\n')
  writeFileSync(at('side', '.git'), `gitdir: ${at('repo', '.git', 'worktrees', 'side')}\n`)
  writeFileSync(at('repo', 'src', 'a.txt'), 'hello world')
  linkSync(at('repo', 'src', 'a.txt'), at('repo', 'src', 'hard.txt'))
  symlinkSync(at('repo'), at('alias'))
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

const node = (cwd: string | null = at('repo')): View =>
  createNodeView({
    cwd,
    home: at('home'),
    user: 'u',
    environment: { PATH: '/bin', MY_TOKEN: 'x', npm_config_registry: 'r', npm_config__auth: 'secret' },
  })

describe('the real view', () => {
  test('its places are kernel-true', () => {
    const view = createNodeView({ cwd: at('alias', 'src'), home: at('home'), gate: [at('alias', '.countersign')] })
    expect(view.cwd).toBe(at('repo', 'src'))
    expect(view.roots).toEqual([at('repo')])
    expect(view.gate).toEqual([at('repo', '.countersign')])
    expect(view.temporary).toContain(realpathSync.native('/tmp'))
  })

  for (const [cwd, roots] of [
    [null, []],
    ['/', []],
    ['home', []],
    ['repo/src', ['repo']],
    ['side', ['side']],
  ] as const) {
    test(`from ${cwd} the workspace is ${roots}`, () => {
      const path = cwd === null || cwd === '/' ? cwd : at(cwd)
      expect(node(path).roots).toEqual(roots.map((name) => at(name)))
    })
  }

  test('a path tells its type and its hard links', () => {
    const view = node()
    expect(view.realpath(at('repo', 'src'))).toMatchObject({ type: 'directory', links: 1 })
    expect(view.realpath(at('repo', 'src', 'hard.txt'))).toMatchObject({ type: 'file', links: 2 })
    expect(view.realpath(at('nothing'))).toEqual({ real: at('nothing'), type: 'missing', links: 1 })
    expect(view.realpath('/dev/null').type).toBe('other')
    expect(view.realpath(`${at('repo')}\0/x`).type).toBe('missing')
  })

  for (const [limit, text, truncated] of [
    [100, 'hello world', false],
    [11, 'hello world', false],
    [5, 'hello', true],
    [0, '', true],
  ] as const) {
    test(`reads at most ${limit} bytes, digests all`, () => {
      expect(node().read(at('repo', 'src', 'a.txt'), limit)).toEqual({ text, digest: sha('hello world'), truncated })
    })
  }

  for (const path of ['/dev/zero', '/dev/tty', '/', '/nothing/here']) {
    test(`${path} cannot be read`, () => expect(node().read(path, 10)).toBeNull())
  }

  test('a directory is listed up to a limit', () => {
    expect(node().list(at('repo', 'src'), 10)).toEqual(['a.txt', 'hard.txt'])
    expect(node().list(at('repo', 'src'), 1)).toHaveLength(1)
    expect(node().list(at('repo', 'src', 'a.txt'), 10)).toBeNull()
  })

  for (const [name, value] of [
    ['PATH', '/bin'],
    ['USER', 'u'],
    ['LOGNAME', 'u'],
    ['MY_TOKEN', null],
    ['npm_config_registry', 'r'],
    ['npm_config__auth', null],
    ['XDG_CONFIG_HOME', null],
    ['constructor', null],
    ['__proto__', null],
  ] as const) {
    test(`$${name} is ${value}`, () => expect(node().env(name)).toBe(value))
  }

  test('$HOME and $PWD are those of the call, not of this process', () => {
    expect(node().env('HOME')).toBe(at('home'))
    expect(node().env('PWD')).toBe(at('repo'))
    expect(node(null).env('PWD')).toBeNull()
  })

  test('git is read from its files', () => {
    const view = node()
    expect(view.git(at('repo', 'src'))).toMatchObject({ top: at('repo'), branch: 'feature/x' })
    expect({ ...view.git(at('repo'))?.remotes }).toEqual({ origin: 'git@example.com:o/r.git' })
    expect({ ...view.git(at('repo'))?.aliases }).toEqual({ co: 'checkout', x: '!sh -c "echo hi"' })
    expect(view.git(at('home'))).toBeNull()
  })

  test('a worktree has its own head and the shared configuration', () => {
    const answer = node().git(at('side'))
    expect(answer).toMatchObject({ top: at('side'), branch: null })
    expect(answer?.remotes.origin).toBe('git@example.com:o/r.git')
  })

  proves('P10', 'nothing is read twice, and what was answered is recorded', () => {
    const view = node()
    const path = at('changing')
    writeFileSync(path, 'before')
    const first = view.read(path, 100)
    writeFileSync(path, 'after')
    expect(view.read(path, 100)).toBe(first)
    view.realpath(path)
    view.env('PATH')
    expect(view.answers().map(({ question }) => question)).toEqual(['read', 'realpath', 'env'])
    expect(view.answers()[0]?.answer).toMatchObject({ text: 'before' })
  })
})

describe('what the gate rests on', () => {
  const own = () => createNodeView({ cwd: at('repo'), home: at('home'), gate: [at('repo', 'src')] })
  for (const [path, read] of [
    [['repo', 'src', 'a.txt'], false],
    [['alias', 'src', 'a.txt'], false],
    [['repo', 'src', '..', 'src', 'a.txt'], false],
  ] as const) {
    proves('T22', `${path.join('/')} is ${read ? '' : 'not '}read`, () => {
      expect(own().read(at(...path), 9) !== null).toBe(read)
      expect(createNodeView({ cwd: at('repo'), home: at('home') }).read(at(...path), 9)).not.toBeNull()
    })
  }
})

describe('the recorded view', () => {
  proves('P10', 'a replay answers what was recorded and nothing else', () => {
    const view = node()
    view.realpath(at('alias', 'src'))
    view.read(at('repo', 'src', 'a.txt'), 5)
    view.env('PATH')
    view.git(at('repo'))
    view.list(at('repo', 'src'), 9)
    const { home, user, cwd, roots, temporary, gate } = view
    const recorded = JSON.parse(JSON.stringify(view.answers()))
    const replay = createRecordedView({ home, user, cwd, roots, temporary, gate }, recorded)
    expect(replay.realpath(at('alias', 'src'))).toEqual(view.realpath(at('alias', 'src')))
    expect(replay.read(at('repo', 'src', 'a.txt'), 5)).toEqual(view.read(at('repo', 'src', 'a.txt'), 5))
    expect(replay.env('PATH')).toBe('/bin')
    expect(replay.git(at('repo'))?.branch).toBe('feature/x')
    expect(replay.list(at('repo', 'src'), 9)).toEqual(['a.txt', 'hard.txt'])
    expect(replay.answers()).toEqual(recorded)
    expect(() => replay.env('HOME')).toThrow(UnrecordedQuestion)
    expect(() => replay.read(at('repo', 'src', 'a.txt'), 6)).toThrow(/the recording has no read of/)
  })
})

describe('the described view', () => {
  const view = createFixedView({
    home: '/home/u',
    cwd: '/home/u/p',
    files: { '/home/u/p/src/a.ts': 'const a = 1' },
    links: { '/home/u/p/link': '../other' },
    directories: ['/home/u/other'],
    env: { CI: 'true', TOKEN: 'x' },
    git: { '/home/u/p': { top: '/home/u/p', branch: 'main', remotes: {}, aliases: {} } },
  })

  test('defaults', () => {
    expect(view).toMatchObject({ user: 'u', roots: ['/home/u/p'], temporary: ['/tmp', '/var/tmp'], gate: [] })
    expect(createFixedView({ home: '/home/u', cwd: '/home/u' }).roots).toEqual([])
    expect(createFixedView({ home: '/home/u' }).cwd).toBeNull()
  })

  for (const [path, real, type] of [
    ['/home/u/p/src', '/home/u/p/src', 'directory'],
    ['/home/u/p/src/a.ts', '/home/u/p/src/a.ts', 'file'],
    ['/home/u/p/link/..', '/home/u', 'directory'],
    ['/home/u/p/none', '/home/u/p/none', 'missing'],
  ] as const) {
    test(`${path}`, () => expect(view.realpath(path)).toEqual({ real, type, links: 1 }))
  }

  test('reads, lists and knows only what is described', () => {
    expect(view.read('/home/u/p/src/a.ts', 5)).toMatchObject({ text: 'const', truncated: true })
    expect(view.read('/home/u/p/none', 5)).toBeNull()
    expect(view.list('/home/u/p', 9)).toEqual(['link', 'src'])
    expect(view.list('/home/u/p/none', 9)).toBeNull()
    expect(view.env('CI')).toBe('true')
    expect(view.env('TOKEN')).toBeNull()
    expect(view.env('PWD')).toBe('/home/u/p')
    expect(view.git('/home/u/p/src')?.branch).toBe('main')
    expect(view.git('/home/u/other')).toBeNull()
  })
})

describe('the git configuration syntax', () => {
  for (const [text, section, key, value] of [
    ['[a]\nk=v', 'a', 'k', 'v'],
    ['[A]\nKey = v # note', 'a', 'key', 'v'],
    ['[a]\nk = "x ; y" ; z', 'a', 'k', 'x ; y'],
    ['[a]\nflag', 'a', 'flag', 'true'],
    ['[a "Sub"]\nk = v', 'a Sub', 'k', 'v'],
    ['[a "S\\"q"]\nk = v', 'a S"q', 'k', 'v'],
    ['[a]\nk = one \\\n two', 'a', 'k', 'one  two'],
    ['[a]\r\nk = v\r\n', 'a', 'k', 'v'],
    ['[a]\nk = 1\n[b]\nk = 2\n[a]\nk = 3', 'a', 'k', '3'],
    ['[a]\nk = a\\tb', 'a', 'k', 'a\tb'],
  ] as const) {
    test(JSON.stringify(text), () => expect(parseGitConfig(text).get(section)?.get(key)).toBe(value))
  }

  test('comments and noise are no entries', () => {
    expect([...parseGitConfig('# x\n; y\n\n[a]\n').keys()]).toEqual(['a'])
  })
})

describe('the environment allow-list', () => {
  for (const name of ['HOME', 'PATH', 'TMPDIR', 'SHELL', 'XDG_DATA_HOME', 'npm_config_cache', 'BASH_ENV']) {
    test(`${name} may be known`, () => expect(isAllowedVariable(name)).toBe(true))
  }
  for (const name of [
    'AWS_SECRET_ACCESS_KEY',
    'GITHUB_TOKEN',
    'npm_config_//registry/:_authToken',
    'XDG_SECRET',
    'HTTPS_PROXY',
    'toString',
    '',
  ]) {
    test(`${name} may not`, () => expect(isAllowedVariable(name)).toBe(false))
  }
})
