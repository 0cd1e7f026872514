/** `countersign receipts`: what it prints and how it ends. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { issueReceipt } from '../../src/audit/receipt.ts'
import { receiptKey } from '../../src/audit/receipt-key.ts'
import { toldDecision } from '../../src/core/wire.ts'
import { digester } from '../../src/open.ts'
import { call } from '../../src/policy/testing/compiled.ts'
import { makeHome } from '../hosts/harness.ts'
import { commandLine } from '../support/command-line.ts'
import { workplace } from '../support/workplace.ts'

test('key and verify: text, files, answers, and what does not hold', async () => {
  const home = makeHome()
  onTestFinished(home.remove)
  const { decide } = workplace('tools: { look: { risk_tier: low } }\n')
  const decision = await decide(call('look'))
  const receipt = issueReceipt(decision, 0, { key: receiptKey(home.state), digester }) ?? ''
  const file = (name: string, text: string): string => {
    writeFileSync(join(home.user, name), text)
    return join(home.user, name)
  }
  const run = (...args: readonly string[]) => commandLine(home, ['receipts', ...args])
  const printed = await run('key')
  expect(printed.stdout).toContain('BEGIN PUBLIC KEY')
  const key = file('key.pem', printed.stdout)
  const good = await run('verify', receipt)
  expect([good.status, good.stdout]).toEqual([0, expect.stringContaining('holds: allow (registry.permitted) at 1970-01-01T00:00:00.000Z')])
  const told = file('decision.json', JSON.stringify({ ...toldDecision(decision), receipt }))
  expect((await run('verify', told, '--key', key, '--decision', told)).status).toBe(0)
  expect((await run('verify', file('lines', `X-Signet-Receipt: ${receipt}\n\n${receipt}\n`))).stdout.split('\n').length).toBe(3)
  const changed = await run('verify', receipt.replace('allow', 'deny'), '--json')
  expect([changed.status, JSON.parse(changed.stdout)]).toEqual([
    1,
    { holds: false, fault: 'wrong signature', entry: decision.auditEntryId, decision: 'deny' },
  ])
  expect((await run('verify', receipt, '--decision', file('other.json', '{}'))).status).toBe(1)
  expect((await run('verify', file('empty', ''))).status).toBe(2)
  expect((await run('key', '--rotate')).stdout).not.toBe(printed.stdout)
  expect([(await run('verify', receipt)).status, (await run('verify', receipt, '--key', key)).status]).toEqual([0, 0])
})
