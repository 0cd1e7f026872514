/** How long a hook may take, as the policy says it. */
import { describe, expect, test } from 'vitest'
import { compile, policy } from '../testing/compiled.ts'

const errors = (section: string) => {
  const result = compile(`version: 1\nhooks: { ${section} }\n`)
  return result.ok ? [] : result.errors.map(({ code }) => code)
}

describe('hooks.deadline', () => {
  test('is a time up to twenty seconds; default: as long as the agent’s own time allows', () => {
    expect(policy('').hooks.deadlineMs).toBeNull()
    expect(policy('hooks: {}\n').hooks.deadlineMs).toBeNull()
    for (const [written, ms] of [
      ['5s', 5_000],
      ['500ms', 500],
      ['20s', 20_000],
    ] as const)
      expect([written, policy(`hooks: { deadline: ${written} }\n`).hooks.deadlineMs]).toEqual([written, ms])
  })

  test('anything else is an error with a way out', () => {
    for (const written of ['0s', '21s', '1m', 'soon', '-5s'])
      expect([written, errors(`deadline: ${written}`)]).toEqual([written, ['policy.wrong_value']])
    for (const written of ['5', '""', '[5s]']) expect([written, errors(`deadline: ${written}`)]).toEqual([written, ['policy.wrong_type']])
    expect(errors('deadlines: 5s')).toEqual(['policy.unknown_field'])
  })
})
