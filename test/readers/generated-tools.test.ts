/** Programs of shell, make, just, sed, SQL, awk, jq and PowerShell made at random, an act in one place: it is told wherever it lands. `npm run check:readers` makes more. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { codeOf, filled, pairsOf } from './code-forms.ts'
import { CODE_GRAMMARS } from './code-grammars.ts'
import { isToldByCode, isToldBySql, isToldByTool } from './told.ts'
import { programsOf, SQL_GRAMMAR, TOOL_GRAMMARS } from './tool-grammars.ts'

const RUNS = { numRuns: 120, seed: 20_261_127 }

for (const grammar of TOOL_GRAMMARS)
  test(grammar.name, () => {
    fc.assert(
      fc.property(programsOf(grammar), (program) => {
        expect(isToldByTool(...grammar.run(program))).toBe(true)
      }),
      RUNS,
    )
  })

test(SQL_GRAMMAR.name, () => {
  fc.assert(
    fc.property(programsOf(SQL_GRAMMAR), (program) => {
      expect(isToldBySql(program)).toBe(true)
    }),
    RUNS,
  )
})

describe.each(CODE_GRAMMARS)('grammar of $language', (grammar) => {
  const { language, acts, plain, inner, outer, loud } = grammar

  // `npm run check:readers:tools` tries all of them.
  test('an act is told in each third form within another', () => {
    const silent = pairsOf(grammar)
      .filter((_, at) => at % 3 === 0)
      .map((form, at) => filled(form, acts[at % acts.length] ?? ''))
      .filter((code) => !isToldByCode(language, code))
    expect(silent).toEqual([])
  })

  test('each act is told in each form', () => {
    const silent = [...inner, ...outer]
      .flatMap((form) => acts.map((act) => filled(form, act)))
      .filter((code) => !isToldByCode(language, code))
    expect(silent).toEqual([])
  })

  test('at random', () => {
    fc.assert(
      fc.property(codeOf(grammar), (code) => {
        expect(isToldByCode(language, code)).toBe(true)
      }),
      RUNS,
    )
  })

  test('forms without an act are quiet: else the others could not fail', () => {
    const told = [...inner.map((form) => (outer[0] ?? '').replace('#', () => form)), ...outer]
      .filter((form) => !loud.some((each) => form.includes(each)))
      .map((form) => filled(form, plain))
    expect(told.filter((code) => isToldByCode(language, code))).toEqual([])
  })
})
