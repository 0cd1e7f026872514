/** Nothing that a program runs is passed over in silence, wherever its language lets it stand. */
import { describe, expect, test } from 'vitest'
import { record } from '../../src/facts/languages/harness.ts'
import { JAVASCRIPT_HOSTILE, JAVASCRIPT_ORDINARY } from './hostile-javascript.ts'
import { AWK_HOSTILE, AWK_ORDINARY, LUA_HOSTILE, LUA_ORDINARY } from './hostile-lua.ts'
import { PERL_HOSTILE, PERL_ORDINARY } from './hostile-perl.ts'
import { PHP_HOSTILE, PHP_ORDINARY } from './hostile-php.ts'
import { PYTHON_HOSTILE, PYTHON_ORDINARY } from './hostile-python.ts'
import { RUBY_HOSTILE, RUBY_ORDINARY } from './hostile-ruby.ts'

const CASES = [
  ['python', PYTHON_HOSTILE, PYTHON_ORDINARY],
  ['node', JAVASCRIPT_HOSTILE, JAVASCRIPT_ORDINARY],
  ['perl', PERL_HOSTILE, PERL_ORDINARY],
  ['ruby', RUBY_HOSTILE, RUBY_ORDINARY],
  ['php', PHP_HOSTILE, PHP_ORDINARY],
  ['lua', LUA_HOSTILE, LUA_ORDINARY],
  ['awk', AWK_HOSTILE, AWK_ORDINARY],
] as const

for (const [language, hostile, ordinary] of CASES) {
  describe(`${language}: told`, () => {
    for (const code of hostile)
      test(code, () => {
        const { shells, commands, codes, effects, reasons } = record(language, code)
        const told = [...shells, ...commands, ...codes, ...effects.map((e) => e.target.value)].some((text) => text.includes('/srv/data'))
        expect(told || reasons.length > 0).toBe(true)
      })
  })
  describe(`${language}: ordinary`, () => {
    for (const code of ordinary) test(code, () => expect(record(language, code).reasons).toEqual([]))
  })
}
