/** Parsers of others find no call that the readers here do not; `npm run check:readers` does the same over many real files. */
import { expect, test } from 'vitest'
import type { ParsedLanguage } from '../../src/facts/languages/parsers.ts'
import { JAVASCRIPT_HOSTILE, JAVASCRIPT_ORDINARY } from './hostile-javascript.ts'
import { LUA_HOSTILE, LUA_ORDINARY } from './hostile-lua.ts'
import { PHP_HOSTILE, PHP_ORDINARY } from './hostile-php.ts'
import { PYTHON_HOSTILE, PYTHON_ORDINARY } from './hostile-python.ts'
import { RUBY_HOSTILE, RUBY_ORDINARY } from './hostile-ruby.ts'
import { callsHere, callsThere, missed } from './reference.ts'

const PROGRAMS: readonly (readonly [ParsedLanguage, readonly string[], number])[] = [
  ['node', [...JAVASCRIPT_HOSTILE, ...JAVASCRIPT_ORDINARY], 150],
  ['python', [...PYTHON_HOSTILE, ...PYTHON_ORDINARY], 130],
  ['php', [...PHP_HOSTILE, ...PHP_ORDINARY], 100],
  ['lua', [...LUA_HOSTILE, ...LUA_ORDINARY], 60],
  ['ruby', [...RUBY_HOSTILE, ...RUBY_ORDINARY], 150],
]

for (const [language, programs, least] of PROGRAMS)
  test(language, () => {
    const compared = programs.flatMap((source) => {
      const theirs = callsThere(language, source)
      return theirs === null ? [] : [{ source, theirs, ours: callsHere(language, source) }]
    })
    const wrong = compared.flatMap(({ source, theirs, ours }) => {
      const names = ours === null ? [] : missed(theirs, ours)
      return names.length === 0 ? [] : [`${names.join(', ')} in ${source}`]
    })
    expect(wrong).toEqual([])
    // A parser that reads nothing finds nothing.
    expect(compared.length).toBeGreaterThanOrEqual(least)
  })
