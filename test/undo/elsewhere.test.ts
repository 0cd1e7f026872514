/** The way back of an act on another machine is not that of the same act here. */
import { describe, expect, onTestFinished, test } from 'vitest'
import { openGate } from '../../src/open.ts'
import { bash } from '../support/calls.ts'
import { temporaryDirectory } from '../support/records.ts'
import { policyOf } from '../support/workplace.ts'

const POLICY = 'hazards: { packs: [] }\nrules: { allow: [{ tool: "*", when: "true", reason: fine }] }\nundo: { require_way_back: false }\n'

describe('nothing of this machine is kept for an act on another one', () => {
  const ACTS = [
    'git push origin main',
    'git push --force origin main',
    'git reset --hard HEAD~1',
    'git clean -fd',
    'sqlite3 shop.db "drop table orders"',
    'rm -rf build',
    'npm publish',
    'kubectl delete deployment web',
  ]
  const SHELLS = ['ssh build.example', 'docker exec web', 'kubectl exec web --']
  test.each(SHELLS)('%s', async (shell) => {
    const work = temporaryDirectory()
    const { gate, close } = openGate({ home: temporaryDirectory(), policy: () => ({ policy: policyOf(POLICY), degraded: null }) })
    onTestFinished(() => close())
    for (const act of ACTS) {
      const { decision, undo } = await gate.decide(bash(`${shell} ${act}`, { cwd: work, session: null }))
      expect([act, decision, undo?.id ?? null]).toEqual([act, 'allow', null])
    }
  })
})
