/** The policies in the guide load as they are printed. */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { COMPILE } from '../../src/cli/open.ts'
import { compilePolicy } from '../../src/policy/compile.ts'
import { formatPolicyError } from '../../src/policy/errors.ts'
import { sha256 } from '../../src/policy/file.ts'

const guide = readFileSync(new URL('../../docs/guide/contracts.md', import.meta.url), 'utf8')
const policies = [...guide.matchAll(/```yaml\n([^`]*)```/g)].flatMap((match) => match[1] ?? [])

describe('docs/guide/contracts.md', () => {
  test('shows policies', () => expect(policies.length).toBeGreaterThanOrEqual(2))

  for (const [index, text] of policies.entries()) {
    test(`policy ${index + 1} loads without errors or warnings`, () => {
      const result = compilePolicy(text, { ...COMPILE, path: 'guide.yaml', sha256 })
      expect(result.ok ? result.policy.warnings : result.errors.map(formatPolicyError).join('\n')).toEqual([])
    })
  }
})
