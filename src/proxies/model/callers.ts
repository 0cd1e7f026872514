/** Who sends a request. A token or a key that the policy knows stands above whatever the headers say (SIG-W3). */
import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Principal } from '../../core/call.ts'
import { sessionName } from '../../core/session-name.ts'
import type { KeyHolder } from '../../policy/proxies/model.ts'
import type { ApiName, RequestFacts } from './api.ts'
import type { Requester } from './judge.ts'
import { AUTH_HEADERS } from './upstream.ts'

/** Whom a token stands for. */
export interface TokenHolder {
  readonly principal: Omit<Principal, 'chain'>
  /** Names the holder's sessions. */
  readonly owner: string
  readonly vouches: boolean
}

export interface Caller {
  readonly known: boolean
  readonly principal: Principal
  readonly owner: string
  readonly vouches: boolean
  /** Headers that are not sent on, for they hold a token of ours. */
  readonly drop: readonly string[]
}

export interface CallerParts {
  /** Null: nobody's, or its time is over. */
  readonly tokenHolder: (secret: string) => TokenHolder | null
  readonly keys: readonly KeyHolder[]
}

const TOKEN_HEADER = 'x-countersign-token'
const PREFIX = 'cst_'

/** Null: the request names a token that nobody holds. It is never taken for a request without one. */
export function callerOf(headers: IncomingHttpHeaders, { tokenHolder, keys }: CallerParts): Caller | null {
  const secrets = AUTH_HEADERS.flatMap((name) => secretOf(headers, name))
  const own = [...secretOf(headers, TOKEN_HEADER), ...secrets.filter(({ secret }) => secret.startsWith(PREFIX))]
  const drop = own.map(({ name }) => name)
  const claimed = claimsOf(headers)
  const [token, ...others] = own
  if (token !== undefined) {
    const holder = tokenHolder(token.secret)
    if (holder === null || others.some(({ secret }) => secret !== token.secret)) return null
    return { known: true, principal: { ...claimed, ...holder.principal }, owner: holder.owner, vouches: holder.vouches, drop }
  }
  const digests = secrets.map(({ secret }) => createHash('sha256').update(secret).digest('hex'))
  const holder = keys.find(({ sha256 }) => digests.includes(sha256))
  if (holder === undefined) return { known: false, principal: claimed, owner: 'loopback', vouches: false, drop }
  const { agent, role, user, tenant, vouches, sha256 } = holder
  return { known: true, principal: { ...claimed, agent, role, user, tenant }, owner: `key-${sha256.slice(0, 16)}`, vouches, drop }
}

function secretOf(headers: IncomingHttpHeaders, name: string): readonly { readonly name: string; readonly secret: string }[] {
  const value = headers[name]
  if (typeof value !== 'string' || value === '') return []
  return [{ name, secret: name === 'authorization' ? value.replace(/^bearer\s+/i, '') : value }]
}

/** What a caller says of itself: Signet's headers, and ours. */
function claimsOf(headers: IncomingHttpHeaders): Principal {
  const own = (field: string): string | null => nameOf(headers[`x-countersign-${field}`])
  const agent = own('agent') ?? nameOf(headers['x-agent-id'])?.replace(/^agent:/, '') ?? null
  return { agent, role: own('role'), user: own('user') ?? nameOf(headers['x-commit-owner']), tenant: own('tenant'), chain: [] }
}

function nameOf(value: string | string[] | undefined): string | null {
  return typeof value === 'string' && /^[^\p{C}]{1,256}$/u.test(value) && value.trim() !== '' ? value.trim() : null
}

const OUR_SESSION = ['x-countersign-session', 'x-signet-session'] as const
/** As clients name it to their own servers. */
const CLIENT_SESSION = ['session_id', 'conversation_id'] as const
const SESSION = /^[A-Za-z0-9_.:-]{1,256}$/

/** Without a name of its own a conversation is known by whose it is and how it begins, so that what was denied in it is remembered. */
export function requesterOf(
  caller: Caller,
  headers: IncomingHttpHeaders,
  { api, facts }: { readonly api: ApiName | null; readonly facts: Pick<RequestFacts, 'session' | 'opening'> },
): Requester {
  const told = (names: readonly string[]) => names.map((name) => nameOf(headers[name]))
  const named = [...told(OUR_SESSION), facts.session, ...told(CLIENT_SESSION)]
  const name = named.find((each): each is string => each !== null && SESSION.test(each)) ?? conversation(caller, api, facts.opening)
  const cwd = headers['x-countersign-cwd']
  return {
    principal: caller.principal,
    session: sessionName({ name, owner: caller.owner }),
    cwd: typeof cwd === 'string' && cwd.startsWith('/') && cwd.length <= 4_096 ? cwd : null,
    vouches: caller.vouches,
  }
}

function conversation({ owner, principal }: Caller, api: ApiName | null, opening: string | null): string {
  const text = JSON.stringify(['countersign/conversation/v1', owner, principal.agent, principal.user, api, opening])
  return `conversation-${createHash('sha256').update(text).digest('hex').slice(0, 24)}`
}
