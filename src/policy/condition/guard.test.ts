/** Attributes that an effect may not have: read unguarded where null has no answer, the policy does not load. */
import { describe, expect, test } from 'vitest'
import { proves } from '../../../test/proves.ts'
import { compile, policy } from '../testing/compiled.ts'

const text = (when: string) => `version: 1\nunregistered: ask\nrules: { deny: [{ when: '${when}', reason: r }] }\n`

const CASES: readonly (readonly [when: string, loads: boolean])[] = [
  ['effects.exists(e, e.attributes.force)', false],
  ['effects.exists(e, e.verb == "publish" && e.attributes.force)', false],
  ['effects.exists(e, !e.attributes.force)', false],
  ['effects.exists(e, e.attributes.amount > 5)', false],
  ['effects.exists(e, e.attributes.amount + 1 == 6)', false],
  ['effects.exists(e, e.attributes.branch.startsWith("x"))', false],
  ['effects.exists(e, re(e.attributes.branch, "x"))', false],
  ['effects.exists(e, e.attributes.force || e.verb == "read")', false],
  ['effects.exists(e, e.attributes["force"])', false],
  ['effects.exists(e, has(e.attributes.force) || e.attributes.force)', false],
  ['effects.exists(e, has(e.attributes.mirror) && e.attributes.force)', false],
  ['effects.exists(e, e.attributes.force && has(e.attributes.force))', false],
  ['effects.exists(e, has(e.attributes.force) && e.attributes.force)', true],
  ['effects.exists(e, has(e.attributes.amount) && e.verb == "pay" && e.attributes.amount > 5)', true],
  ['effects.exists(e, !has(e.attributes.force) || e.attributes.force)', true],
  ['effects.exists(e, has(e.attributes.force) ? e.attributes.force : false)', true],
  ['effects.exists(e, e.attributes.amount != null && e.attributes.amount > 5)', true],
  ['effects.exists(e, e.attributes.force == true)', true],
  ['effects.exists(e, e.attributes.branch != "main")', true],
  ['effects.exists(e, e.attributes.branch in ["main", "release"])', true],
]

describe('an attribute that may not be there', () => {
  for (const [when, loads] of CASES) {
    proves(['T13', 'T42'], `${loads ? 'is read' : 'must be guarded'}: ${when}`, () => {
      const result = compile(text(when))
      expect(result.ok ? [] : result.errors.map(({ code }) => code)).toEqual(loads ? [] : ['policy.condition_type'])
    })
  }

  test('the error shows the place and the guarded form to copy', () => {
    const result = compile(text('effects.exists(e, e.attributes.force)'))
    const [error] = result.ok ? [] : result.errors
    expect([error?.line, error?.column, error?.help]).toEqual([
      3,
      44,
      'guard it: `has(e.attributes.force) && …`; a flag: `e.attributes.force == true`',
    ])
  })

  test('the forms of the help load', () => {
    for (const when of [
      'effects.exists(e, has(e.attributes.force) && e.attributes.force)',
      'effects.exists(e, e.attributes.force == true)',
    ])
      expect(policy(text(when)).rules.all).toHaveLength(1)
  })
})
