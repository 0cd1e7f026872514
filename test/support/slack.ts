/** A server that speaks the parts of Slack's API that a channel uses, and clicks that are signed as Slack signs them. */
import { createHmac } from 'node:crypto'
import type { Incoming } from '../../src/approvals/channels/channel.ts'
import type { Json, JsonObject } from '../../src/core/json.ts'
import { headerOf, type Receiver, type Respond, receiver, type Sent } from './receiver.ts'

export interface SlackServer extends Receiver {
  /** Messages by `ts`, as they stand now. */
  readonly messages: Map<string, JsonObject>
}

export interface SlackOptions {
  readonly token?: string
  /** Instead of an answer to `chat.*`. */
  readonly respond?: Respond
}

/** `chat.postMessage` and `chat.update` with Slack's answers, and an incoming webhook at `/services/…`. */
export async function slackServer({ token = 'xoxb-test', respond }: SlackOptions = {}): Promise<SlackServer> {
  const messages = new Map<string, JsonObject>()
  const server = await receiver((sent, response) => {
    if (respond !== undefined) return respond(sent, response)
    if (sent.path.startsWith('/services/')) return void response.writeHead(200).end('ok')
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer(sent, token, messages)))
  })
  return { ...server, messages }
}

function answer(sent: Sent, token: string, messages: Map<string, JsonObject>): JsonObject {
  if (sent.headers.authorization !== `Bearer ${token}`) return { ok: false, error: 'invalid_auth' }
  const { channel, ts, text, blocks, ...rest } = JSON.parse(sent.body) as Record<string, Json>
  const fault = faultOf({ text: text ?? null, blocks: blocks ?? null })
  if (fault !== null) return { ok: false, error: fault }
  if (typeof channel !== 'string') return { ok: false, error: 'channel_not_found' }
  if (sent.path === '/api/chat.postMessage') {
    const made = `1700000000.${String(messages.size + 1).padStart(6, '0')}`
    messages.set(made, { channel, text: text ?? null, blocks: blocks ?? null, ...rest })
    return { ok: true, channel: `${channel}X`, ts: made }
  }
  if (sent.path !== '/api/chat.update') return { ok: false, error: 'unknown_method' }
  if (typeof ts !== 'string' || !messages.has(ts)) return { ok: false, error: 'message_not_found' }
  messages.set(ts, { channel, text: text ?? null, blocks: blocks ?? null })
  return { ok: true, channel, ts }
}

/** Slack's limits for the blocks that are used here; null where they hold. */
export function faultOf({ text, blocks }: JsonObject): string | null {
  if (typeof text !== 'string' || text === '' || !Array.isArray(blocks)) return 'no_text'
  if (blocks.length > 50) return 'invalid_blocks'
  for (const block of blocks as readonly { type: string; text?: { text: string }; elements?: readonly Record<string, unknown>[] }[]) {
    if (block.type === 'section' && (block.text === undefined || block.text.text.length > 3_000 || block.text.text === ''))
      return 'invalid_blocks'
    for (const element of block.elements ?? []) {
      const { value, text: inside } = element as { value?: string; text?: string | { text: string } }
      if ((value?.length ?? 0) > 2_000) return 'invalid_blocks'
      if (element.type === 'button' && (typeof inside !== 'object' || inside.text.length > 75)) return 'invalid_blocks'
    }
  }
  return null
}

export interface Click {
  readonly user?: string
  readonly action?: string
  readonly value: string
  readonly secret: string
  /** Milliseconds since the epoch. */
  readonly at?: number
  readonly now?: number
  readonly payload?: (payload: JsonObject) => Json
}

/** A click on a button, as Slack posts it. */
export function click({
  user = 'U0ALICE',
  action = 'countersign_approve',
  value,
  secret,
  at = Date.now(),
  now = at,
  payload,
}: Click): Incoming {
  const plain: JsonObject = {
    type: 'block_actions',
    user: { id: user, username: 'alice', team_id: 'T1' },
    team: { id: 'T1' },
    channel: { id: 'C1X' },
    message: { ts: '1700000000.000001' },
    actions: [{ type: 'button', action_id: action, block_id: 'countersign', value, action_ts: String(at / 1_000) }],
    response_url: 'https://hooks.slack.com/actions/T1/1/x',
    trigger_id: `${at}.1.x`,
  }
  return signedForm(`payload=${encodeURIComponent(JSON.stringify(payload?.(plain) ?? plain))}`, { secret, at, now })
}

export function signedForm(
  form: string,
  { secret, at, now }: { readonly secret: string; readonly at: number; readonly now: number },
): Incoming {
  const timestamp = String(Math.floor(at / 1_000))
  const signature = `v0=${createHmac('sha256', secret).update(`v0:${timestamp}:${form}`).digest('hex')}`
  const header = headerOf({ 'x-slack-request-timestamp': timestamp, 'x-slack-signature': signature })
  return { header, body: Buffer.from(form), now }
}

/** Buttons of a message, by what they do. */
export function buttonsOf(message: JsonObject | undefined): ReadonlyMap<string, JsonObject> {
  const blocks = (message?.blocks ?? []) as readonly { readonly type: string; readonly elements?: readonly JsonObject[] }[]
  const buttons = blocks.filter(({ type }) => type === 'actions').flatMap(({ elements }) => elements ?? [])
  return new Map(buttons.map((button) => [String(button.action_id), button]))
}

/** Every text of a message, as one. */
export function textOf(message: JsonObject | undefined): string {
  const found: string[] = []
  const walk = (value: Json | undefined): void => {
    if (Array.isArray(value)) for (const each of value) walk(each)
    else if (typeof value === 'object' && value !== null)
      for (const [key, each] of Object.entries(value))
        if (key === 'text' && typeof each === 'string') found.push(each)
        else walk(each)
  }
  walk(message)
  return found.join('\n')
}
