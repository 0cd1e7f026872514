/** What may have happened is not done a second time, through the installed hook: processes of their own, a log that they share, no daemon. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { cli, event, installedCommand, makeHome, runHook } from './harness.ts'

const POLICY = `version: 1
default: ask
unregistered: ask
tool_families: [claude-code]
hazards: { packs: [] }
rules: { allow: [{ tool: Bash, when: "true", reason: fine }] }
`
const PAYMENT = 'curl -X POST https://api.stripe.com/v1/charges -d amount=100 -d currency=usd -d customer=cus_1'

interface Answer {
  readonly hookSpecificOutput?: { readonly permissionDecision?: string; readonly permissionDecisionReason?: string }
}

test('a payment of which no result came runs once, by two processes at once and by a third one later', async () => {
  const home = makeHome()
  onTestFinished(home.remove)
  expect(cli(home, ['init', '--yes', '--agent', 'claude-code']).status).toBe(0)
  writeFileSync(join(home.state, 'countersign.yaml'), POLICY, { mode: 0o600 })
  const command = installedCommand(home)
  const pays = async (session: string): Promise<readonly [string, string]> => {
    const { stdout } = await runHook(command, event(PAYMENT, `toolu_${session}`, { session_id: session }), home.environment)
    const { permissionDecision = 'none', permissionDecisionReason = '' } = (JSON.parse(stdout) as Answer).hookSpecificOutput ?? {}
    return [permissionDecision, permissionDecisionReason]
  }
  const both = await Promise.all([pays('s-1'), pays('s-2')])
  // The hook says nothing of a call that may run: the agent's own permissions go on to hold.
  const [other, ...ran] = both.map(([decision]) => decision).toSorted()
  // Denied while the first one is decided, asked about once it is recorded.
  expect([ran, ['ask', 'deny'].includes(other ?? '')]).toEqual([['none'], true])
  const records = cli(home, ['audit', 'search', '--json', '--lines', '10']).stdout.split('\n')
  expect(records.filter((line) => /"s-[12]"/.test(line) && line.includes('"decision":"allow"'))).toHaveLength(1)
  const [decision, reason] = await pays('s-3')
  expect(decision).toBe('ask')
  expect(reason).toMatch(/may have happened at \d{4}-\d\d-\d\d \d\d:\d\d UTC: .*no result of it came/)
})
