/** A real server that ends between a call and its answer: nobody knows whether it happened, so its repetition asks. */
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { JsonObject } from '../../src/core/json.ts'
import { openGate } from '../../src/open.ts'
import { eventually } from '../support/eventually.ts'
import { mcpPolicy } from '../support/mcp.ts'
import { connected, mcpHome, ranIn } from '../support/mcp-peers.ts'
import { bundled } from '../support/program.ts'

const SERVER = bundled(new URL('./programs/previewing-server.ts', import.meta.url))
const POLICY = `version: 1
default: ask
hazards: { packs: [] }
tools: { transfer: { risk_tier: low, irreversible: true } }
mcp_proxy: { hold: 50ms }
rules: { allow: [{ tool: "*", when: "true", reason: fine }] }
`

test('a call whose server dies has the outcome `unknown`; the retry asks, and runs once people said yes', async () => {
  const home = mcpHome(POLICY)
  const marker = join(home.work, 'ran')
  const client = (dies: string) =>
    connected(home, [process.execPath, SERVER], { era: 'legacy', environment: { MARKER: marker, DIES: dies }, proxy: ['--name', 'bank'] })
  const opened = openGate({ home: home.home, policy: () => ({ policy: mcpPolicy(POLICY), degraded: null }) })
  onTestFinished(() => opened.close())
  const outcomes = () => {
    const results = [...(opened.store.read({ kind: 'result' }) as Iterable<{ body: JsonObject }>)]
    return results.map(({ body }) => (body.outcome as JsonObject).state)
  }

  const first = await client('yes')
  const lost = await first.callTool({ name: 'transfer', arguments: { to: 'acct-1' } }).then(
    (answer) => JSON.stringify(answer),
    (error: unknown) => String(error),
  )
  expect(lost).not.toContain('done')
  expect(ranIn(marker)).toEqual(['transfer acted {"to":"acct-1"}'])

  const second = await client('no')
  const text = async (args: object) => JSON.stringify(await second.callTool({ name: 'transfer', arguments: { ...args } }))
  const retried = await text({ to: 'acct-1' })
  expect(retried).toContain('is pending until')
  expect(ranIn(marker).length).toBe(1)
  const [asked] = opened.queue.list({ tenant: null, status: 'pending' }).approvals
  expect(JSON.stringify(asked?.sheet)).toContain('may have happened at')
  // Another act is none of it.
  expect(await text({ to: 'acct-2' })).toContain('done')
  await opened.queue.answer(asked?.id ?? '', { tenant: null, by: 'human:alice', verdict: 'approve', comment: 'the bank shows none' })
  expect(await text({ to: 'acct-1' })).toContain('done')
  expect(ranIn(marker)).toEqual(['acct-1', 'acct-2', 'acct-1'].map((to) => `transfer acted {"to":"${to}"}`))
  // The client has its answer before the log has the record of the result.
  await eventually(() => expect(outcomes()).toEqual(['unknown', 'ran', 'ran']))
})
