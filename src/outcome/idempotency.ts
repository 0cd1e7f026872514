/** Keys by which APIs tell a repetition from a new act: where each takes it, by the host of the API. From the APIs' own references. */
import type { Effect } from '../core/effect.ts'
import type { Leaf } from './leaves.ts'

/** Names without case and separators, as in `Leaf`. */
const APIS: readonly { readonly host: RegExp; readonly name: string }[] = [
  { host: /(?:^|\.)stripe\.com$/, name: 'idempotencykey' },
  { host: /(?:^|\.)paypal\.com$/, name: 'paypalrequestid' },
  { host: /(?:^|\.)square(?:up|upsandbox)?\.com$/, name: 'idempotencykey' },
  { host: /(?:^|\.)adyen(?:payments)?\.com$/, name: 'idempotencykey' },
  { host: /(?:^|\.)gocardless\.com$/, name: 'idempotencykey' },
  { host: /(?:^|\.)mercadopago\.com$/, name: 'xidempotencykey' },
  { host: /(?:^|\.)checkout\.com$/, name: 'ckoidempotencykey' },
  { host: /(?:^|\.)(?:wise|transferwise)\.com$/, name: 'customertransactionid' },
]
const AWS = 'clienttoken'

const NAMES: ReadonlySet<string> = new Set([...APIS.map(({ name }) => name), AWS, 'clientrequesttoken'])

/** Such a name says which request it is, not what is done. */
export function isKeyName(name: string): boolean {
  return NAMES.has(name)
}

/** The key that this API acts on once; null where the call has none, or nobody knows that the API looks at it. */
export function keyIn({ target, attributes }: Effect, leaves: readonly Leaf[]): string | null {
  const host = target.kind === 'url' ? hostOf(target.value) : null
  const name = attributes.provider === 'aws' ? AWS : host === null ? undefined : APIS.find((api) => api.host.test(host))?.name
  // What a shell would put in there is not known before it runs, and may be new each time.
  const found = name === undefined ? undefined : leaves.find((leaf) => leaf.name === name)?.value
  return found === undefined || found === '' || /[$`]/.test(found) ? null : found
}

function hostOf(url: string): string | null {
  return /^[a-z][a-z0-9+.-]*:\/\/(?:[^/@?#]*@)?([^/:?#]+)/i.exec(url)?.[1]?.toLowerCase() ?? null
}
