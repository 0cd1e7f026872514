import { linkSync, mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { proves } from '../../test/proves.ts'
import { createResolver } from './resolver.ts'

let root = ''
/** Not `join`, which would take `..` out. */
const at = (path: string): string => `${root}/${path}`

beforeAll(() => {
  root = realpathSync.native(mkdtempSync(join(tmpdir(), 'countersign-resolver-')))
  for (const path of ['a/b/c', 'x/y', 'a/d']) mkdirSync(at(path), { recursive: true })
  for (const path of ['a/file', 'a/b/file', 'x/y/file']) writeFileSync(at(path), path)
  linkSync(at('a/file'), at('x/twin'))
  for (const [from, to] of [
    ['a/b/up', '..'],
    ['a/far', '../x/y'],
    ['x/y/abs', at('a/b')],
    ['x/chain', 'y/abs/up/far'],
    ['loop', 'pool'],
    ['pool', 'loop'],
    ['dangling', 'nothing/here'],
    ['a/self', '.'],
    ['tofile', 'a/file'],
  ] as const)
    symlinkSync(to, at(from))
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

describe('a path is what the kernel says it is', () => {
  for (const [path, real, type, links] of [
    ['a', 'a', 'directory', 1],
    ['a/', 'a', 'directory', 1],
    ['a//b/./c', 'a/b/c', 'directory', 1],
    ['a/file', 'a/file', 'file', 2],
    ['x/twin', 'x/twin', 'file', 2],
    ['tofile', 'a/file', 'file', 2],
    ['a/b/file', 'a/b/file', 'file', 1],
    ['a/b/up', 'a', 'directory', 1],
    ['a/b/up/../x', 'x', 'directory', 1],
    ['a/far/../twin', 'x/twin', 'file', 2],
    ['a/b/up/far/file', 'x/y/file', 'file', 1],
    ['x/chain', 'x/y', 'directory', 1],
    ['x/chain/none/deeper', 'x/y/none/deeper', 'missing', 1],
    ['a/self/self/self/file', 'a/file', 'file', 2],
    ['none', 'none', 'missing', 1],
    ['none/../a/file', 'a/file', 'file', 2],
    ['dangling', 'nothing/here', 'missing', 1],
    ['loop', 'loop', 'missing', 1],
    ['loop/x', 'loop/x', 'missing', 1],
  ] as const) {
    test(`${path}: ${type} ${real}`, () => expect(createResolver()(at(path))).toEqual({ real: at(real), type, links }))
  }

  for (const [path, real, type] of [
    ['/', '/', 'directory'],
    ['/..', '/', 'directory'],
    ['', '/', 'directory'],
    ['/dev/null', '/dev/null', 'other'],
    ['relative', '/relative', 'missing'],
    ['/a\0b', '/a\0b', 'missing'],
    [`/${'x'.repeat(300)}`, `/${'x'.repeat(300)}`, 'missing'],
  ] as const) {
    test(`${JSON.stringify(path.slice(0, 20))}: ${type}`, () => expect(createResolver()(path)).toEqual({ real, type, links: 1 }))
  }

  proves('T09', 'as its own realpath says, whichever paths were asked before', () => {
    const name = fc.constantFrom(
      'a',
      'b',
      'c',
      'd',
      'x',
      'y',
      'up',
      'far',
      'abs',
      'chain',
      'self',
      'file',
      'twin',
      'tofile',
      '..',
      '.',
      'none',
    )
    const paths = fc.array(fc.array(name, { minLength: 1, maxLength: 7 }), { minLength: 1, maxLength: 6 })
    fc.assert(
      fc.property(paths, (asked) => {
        const resolve = createResolver()
        for (const names of asked) {
          const path = `${root}/${names.join('/')}`
          const { real, type, links } = resolve(path)
          expect(createResolver()(path)).toEqual({ real, type, links })
          const native = nativeOf(path)
          if (native === null) continue
          expect([path, real]).toEqual([path, native])
          const stat = statSync(path)
          expect([path, type, links]).toEqual([path, stat.isFile() ? 'file' : 'directory', stat.isFile() ? stat.nlink : 1])
        }
      }),
      { numRuns: 1_500, seed: 9 },
    )
  })
})

test('one decision sees one world: what was asked before does not change under it', () => {
  const resolve = createResolver()
  mkdirSync(at('was'))
  expect(resolve(at('was/x'))).toEqual({ real: at('was/x'), type: 'missing', links: 1 })
  renameSync(at('was'), at('is'))
  symlinkSync('/etc', at('was'))
  expect(resolve(at('was/y')).real).toBe(at('was/y'))
  expect(createResolver()(at('was/y')).real).toBe('/etc/y')
})

function nativeOf(path: string): string | null {
  try {
    return realpathSync.native(path)
  } catch {
    return null
  }
}
