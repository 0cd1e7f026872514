/** Sessions that were stopped, whose they are, and the way back. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { proves } from '../../test/proves.ts'
import { ASKING, ask, startServer, type TestServer } from '../../test/support/server.ts'

let server: TestServer
beforeEach(async () => {
  server = await startServer({ policy: `${ASKING}disclosure: { repeats_before_halt: 2 }\n` })
})
afterEach(() => server.stop())

const decide = async (more: object, token?: string) =>
  (
    await ask<{ decision: string; session: string }>(`${server.url}/v1/decisions`, {
      body: { tool: 'get_x', args: {}, session: 's-1', ...more },
      ...(token === undefined ? {} : { token }),
    })
  ).body
const stop = async (token?: string) => {
  for (let i = 0; i < 4; i += 1) await decide({ tool: 'never', args: {} }, token)
  expect((await decide({}, token)).decision).toBe('halt')
}
const unlock = (body: object, token = server.operator) =>
  ask(`${server.url}/v1/sessions/unlock`, { token, body: { reason: 'mended', ...body } })
const rows = async () => {
  const { body } = await ask<{ sessions: { session: string; owner: string | null; locked: boolean }[] }>(`${server.url}/v1/sessions`, {
    token: server.operator,
  })
  return Object.fromEntries(body.sessions.map((row) => [row.session, [row.owner, row.locked] as const]))
}

proves(['T64', 'T65'], 'nobody stops the session of somebody else by naming it', async () => {
  const [one, other] = [server.token({ name: 'one', role: 'agent' }), server.token({ name: 'other', role: 'agent' })]
  await stop(one)
  expect((await decide({}, other)).decision).toBe('allow')
  expect((await decide({})).decision).toBe('allow')
  expect((await decide({}, server.operator)).decision).toBe('allow')
  const found = await rows()
  expect(Object.values(found).filter(([, locked]) => locked)).toHaveLength(1)
  expect(found['s-1']).toEqual([null, false])
})

test('its host is told the name that it gave', async () => {
  const token = server.token({ name: 'one', role: 'agent' })
  expect((await decide({}, token)).session).toBe('s-1')
})

describe('a stopped session', () => {
  proves('T53', 'goes on once a person unlocks it, starts anew, and the log says who and why', async () => {
    const alice = server.token({ name: 'human:alice', role: 'approver' })
    await stop()
    expect((await rows())['s-1']).toEqual([null, true])
    const { status, body } = await unlock({ session: 's-1' }, alice)
    expect([status, body.was_locked, Number(body.forgotten) > 0]).toEqual([200, true, true])
    expect([(await decide({})).decision, (await rows())['s-1']]).toEqual(['allow', [null, false]])
    expect((await decide({ tool: 'never' })).decision).toBe('deny')
    const record = await ask<{ kind: string; session: string; body: object }>(`${server.url}/v1/decisions/${String(body.id)}`, {
      token: alice,
    })
    expect(record.body).toMatchObject({
      kind: 'session',
      session: 's-1',
      body: { event: 'session_unlocked', by: 'human:alice', reason: 'mended', locked: true },
    })
  })

  for (const [title, body, status] of [
    ['another session', { session: 's-2' }, 404],
    ['a session whose name goes on', { session: 's-' }, 404],
    ['a session of another tenant', { session: 's-1', tenant: 'acme' }, 404],
    ['no reason', { session: 's-1', reason: '' }, 422],
    ['what was not asked for', { session: 's-1', all: true }, 422],
  ] as const) {
    test(`${title}: ${status}, and it stays stopped`, async () => {
      await stop()
      expect((await unlock(body)).status).toBe(status)
      expect((await decide({})).decision).toBe('halt')
    })
  }

  proves('T64', 'is unlocked by nobody of another tenant', async () => {
    const agent = server.token({ name: 'bot', role: 'agent', tenant: 'acme' })
    await stop(agent)
    const name = Object.keys(await rows()).find((session) => session.startsWith('s-1@')) ?? ''
    const stranger = server.token({ name: 'human:eve', role: 'admin', tenant: 'beta' })
    expect((await unlock({ session: name, tenant: 'acme' }, stranger)).status).toBe(404)
    const own = server.token({ name: 'human:adam', role: 'approver', tenant: 'acme' })
    expect((await unlock({ session: name }, own)).status).toBe(200)
    expect((await decide({}, agent)).decision).toBe('allow')
  })

  proves('P8', 'is not unlocked by whoever opened it', async () => {
    const alice = server.token({ name: 'human:alice', role: 'approver' })
    await stop(alice)
    expect((await unlock({ session: 's-1@human:alice' }, alice)).status).toBe(403)
    expect((await unlock({ session: 's-1@human:alice' })).status).toBe(200)
  })
})
