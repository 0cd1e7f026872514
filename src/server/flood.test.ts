/** A thousand asks of fifty sessions at once: the caps hold, the inbox stays usable, nothing is lost (T23). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { proves } from '../../test/proves.ts'
import { ASKING, ask, startServer, type TestServer } from '../../test/support/server.ts'

const SESSIONS = 50
const EACH = 20
const CAP = 5

let server: TestServer
let statuses: ReadonlyMap<number, number>
beforeAll(async () => {
  server = await startServer({ policy: `${ASKING}approvals: { max_pending: { session: ${CAP} } }\n` })
  const counted = new Map<number, number>()
  const session = async (name: number) => {
    for (let n = 0; n < EACH; n += 1) {
      const { status } = await ask(`${server.url}/v1/decisions`, {
        body: { tool: 'send_it', args: { to: `somebody ${n}` }, session: `s-${name}`, principal: { agent: 'a' } },
      })
      counted.set(status, (counted.get(status) ?? 0) + 1)
    }
  }
  await Promise.all(Array.from({ length: SESSIONS }, (_, name) => session(name)))
  statuses = counted
})
afterAll(() => server.stop())

describe('a flood', () => {
  proves('T23', 'waits up to the cap of each session; the rest is denied', () => {
    expect(statuses.get(202)).toBe(SESSIONS * CAP)
    expect([...statuses.values()].reduce((sum, count) => sum + count, 0)).toBe(SESSIONS * EACH)
    expect([...statuses.keys()].toSorted()).toEqual([202, 403])
  })

  proves('T23', 'is shown page by page, in groups', async () => {
    const { status, body } = await ask<{ approvals: unknown[]; more: boolean; groups: { ids: string[] }[] }>(
      `${server.url}/v1/approvals?status=pending&limit=100`,
      { token: server.operator },
    )
    expect([status, body.approvals.length, body.more, body.groups.length]).toEqual([200, 100, true, 1])
    const all = await ask<{ approvals: unknown[]; more: boolean }>(`${server.url}/v1/approvals?status=pending&limit=1000`, {
      token: server.operator,
    })
    expect([all.body.approvals.length, all.body.more]).toEqual([SESSIONS * CAP, false])
  })

  test('leaves room for whoever answers', async () => {
    const { body } = await ask<{ approvals: { id: string; session: string }[] }>(`${server.url}/v1/approvals?status=pending&limit=50`, {
      token: server.operator,
    })
    const ids = body.approvals.map(({ id }) => id)
    const answered = await ask<{ results: { ok: boolean }[] }>(`${server.url}/v1/approvals/batch`, {
      token: server.operator,
      body: { ids, verdict: 'deny' },
    })
    expect(answered.body.results.every(({ ok }) => ok)).toBe(true)
    const { text } = (await ask<{ text: string }>(`${server.url}/metrics`)).body
    expect(text).toContain(`countersign_approvals_pending ${SESSIONS * CAP - ids.length}\n`)
  })

  test('every one of them is in the log', async () => {
    const { body } = await ask<{ counters: { by_decision: Record<string, number> } }>(`${server.url}/v1/stats`, { token: server.operator })
    expect(Object.values(body.counters.by_decision).reduce((sum, count) => sum + count, 0)).toBe(SESSIONS * EACH)
    expect((await ask(`${server.url}/v1/audit/verify`, { token: server.operator })).body.ok).toBe(true)
  })
})
