/** Promptise's fallback handler as a channel, where it is a webhook; every other is the inbox. */
import type { JsonObject } from '../core/json.ts'
import { argumentsOf } from './migrated.ts'
import type { Notes } from './notes.ts'
import type { Value } from './source.ts'

/** Names that no public resolver knows. */
const PRIVATE = /(?:^|\.)(?:internal|local|lan|home|corp|intranet|localhost)$/

/** @returns null where nothing is told: what waits then stands in the inbox and in the console. */
export function channelOf(handler: Value | undefined, notes: Notes): JsonObject | null {
  if (handler === undefined) return null
  if (handler.kind !== 'call' || handler.name !== 'WebhookApprovalHandler') {
    notes.left(
      handler.place,
      'fallback',
      'what waits stands in `countersign approvals` and in the console; add `approvals.channels` to tell people',
    )
    return null
  }
  const settings = argumentsOf(handler, ['url', 'secret'], notes)
  const url = settings.text('url')
  const host = url !== undefined && URL.canParse(url) ? new URL(url).hostname : null
  const inside = settings.flag('allow_private_networks') === true || (host !== null && isInside(host))
  settings.leave({
    secret: 'a secret does not stand in a policy: set the variable `APPROVALS_SECRET`',
    poll_interval: 'answers come to the reply address; `poll: true` asks for them instead',
    headers: 'messages are signed, and carry no headers of your own',
  })
  settings.done()
  if (url === undefined || host === null) {
    notes.left(handler.place, 'fallback.url', 'the address is computed: add the channel under `approvals.channels`')
    return null
  }
  notes.differs(
    handler.place,
    'fallback',
    'it is told of what waits; name under `approvers` who may answer there, and sign with `APPROVALS_SECRET`',
  )
  if (inside) notes.differs(handler.place, 'fallback.url', '`allow_private` is set, since the address is one of your own network')
  return { name: 'fallback', type: 'webhook', url, secrets: ['env:APPROVALS_SECRET'], ...(inside ? { allow_private: true } : {}) }
}

function isInside(host: string): boolean {
  return !host.includes('.') || host.startsWith('[') || /^[\d.]+$/.test(host) || PRIVATE.test(host)
}
