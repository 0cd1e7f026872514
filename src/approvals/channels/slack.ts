/** The Slack channel: a message with buttons, clicks signed by Slack, and the message changed once it is answered (T27). */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { isJsonObject, type Json, type JsonObject, own } from '../../core/json.ts'
import type { SlackChannel } from '../../policy/channels.ts'
import { readObject } from './answers.ts'
import {
  type Channel,
  ChannelFailure,
  type ChannelOf,
  type ChannelParts,
  type Delivered,
  type Incoming,
  type Reply,
  refuse,
  type Sending,
} from './channel.ts'
import { sendRequest } from './request.ts'
import { readSecret } from './secrets.ts'
import { slackMessage } from './slack-message.ts'
import { isFresh } from './standard-webhooks.ts'
import { answered } from './webhook.ts'

export const slackChannel: ChannelOf<SlackChannel> = (policy, parts): Channel => ({
  tell: (sending) => (policy.webhook === null ? viaToken(policy, sending, parts) : viaWebhook(policy, sending, parts)),
  receive: (incoming) => receive(policy, incoming, parts),
  resolves: true,
  shows: (notice) => slackMessage(notice, policy).complete,
})

async function viaToken(policy: SlackChannel, { notice, receipt }: Sending, parts: ChannelParts): Promise<Delivered> {
  const { text, blocks } = slackMessage(notice, policy)
  const [channel, ts] = [own(receipt ?? {}, 'channel'), own(receipt ?? {}, 'ts')]
  const changes = typeof channel === 'string' && typeof ts === 'string'
  if (policy.token === null) throw new ChannelFailure('the policy names no token', { final: true })
  const place = changes ? { channel, ts } : { channel: policy.channel }
  const body = { ...place, text, blocks, unfurl_links: false, unfurl_media: false }
  const headers = { authorization: `Bearer ${readSecret(policy.token, parts)}` }
  const response = await send(
    `${policy.api.replace(/\/$/, '')}/chat.${changes ? 'update' : 'postMessage'}`,
    { policy, headers, body },
    parts,
  )
  const said = readObject(response.body)
  if (said === null || own(said, 'ok') !== true) throw new ChannelFailure(`Slack says: ${errorOf(said)}`)
  const [posted, at] = [own(said, 'channel'), own(said, 'ts')]
  return { receipt: typeof posted === 'string' && typeof at === 'string' ? { channel: posted, ts: at } : null, answer: null }
}

/** A message of an incoming webhook cannot be changed: its end is told by another one. */
async function viaWebhook(policy: SlackChannel, { notice }: Sending, parts: ChannelParts): Promise<Delivered> {
  const { text, blocks } = slackMessage(notice, policy)
  const url = policy.webhook === null ? '' : readSecret(policy.webhook, parts)
  if (!isAddress(url, policy)) throw new ChannelFailure('the secret of `webhook` is no address of a Slack webhook')
  await send(url, { policy, headers: {}, body: { text, blocks } }, parts)
  return { receipt: null, answer: null }
}

function isAddress(text: string, { allowPrivate }: SlackChannel): boolean {
  if (!URL.canParse(text)) return false
  const { protocol } = new URL(text)
  return protocol === 'https:' || (protocol === 'http:' && allowPrivate)
}

interface Post {
  readonly policy: SlackChannel
  readonly headers: Readonly<Record<string, string>>
  readonly body: object
}

async function send(url: string, { policy, headers, body }: Post, { resolve }: ChannelParts) {
  const { timeoutMs, allowPrivate } = policy
  const all = { ...headers, 'content-type': 'application/json; charset=utf-8' }
  const response = await sendRequest({ url, method: 'POST', headers: all, body: JSON.stringify(body), timeoutMs, allowPrivate }, resolve)
  answered(response)
  return response
}

/** Slack's own word for what went wrong, such as `channel_not_found`. */
function errorOf(said: JsonObject | null): string {
  const error = said === null ? undefined : own(said, 'error')
  return typeof error === 'string' && /^\w{1,64}$/.test(error) ? error : 'nothing that can be read'
}

/** `X-Slack-Signature` over `v0:timestamp:body`: signature first, over the bytes as they came; only then is anything read. */
function receive(policy: SlackChannel, { header, body, now }: Incoming, parts: ChannelParts): Reply {
  if (policy.signingSecret === null) return refuse('approval.signature', 'the policy names no `signing_secret`')
  const [timestamp, given] = [header('x-slack-request-timestamp') ?? '', header('x-slack-signature') ?? '']
  if (!isFresh(timestamp, now)) return refuse('approval.late_reply', '`X-Slack-Request-Timestamp` is more than five minutes away from now')
  const expected = Buffer.from(slackSignature(readSecret(policy.signingSecret, parts), timestamp, body))
  const signature = Buffer.from(given)
  if (signature.length !== expected.length || !timingSafeEqual(signature, expected))
    return refuse('approval.signature', 'Slack did not sign this body')
  const id = createHash('sha256').update(signature).digest('hex')
  return clickOf(Buffer.from(body).toString('utf8'), id, policy)
}

/** `v0=` and hexadecimal digits, as Slack sends it. */
export function slackSignature(secret: string, timestamp: string, body: Uint8Array): string {
  return `v0=${createHmac('sha256', secret).update(`v0:${timestamp}:`).update(body).digest('hex')}`
}

/** The one action of a click. */
function actionOf(payload: JsonObject): { readonly kind?: Json | undefined; readonly value?: Json | undefined } {
  const actions = own(payload, 'actions')
  const action: Json | undefined = Array.isArray(actions) && actions.length === 1 ? actions[0] : undefined
  return isJsonObject(action) ? { kind: own(action, 'action_id'), value: own(action, 'value') } : {}
}

function clickOf(body: string, id: string, policy: SlackChannel): Reply {
  const payloads = new URLSearchParams(body).getAll('payload')
  const payload = payloads.length === 1 ? readObject(payloads[0] ?? '') : null
  if (payload === null || own(payload, 'type') !== 'block_actions') return refuse('approval.malformed', 'this is no click on a button')
  const user = textAt(payload, 'user', 'id')
  const { kind, value } = actionOf(payload)
  if (kind !== 'countersign_approve' && kind !== 'countersign_deny') return refuse('approval.malformed', 'this is no button of ours')
  const by = policy.approvers.get(user)
  if (by === undefined)
    return refuse('approval.not_approver', `the Slack user \`${user.slice(0, 40)}\` is no approver of \`${policy.name}\``)
  const named = typeof value === 'string' ? readObject(value) : null
  const [approval, digest] = [own(named ?? {}, 'approval'), own(named ?? {}, 'digest')]
  if (typeof approval !== 'string' || typeof digest !== 'string') return refuse('approval.malformed', 'the button names no call')
  const verdict = kind === 'countersign_approve' ? 'approve' : 'deny'
  return { ok: true, answer: { id, approval, digest, verdict, by, comment: '' } }
}

function textAt(object: JsonObject, outer: string, inner: string): string {
  const found = own(object, outer)
  const value = isJsonObject(found) ? own(found, inner) : undefined
  return typeof value === 'string' ? value : ''
}
