/** Whoever may look at the policy sends texts (`POST /v1/policy/lint`): none of them opens a file by naming it. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { proves } from '../../test/proves.ts'
import { policyTools } from './policy-tools.ts'

const MARKER = 'marker-of-a-secret-7f3a'
const place = mkdtempSync(join(tmpdir(), 'cs-lint-'))
afterAll(() => rmSync(place, { recursive: true, force: true }))

const inForce = join(place, 'countersign.yaml')
const OWN = 'version: 1\ncapabilities: { files: [grants.json] }\n'
writeFileSync(inForce, OWN)
writeFileSync(join(place, 'grants.json'), '{"git:push": {"granted": true, "expires": "soon"}}')
const tools = policyTools(() => inForce)
const shipped = policyTools(() => null)

const SECTIONS = {
  'a file of grants': 'capabilities: { files: [FILE] }',
  'a file of contracts': 'contracts: { files: [FILE] }',
  'evidence of a judge': 'judges: { j: { provider: command, command: [/bin/true], criteria: x, mode: shadow, calibration: FILE } }',
} as const

const CONTENTS = {
  text: `${MARKER}\n`,
  grants: `{"${MARKER}": {"granted": true, "expires": "${MARKER}"}}`,
  broken: `{"aws_secret": "${MARKER}", "a": `,
  contracts: `{"version": "1.0", "contracts": [{"tool_name": "x", "postconditions": [{"kind": "${MARKER}"}]}]}`,
  evidence: `{"judge": "${MARKER}"}`,
} as const

describe('hostile: a text names a file that the policy in force does not name', () => {
  for (const [what, section] of Object.entries(SECTIONS)) {
    for (const [content, bytes] of Object.entries(CONTENTS)) {
      for (const form of ['absolute', 'beside the policy'] as const) {
        proves('T60', `${what}, ${form}, with ${content}: nothing of it is told, nor whether it is there`, async () => {
          const file = join(place, `${content}.secret`)
          writeFileSync(file, bytes)
          const name = form === 'absolute' ? file : `${content}.secret`
          const text = `version: 1\n${section.replace('FILE', JSON.stringify(name))}\n`
          const missing = text.replace('.secret', '.absent')
          for (const each of [tools, shipped]) {
            const told = JSON.stringify([each.lint(text), await each.replay(text, [])])
            expect(told).not.toContain(MARKER)
            expect(told).toContain('it is not read here')
            expect(JSON.stringify([each.lint(missing), await each.replay(missing, [])]).replaceAll('.absent', '.secret')).toBe(told)
          }
        })
      }
    }
  }
})

describe('ordinary: files that the policy in force names', () => {
  test('are read beside it, so its own text has the findings that it has on the command line', () => {
    const told = JSON.stringify(tools.lint(OWN))
    expect(told).toContain('the `expires` of `git:push` is no date')
    expect(told).not.toContain('it is not read here')
  })

  test('are read in a draft, too', () => {
    expect(JSON.stringify(tools.lint('version: 1\ncapabilities: { files: [grants.json] }\n'))).toContain('is no date')
  })

  test('by that very name alone', () => {
    const draft = `version: 1\ncapabilities: { files: [${JSON.stringify(join(place, 'grants.json'))}] }\n`
    expect(JSON.stringify(tools.lint(draft))).toContain('it is not read here')
  })
})
