/** The policies in the guide load as they are printed, and lint has nothing to say but what the guide says itself. */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { COMPILE } from '../../src/cli/open.ts'
import { CODES } from '../../src/core/codes.ts'
import { compilePolicy } from '../../src/policy/compile.ts'
import { formatPolicyError } from '../../src/policy/errors.ts'
import { sha256 } from '../../src/policy/file.ts'
import { JUDGE_PROVIDERS, JUDGE_TOOLS } from '../../src/policy/judges.ts'
import { LINTS } from '../../src/policy/warnings.ts'

const guide = readFileSync(new URL('../../docs/guide/judges.md', import.meta.url), 'utf8')
const policies = [...guide.matchAll(/```yaml\n([^`]*)```/g)].flatMap((match) => match[1] ?? [])

describe('docs/guide/judges.md', () => {
  test('shows policies', () => expect(policies.length).toBe(3))

  for (const [index, text] of policies.entries()) {
    test(`policy ${index + 1} loads without errors or warnings`, () => {
      const result = compilePolicy(text, { ...COMPILE, path: 'guide.yaml', sha256 })
      expect(result.ok ? result.policy.warnings : result.errors.map(formatPolicyError).join('\n')).toEqual([])
    })
  }

  test('names every provider and every tool there is', () => {
    for (const name of [...JUDGE_PROVIDERS, ...JUDGE_TOOLS]) expect(guide).toContain(name)
  })

  test('names only codes that exist', () => {
    const written = [...guide.matchAll(/`((?:judge|session|timeout|lint)\.[a-z_]+)`/g)].map((match) => match[1] ?? '')
    expect(written.length).toBeGreaterThan(10)
    for (const code of written) expect(Object.hasOwn(CODES, code) || Object.hasOwn(LINTS, code), code).toBe(true)
  })
})
