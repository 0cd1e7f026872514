import { describe, expect, test } from 'vitest'
import { isTest, sources } from '../../scripts/check/source.ts'
import { proves } from '../../test/proves.ts'
import { ATTRIBUTES } from './attributes.ts'

const files = sources('src').filter(({ path }) => !isTest(path) && !/harness|\/testing\//.test(path))

/** Names at the top of an object literal whose text begins after its brace. */
function keysOf(text: string): readonly string[] {
  let depth = 0
  let top = ''
  for (const [token] of text.matchAll(/'(?:\\.|[^'\\])*'|`(?:\\.|[^`\\])*`|[{}[\]()]|[^'`{}[\]()]+/g)) {
    if (/^[}\])]$/.test(token) && depth-- === 0) break
    if (/^[{[(]$/.test(token)) depth++
    else if (depth === 0 && !/^['`]/.test(token)) top += token
  }
  return top.split(',').flatMap((part) => /^\s*([a-z_]\w*)\s*(?::|$)/.exec(part)?.[1] ?? [])
}

/** Attributes that the source writes out, and those that it reads. */
function named(): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const { path, text } of files) {
    if (path.startsWith('src/facts/')) {
      for (const match of text.matchAll(/\battributes: (?:[^{}\n;,]* \? )?\{/g))
        for (const key of keysOf(text.slice(match.index + match[0].length))) found.set(key, path)
    }
    for (const [, key = ''] of text.matchAll(/\battributes\.([a-z_]+)\b/g)) found.set(key, path)
  }
  found.delete('ts') // the name of this file, in an import
  return found
}

describe('the list of attributes', () => {
  proves('T42', 'has every one that the source gives to an effect, or reads of one', () => {
    const missing = [...named()].filter(([name]) => !ATTRIBUTES.has(name))
    expect(missing, 'add these to src/facts/attributes.ts').toEqual([])
    expect(named().size).toBeGreaterThan(100)
  })
  test('has no name by accident', () => {
    for (const name of ATTRIBUTES) expect(name).toMatch(/^[a-z][a-z_]*$/)
    for (const name of ['forse', 'branc', 'constructor', '']) expect(ATTRIBUTES.has(name)).toBe(false)
  })
})
