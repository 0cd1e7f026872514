/** The webhook channel: signed messages out, signed answers in. A receiver that cannot reach the gate can be asked instead. */
import { own } from '../../core/json.ts'
import type { WebhookChannel } from '../../policy/channels.ts'
import { readAnswer, readObject } from './answers.ts'
import {
  type Channel,
  type ChannelAnswer,
  ChannelFailure,
  type ChannelOf,
  type ChannelParts,
  type Incoming,
  type Reply,
  refuse,
  type Sending,
} from './channel.ts'
import { type ChannelResponse, retryAfter, sendRequest } from './request.ts'
import { readSecrets } from './secrets.ts'
import { signWebhook, verifyWebhook, webhookSecret } from './standard-webhooks.ts'

const NOTHING_YET: ReadonlySet<number> = new Set([202, 204, 404])

export const webhookChannel: ChannelOf<WebhookChannel> = (policy, parts): Channel => ({
  tell: async (sending) => {
    answered(await post(policy, sending, parts))
    return { receipt: null, answer: null }
  },
  receive: (incoming) => receive(policy, incoming, parts),
  ...(policy.poll ? { poll: (approval: string, now: number) => poll({ policy, approval, now }, parts) } : {}),
  resolves: true,
})

/** `{ type, timestamp, data }`; the whole of it is signed (PRO-W3). */
export function webhookBody({ notice }: Pick<Sending, 'notice'>): string {
  const timestamp = new Date(notice.createdAt).toISOString()
  return JSON.stringify({ type: `approval.${notice.phase}`, timestamp, data: notice.data })
}

function post(policy: WebhookChannel, sending: Sending, parts: ChannelParts): Promise<ChannelResponse> {
  const { url, timeoutMs, allowPrivate } = policy
  const body = webhookBody(sending)
  const secrets = readSecrets(policy.secrets, parts, webhookSecret).slice(0, 1)
  const headers = { ...signWebhook({ id: sending.id, at: sending.now, body }, secrets), 'content-type': 'application/json' }
  return sendRequest({ url, method: 'POST', headers, body, timeoutMs, allowPrivate }, parts.resolve)
}

/** @throws {ChannelFailure} for everything but success. 410: the receiver wants no more (Standard Webhooks). */
export function answered(response: ChannelResponse): void {
  const { status } = response
  if (status >= 200 && status < 300) return
  if (status === 410) throw new ChannelFailure('the receiver is gone (410)', { final: true })
  if (status >= 300 && status < 400) throw new ChannelFailure(`it redirects (${status}), which is not followed`, { final: true })
  throw new ChannelFailure(`it answered ${status}`, { retryAfter: retryAfter(response) })
}

/** Signature first, over the bytes as they came; only then is anything read. */
function receive(policy: WebhookChannel, incoming: Incoming, parts: ChannelParts): Reply {
  const verified = verifyWebhook(incoming, readSecrets(policy.replySecrets, parts, webhookSecret))
  if (!verified.ok) return refuse(verified.fault === 'stale' ? 'approval.late_reply' : 'approval.signature', verified.message)
  const body = readObject(incoming.body)
  if (body === null) return refuse('approval.malformed', 'the reply is no JSON object')
  // Our own messages are signed with the same secret, and are no answers.
  if (own(body, 'type') !== 'approval.answered') return refuse('approval.malformed', '`type` is not `approval.answered`')
  return readAnswer(own(body, 'data'), verified.id, policy)
}

interface Polling {
  readonly policy: WebhookChannel
  readonly approval: string
  readonly now: number
}

/** Answers of a poll are signed like any other: who answers in the receiver's place approves nothing (PRO-W2). */
async function poll({ policy, approval, now }: Polling, parts: ChannelParts): Promise<ChannelAnswer | null> {
  const { timeoutMs, allowPrivate } = policy
  const url = new URL(policy.url)
  url.pathname = `${url.pathname.replace(/\/$/, '')}/${encodeURIComponent(approval)}`
  const secrets = readSecrets(policy.secrets, parts, webhookSecret).slice(0, 1)
  const headers = { ...signWebhook({ id: `poll_${approval}_${now}`, at: now, body: '' }, secrets), accept: 'application/json' }
  const response = await sendRequest({ url: url.href, method: 'GET', headers, body: '', timeoutMs, allowPrivate }, parts.resolve)
  if (NOTHING_YET.has(response.status)) return null
  answered(response)
  const reply = receive(policy, { header: response.header, body: response.body, now }, parts)
  if (!reply.ok) throw new ChannelFailure(`its answer is not taken: ${reply.refusal.message} (${reply.refusal.code})`)
  return reply.answer
}
