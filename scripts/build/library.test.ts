/** What the package exports is built from the files of `src/library`, and each of them is exported. */
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { exported } from './library.ts'

describe('exports of package.json', () => {
  test('are the files of src/library', () => {
    const files = readdirSync('src/library', { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))
    const names = exported(JSON.parse(readFileSync('package.json', 'utf8')))
    expect(names.toSorted()).toEqual(files.map((name) => name.slice(0, -'.ts'.length)).toSorted())
  })

  test('lead nowhere else', () => {
    expect(() => exported({ exports: { './odd': { default: './dist/cli/bin.js' } } })).toThrow('`./odd` does not lead into ./dist/lib')
  })
})
