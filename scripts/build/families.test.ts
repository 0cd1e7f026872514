/** What the bundle knows of programs is what the tables say, though it builds a family only when one of its programs is asked for. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { afterAll, describe, expect, test } from 'vitest'
import * as eager from '../../src/facts/programs/index.ts'
import { FAMILIES } from '../../src/facts/programs/programs.ts'
import { indexOf, indexText, lazyFamilies } from './families.ts'

const ENTRY = fileURLToPath(new URL('../../src/facts/programs/index.ts', import.meta.url))
const directory = mkdtempSync(join(tmpdir(), 'countersign-families-'))
const outfile = join(directory, 'index.mjs')
await build({ entryPoints: [ENTRY], outfile, bundle: true, format: 'esm', platform: 'node', logLevel: 'error', plugins: [lazyFamilies()] })
const lazy: typeof eager = await import(/* @vite-ignore */ pathToFileURL(outfile).href)
afterAll(() => rmSync(directory, { recursive: true, force: true }))

/** A spec as text: data in its order, functions by where they stand and how many parameters they take. */
function shape(spec: unknown): string {
  return JSON.stringify(spec, (_, value: unknown) => (typeof value === 'function' ? `function of ${value.length}` : value))
}

describe('the lazy index', () => {
  test('runs the module of a family nowhere but in its own function', () => {
    const text = readFileSync(outfile, 'utf8')
    const runs = text.split('\n').filter((line) => line.includes('init_quiet()'))
    expect(runs).toEqual(['  () => (init_quiet(), __toCommonJS(quiet_exports)).quiet,'])
  })

  test('names every program, in the order of the families', () => {
    expect(lazy.programNames()).toEqual(eager.programNames())
    expect(lazy.programNames().length).toBe(new Set(FAMILIES.flatMap((family) => Object.keys(family))).size)
  })

  test('is not built where a program stands in two families', () => {
    const tables = [
      { rm: {}, ls: {} },
      { cp: {}, rm: {} },
    ]
    expect(() => indexOf(tables)).toThrow('`rm` is defined twice')
    expect(indexOf(tables.slice(0, 1)).size).toBe(2)
  })

  test('is not built where a name holds what stands between names', () => {
    for (const name of ['a=b', 'a|b']) expect(() => indexText(new Map([[name, 0]]))).toThrow('cannot stand in the index')
  })

  test('forgets names that it was asked for, and knows them again', () => {
    for (let number = 0; number < 5_000; number++) expect(lazy.lookup(`unheard-of-${number}`)).toBeNull()
    expect(lazy.lookup('rm')).toBe(lazy.lookup('rm'))
  })

  test('knows of each program what its table says', () => {
    const different = eager.programNames().filter((name) => shape(lazy.lookup(name)) !== shape(eager.lookup(name)))
    expect(different).toEqual([])
  })

  test('tells programs apart', () => {
    expect(shape(lazy.lookup('rm'))).not.toBe(shape(lazy.lookup('cp')))
  })

  test('gives the same spec each time', () => {
    for (const name of lazy.programNames()) expect(lazy.lookup(name), name).toBe(lazy.lookup(name))
  })

  const VARIANTS = ['RM', 'rm.exe', 'GIT.EXE', 'gcc-12', 'python3.11', 'mkfs.unheard-of', 'MKFS.x']
  for (const name of VARIANTS) test(`finds ${name}`, () => expect(shape(lazy.lookup(name))).toBe(shape(eager.lookup(name))))

  const UNKNOWN = ['', '-', '3.11', 'not-a-program', 'constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf', 'rm ', ' rm']
  // The index is one text: what stands between its names is no part of a name.
  const SEPARATED = ['=', '|', 'rm=', '|rm', 'rm|', '|rm=', 'rm|cp', 'rm=1|cp', '=1|rm', 'r', 'm', `${'x'.repeat(10_000)}rm`]
  for (const name of [...UNKNOWN, ...SEPARATED])
    test(`does not know ${JSON.stringify(name.slice(0, 20))}`, () => expect(lazy.lookup(name)).toBeNull())
})
