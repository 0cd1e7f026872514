/**
 * Promptise's webhook handler: the request is posted to an address, signed as a whole, and the address is then asked until it
 * has an answer. Answers are signed, too, and name the call (PRO-W2, PRO-W3); the address is held to what a channel may reach.
 */
import { lookup } from 'node:dns/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { readObject } from '../../approvals/channels/answers.ts'
import { ChannelFailure } from '../../approvals/channels/channel.ts'
import { type ChannelResponse, type ResolveAddresses, sendRequest } from '../../approvals/channels/request.ts'
import { signWebhook, verifyWebhook, webhookSecret } from '../../approvals/channels/standard-webhooks.ts'
import { type ApprovalHandler, checkedAnswer, type HandlerAnswer, HandlerRefusal, type HandlerRequest } from '../../approvals/handlers.ts'
import { isJsonObject, own } from '../../core/json.ts'

export interface WebhookHandlerOptions {
  /** Where requests go, by POST; `{url}/{requestId}` is asked for the answer, by GET. */
  readonly url: string
  /** `whsec_<base64>`, of 24 to 64 bytes. Several for a change of secrets: the first signs, each is taken in answers. */
  readonly secret: string | readonly string[]
  /** Milliseconds between two questions for the answer; default 2000, at least 500. */
  readonly pollIntervalMs?: number
  /** Milliseconds that one request may take; default 10000. */
  readonly timeoutMs?: number
  /** Lets the address be one of a private network or of this machine; never one of cloud metadata. */
  readonly allowPrivateNetworks?: boolean
  /** Addresses of a host name. Default: those that the system finds. */
  readonly resolve?: ResolveAddresses
}

const KNOWN = ['approval', 'digest', 'approved', 'by', 'comment']
/** What stands for "no answer yet". */
const NOTHING_YET: ReadonlySet<number> = new Set([202, 204, 404])

interface Waiting {
  readonly request: HandlerRequest
  readonly signal: AbortSignal
}

/**
 * Asks an address of yours. The receiver gets `{ type: "approval.requested", timestamp, data: HandlerRequest }` and answers the
 * polls with 202 until somebody decided, then with 200 and
 * `{ type: "approval.answered", data: { approval, digest, approved, by, comment? } }`, where `approval` is the `requestId` and
 * `digest` the one of the request. Both sides sign as Standard Webhooks do: `signWebhook` and `verifyWebhook` of this module.
 * No answer, one that nobody signed, and one about another call are never a yes.
 */
export class WebhookApprovalHandler implements ApprovalHandler {
  readonly #url: URL
  readonly #secrets: readonly Uint8Array[]
  readonly #options: Required<Pick<WebhookHandlerOptions, 'pollIntervalMs' | 'timeoutMs' | 'allowPrivateNetworks' | 'resolve'>>

  /** @throws {TypeError} for an address or a secret that is none, {RangeError} for times out of bounds. */
  constructor(options: WebhookHandlerOptions) {
    const { url, secret, pollIntervalMs = 2_000, timeoutMs = 10_000, allowPrivateNetworks = false, resolve = addressesOf } = options
    this.#url = addressIn(url)
    this.#secrets = (typeof secret === 'string' ? [secret] : secret).map(secretIn)
    if (this.#secrets.length === 0) throw new TypeError('a webhook needs a secret that signs')
    if (!(pollIntervalMs >= 500 && pollIntervalMs <= 3_600_000)) throw new RangeError('`pollIntervalMs` is from 500 to 3600000')
    if (!(timeoutMs >= 1 && timeoutMs <= 300_000)) throw new RangeError('`timeoutMs` is from 1 to 300000')
    this.#options = { pollIntervalMs, timeoutMs, allowPrivateNetworks: allowPrivateNetworks === true, resolve }
  }

  async requestApproval(request: HandlerRequest, { signal }: { readonly signal: AbortSignal }): Promise<HandlerAnswer> {
    const waiting = { request, signal }
    checkDelivered(await this.#post(waiting))
    for (;;) {
      const answer = await this.#poll(waiting)
      if (answer !== null) return answer
      await this.#pause(signal)
    }
  }

  #post({ request, signal }: Waiting): Promise<ChannelResponse> {
    const timestamp = new Date().toISOString()
    const body = JSON.stringify({ type: 'approval.requested', timestamp, data: request })
    return this.#send({ url: this.#url.href, method: 'POST', body, id: `msg_${request.requestId}` }, signal)
  }

  /** A receiver that cannot be reached for a moment is asked again: nothing but a signed answer, or the end of the time, ends it. */
  async #poll({ request, signal }: Waiting): Promise<HandlerAnswer | null> {
    const url = new URL(this.#url)
    url.pathname = `${url.pathname.replace(/\/$/, '')}/${encodeURIComponent(request.requestId)}`
    const sent = { url: url.href, method: 'GET', body: '', id: `poll_${request.requestId}_${Date.now()}` } as const
    const response = await this.#send(sent, signal).catch((error: unknown) => {
      if (signal.aborted) throw error
      return null
    })
    if (response === null || NOTHING_YET.has(response.status) || response.status >= 500) return null
    checkDelivered(response)
    return this.#read(response, request)
  }

  /** Signature first, over the bytes as they came; only then is anything read. */
  #read(response: ChannelResponse, { requestId, digest }: HandlerRequest): HandlerAnswer {
    const verified = verifyWebhook({ header: response.header, body: response.body, now: Date.now() }, this.#secrets)
    if (!verified.ok) throw new HandlerRefusal(verified.fault === 'stale' ? 'approval.late_reply' : 'approval.signature', verified.message)
    const body = readObject(response.body)
    const data = body === null || own(body, 'type') !== 'approval.answered' ? null : own(body, 'data')
    if (!isJsonObject(data)) throw new HandlerRefusal('approval.malformed', 'the answer is no `approval.answered`')
    if (own(data, 'approval') !== requestId || own(data, 'digest') !== digest)
      throw new HandlerRefusal('approval.mismatch', 'the answer is about another call')
    const answer = checkedAnswer(data, '')
    const unknown = Object.keys(data).find((key) => !KNOWN.includes(key))
    if (unknown !== undefined) throw new HandlerRefusal('approval.malformed', `unknown field \`${unknown}\``)
    return answer
  }

  async #send(
    { url, method, body, id }: { readonly url: string; readonly method: 'GET' | 'POST'; readonly body: string; readonly id: string },
    signal: AbortSignal,
  ): Promise<ChannelResponse> {
    if (signal.aborted) throw late()
    const { timeoutMs, allowPrivateNetworks, resolve } = this.#options
    const kind = method === 'POST' ? { 'content-type': 'application/json' } : { accept: 'application/json' }
    const headers = { ...signWebhook({ id, at: Date.now(), body }, this.#secrets.slice(0, 1)), ...kind }
    try {
      return await sendRequest({ url, method, headers, body, timeoutMs, allowPrivate: allowPrivateNetworks }, resolve)
    } catch (error) {
      throw error instanceof ChannelFailure ? new HandlerRefusal('infra.channel', `the webhook was not reached: ${error.message}`) : error
    }
  }

  async #pause(signal: AbortSignal): Promise<void> {
    await sleep(this.#options.pollIntervalMs, undefined, { signal }).catch(() => {
      throw late()
    })
  }
}

/** @throws {HandlerRefusal} for everything but success; redirects are not followed. */
function checkDelivered({ status }: ChannelResponse): void {
  if (status < 200 || status >= 300) throw new HandlerRefusal('infra.channel', `the webhook answered ${status}`)
}

function late(): HandlerRefusal {
  return new HandlerRefusal('timeout.approval', 'nobody answered in time')
}

function addressIn(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) throw new TypeError('`url` is no address of http or https')
  return url
}

function secretIn(text: string): Uint8Array {
  const bytes = webhookSecret(text)
  if (bytes === null) throw new TypeError('`secret` is none: `whsec_` and 24 to 64 bytes as base64')
  return bytes
}

async function addressesOf(name: string): Promise<readonly string[]> {
  return (await lookup(name, { all: true })).map(({ address }) => address)
}
