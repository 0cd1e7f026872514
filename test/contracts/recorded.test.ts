/** Contracts on calls that nobody here wrote: broken twins of valid calls, and a retail desk with eight kinds of violations. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { COMPILE } from '../../src/cli/open.ts'
import { contracts } from '../../src/layers/contracts/index.ts'
import { remember } from '../../src/policy/contracts/remember.ts'
import { prepareSchema } from '../../src/policy/contracts/schema.ts'
import { readPolicy } from '../../src/policy/file.ts'
import { call, facts } from '../../src/policy/testing/compiled.ts'
import { type Recording, readRecordings } from '../../src/replay/read.ts'
import { emptySession, type SessionState } from '../../src/session/state.ts'

const RECORDED = process.env.COUNTERSIGN_EVAL ?? join(import.meta.dirname, '../../../shared/eval/dev')
const present = existsSync(RECORDED)

interface Tally {
  found: number
  of: number
}

describe.skipIf(!present)(present ? 'recorded calls' : 'recorded calls: skipped, because ../shared/eval is not here', () => {
  test('every broken twin is found, and no call that fits its schema is flagged', async () => {
    const kinds = new Map<string, Tally>()
    const flagged: string[] = []
    for await (const { session, calls, labels } of readRecordings(join(RECORDED, 'bfcl_schema.jsonl.gz'))) {
      for (const [index, { args, definition }] of calls.entries()) {
        const wrong = prepareSchema(definition?.inputSchema ?? {}, { closed: true })?.check(args) ?? []
        const { label, violation = 'none' } = labels[index] ?? { label: 'unknown' }
        if (label === 'attack') count(kinds, violation, wrong.length > 0)
        else if (wrong.length > 0) flagged.push(`${session}: ${wrong.join('; ')}`)
      }
    }
    expect([...kinds.values()].every(({ found, of }) => found === of && of > 50)).toBe(true)
    expect([...kinds.values()].reduce((sum, { of }) => sum + of, 0)).toBe(992)
    // Five calls of the set are labelled as valid and are not: a value outside of the enum that their own schema gives
    // (docs/evaluation.md has each).
    expect(flagged.every((line) => line.includes('not in enum'))).toBe(true)
    expect(flagged.map((line) => /live_multiple_[\d-]+/.exec(line)?.[0])).toEqual([
      'live_multiple_595-158-1',
      'live_multiple_756-169-11',
      'live_multiple_835-178-10',
      'live_multiple_87-38-4',
      'live_multiple_947-197-0',
    ])
  })

  test('the desk: every kind of violation is found, nothing right is flagged', async () => {
    const kinds = new Map<string, Tally>()
    let benign = 0
    const flagged = new Map<string, number>()
    for await (const recording of readRecordings(join(RECORDED, 'tau_retail_contracts.jsonl.gz'))) {
      for (const { index, ids } of judged(recording)) {
        const { label, violation = 'none' } = recording.labels[index] ?? { label: 'unknown' }
        if (label === 'attack') count(kinds, violation, ids.length > 0)
        else benign++
        if (label === 'benign' && ids.length > 0) flagged.set(ids.join('+'), (flagged.get(ids.join('+')) ?? 0) + 1)
      }
    }
    expect(kinds.size).toBe(8)
    for (const [kind, { found, of }] of kinds) expect([kind, found / of >= 0.95]).toEqual([kind, true])
    const wrong = [...flagged.values()].reduce((sum, each) => sum + each, 0)
    expect(wrong / benign).toBeLessThanOrEqual(0.01)
    // What is flagged breaks a house rule: writes before the last one of a conversation without authentication, mostly.
    expect(flagged.get('authenticated')).toBe(41)
  })
})

function count(kinds: Map<string, Tally>, kind: string, found: boolean): void {
  const tally = kinds.get(kind) ?? { found: 0, of: 0 }
  tally.of++
  if (found) tally.found++
  kinds.set(kind, tally)
}

const result = readPolicy(join(import.meta.dirname, '../../examples/tau-retail/countersign.yaml'), COMPILE)

/** Violated constraints per call; results of calls that were refused are not told. */
function* judged({ calls }: Recording): Generator<{ readonly index: number; readonly ids: readonly string[] }> {
  if (!result.ok) throw new Error('the example does not load')
  const { policy } = result
  let tables: SessionState['tables'] = new Map()
  for (const [index, { tool, args, result: returned }] of calls.entries()) {
    const found = contracts.evaluate({ call: call(tool, { args }), facts: facts(), policy, state: { ...emptySession(0), tables } })
    const denied = found.filter((finding) => finding.verdict === 'deny')
    const violations = denied.flatMap((finding) => finding.evidence.violations as readonly { constraint: string | null; rung: string }[])
    yield { index, ids: violations.map((violation) => violation.constraint ?? violation.rung) }
    if (denied.length === 0) tables = remember(tables, policy.contracts.tables, { server: null, tool, args, result: returned })
  }
}
