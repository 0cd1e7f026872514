import { execFileSync } from 'node:child_process'
import { lstatSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { proves } from '../../test/proves.ts'
import { createFixedView } from './fixed.ts'
import { createNodeView } from './node.ts'
import { type Entry, walkPath } from './walk.ts'

const WORLD: Readonly<Record<string, Entry>> = {
  '/ws': { kind: 'directory' },
  '/ws/file': { kind: 'file' },
  '/ws/dir': { kind: 'directory' },
  '/ws/etc': { kind: 'link', to: '/etc' },
  '/ws/up': { kind: 'link', to: '..' },
  '/ws/dangling': { kind: 'link', to: 'nowhere/x' },
  '/ws/loop': { kind: 'link', to: 'loop' },
  '/ws/a': { kind: 'link', to: 'b' },
  '/ws/b': { kind: 'link', to: 'dir' },
  '/etc': { kind: 'directory' },
  '/etc/passwd': { kind: 'file' },
}
const probe = (path: string): Entry => WORLD[path] ?? { kind: 'missing' }

describe('the walk', () => {
  for (const [path, real, kind] of [
    ['/', '/', 'directory'],
    ['//ws///./file', '/ws/file', 'file'],
    ['/ws/..', '/', 'directory'],
    ['/../../ws', '/ws', 'directory'],
    ['/ws/etc', '/etc', 'directory'],
    ['/ws/etc/..', '/', 'directory'],
    ['/ws/etc/../etc/passwd', '/etc/passwd', 'file'],
    ['/ws/up', '/', 'directory'],
    ['/ws/up/etc/passwd', '/etc/passwd', 'file'],
    ['/ws/a', '/ws/dir', 'directory'],
    ['/ws/a/../file', '/ws/file', 'file'],
    ['/ws/dangling', '/ws/nowhere/x', 'missing'],
    ['/ws/loop', '/ws/loop', 'missing'],
    ['/ws/new/deep/leaf', '/ws/new/deep/leaf', 'missing'],
    ['/ws/new/../file', '/ws/file', 'file'],
    ['/ws/new/../etc/../ws/file', '/ws/file', 'file'],
    ['/ws/file/below', '/ws/file/below', 'missing'],
  ] as const) {
    test(`${path} is ${real}`, () => expect(walkPath(path, probe)).toMatchObject({ real, kind }))
  }

  for (const [path, existing] of [
    ['/ws/new/deep/leaf', '/ws'],
    ['/ws/etc/none', '/etc'],
    ['/none/none', '/'],
    ['/ws/file', '/ws/file'],
  ] as const) {
    test(`of ${path} there is ${existing}`, () => expect(walkPath(path, probe).existing).toBe(existing))
  }

  test('many links in a row end, and so does a long path', () => {
    const chain = (path: string): Entry => ({ kind: 'link', to: `${path.split('/').at(-1)}x` })
    expect(walkPath('/start', chain).kind).toBe('missing')
    const long = `/${'a/../'.repeat(20_000)}end`
    expect(walkPath(long, probe).real).toBe('/end')
  })
})

describe('against the kernel', () => {
  let root = ''
  beforeAll(() => {
    root = realpathSync.native(mkdtempSync(join(tmpdir(), 'countersign-walk-')))
  })
  afterAll(() => rmSync(root, { recursive: true, force: true }))

  const NAMES = ['a', 'b', 'c', 'd']
  const name = fc.constantFrom(...NAMES)
  const node = fc.record({
    at: fc.array(name, { minLength: 1, maxLength: 3 }),
    kind: fc.constantFrom('file', 'directory', 'link', 'link'),
    to: fc.array(fc.constantFrom(...NAMES, '..', '.'), { minLength: 1, maxLength: 4 }),
    absolute: fc.boolean(),
  })
  const question = fc.array(fc.constantFrom(...NAMES, '..', '.', 'missing'), { minLength: 1, maxLength: 7 })

  /** Makes the forest on disk; what cannot be made, because the place is taken, is left out. */
  function plant(top: string, nodes: readonly { at: string[]; kind: string; to: string[]; absolute: boolean }[]): void {
    mkdirSync(top)
    for (const { at, kind, to, absolute } of nodes) {
      const path = join(top, ...at)
      try {
        // One by one: mkdir with `recursive` never ends where a dangling link is on the way.
        for (let i = 1; i < at.length; i += 1) makeDirectory(join(top, ...at.slice(0, i)))
        // A link may lead out of the forest, up to the root of this machine: nothing is planted there.
        const parent = realpathSync.native(dirname(path))
        if (parent !== top && !parent.startsWith(`${top}/`)) continue
        if (kind === 'file') writeFileSync(path, 'x', { flag: 'wx' })
        else if (kind === 'directory') mkdirSync(path)
        else symlinkSync(absolute ? `${top}/${to.join('/')}` : to.join('/'), path)
      } catch {
        // already there, or a file or a loop is in the way
      }
    }
  }

  function makeDirectory(path: string): void {
    const parent = realpathSync.native(dirname(path))
    if (parent !== root && !parent.startsWith(`${root}/`)) return
    if (lstatSync(path, { throwIfNoEntry: false }) === undefined) mkdirSync(path)
  }

  /** Null where it gives no name, undefined where it gives no answer: on links that lead into themselves it takes exponential time. */
  function readlinks(mode: '-f' | '-m', paths: readonly string[]): readonly (string | null | undefined)[] {
    const script = `for p in "$@"; do timeout -s KILL 1 readlink -n ${mode} -- "$p" 2>/dev/null; case $? in 0) ;; 137|124) printf '?' ;; *) printf '!' ;; esac; printf '\\0'; done`
    const out = execFileSync('sh', ['-c', script, 'sh', ...paths], { encoding: 'utf8' })
    return out
      .split('\0')
      .slice(0, -1)
      .map((line) => (line.endsWith('!') ? null : line.endsWith('?') ? undefined : line))
  }

  proves('T09', 'random forests of links: the same name as readlink -f, and as readlink -m where nothing exists', () => {
    let count = 0
    fc.assert(
      fc.property(fc.array(node, { maxLength: 14 }), fc.array(question, { minLength: 6, maxLength: 6 }), (nodes, questions) => {
        count += 1
        const top = join(root, String(count))
        plant(top, nodes)
        const view = createNodeView({ cwd: null, roots: [] })
        const paths = questions.map((parts) => `${top}/${parts.join('/')}`)
        const strict = readlinks('-f', paths)
        // readlink -m never ends on some loops, so it is only asked where there is none.
        const open = paths.filter((path, i) => strict[i] === null && !isLoop(path))
        const lenient = new Map(readlinks('-m', open).map((real, i) => [open[i], real]))
        paths.forEach((path, i) => {
          const expected = strict[i] ?? lenient.get(path)
          if (expected !== undefined) expect(view.realpath(path).real, path).toBe(expected)
        })
      }),
      { numRuns: 40, seed: 20_261_121 },
    )
  })

  function isLoop(path: string): boolean {
    const parts = path.split('/')
    return parts.some((_, i) => {
      try {
        realpathSync.native(parts.slice(0, i + 1).join('/') || '/')
        return false
      } catch (error) {
        return (error as NodeJS.ErrnoException).code === 'ELOOP' || (error as NodeJS.ErrnoException).code === 'ENOTDIR'
      }
    })
  }

  proves('T09', 'the described world and the disk agree on the same forest', () => {
    const top = join(root, 'described')
    mkdirSync(join(top, 'ws'), { recursive: true })
    mkdirSync(join(top, 'out'))
    writeFileSync(join(top, 'out', 'secret'), 's')
    symlinkSync('../out', join(top, 'ws', 'link'))
    symlinkSync(join(top, 'out', 'secret'), join(top, 'ws', 'direct'))
    const described = createFixedView({
      home: '/home/u',
      directories: [`${top}/ws`, `${top}/out`],
      files: { [`${top}/out/secret`]: 's' },
      links: { [`${top}/ws/link`]: '../out', [`${top}/ws/direct`]: `${top}/out/secret` },
    })
    const real = createNodeView({ cwd: null, roots: [] })
    for (const path of ['ws/link', 'ws/link/..', 'ws/link/secret', 'ws/direct', 'ws/link/../ws/link/none', 'ws/none/../direct']) {
      expect(described.realpath(`${top}/${path}`).real, path).toBe(real.realpath(`${top}/${path}`).real)
    }
    expect(real.realpath(`${top}/ws/link/..`).real).toBe(top)
  })
})
