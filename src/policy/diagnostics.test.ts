import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { POLICY_ERRORS } from './errors.ts'
import { compile } from './testing/compiled.ts'
import { ERROR_CASES } from './testing/error-cases.ts'
import { MORE_ERROR_CASES } from './testing/more-error-cases.ts'
import { LINTS } from './warnings.ts'

/** Every diagnostic that the source of this room can give is shown to somebody in a golden case. */

const ROOM = import.meta.dirname
const files = readdirSync(ROOM, { recursive: true, encoding: 'utf8' }).filter((name) => !name.includes('testing'))
const sources = files.filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
const read = (name: string): string => readFileSync(join(ROOM, name), 'utf8')
const goldens = files.filter((name) => name.endsWith('.snap') || (name.endsWith('.test.ts') && name !== 'diagnostics.test.ts')).map(read)
const shown = goldens.join('\n').replaceAll('\\`', '`')

/** Fixed part of the text of each diagnostic, with where it stands. */
function* diagnostics(): Generator<readonly [name: string, fixed: string]> {
  const said = /(?:message(?::| =)|wrong\(|fail\(|warn\([^,()]*,|warning\([^,()]*,)\s*([`'])((?:\\.|(?!\1)[^\\])*)\1/g
  for (const name of sources) {
    for (const [, , text = ''] of read(name).matchAll(said)) {
      const parts = text.replaceAll('\\`', '`').split(/\$\{[^}]*(?:\}|$)/)
      const fixed = parts.reduce((longest, part) => (part.length > longest.length ? part : longest), '')
      if (fixed.trim().length > 8) yield [name, fixed]
    }
  }
}

describe('codes', () => {
  const CODES = new Set(sources.flatMap((name) => [...read(name).matchAll(/'((?:policy|lint)\.[a-z_]+)'/g)].map(([, code = '']) => code)))
  test('those of the source are those that are documented', () => {
    expect([...CODES].toSorted()).toEqual([...Object.keys(POLICY_ERRORS), ...Object.keys(LINTS)].toSorted())
  })
  for (const code of [...CODES].filter((each) => each.startsWith('policy.'))) {
    test(`${code} is shown`, () => expect(shown).toContain(code))
  }
})

/** What is said where a library says something else, or at bounds that another bound is met before. May only shrink. */
const UNSHOWN: ReadonlySet<string> = new Set([
  'the condition cannot be parsed: ',
  'the text cannot be parsed: ',
  'this is nested deeper than ',
  '`any` is nested deeper than ',
  '` is not the file of this digest',
  'it was measured on ',
  '`, even where they change something',
])

describe('texts', () => {
  const found = [...diagnostics()].filter(([, fixed]) => !UNSHOWN.has(fixed))
  test('are found at all', () => expect(found.length).toBeGreaterThan(120))
  for (const [name, fixed] of found) {
    test(`${name}: ${fixed}`, () => expect(shown.includes(fixed), `no golden case shows \`${fixed}\``).toBe(true))
  }
})

test('every load error says where it is and what to do instead', () => {
  for (const [title, text, options] of [
    ...ERROR_CASES,
    ...MORE_ERROR_CASES.map(([name, written]) => [name, written, undefined] as const),
  ]) {
    const result = compile(text, options)
    for (const { line, column, message, help, code } of result.ok ? [] : result.errors) {
      const way =
        help !== null ||
        /needs|valid here|missing|write|is empty|more than|not from/.test(message) ||
        code === 'policy.syntax' ||
        code === 'policy.alias'
      expect([title, message, line > 0 && column > 0, way]).toEqual([title, message, true, true])
    }
  }
})
