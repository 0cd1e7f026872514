/** Standard Webhooks: HMAC-SHA256 over `id.timestamp.body`, fresh within five minutes, several secrets for rotation (T27). */
import { createHmac, timingSafeEqual } from 'node:crypto'

/** Seconds that the clocks of two machines may differ, both ways. */
export const TOLERANCE_SECONDS = 300

export interface SignedHeaders {
  readonly 'webhook-id': string
  readonly 'webhook-timestamp': string
  readonly 'webhook-signature': string
}

/** A header by its lower-case name; null where there is none. */
export type HeaderReader = (name: string) => string | null

export type Verified =
  | { readonly ok: true; readonly id: string }
  | { readonly ok: false; readonly fault: 'missing' | 'stale' | 'signature'; readonly message: string }

/** The bytes of `whsec_<base64>`; null where it is none, or shorter than 24 or longer than 64 bytes. */
export function webhookSecret(text: string): Uint8Array | null {
  const encoded = text.startsWith('whsec_') ? text.slice(6) : text
  const bytes = Buffer.from(encoded, 'base64')
  // Node drops what is no base64: only text that reads back is a secret.
  if (bytes.toString('base64').replace(/={1,2}$/, '') !== encoded.replace(/={1,2}$/, '')) return null
  return bytes.length >= 24 && bytes.length <= 64 ? bytes : null
}

/** Headers of one message. `at`: milliseconds since the epoch; `secrets`: each of them signs. */
export function signWebhook(
  { id, at, body }: { readonly id: string; readonly at: number; readonly body: string },
  secrets: readonly Uint8Array[],
): SignedHeaders {
  const timestamp = String(Math.floor(at / 1_000))
  const signatures = secrets.map((secret) => `v1,${mac(secret, `${id}.${timestamp}.`, Buffer.from(body)).toString('base64')}`)
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') }
}

/** Whether one of the secrets signed exactly these bytes a short time ago. Every secret is tried, in constant time each. */
export function verifyWebhook(
  { header, body, now }: { readonly header: HeaderReader; readonly body: Uint8Array; readonly now: number },
  secrets: readonly Uint8Array[],
): Verified {
  const [id, timestamp, signature] = [header('webhook-id'), header('webhook-timestamp'), header('webhook-signature')]
  // A point in the id would let one signature stand for another split of the same text.
  if (id === null || timestamp === null || signature === null || !/^[\w-]{1,128}$/.test(id))
    return { ok: false, fault: 'missing', message: 'the headers `webhook-id`, `webhook-timestamp` and `webhook-signature` are needed' }
  if (!isFresh(timestamp, now)) return { ok: false, fault: 'stale', message: '`webhook-timestamp` is more than five minutes away from now' }
  const given = signature
    .split(' ')
    .slice(0, 16)
    .flatMap((each) => (each.startsWith('v1,') ? [Buffer.from(each.slice(3), 'base64')] : []))
  let found = false
  for (const secret of secrets) {
    const expected = mac(secret, `${id}.${timestamp}.`, body)
    for (const each of given) if (each.length === expected.length && timingSafeEqual(each, expected)) found = true
  }
  return found ? { ok: true, id } : { ok: false, fault: 'signature', message: 'no known secret signed this body' }
}

/** Whole seconds since the epoch, within the tolerance of `now` (milliseconds). */
export function isFresh(timestamp: string, now: number): boolean {
  return /^\d{1,12}$/.test(timestamp) && Math.abs(Math.floor(now / 1_000) - Number(timestamp)) <= TOLERANCE_SECONDS
}

function mac(secret: Uint8Array, head: string, body: Uint8Array): Buffer {
  return createHmac('sha256', secret).update(head, 'utf8').update(body).digest()
}
