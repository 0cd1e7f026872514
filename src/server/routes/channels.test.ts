/** Replies of channels over real HTTP: signed bytes in, one answer out, and nothing but a signature counts. */
import { afterEach, describe, expect, test } from 'vitest'
import { proves } from '../../../test/proves.ts'
import { receiver } from '../../../test/support/receiver.ts'
import { ask, startServer, type TestServer } from '../../../test/support/server.ts'
import { click, slackServer } from '../../../test/support/slack.ts'
import { signWebhook, webhookSecret } from '../../approvals/channels/standard-webhooks.ts'

const SECRET = `whsec_${Buffer.alloc(32, 5).toString('base64')}`
const ENV = { OPS: SECRET, BOT: 'xoxb-test', SIGN: 'signing' }
const KEY = webhookSecret(SECRET) ?? new Uint8Array()

let server: TestServer | null = null
afterEach(async () => {
  await server?.stop()
  server = null
})

interface Meeting {
  readonly at: TestServer
  readonly id: string
  readonly digest: string
}

/** A server with both channels, and one call that waits and was told. */
async function meet(more = ''): Promise<Meeting> {
  const [hook, slack] = [await receiver(), await slackServer()]
  const at = await startServer({
    env: ENV,
    policy: `unregistered: ask
rules: { ask: [{ tool: wire_money, reason: money }] }
approvals:
  channels:
    - { name: ops, type: webhook, url: "${hook.url}", secrets: ["env:OPS"], allow_private: true, approvers: { alice@ops: alice, me@ops: me } }
    - { name: chat, type: slack, token: "env:BOT", channel: C1, signing_secret: "env:SIGN", api_url: "${slack.url}/api", allow_private: true, approvers: { U0ALICE: alice } }
${more}`,
  })
  server = at
  await decide(at)
  await at.channels?.drain()
  const { data } = JSON.parse(hook.seen[0]?.body ?? '{}') as { data: { approval: string; digest: string } }
  return { at, id: data.approval, digest: data.digest }
}

const decide = (at: TestServer) =>
  ask(`${at.url}/v1/decisions`, { body: { tool: 'wire_money', args: { amount: 5 }, session: 's1', principal: { user: 'me' } } })
const statusOf = async ({ at, id }: Meeting) => (await ask(`${at.url}/v1/approvals/${id}`, { token: at.operator })).body.status

interface Sending {
  readonly body: string
  readonly headers?: Readonly<Record<string, string>>
  readonly type?: string
}

async function send(at: TestServer, { body, headers, type = 'application/json' }: Sending, name = 'ops') {
  const signed = { ...signWebhook({ id: `msg_${body.length}`, at: Date.now(), body }, [KEY]) }
  const answer = await fetch(`${at.url}/v1/channels/${name}/reply`, {
    method: 'POST',
    body,
    headers: { 'content-type': type, ...(headers ?? signed) },
  })
  const text = await answer.text()
  return { status: answer.status, body: (text === '' ? null : JSON.parse(text)) as { error?: string; approval?: unknown } | null }
}

const answerOf = ({ id, digest }: Meeting, data: object = {}) =>
  JSON.stringify({ type: 'approval.answered', data: { approval: id, digest, approved: true, by: 'alice@ops', ...data } })

describe('a signed reply', () => {
  proves('T27', 'approves, and the call runs once', async () => {
    const meeting = await meet()
    expect(await send(meeting.at, { body: answerOf(meeting) })).toEqual({
      status: 200,
      body: { approval: { id: meeting.id, status: 'approved', yes: 1, quorum: 1 } },
    })
    expect(await statusOf(meeting)).toBe('approved')
    expect((await decide(meeting.at)).status).toBe(200)
    expect((await decide(meeting.at)).status).toBe(202)
  })

  const cases: readonly (readonly [title: string, make: (meeting: Meeting) => Sending, status: number, error: string])[] = [
    ['no signature', (m) => ({ body: answerOf(m), headers: {} }), 401, 'approval.signature'],
    [
      'a token of the operator instead',
      (m) => ({ body: answerOf(m), headers: { authorization: `Bearer ${m.at.operator}` } }),
      401,
      'approval.signature',
    ],
    ['no JSON', () => ({ body: 'approved' }), 400, 'approval.malformed'],
    ['nothing', () => ({ body: '' }), 400, 'approval.malformed'],
    ['`approved` as a text', (m) => ({ body: answerOf(m, { approved: 'true' }) }), 400, 'approval.malformed'],
    ['who asked', (m) => ({ body: answerOf(m, { by: 'me@ops' }) }), 403, 'approval.requester'],
    ['a stranger', (m) => ({ body: answerOf(m, { by: 'x' }) }), 403, 'approval.not_approver'],
    ['another approval', (m) => ({ body: answerOf(m, { approval: 'apr_1' }) }), 404, 'approval.unknown'],
    ['another call', (m) => ({ body: answerOf(m, { digest: 'x' }) }), 409, 'approval.mismatch'],
    ['other arguments', (m) => ({ body: answerOf(m, { modified_arguments: {} }) }), 422, 'approval.modified'],
    ['more than there is room for', (m) => ({ body: answerOf(m, { comment: 'x'.repeat(300_000) }) }), 413, 'ingress.too_large'],
  ]
  for (const [title, make, status, error] of cases) {
    proves('T27', `${title}: ${status} ${error}`, async () => {
      const meeting = await meet()
      const answer = await send(meeting.at, make(meeting))
      expect([answer.status, answer.body?.error]).toEqual([status, error])
      expect(await statusOf(meeting)).toBe('pending')
    })
  }

  test('twice: 200, then 409', async () => {
    const meeting = await meet()
    const body = answerOf(meeting)
    expect((await send(meeting.at, { body })).status).toBe(200)
    expect(await send(meeting.at, { body })).toMatchObject({ status: 409, body: { error: 'approval.replayed' } })
  })

  test('to no channel: 404; by GET: 405; without channels: 404', async () => {
    const meeting = await meet()
    for (const name of ['other', 'constructor', '..%2fops', 'ops%00'])
      expect((await send(meeting.at, { body: answerOf(meeting) }, name)).status).toBe(404)
    expect((await ask(`${meeting.at.url}/v1/channels/ops/reply`)).status).toBe(405)
    await meeting.at.stop()
    server = await startServer({})
    expect((await send(server, { body: answerOf(meeting) })).status).toBe(404)
  })

  test('of a page of another site is refused before it is read', async () => {
    const meeting = await meet()
    const headers = { ...signWebhook({ id: 'a', at: Date.now(), body: answerOf(meeting) }, [KEY]), origin: 'https://evil.example' }
    expect((await send(meeting.at, { body: answerOf(meeting), headers })).status).toBe(403)
  })
})

describe('a click in Slack', () => {
  const post = async ({ at, id, digest }: Meeting, secret = ENV.SIGN) => {
    const { header, body } = click({ value: JSON.stringify({ approval: id, digest }), secret })
    const headers = Object.fromEntries(['x-slack-signature', 'x-slack-request-timestamp'].map((name) => [name, header(name) ?? '']))
    const type = 'application/x-www-form-urlencoded'
    return send(at, { body: Buffer.from(body).toString(), headers, type }, 'chat')
  }

  proves('T27', 'is heard at once and without a word, and counts after', async () => {
    const meeting = await meet()
    expect(await post(meeting)).toEqual({ status: 200, body: null })
    while ((await statusOf(meeting)) === 'pending') await new Promise((resolve) => setTimeout(resolve, 5))
    expect(await statusOf(meeting)).toBe('approved')
  })

  proves('T27', 'that Slack did not sign is nobody', async () => {
    const meeting = await meet()
    expect(await post(meeting, 'another')).toMatchObject({ status: 401, body: { error: 'approval.signature' } })
    expect(await statusOf(meeting)).toBe('pending')
  })
})
