/** Arguments that people changed, over HTTP: a host says that it can put them in, or it is told what to send. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { proves } from '../../test/proves.ts'
import { ASKING, ask, asking, opened, startServer, type TestServer } from '../../test/support/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer({ policy: `${ASKING}approvals: { budget: { session: 1000, within: 1h } }\n` })
})
afterAll(() => server.stop())

let session = 0
let id: string
const CHANGED = { to: 'somebody else' }
const call = (more: Readonly<Record<string, unknown>> = {}) => asking({ session: `s${session}`, ...more })
const decide = (rewrites: string | null, more: Readonly<Record<string, unknown>> = {}) =>
  ask(`${server.url}/v1/decisions`, {
    body: call(more),
    ...(rewrites === null ? {} : { headers: { 'countersign-rewrites': rewrites } }),
  })

/** Approved with other arguments. */
beforeEach(async () => {
  session += 1
  id = (await opened(server, { session: `s${session}` })).id
  const approve = (body: object) => ask<{ version: number }>(`${server.url}/v1/approvals/${id}/approve`, { token: server.operator, body })
  const { body } = await approve({ modified_arguments: CHANGED })
  expect((await approve({ version: body.version })).body).toMatchObject({ status: 'approved' })
})

describe('a host that says it can put changed arguments in', () => {
  proves(['PRO-28c', 'PIT-6', 'P7'], 'is let run once, with these', async () => {
    const { status, body } = await decide('true')
    expect([status, body.decision, body.modified_arguments]).toEqual([200, 'allow', CHANGED])
    expect(body.agent_reason).toContain('Approved with modified arguments')
    expect((await decide('true')).status).toBe(202)
  })

  test('is told so in a strict body, too', async () => {
    server.use(`${ASKING}server: { body: strict }\n`)
    const other = await opened(server, { session: 'strict' })
    const approve = (body: object) =>
      ask<{ version: number }>(`${server.url}/v1/approvals/${other.id}/approve`, { token: server.operator, body })
    await approve({ version: (await approve({ modified_arguments: CHANGED })).body.version })
    const { status, body } = await decide('true', { session: 'strict' })
    expect([status, body.modified_arguments, Object.hasOwn(body, 'reason')]).toEqual([200, CHANGED, false])
    server.use(`${ASKING}approvals: { budget: { session: 1000, within: 1h } }\n`)
  })
})

describe('a host that does not', () => {
  for (const said of [null, 'false']) {
    proves(['PRO-28c', 'PIT-6'], `(${said ?? 'no header'}) is denied, told which arguments to send, and these run once`, async () => {
      const told = await decide(said)
      expect([told.status, told.body.code, told.body.modified_arguments]).toEqual([403, 'approval.with_changes', CHANGED])
      const sent = await decide(said, { args: CHANGED })
      expect([sent.status, sent.body.decision]).toEqual([200, 'allow'])
      expect((await decide(said, { args: CHANGED })).status).toBe(202)
    })
  }
})

describe('a header that says neither', () => {
  for (const said of ['yes', '1', 'TRUE', '', 'true, true']) {
    test(`\`${said}\` is refused, and nothing is used`, async () => {
      const { status, body } = await decide(said)
      expect([status, body.error]).toEqual([400, 'http.header'])
      expect((await ask(`${server.url}/v1/approvals/${id}`, { token: server.operator })).body.status).toBe('approved')
    })
  }
})
