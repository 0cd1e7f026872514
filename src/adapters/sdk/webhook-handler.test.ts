/** The webhook handler against a real receiver, behind a real gate of tools. */
import { describe, expect, onTestFinished, test } from 'vitest'
import { proves } from '../../../test/proves.ts'
import { headerOf, ok, type Receiver, type Respond, receiver, type Sent } from '../../../test/support/receiver.ts'
import { stateDirectoryOfTest } from '../../../test/support/state.ts'
import { signWebhook, verifyWebhook, webhookSecret } from '../../approvals/channels/standard-webhooks.ts'
import type { HandlerRequest } from '../../approvals/handlers.ts'
import { policy } from '../../policy/testing/compiled.ts'
import { openEngine } from './engine.ts'
import { WebhookApprovalHandler } from './webhook-handler.ts'

const whsec = (fill: number): string => `whsec_${Buffer.alloc(32, fill).toString('base64')}`
const [OURS, NEXT, OTHER] = [whsec(1), whsec(2), whsec(3)]
const POLICY = policy('unregistered: allow\nrules: { allow: [{ tool: "*", reason: all }] }\n')
const ME = { principal: { user: 'me' } }

function bytesOf(secret: string): Uint8Array {
  const bytes = webhookSecret(secret)
  if (bytes === null) throw new Error('no secret')
  return bytes
}

interface Said {
  readonly body: string
  readonly secret?: string | null
  readonly at?: number
}

const requested = (sent: Sent | undefined): HandlerRequest => JSON.parse(sent?.body ?? 'null').data

/** Answers the polls of whatever was posted before. */
function answering(make: (request: HandlerRequest, polls: number) => Said | number): Respond {
  let request: HandlerRequest | null = null
  let polls = 0
  return (sent, response) => {
    if (sent.method === 'POST') {
      request = requested(sent)
      return ok(sent, response)
    }
    polls += 1
    const said = request === null ? 404 : make(request, polls)
    if (typeof said === 'number') return void response.writeHead(said, { location: 'https://elsewhere.example/' }).end()
    const { body, secret = OURS, at = Date.now() } = said
    const headers = secret === null ? {} : signWebhook({ id: 'msg_r1', at, body }, [bytesOf(secret)])
    response.writeHead(200, { ...headers }).end(body)
  }
}

const yes = ({ requestId, digest }: HandlerRequest, more: object = {}): string =>
  JSON.stringify({ type: 'approval.answered', data: { approval: requestId, digest, approved: true, by: 'alice', ...more } })

async function pay(respond: Respond, timeoutMs = 20_000): Promise<{ readonly got: string; readonly ran: number; readonly at: Receiver }> {
  const at = await receiver(respond)
  let ran = 0
  const gate = openEngine({
    handler: new WebhookApprovalHandler({ url: `${at.url}/ask`, secret: [OURS, NEXT], pollIntervalMs: 500, allowPrivateNetworks: true }),
    home: stateDirectoryOfTest(),
    policy: () => ({ policy: POLICY, degraded: null }),
    timeoutMs,
  })
  onTestFinished(() => gate.close())
  gate.wrap(() => ran, { name: 'wire_money', requiresApproval: true })
  const outcome = await gate.run({ ...ME, tool: 'wire_money', args: { amount: 5 } }, () => ran++)
  return { got: outcome.ran ? 'ran' : outcome.code, ran, at }
}

describe('a webhook handler', () => {
  proves('PRO-W3', 'posts the whole request, signed, asks until there is an answer, and lets the call run with a signed yes', async () => {
    const { got, ran, at } = await pay(answering((request, polls) => (polls === 1 ? 202 : { body: yes(request) })))
    expect([got, ran]).toEqual(['ran', 1])
    const [posted, ...polls] = at.seen
    expect(requested(posted)).toMatchObject({ toolName: 'wire_money', arguments: { amount: 5 }, callerUserId: 'me' })
    const { requestId } = requested(posted)
    expect(polls.map(({ method, path }) => [method, path])).toEqual([
      ['GET', `/ask/${requestId}`],
      ['GET', `/ask/${requestId}`],
    ])
    for (const { headers, body } of at.seen)
      expect(verifyWebhook({ header: headerOf(headers), body: Buffer.from(body), now: Date.now() }, [bytesOf(OURS)]).ok).toBe(true)
  })

  const answers: readonly (readonly [title: string, make: (request: HandlerRequest) => Said | number, expected: string])[] = [
    ['a yes under the next secret', (request) => ({ body: yes(request), secret: NEXT }), 'ran'],
    ['a no', (request) => ({ body: yes(request, { approved: false }) }), 'approval.denied'],
    ['a yes that nobody signed', (request) => ({ body: yes(request), secret: null }), 'approval.signature'],
    ['a yes that a stranger signed', (request) => ({ body: yes(request), secret: OTHER }), 'approval.signature'],
    ['a yes of yesterday', (request) => ({ body: yes(request), at: Date.now() - 86_400_000 }), 'approval.late_reply'],
    ['a yes to another request', (request) => ({ body: yes(request, { approval: 'apr_1' }) }), 'approval.mismatch'],
    ['a yes to another call', (request) => ({ body: yes(request, { digest: 'x' }) }), 'approval.mismatch'],
    ['a yes of who asked', (request) => ({ body: yes(request, { by: 'me' }) }), 'approval.requester'],
    ['a yes that names nobody', (request) => ({ body: yes(request, { by: '' }) }), 'approval.malformed'],
    ['the text `true`', (request) => ({ body: yes(request, { approved: 'true' }) }), 'approval.malformed'],
    ['changed arguments', (request) => ({ body: yes(request, { modified_arguments: { amount: 6 } }) }), 'approval.modified'],
    ['an unknown field', (request) => ({ body: yes(request, { sure: true }) }), 'approval.malformed'],
    ['the bare answer of old', () => ({ body: '{"approved":true}' }), 'approval.malformed'],
    [
      'our own request, sent back',
      (request) => ({ body: JSON.stringify({ type: 'approval.requested', data: request }) }),
      'approval.malformed',
    ],
    ['a redirect', () => 302, 'infra.channel'],
    ['a refusal', () => 403, 'infra.channel'],
  ]
  for (const [title, make, expected] of answers) {
    proves(['PRO-W2', 'PRO-27'], `that is answered with ${title}: ${expected}`, async () => {
      const { got, ran } = await pay(answering(make))
      expect([got, ran]).toEqual([expected, expected === 'ran' ? 1 : 0])
    })
  }

  test('that nobody answers in time ends with the time, and asks no more', async () => {
    const { got, ran, at } = await pay(
      answering(() => 202),
      700,
    )
    expect([got, ran]).toEqual(['timeout.approval', 0])
    const asked = at.seen.length
    await new Promise((resolve) => setTimeout(resolve, 600))
    expect(at.seen.length).toBe(asked)
  })

  test('whose receiver is down for a moment asks again', async () => {
    const { got } = await pay(answering((request, polls) => (polls === 1 ? 503 : { body: yes(request) })))
    expect(got).toBe('ran')
  })

  proves('T10', 'reaches no private network unless that is said, and metadata never', async () => {
    const at = await receiver()
    const handler = new WebhookApprovalHandler({ url: at.url, secret: OURS })
    const metadata = new WebhookApprovalHandler({
      url: 'https://hooks.example.com/',
      secret: OURS,
      allowPrivateNetworks: true,
      resolve: async () => ['93.184.216.34', '169.254.169.254'],
    })
    const signal = new AbortController().signal
    for (const each of [handler, metadata])
      await expect(each.requestApproval({ requestId: 'a' } as HandlerRequest, { signal })).rejects.toMatchObject({ code: 'infra.channel' })
    expect(at.seen).toEqual([])
  })

  const wrong: readonly (readonly [title: string, options: object])[] = [
    ['no address', { url: 'hooks' }],
    ['a file', { url: 'file:///etc/passwd' }],
    ['a short secret', { secret: 'whsec_AAAA' }],
    ['no secret', { secret: [] }],
    ['polls without a pause', { pollIntervalMs: 10 }],
    ['no number', { pollIntervalMs: Number.NaN }],
    ['no time', { timeoutMs: 0 }],
  ]
  test.each(wrong)('is an error at once with %s', (_title, options) => {
    expect(() => new WebhookApprovalHandler({ url: 'https://hooks.example.com/', secret: OURS, ...options })).toThrow(Error)
  })
})
