import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  cpSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { proves } from '../../test/proves.ts'
import { createNodeView } from './node.ts'

/** Whether a file is what git has committed, in repositories that git itself makes: each row changes a copy of one of them. */

let base = ''
const git = (cwd: string, ...args: readonly string[]): string =>
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.org', '-c', 'commit.gpgsign=false', ...args], {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, HOME: base, GIT_CONFIG_NOSYSTEM: '1' },
  })

const LONG = Array.from({ length: 400 }, (_, line) => `line ${line} ${line * 7919}\n`).join('')

function newRepository(at: string, ...options: readonly string[]): void {
  mkdirSync(join(at, 'src/deep'), { recursive: true })
  git(at, 'init', '-q', '-b', 'main', ...options)
  writeFileSync(join(at, 'src/a.js'), 'export const a = 1\n')
  writeFileSync(join(at, 'src/deep/long.txt'), LONG)
  writeFileSync(join(at, 'run.sh'), '#!/bin/sh\n')
  chmodSync(join(at, 'run.sh'), 0o755)
  symlinkSync('src/a.js', join(at, 'link.js'))
  git(at, 'add', '.')
  git(at, 'commit', '-qm', 'one')
  appendFileSync(join(at, 'src/deep/long.txt'), 'the end\n')
  git(at, 'commit', '-qam', 'two')
}

beforeAll(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-committed-')))
  newRepository(join(base, 'loose'))
  cpSync(join(base, 'loose'), join(base, 'packed'), { recursive: true, verbatimSymlinks: true })
  git(join(base, 'packed'), 'gc', '-q', '--aggressive')
})
afterAll(() => rmSync(base, { recursive: true, force: true }))

type Change = (at: string) => string | undefined

/** What the View says of a file after a change to a fresh copy; the change may name another file than `src/a.js`. */
function seen(from: string, change: Change): boolean | null {
  const at = mkdtempSync(join(base, 'copy-'))
  cpSync(join(base, from), at, { recursive: true, verbatimSymlinks: true })
  const file = join(at, change(at) ?? A)
  return createNodeView({ cwd: at, home: base }).committed(file)?.committed ?? null
}

const A = 'src/a.js'
const run =
  (...args: readonly string[]): Change =>
  (at) =>
    void git(at, ...args)
const put =
  (text: string, path = A): Change =>
  (at) =>
    writeFileSync(join(at, path), text) as undefined
const look =
  (path: string): Change =>
  () =>
    path
/** One after the other; the last one may name a file. */
const each =
  (...changes: readonly Change[]): Change =>
  (at) =>
    changes.reduce<string | undefined>((_, change) => change(at), undefined)
const idOf = (at: string): string => git(at, 'hash-object', A).trim()
const staged: Change = (at) => void git(at, 'update-index', '--cacheinfo', `100644,${idOf(at)},${A}`)
const forged: Change = (at) => {
  const tree = git(at, 'write-tree', '--missing-ok').trim()
  return void git(at, 'update-ref', 'HEAD', git(at, 'commit-tree', '-m', 'forged', tree).trim())
}
const conflict: Change = (at) => {
  for (const [branch, text] of [
    ['theirs', 'theirs\n'],
    ['main', 'ours\n'],
  ] as const) {
    git(at, 'checkout', '-q', ...(branch === 'main' ? ['main'] : ['-b', branch]))
    writeFileSync(join(at, A), text)
    git(at, 'commit', '-qam', branch)
  }
  expect(() => git(at, 'merge', 'theirs')).toThrow()
  return undefined
}
const timed: Change = (at) => void execFileSync('touch', ['-r', join(at, 'run.sh'), join(at, A)])

type Rows = Readonly<Record<string, readonly [from: string, change: Change]>>

const COMMITTED: Rows = {
  'a file as it was checked out': ['loose', look(A)],
  'in a pack': ['packed', look(A)],
  'in a pack, as a difference from another file': ['packed', look('src/deep/long.txt')],
  'one that may be executed': ['packed', look('run.sh')],
  'written again with the same text': ['loose', put('export const a = 1\n')],
  'while another file is changed and staged': ['loose', each(put('x', 'run.sh'), run('add', 'run.sh'))],
  'on a commit that has no branch': ['packed', run('checkout', '-q', '--detach', 'HEAD')],
  'on a branch of another commit': ['packed', run('checkout', '-q', '-b', 'old', 'HEAD~1')],
  'in a second work tree': ['packed', each(run('worktree', 'add', '-q', 'second', 'HEAD~1'), look(`second/${A}`))],
  'with an index of the third version': ['loose', each(put('', 'n'), run('add', '-N', 'n'))],
}

const NOT: Rows = {
  'an edit': ['loose', put('export const a = 2\n')],
  'an edit of the same length with an old time': ['loose', each(put('export const a = 2\n'), timed)],
  'an edit that is staged': ['loose', each(put('mine\n'), run('add', '.'))],
  'an edit that is staged and taken back in the file': ['loose', each(put('mine\n'), run('add', '.'), put('export const a = 1\n'))],
  'an edit that git is told to overlook': ['loose', each(run('update-index', '--assume-unchanged', A), put('mine\n'))],
  'a clean file that git is told to overlook': ['loose', run('update-index', '--assume-unchanged', A)],
  'a file that is passed over in the work tree': ['loose', run('update-index', '--skip-worktree', A)],
  'content that the index names and no commit has': ['loose', each(put('mine\n'), staged)],
  'a commit of content that is stored nowhere': ['loose', each(put('mine\n'), staged, forged)],
  'a file of a commit that was moved away': ['loose', each(run('reset', '-q', '--soft', 'HEAD~1'), look('src/deep/long.txt'))],
  'a file that is not tracked': ['loose', each(put('', 'new.js'), look('new.js'))],
  'a file that is only meant to be added': ['loose', each(put('', 'new.js'), run('add', '-N', 'new.js'), look('new.js'))],
  'another mode': ['loose', (at) => chmodSync(join(at, A), 0o755) as undefined],
  'a work tree that a setting moves': ['loose', run('config', 'core.worktree', '/srv')],
  'settings that stand elsewhere': ['loose', run('config', 'include.path', '../more')],
  'an index of the fourth version': ['loose', run('update-index', '--index-version', '4')],
  'an index in two parts': ['loose', run('update-index', '--split-index')],
  'an index that is cut short': ['loose', (at) => truncateSync(join(at, '.git/index'), 100) as undefined],
  'no index': ['loose', (at) => rmSync(join(at, '.git/index')) as undefined],
  'a branch that lies outside': ['loose', put('ref: refs/heads/../../x\n', '.git/HEAD')],
  'a file of the repository itself': ['loose', look('.git/config')],
  'in a conflict': ['loose', conflict],
}

describe('what git has committed', () => {
  for (const [name, row] of Object.entries(COMMITTED)) proves('T02', `is: ${name}`, () => expect(seen(...row)).toBe(true))
  for (const [name, row] of Object.entries(NOT))
    proves('T02', `is not, as far as is known: ${name}`, () => expect(seen(...row)).toBe(false))
  proves('T02', 'nothing is said of a link, a directory, or what is not there', () => {
    for (const path of ['link.js', 'src', 'gone.js']) expect(seen('loose', look(path))).toBeNull()
  })
  proves('T02', 'nothing is said of a file of two names', () => {
    expect(seen('loose', (at) => linkSync(join(at, A), join(at, 'other.js')) as undefined)).toBeNull()
  })
  proves('T02', 'with names of another length nothing is known', () => {
    newRepository(join(base, 'sha256'), '--object-format=sha256')
    expect(seen('sha256', look(A))).toBe(false)
  })
  proves('T02', 'of a submodule nothing is known', () => {
    const at = join(base, 'outer')
    newRepository(at)
    git(at, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', join(base, 'packed'), 'module')
    expect(createNodeView({ cwd: at, home: base }).committed(join(at, 'module/src/a.js'))?.committed).toBe(false)
  })
  proves('T02', 'an edit is answered as the digest that the file will have', () => {
    const view = createNodeView({ cwd: join(base, 'loose'), home: base })
    const edited = view.committed(join(base, 'loose/src/a.js'), (text) => text.replace('1', '2'))?.edited
    writeFileSync(join(base, 'loose/src/a.js'), 'export const a = 2\n')
    expect(createNodeView({ cwd: base, home: base }).committed(join(base, 'loose/src/a.js'))?.digest).toBe(edited)
  })
})
