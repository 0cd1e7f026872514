/** A module that asks late says the same as the one that it was made from. */
import { describe, expect, test } from 'vitest'
import { lazily } from './lazy.ts'

/** What each module of the program was asked for, in order. */
async function run(modules: Readonly<Record<string, string>>, entry = './entry.ts') {
  const asked: string[] = []
  const loaded = new Map<string, { exports: Record<string, unknown> }>()
  const bodies = new Map<string, string>()
  for (const [path, source] of Object.entries(modules)) bodies.set(path, await lazily(source, { path, loader: 'ts' }))
  const require = (path: string): Record<string, unknown> => {
    const known = loaded.get(path)
    if (known !== undefined) return known.exports
    const own = { exports: {} as Record<string, unknown> }
    loaded.set(path, own)
    asked.push(path)
    const handed = { require, __ask: require, __module: asModule, __toESM: asModule, __url: 'file:///x', module: own }
    if (path === 'node:path') own.exports = { sep: '/' }
    else new Function(...Object.keys(handed), `let exports = module.exports\n${bodies.get(path)}`)(...Object.values(handed))
    return own.exports
  }
  return { got: require(entry), asked }
}

function asModule(given: Record<string, unknown>): Record<string, unknown> {
  return given.__esModule === true ? given : { ...given, default: given }
}

describe('a module that asks late', () => {
  test('asks for another where it uses it, and not before', async () => {
    const { got, asked } = await run({
      './entry.ts': `import { one } from './one.ts'\nimport { two } from './two.ts'\nexport const f = () => one() + 1\nexport const g = () => two`,
      './one.ts': 'export function one() { return 1 }',
      './two.ts': 'export const two = 2',
    })
    expect(asked).toEqual(['./entry.ts'])
    expect((got.f as () => number)()).toBe(2)
    expect(asked).toEqual(['./entry.ts', './one.ts'])
  })

  test('sees what changes, gives on what it got, and makes what it was handed', async () => {
    const { got } = await run({
      './entry.ts': `
import { count, add } from './count.ts'
import { Thing as Other } from './thing.ts'
import * as all from './thing.ts'
import { sep } from 'node:path'
export { name } from './thing.ts'
export * from './count.ts'
export const read = () => { add(); add(); return count }
export const made = () => [new Other(3).size, new all.Thing(4).size, { sep }.sep]
export default class {}`,
      './count.ts': 'export let count = 0\nexport function add() { count++ }',
      './thing.ts': 'export const name = "thing"\nexport class Thing { constructor(public size: number) {} }',
    })
    expect((got.read as () => number)()).toBe(2)
    expect((got.made as () => unknown)()).toEqual([3, 4, '/'])
    expect([got.name, typeof got.add, typeof got.default]).toEqual(['thing', 'function', 'function'])
  })

  test('asks for packages in the form that an import sees, and knows where it is', async () => {
    const { got } = await run({
      './entry.ts': `import whole, { part } from 'package'\nexport const f = () => [whole.part, part, import.meta.url]`,
      package: 'module.exports = { part: 7 }',
    })
    expect((got.f as () => unknown)()).toEqual([7, 7, 'file:///x'])
  })

  test('gives on a module of Node as a whole', async () => {
    const { got } = await run({ './entry.ts': `import path from 'node:path'\nexport { path }\nexport const f = () => path.sep` })
    expect([got.path, (got.f as () => unknown)()]).toEqual([{ sep: '/' }, '/'])
  })

  test('asks a package for CommonJS of its own in the form that an import sees', async () => {
    const { got } = await run({
      './entry.ts': `import whole from './own.js'\nexport const { part } = whole`,
      './own.js': 'module.exports = { part: 7 }',
    })
    expect(got.part).toBe(7)
  })

  test('what it exports by name stands before what it gives on as a whole, and a default is not given on', async () => {
    const { got } = await run({
      './entry.ts': `export { one } from './one.ts'\nexport * from './two.ts'\nexport * from './package.js'`,
      './one.ts': 'export const one = 1',
      './two.ts': 'export const one = 2\nexport const two = 2\nexport default 3',
      './package.js': 'export { two } from "./two.ts"\nexport const three = 3',
    })
    expect([got.one, got.two, got.three, got.default]).toEqual([1, 2, 3, undefined])
  })

  test('is not misled by what it calls its own', async () => {
    const { got } = await run({
      './entry.ts': `import { one } from './one.ts'\nexport function f(require: number, linked: number) { return one() + require + linked }`,
      './one.ts': 'export const one = () => 1',
    })
    expect((got.f as (a: number, b: number) => number)(10, 100)).toBe(111)
  })

  test('leaves a module of CommonJS and JSON as they are', async () => {
    expect(await lazily('exports.a = 1', { path: 'a.js', loader: 'js' })).toBe('exports.a = 1')
    expect(await lazily('{"a":1}', { path: 'a.json', loader: 'json' })).toBe('module.exports = {"a":1}')
  })

  test('hands another on as a whole', async () => {
    const { got } = await run({
      './entry.ts': `import * as all from './a.ts'\nexport const f = () => Object.keys(all)`,
      './a.ts': 'export const a = 1',
    })
    expect((got.f as () => unknown)()).toContain('a')
  })
})
