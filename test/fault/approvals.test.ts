/** Sudden death between ask, answer and use: what was acknowledged holds, nothing is lost, nothing runs twice (T26). */
import { describe, expect } from 'vitest'
import { findApprovals, type StoredApproval } from '../../src/approvals/store.ts'
import { auditVerify } from '../../src/audit/log.ts'
import { COMPILE } from '../../src/cli/open.ts'
import { own } from '../../src/core/json.ts'
import { openGate } from '../../src/open.ts'
import { compilePolicy } from '../../src/policy/compile.ts'
import { sha256 } from '../../src/policy/file.ts'
import { loadKeys } from '../../src/store/sqlite/keys.ts'
import { openStore } from '../../src/store/sqlite/open.ts'
import { createFixedView } from '../../src/view/fixed.ts'
import { proves } from '../proves.ts'
import { bundled, start } from '../support/program.ts'
import { temporaryDirectory } from '../support/records.ts'
import { approvedCall, POLICY } from './approved-call.ts'

const APPROVE = bundled(new URL('./programs/approve.ts', import.meta.url))
const DEATHS = 6

/** Runs the program and kills it once it has gone `steps` steps, each time at another point of the life of an approval. */
async function died(home: string, steps: number): Promise<readonly string[]> {
  const { process: child, ended } = start(process.execPath, [APPROVE, home])
  let seen = 0
  child.stdout?.on('data', (text: string) => {
    seen += text.split('\n').length - 1
    if (seen >= steps) setTimeout(() => child.kill('SIGKILL'), steps % 5)
  })
  const { signal, lines, errors } = await ended
  expect([signal, errors]).toEqual(['SIGKILL', ''])
  return lines
}

function gateOver(home: string) {
  const compiled = compilePolicy(POLICY, { ...COMPILE, path: null, sha256 })
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.errors))
  const { policy } = compiled
  return openGate({ home, policy: () => ({ policy, degraded: null }), view: () => createFixedView({ home: '/home/user', cwd: '/repo' }) })
}

/** How far each acknowledged approval had come, by its id. */
function acknowledged(lines: readonly string[]): ReadonlyMap<string, string> {
  return new Map(lines.map((line) => line.split(' ')).map(([step = '', id = '']) => [id, step]))
}

const AT_LEAST: ReadonlyMap<string, readonly string[]> = new Map([
  ['ask', ['pending', 'approved', 'consumed']],
  ['new', ['pending', 'approved', 'consumed']],
  ['yes', ['approved', 'consumed']],
  ['ran', ['consumed']],
])

const nameOf = ({ sheet }: StoredApproval): string => {
  const call = sheet.call as { args: { name: string } }
  return call.args.name
}

describe('kill -9', () => {
  proves(
    ['T26', 'P7', 'PIT-9'],
    'at any point: pending stays pending, a yes holds once, and every run has its record',
    async () => {
      const home = temporaryDirectory()
      const lines: string[] = []
      for (let death = 0; death < DEATHS; death += 1) lines.push(...(await died(home, 7 + death)))
      const store = openStore({ directory: home })
      const approvals = store.query((tx) => findApprovals(tx, loadKeys(home).ring, { tenant: null, limit: 10_000, now: 0 }))
      const byId = new Map(approvals.map((approval) => [approval.id, approval]))
      for (const [id, step] of acknowledged(lines))
        expect([step, AT_LEAST.get(step)]).toEqual([step, expect.arrayContaining([byId.get(id)?.status])])
      for (const line of lines.filter((each) => each.startsWith('new ')))
        expect(byId.get(line.slice(4))?.edit?.args).toEqual({ changed: true })
      expect(approvals.length).toBeGreaterThan(2 * DEATHS)

      const opened = gateOver(home)
      for (const approval of approvals.filter(({ status }) => status !== 'consumed')) {
        const host = { attended: false, rewrites: true }
        const { decision, approval: waits, modified } = await opened.gate.decide(approvedCall(nameOf(approval)), 0, host)
        if (decision === 'allow') expect(modified?.arguments.changed ?? false).toBe(approval.edit !== null)
        expect([approval.status, decision]).toEqual([approval.status, approval.status === 'approved' ? 'allow' : 'ask'])
        if (approval.status === 'pending') expect(waits?.id).toBe(approval.id)
      }
      opened.close()

      const ran = [...store.read({ kind: 'decision', decision: 'allow' })].map(({ body }) => JSON.stringify(own(body, 'decision')))
      for (const { id } of approvals) {
        const runs = ran.filter((text) => text.includes(`"id":"${id}"`)).length
        expect([id, runs]).toEqual([
          id,
          store.query((tx) => tx.get('SELECT status FROM approvals WHERE id = ?', id))?.status === 'consumed' ? 1 : 0,
        ])
      }
      store.close()
      expect(auditVerify({ directory: home }).ok).toBe(true)
    },
    180_000,
  )
})
