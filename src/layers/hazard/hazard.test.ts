import { describe, expect, test } from 'vitest'
import { COMPILE } from '../../cli/open.ts'
import type { ToolCall } from '../../core/call.ts'
import { analyseCall } from '../../open.ts'
import { compilePolicy } from '../../policy/compile.ts'
import { sha256 } from '../../policy/file.ts'
import { emptySession } from '../../session/state.ts'
import { createFixedView } from '../../view/fixed.ts'
import { hazard } from './index.ts'
import { PACKS } from './packs/index.ts'

const compiled = compilePolicy('version: 1\ntool_families: [claude-code]\n', { ...COMPILE, path: null, sha256 })
if (!compiled.ok) throw new Error(JSON.stringify(compiled.errors))
const { policy } = compiled
const state = emptySession(0)

/** Ids of the hazard rules that a command meets. */
function hazards(command: string): readonly { readonly rule: string; readonly verdict: string }[] {
  const view = createFixedView({ home: '/home/user', cwd: '/home/user/project', files: { '/home/user/project/README.md': '' } })
  const call: ToolCall = {
    tool: { server: null, name: 'Bash', definition: null },
    args: { command },
    principal: { agent: null, role: null, user: null, tenant: null, chain: [] },
    session: null,
    cwd: '/home/user/project',
    context: { task: null, recent: [] },
    definition: null,
    approval: null,
    callId: null,
  }
  return hazard.evaluate({ call, facts: analyseCall(call, view, { state, policy }), policy, state })
}

for (const pack of PACKS) {
  describe(`pack ${pack.name}`, () => {
    for (const rule of pack.rules) {
      for (const command of rule.examples.match) {
        test(`${rule.id} matches: ${command}`, () => expect(hazards(command).map((found) => found.rule)).toContain(rule.id))
      }
      for (const command of rule.examples.not_match) {
        test(`${rule.id} leaves alone: ${command}`, () => expect(hazards(command).map((found) => found.rule)).not.toContain(rule.id))
      }
      if (rule.safer !== null) {
        const { safer } = rule
        test(`${rule.id}: its safe way passes: ${safer}`, () =>
          expect(hazards(safer).filter((found) => found.verdict === 'ask' || found.verdict === 'deny')).toEqual([]))
      }
    }
  })
}

test('ids are unique, and every reason says what is dangerous', () => {
  const ids = PACKS.flatMap((pack) => pack.rules.map((rule) => rule.id))
  expect(new Set(ids).size).toBe(ids.length)
})
