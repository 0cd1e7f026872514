/** People who are flooded say yes to everything: what a session and a tenant may ask, and what a crowd of agents leaves behind. */
import { describe, expect, test } from 'vitest'
import { proves } from '../../test/proves.ts'
import { bash } from '../../test/support/calls.ts'
import { workplace } from '../../test/support/workplace.ts'
import { groupsOf } from '../approvals/groups.ts'

const push = (branch: string, session = 's-1', tenant: string | null = null) =>
  bash(`git push --force origin ${branch}`, { session, principal: { tenant } })

const today = (): number => Math.floor(Date.now() / 86_400_000)

describe('the budget of a session', () => {
  proves(
    'T23',
    'holds over five hundred asks, though people answer every one of them',
    async () => {
      const work = workplace('approvals: { budget: { session: 30, within: 1d } }\n')
      const said = new Map<string, number>()
      const first = today()
      for (let index = 0; index < 500; index += 1) {
        const { approval, code } = await work.decide(push(`b-${index}`))
        said.set(code, (said.get(code) ?? 0) + 1)
        if (approval !== null) await work.answer(approval.id)
      }
      // Each day has its budget: a run over midnight has two.
      const asked = said.get('hazard.history') ?? 0
      expect([asked >= 30, asked <= 30 * (today() - first + 1)]).toEqual([true, true])
      said.delete('hazard.history')
      expect([...said.values()].reduce((sum, each) => sum + each, 0)).toBe(500 - asked)
      expect(said.get('approval.too_many')).toBeGreaterThan(0)
      expect(work.queue.list({ tenant: null, limit: 1_000 }).approvals).toHaveLength(asked)
    },
    180_000,
  )

  const cases: readonly (readonly [title: string, calls: readonly ReturnType<typeof push>[], opened: number])[] = [
    ['different calls', [push('a'), push('b'), push('c'), push('d')], 3],
    ['the same call counts once while it waits', [push('a'), push('a'), push('a'), push('b'), push('c'), push('d')], 3],
    ['other sessions have their own', [push('a'), push('b'), push('c'), push('d', 's-2'), push('e', 's-2')], 5],
    ['other tenants have their own', [push('a'), push('b'), push('c'), push('d', 's-1', 'acme')], 4],
    ['calls without a session are one', [1, 2, 3, 4].map((n) => bash(`git push --force origin ${n}`, { session: null })), 3],
  ]
  for (const [title, calls, opened] of cases) {
    proves(['T23', 'T64'], title, async () => {
      const work = workplace('approvals: { budget: { session: 3 } }\n')
      for (const call of calls) await work.decide(call)
      expect(work.queue.list({ tenant: null }).approvals).toHaveLength(opened)
    })
  }

  test('is denied once it is used up, and says why', async () => {
    const work = workplace('approvals: { budget: { session: 1 } }\n')
    await work.decide(push('a'))
    expect(await work.decide(push('b'))).toMatchObject({
      decision: 'deny',
      code: 'approval.too_many',
      reason: expect.stringContaining('asked 1 questions'),
    })
  })

  test('begins anew with the next time', async () => {
    const work = workplace('approvals: { budget: { session: 1, within: 1ms } }\n')
    await work.decide(push('a'))
    await new Promise((resolve) => setTimeout(resolve, 5))
    expect((await work.decide(push('b'))).decision).toBe('ask')
  })
})

describe('a crowd', () => {
  proves(
    ['T23', 'PIT-19', 'PRO-29a', 'PRO-29b'],
    'of fifty sessions that ask a thousand times stays within its caps, in groups that people can look through',
    async () => {
      const work = workplace('approvals: { max_pending: { session: 10, tenant: 300 } }\n')
      const before = process.memoryUsage().heapUsed
      const calls = Array.from({ length: 1_000 }, (_, index) => push(`b-${index}`, `s-${index % 50}`))
      const decisions = await Promise.all(calls.map((call) => work.decide(call)))
      const count = (wanted: string) => decisions.filter(({ code }) => code === wanted).length
      expect([count('hazard.history'), count('approval.too_many')]).toEqual([300, 700])
      const { approvals, more } = work.queue.list({ tenant: null, status: 'pending', limit: 1_000 })
      expect([approvals.length, more]).toEqual([300, false])
      const bySession = new Map<string, number>()
      for (const { session } of approvals) bySession.set(session, (bySession.get(session) ?? 0) + 1)
      expect([...bySession.values()].every((each) => each <= 10)).toBe(true)
      const groups = groupsOf(approvals)
      expect(groups.map(({ ids, text }) => [ids.length, text])).toEqual([[300, '300 × Bash: git:push']])
      expect(process.memoryUsage().heapUsed - before).toBeLessThan(256 * 1024 * 1024)
    },
    180_000,
  )

  test('of one session leaves room for the others', async () => {
    const work = workplace('approvals: { max_pending: { session: 2 } }\n')
    for (let index = 0; index < 20; index += 1) await work.decide(push(`b-${index}`))
    expect((await work.decide(push('other', 's-2'))).decision).toBe('ask')
    expect(work.queue.list({ tenant: null }).approvals).toHaveLength(3)
  })
})
