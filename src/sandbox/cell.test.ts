import { describe, expect, test } from 'vitest'
import { type Cell, type System, sandboxed } from './cell.ts'

const SYSTEM: System = {
  bwrap: '/usr/bin/bwrap',
  prlimit: '/usr/bin/prlimit',
  roots: new Map([
    ['/usr', null],
    ['/bin', 'usr/bin'],
  ]),
  closed: true,
}

const CELL: Cell = {
  mounts: ['/work/a', '/work/b'],
  copy: false,
  hidden: [
    { path: '/work/a/.ssh', directory: true },
    { path: '/work/b/.env', directory: false },
  ],
  programs: ['/opt/node/bin'],
  cwd: '/work/a',
  environment: { A: '1' },
  limits: { timeMs: 1_500, memoryBytes: 1_000, outputBytes: 100, spaceBytes: 2_000, processes: 9 },
}

const words = (cell: Partial<Cell> = {}, system: Partial<System> = {}) =>
  sandboxed(['ls', '-l', '$HOME; rm'], { ...CELL, ...cell }, { ...SYSTEM, ...system }).join(' ')

describe('the words for bubblewrap', () => {
  const cases: readonly (readonly [string, Partial<Cell>, string, boolean])[] = [
    ['mounts are read-only at their own paths', {}, '--ro-bind /work/a /work/a --ro-bind /work/b /work/b', true],
    ['nothing is writable', {}, ' --bind ', false],
    ['nothing of the devices is shared', {}, '--dev-bind', false],
    ['links of the root stay links', {}, '--symlink usr/bin /bin', true],
    ['there is no network', {}, '--unshare-net', true],
    ['there are no capabilities', {}, '--cap-drop ALL', true],
    ['it dies with its caller', {}, '--die-with-parent', true],
    ['it has no terminal of its caller', {}, '--new-session', true],
    ['its environment is empty before it is filled', {}, '--clearenv --setenv LANG C.UTF-8 --setenv A 1', true],
    ['the root is sealed after everything stands in it', {}, '--remount-ro /dev --remount-ro / --clearenv', true],
    ['a private directory is empty', {}, '--tmpfs /work/a/.ssh --remount-ro /work/a/.ssh', true],
    ['a private file is a device that cannot be opened', {}, '--ro-bind /dev/null /work/b/.env', true],
    ['programs are looked for in the given directories first', {}, '--setenv PATH /opt/node/bin:/usr/local/bin:/usr/bin', true],
    ['PATH is never that of the policy', { environment: { PATH: '/evil' } }, '/evil', false],
    ['memory is bounded', {}, '--data=1000', true],
    ['processor time is bounded', {}, '--cpu=3', true],
    ['files are bounded', {}, '--fsize=2000', true],
    ['copies have origins', { copy: true }, '--ro-bind /work/a /run/origin/0 --size 2000 --tmpfs /work/a', true],
    ['what is private is hidden where copies are made from', { copy: true }, '--tmpfs /run/origin/0/.ssh', true],
    ['private files, too', { copy: true }, '--ro-bind /dev/null /run/origin/1/.env', true],
    ['the origins are copied', { copy: true }, 'sh 2 /run/origin/0 /work/a /run/origin/1 /work/b /work/a ls -l', true],
    ['without copies there are none', {}, 'sh 0 /work/a ls -l', true],
  ]
  for (const [title, cell, part, expected] of cases) {
    test(title, () => expect(words(cell).includes(part)).toBe(expected))
  }

  test('the command is handed on word by word', () => {
    expect(sandboxed(['a b', '', '$(x)'], CELL, SYSTEM).slice(-3)).toEqual(['a b', '', '$(x)'])
  })

  test('where namespaces cannot be closed they are left out', () => {
    expect([words().includes('--disable-userns'), words({}, { closed: false }).includes('--disable-userns')]).toEqual([true, false])
  })
})
