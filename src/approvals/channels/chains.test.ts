/** Calls of one session that are alike: one message in a conversation that counts, and one answer for one call. */
import { describe, expect, test } from 'vitest'
import { proves } from '../../../test/proves.ts'
import { bash, type World, world } from '../../../test/support/channels.ts'
import { buttonsOf, click, type SlackServer, slackServer, textOf } from '../../../test/support/slack.ts'
import type { ToolCall } from '../../core/call.ts'
import type { JsonObject } from '../../core/json.ts'
import type { StoredApproval } from '../store.ts'

const SIGNING = '8f742231b10e8888abcd99yyyzzz85a5'
const ENV = { BOT: 'xoxb-test', SIGN: SIGNING, HOOK: '' }

async function meet(target = 'token: "env:BOT", channel: C1'): Promise<{ readonly at: World; readonly slack: SlackServer }> {
  const slack = await slackServer({})
  const channel = `{ name: chat, type: slack, ${target}, signing_secret: "env:SIGN", api_url: "${slack.url}/api", allow_private: true, approvers: { U0ALICE: alice } }`
  return { at: world(`approvals: { channels: [${channel}] }\n`, { env: { ...ENV, HOOK: `${slack.url}/hook` } }), slack }
}

/** The same push, each with another remark: other calls by their digest, and alike by what they do. */
const push = (i: number, session: string | null = 's-1'): ToolCall => ({ ...bash(`git push --force origin main # ${i}`), session })

async function ask(at: World, calls: readonly ToolCall[]): Promise<readonly StoredApproval[]> {
  const all: StoredApproval[] = []
  for (const call of calls) all.push(await at.asks(call))
  await at.channels.drain()
  return all
}

const texts = (slack: SlackServer): readonly string[] => [...slack.messages.values()].map(textOf)
const BEHIND = /(?:(\d+) more calls|(one) more call) like it waits?/
const counts = (slack: SlackServer): readonly (string | null)[] =>
  texts(slack).map((text) => {
    const found = BEHIND.exec(text)
    return found?.[1] ?? found?.[2] ?? null
  })

async function answers(at: World, { id, binding }: StoredApproval, action: 'approve' | 'deny'): Promise<string> {
  const value = JSON.stringify({ approval: id, digest: binding.call })
  const received = at.channels.receive('chat', click({ value, secret: SIGNING, action: `countersign_${action}` }))
  if (!received.ok) return received.refusal.code
  const { refused } = await received.take()
  await at.channels.drain()
  return refused === null ? 'taken' : refused.code
}

describe('calls that are alike', () => {
  test('twenty of them are one message that counts', async () => {
    const { at, slack } = await meet()
    await ask(at, [push(0)])
    expect(counts(slack)).toEqual([null])
    await ask(
      at,
      Array.from({ length: 19 }, (_, i) => push(i + 1)),
    )
    expect(counts(slack)).toEqual(['19'])
    expect(texts(slack)[0]).toContain('# 0')
  })

  proves('T23', 'an answer is for the call that was shown; the next one is shown then, and has buttons of its own', async () => {
    const { at, slack } = await meet()
    const [one, two, three] = await ask(at, [push(1), push(2), push(3)])
    if (one === undefined || two === undefined || three === undefined) throw new Error('three calls wait')
    expect(await answers(at, one, 'approve')).toBe('taken')
    expect([one, two, three].map(({ id }) => at.stored(id).status)).toEqual(['approved', 'pending', 'pending'])
    expect(slack.messages.size).toBe(2)
    expect(counts(slack)).toEqual([null, 'one'])
    expect(texts(slack)[1]).toContain('# 2')
    expect([...buttonsOf([...slack.messages.values()][1] as JsonObject).keys()]).toEqual(['countersign_deny', 'countersign_approve'])
    expect(await answers(at, two, 'deny')).toBe('taken')
    expect(texts(slack)[2]).toContain('# 3')
    expect(counts(slack)).toEqual([null, null, null])
  })

  proves(['T24', 'T01'], 'nobody can approve from there what was not shown yet', async () => {
    const { at } = await meet()
    const [, hidden] = await ask(at, [push(1), push(2)])
    if (hidden === undefined) throw new Error('two calls wait')
    expect([await answers(at, hidden, 'approve'), at.stored(hidden.id).status]).toEqual(['approval.not_shown', 'pending'])
  })

  for (const [title, others] of [
    ['another target', [bash('git push --force origin release')]],
    ['another command', [bash('git push --force origin main; git push --force origin main:release')]],
    ['another session', [push(2, 's-2')]],
  ] as const)
    test(`${title} is a message of its own`, async () => {
      const { at, slack } = await meet()
      await ask(at, [push(1), ...others.map((call) => ({ ...call, session: call.session ?? 's-1' }))])
      expect([slack.messages.size, counts(slack)]).toEqual([2, [null, null]])
    })

  test('a call without a session stands alone', async () => {
    const { at, slack } = await meet()
    await ask(
      at,
      [1, 2].map((i) => push(i, null)),
    )
    expect(slack.messages.size).toBe(2)
  })

  test('what ended while it waited behind another is not shown any more', async () => {
    const { at, slack } = await meet()
    const [, two] = await ask(at, [push(1), push(2)])
    expect(counts(slack)).toEqual(['one'])
    at.later((two?.approveBy ?? 0) - at.now() + 1)
    await at.channels.drain()
    expect([slack.messages.size, counts(slack)]).toEqual([1, [null]])
  })

  test('whoever goes on after a restart says anew how many wait, where that is another number than was said before', async () => {
    const { at, slack } = await meet()
    const [, two] = await ask(at, [push(1), push(2)])
    expect(counts(slack)).toEqual(['one'])
    at.later(1_000)
    await at.opened.queue.answer(two?.id ?? '', { tenant: null, by: 'human:bob', verdict: 'deny', comment: 'elsewhere' })
    const next = at.other()
    await next.drain()
    expect(counts(slack)).toEqual([null])
    const seen = slack.seen.length
    await next.drain()
    await next.stop()
    expect(slack.seen.length).toBe(seen)
  })

  test('an incoming webhook, whose messages cannot be changed, is told of each', async () => {
    const { at, slack } = await meet('webhook: "env:HOOK"')
    await ask(at, [push(1), push(2)])
    expect(slack.seen.filter((sent) => sent.path.startsWith('/hook')).length).toBe(2)
  })
})
