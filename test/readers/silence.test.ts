/** Nothing that a program runs is passed over in silence, wherever its language lets it stand. */
import { describe, expect, test } from 'vitest'
import { target } from '../../src/facts/effect.ts'
import { record } from '../../src/facts/languages/harness.ts'
import { analyseSql } from '../../src/facts/sql/index.ts'
import { JAVASCRIPT_HOSTILE, JAVASCRIPT_ORDINARY } from './hostile-javascript.ts'
import { AWK_HOSTILE, AWK_ORDINARY, LUA_HOSTILE, LUA_ORDINARY } from './hostile-lua.ts'
import { PERL_HOSTILE, PERL_ORDINARY } from './hostile-perl.ts'
import { PHP_HOSTILE, PHP_ORDINARY } from './hostile-php.ts'
import { POWERSHELL_HIDDEN, POWERSHELL_PLAIN } from './hostile-powershell.ts'
import { PYTHON_HOSTILE, PYTHON_ORDINARY } from './hostile-python.ts'
import { RUBY_HOSTILE, RUBY_ORDINARY } from './hostile-ruby.ts'
import { CODE_STEPPED_OVER, SQL_STEPPED_OVER, TOOLS_STEPPED_OVER } from './hostile-stepped-over.ts'
import { JUST_HOSTILE, MAKE_HOSTILE, SED_HOSTILE } from './hostile-tasks.ts'
import { POWERSHELL_HOSTILE, POWERSHELL_ORDINARY, SHELL_HOSTILE, SQL_HOSTILE, SQL_ORDINARY } from './hostile-tools.ts'
import { isToldByCode, isToldBySql, isToldByTool } from './told.ts'

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
    for (const code of hostile) test(code, () => expect(isToldByCode(language, code)).toBe(true))
  })
  describe(`${language}: ordinary`, () => {
    for (const code of ordinary) test(code, () => expect(record(language, code).reasons).toEqual([]))
  })
}

describe('powershell: told', () => {
  for (const code of [...POWERSHELL_HOSTILE, ...POWERSHELL_HIDDEN]) test(code, () => expect(isToldByCode('powershell', code)).toBe(true))
})

describe('powershell: ordinary', () => {
  for (const code of [...POWERSHELL_ORDINARY, ...POWERSHELL_PLAIN]) test(code, () => expect(record('powershell', code).reasons).toEqual([]))
})

describe('sql: told', () => {
  for (const code of SQL_HOSTILE) test(code, () => expect(isToldBySql(code)).toBe(true))
})

describe('sql: ordinary', () => {
  for (const code of SQL_ORDINARY)
    test(code, () => expect(analyseSql(code, { span: null, database: target('database', 'db') }).map((e) => e.verb)).toEqual(['read']))
})

describe('shell, sed, jq, make, just: told', () => {
  for (const [command, files = {}] of [...SHELL_HOSTILE, ...MAKE_HOSTILE, ...JUST_HOSTILE, ...SED_HOSTILE])
    test(`${command} ${Object.values(files)[0] ?? ''}`, () => expect(isToldByTool(command, files)).toBe(true))
})

describe('stepped over: told', () => {
  for (const [language, code] of CODE_STEPPED_OVER) test(`${language} ${code}`, () => expect(isToldByCode(language, code)).toBe(true))
  for (const [command, files = {}] of TOOLS_STEPPED_OVER)
    test(`${command} ${Object.values(files)[0] ?? ''}`, () => expect(isToldByTool(command, files)).toBe(true))
  for (const code of SQL_STEPPED_OVER) test(code, () => expect(isToldBySql(code)).toBe(true))
})
