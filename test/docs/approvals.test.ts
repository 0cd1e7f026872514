/** The guide to approvals is true: its policy loads, grants are proposed as it shows them, and withheld for the reasons that it gives. */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { COMPILE } from '../../src/cli/open.ts'
import { isJsonObject, type Json } from '../../src/core/json.ts'
import { compilePolicy } from '../../src/policy/compile.ts'
import { sha256 } from '../../src/policy/file.ts'
import { offered, seen } from '../adversarial/width.ts'
import { bash } from '../support/calls.ts'

const guide = readFileSync(new URL('../../docs/guide/approvals.md', import.meta.url), 'utf8')
const blocks = (language: string): readonly string[] =>
  [...guide.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].flatMap((match) => match[1] ?? [])

test('its policy loads', () => {
  for (const text of blocks('yaml')) expect(compilePolicy(text, { ...COMPILE, path: 'guide.yaml', sha256 })).toMatchObject({ ok: true })
})

/** The command in backticks before the block, which is for it. */
test('the grant for a deletion is proposed as it is shown', () => {
  const [, command = ''] = /For `(kubectl [^`]+)`, the proposal is:/.exec(guide) ?? []
  const [shown] = blocks('json').map((text) => JSON.parse(text) as Json)
  const grant = isJsonObject(shown ?? null) ? (shown as { grant: { action: string; scope: Json } }).grant : null
  expect(offered(seen(bash(command))).offers).toMatchObject([{ action: grant?.action, scope: grant?.scope }])
})

test('the grant for a push is proposed as it is taken', () => {
  const [, text = '{}'] = /--scope '(\{"grant".*\})'$/m.exec(guide) ?? []
  const { grant } = JSON.parse(text) as { grant: { action: string; scope: Json } }
  expect(offered(seen(bash('git push origin main'))).offers).toMatchObject([{ action: grant.action, scope: grant.scope }])
})

describe('no grant is proposed', () => {
  const rows = guide.slice(guide.indexOf('| call | why not |')).split('\n\n')[0]?.split('\n').slice(2) ?? []
  const cases = rows.flatMap((row) => {
    const [calls = '', why = ''] = row.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, ''))
    return [...calls.matchAll(/`([^`]+)`/g)].map(([, command = '']) => ({
      command,
      cwd: calls.includes('outside') ? '/elsewhere' : '/repo',
      why,
    }))
  })

  test('in five places with commands', () => expect(cases.length).toBe(6))
  for (const { command, cwd, why } of cases) {
    test(`for ${command}`, () => {
      const { offers, withheld } = offered(seen(bash(command, { cwd })))
      expect([offers, withheld.map((each) => each.why)]).toEqual([[], expect.arrayContaining([why])])
    })
  }
})
