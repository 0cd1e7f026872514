/** What rules are worth, over HTTP and in a terminal: a real server, real questions, real answers. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { proves } from '../../../test/proves.ts'
import { waitingApproval } from '../../../test/support/approvals.ts'
import { ask, startServer, type TestServer } from '../../../test/support/server.ts'
import { type RuleFigures, ruleFigures } from '../../approvals/effectiveness/rules.ts'
import type { GrantProposal } from '../../approvals/proposals.ts'
import { COMPILE } from '../../cli/open.ts'
import { compilePolicy } from '../../policy/compile.ts'
import { DEFAULT_POLICY } from '../../policy/default.ts'
import { sha256 } from '../../policy/file.ts'

const PUSH = 'docker push ghcr.io/acme/app:1.2.0'

describe('figures of rules', () => {
  let server: TestServer
  beforeAll(async () => {
    const shipped = compilePolicy(DEFAULT_POLICY, { ...COMPILE, path: null, sha256 })
    if (!shipped.ok) throw new Error('the shipped policy does not load')
    server = await startServer({ policy: shipped.policy })
  })
  afterAll(() => server.stop())

  const call = (command: string, session: string) =>
    ask<{ decision: string; approval?: { id: string } }>(`${server.url}/v1/decisions`, {
      body: { tool: 'Bash', args: { command }, session, principal: { agent: 'claude-code' } },
    })
  async function answered(command: string, session: string, verdict: 'approve' | 'deny', after = 20_000): Promise<void> {
    const asked = await call(command, session)
    expect(asked.body).toMatchObject({ decision: 'ask' })
    const id = asked.body.approval?.id ?? ''
    server.pass(after)
    const { status } = await ask(`${server.url}/v1/approvals/${id}/${verdict}`, { token: server.operator, body: { comment: 'seen' } })
    expect([status, id]).toEqual([200, expect.stringMatching(/^apr_/)])
  }
  async function figures(rule: string): Promise<RuleFigures | undefined> {
    const { body } = await ask<{ rules: readonly RuleFigures[] }>(`${server.url}/v1/stats/rules?hours=24`, { token: server.operator })
    return body.rules.find((each) => each.rule === rule)
  }

  proves(
    'FUL-59',
    'what people said of each rule is counted, and questions always answered with yes lead to a grant that is proposed',
    async () => {
      for (const session of ['a', 'b', 'c']) await answered(PUSH, session, 'approve')
      const [rule] = (await ask<{ rules: readonly RuleFigures[] }>(`${server.url}/v1/stats/rules`, { token: server.operator })).body.rules
      expect(rule).toMatchObject({ asked: 3, approved: 3, refused: 0, fast: 0, denied: 0, overrides: 0, candidate: { answers: 3 } })
      expect(rule?.answer?.median).toBeGreaterThanOrEqual(20_000)
      expect(rule?.candidate?.grants[0]).toMatchObject({ answers: 3, action: 'docker:push' })
      expect(rule?.candidate?.grants[0]?.command).toBe(
        'countersign grants add docker:push --scope target=ghcr.io/acme/app:1.2.0 --expires 30d --reason "…"',
      )
      // Proposed, not applied: the same is asked about again.
      expect((await call(PUSH, 'd')).body.decision).toBe('ask')
      // One no, and nothing is proposed any more.
      await answered(PUSH, 'e', 'deny')
      const after = await figures(rule?.rule ?? '')
      expect([after?.refused, after?.candidate]).toEqual([1, null])
    },
  )

  proves('FUL-59', 'what is denied is counted by the rule that carried it', async () => {
    for (const session of ['x', 'y']) expect((await call('rm -rf /', session)).body.decision).toBe('deny')
    const { body } = await ask<{ rules: readonly RuleFigures[] }>(`${server.url}/v1/stats/rules`, { token: server.operator })
    expect(Math.max(...body.rules.map(({ denied }) => denied))).toBe(2)
  })

  test('an agent does not read them', async () => {
    expect((await ask(`${server.url}/v1/stats/rules`)).status).toBe(401)
  })
})

describe('a candidate', () => {
  const yes = (id: string, took: number) => {
    const asked = waitingApproval(id)
    const answer = {
      by: 'human:a',
      verdict: 'approve',
      reason: '',
      at: asked.createdAt + took,
      breakGlass: false,
      seat: null,
      scope: 'once',
    } as const
    return { ...asked, status: 'consumed', answers: [answer] } as const
  }

  const proposing = (scope: GrantProposal['scope']) => {
    const binding = { session: null, role: null, user: null, agent: 'a' }
    const proposal = { kind: 'grant', action: 'git:push', scope, count: 1, expires: 1, binding, text: '' } as const
    return ['1', '2', '3'].map((id) => ({ ...yes(id, 9_000), proposals: [proposal] }))
  }

  test.each([
    ['three answers', [9_000, 9_000, 9_000], 3],
    ['two answers are not enough', [9_000, 9_000], null],
    ['answers faster than reading do not count', [9_000, 9_000, 500], null],
  ])('%s', (_name, times, answers) => {
    const [figures] = ruleFigures(
      [],
      times.map((took, index) => yes(`apr_${index}`, took)),
    )
    expect(figures?.candidate?.answers ?? null).toBe(answers)
  })

  test('what nobody answered is neither right nor for nothing', () => {
    const expired = { ...waitingApproval('apr_e'), status: 'expired' } as const
    const [figures] = ruleFigures([], [expired])
    expect(figures).toMatchObject({ asked: 1, approved: 0, refused: 0, unanswered: 1, answer: null, candidate: null })
  })

  test('a grant that would be wider than what people saw is not proposed', () => {
    const [figures] = ruleFigures([], proposing({ target: 'origin', details: { tags: true } }))
    expect(figures?.candidate).toEqual({ answers: 3, grants: [] })
  })

  test('names of callers are one word of the command that is shown', () => {
    const [figures] = ruleFigures([], proposing({ target: "o'; rm -rf /; '" }))
    expect(figures?.candidate?.grants[0]?.command).toContain(String.raw`--scope 'target=o'\''; rm -rf /; '\'''`)
  })
})
