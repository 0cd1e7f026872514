/** Programs of shell, make, just, sed and SQL made at random, an act in one place: it is told wherever it lands. `npm run check:readers` makes more. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isToldBySql, isToldByTool } from './told.ts'
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
