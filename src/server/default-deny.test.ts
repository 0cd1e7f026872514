/** `default: deny` with a question that people can answer: they are asked (202), their yes is the permit, and nobody else's is. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { proves } from '../../test/proves.ts'
import { ask, OPERATOR, startServer, type TestServer } from '../../test/support/server.ts'

const POLICY = `default: deny
unregistered: deny
tools:
  wipe: { risk_tier: high, irreversible: true }
  plain: {}
rules:
  ask:
    - { tool: wipe, user: ann, reason: somebody must agree }
    - { tool: judged, reason: a judge may say, resolvers: [judge] }
`

let server: TestServer
beforeAll(async () => {
  server = await startServer({ policy: POLICY })
})
afterAll(() => server.stop())

const decide = (tool: string, more: object = {}) =>
  ask(`${server.url}/v1/decisions`, { body: { tool, args: {}, session: 'deny', ...more } })

describe('default: deny', () => {
  proves(['SIG-35', 'P1'], 'asks where a registered tool cannot be undone, and the yes lets it run once', async () => {
    const { status, body } = await decide('wipe')
    const { decision, code, approval } = body as { decision: string; code: string; approval: { id: string } }
    expect([status, decision, code]).toEqual([202, 'ask', 'registry.irreversible'])
    await server.opened.queue.answer(approval.id, { tenant: null, by: OPERATOR, verdict: 'approve' })
    expect((await decide('wipe')).status).toBe(200)
    expect((await decide('wipe')).status).toBe(202)
  })

  test('denies what nothing asks about, and what only a judge could answer', async () => {
    expect((await decide('unknown')).status).toBe(403)
    expect((await decide('judged')).status).toBe(403)
  })

  test('allows what is registered', async () => expect((await decide('plain')).status).toBe(200))
})
