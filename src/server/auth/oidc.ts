/**
 * Login by an OpenID provider: authorization code with PKCE. One login belongs to one browser (a cookie), is used once, and
 * ends after ten minutes; what the provider says is believed only where its signature, its issuer and its audience hold.
 */
import { createHash, randomBytes } from 'node:crypto'
import { isJsonObject, type Json, type JsonObject, own } from '../../core/json.ts'
import { readJson } from '../../ingress/json.ts'
import type { OidcSection } from '../../policy/policy.ts'
import { PERSON_ROLES, type Person } from './caller.ts'
import { LoginFault, readSigned } from './jwt.ts'
import { digestOf, sameDigest } from './tokens.ts'

export interface OidcParts {
  readonly fetch: typeof globalThis.fetch
  readonly env: (name: string) => string | undefined
  /** Wall clock in milliseconds since the epoch. */
  readonly now: () => number
}

export interface Begun {
  /** Where the browser goes. */
  readonly url: string
  /** Value of a cookie that this browser brings back. */
  readonly cookie: string
}

export interface Returned {
  readonly code: string
  readonly state: string
  /** Who says so (RFC 9207); null where the provider does not. */
  readonly issuer: string | null
  readonly cookie: string
}

export interface Oidc {
  /** Throws `LoginFault`. */
  readonly begin: (section: OidcSection, redirectUri: string) => Promise<Begun>
  readonly finish: (section: OidcSection, returned: Returned) => Promise<Omit<Person, 'session'>>
}

interface Pending {
  readonly browser: string
  readonly nonce: string
  readonly verifier: string
  readonly redirectUri: string
  readonly ends: number
}

const LIFE = 10 * 60 * 1000
const MOST_PENDING = 1_000
/** Clocks of two machines may differ by this much, in milliseconds. */
const SKEW = 60_000

export function createOidc(parts: OidcParts): Oidc {
  const { now } = parts
  const pending = new Map<string, Pending>()
  const provider = createProvider(parts)
  return {
    begin: async (section, redirectUri) => {
      const { authorization } = await provider.endpoints(section)
      const [state, nonce, verifier, cookie] = [secret(), secret(), secret(), secret()]
      for (const [key, { ends }] of pending) if (ends <= now() || pending.size >= MOST_PENDING) pending.delete(key)
      pending.set(digestOf(state), { browser: digestOf(cookie), nonce, verifier, redirectUri, ends: now() + LIFE })
      const url = new URL(authorization)
      const challenge = createHash('sha256').update(verifier).digest('base64url')
      for (const [name, value] of [
        ['response_type', 'code'],
        ['client_id', section.clientId],
        ['redirect_uri', redirectUri],
        ['scope', section.scopes.join(' ')],
        ['state', state],
        ['nonce', nonce],
        ['code_challenge', challenge],
        ['code_challenge_method', 'S256'],
      ] as const)
        url.searchParams.set(name, value)
      return { url: url.href, cookie }
    },
    finish: async (section, { code, state, issuer, cookie }) => {
      const key = digestOf(state)
      const begun = pending.get(key)
      pending.delete(key)
      if (begun === undefined || begun.ends <= now()) throw new LoginFault('this login was not begun here, or took too long')
      if (!sameDigest(begun.browser, digestOf(cookie))) throw new LoginFault('this login was begun in another browser')
      if (issuer !== null && issuer !== section.issuer) throw new LoginFault('the answer is of another provider')
      const token = await provider.exchange(section, { code, verifier: begun.verifier, redirectUri: begun.redirectUri })
      const claims = await provider.verified(section, token)
      if (!sameDigest(digestOf(begun.nonce), digestOf(String(claims.nonce ?? '')))) throw new LoginFault('the token is for another login')
      return personFrom(claims, section)
    },
  }
}

interface Endpoints {
  readonly authorization: string
  readonly token: string
  readonly keys: string
}

interface Exchange {
  readonly code: string
  readonly verifier: string
  readonly redirectUri: string
}

interface Provider {
  readonly endpoints: (section: OidcSection) => Promise<Endpoints>
  /** The id token. */
  readonly exchange: (section: OidcSection, exchange: Exchange) => Promise<string>
  /** Claims of a token whose signature, issuer, audience and times hold. */
  readonly verified: (section: OidcSection, token: string) => Promise<JsonObject>
}

const FRESH = 60 * 60 * 1000
/** A token may name a new key; asking for it again and again would be a flood. */
const ANEW = 60 * 1000

function createProvider({ fetch, env, now }: OidcParts): Provider {
  let known: { readonly issuer: string; readonly endpoints: Endpoints; readonly at: number } | null = null
  let ring: { readonly from: string; readonly keys: readonly JsonObject[]; readonly at: number } | null = null
  const endpoints: Provider['endpoints'] = async ({ issuer }) => {
    if (known !== null && known.issuer === issuer && now() - known.at < FRESH) return known.endpoints
    const document = await jsonFrom(fetch, `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`)
    if (document.issuer !== issuer) throw new LoginFault('the provider names itself otherwise than the policy does')
    const found: Endpoints = {
      authorization: endpointOf(document, 'authorization_endpoint'),
      token: endpointOf(document, 'token_endpoint'),
      keys: endpointOf(document, 'jwks_uri'),
    }
    known = { issuer, endpoints: found, at: now() }
    return found
  }
  const keysOf = async (from: string, anew: boolean): Promise<readonly JsonObject[]> => {
    const age = ring === null || ring.from !== from ? Number.POSITIVE_INFINITY : now() - ring.at
    if (ring !== null && age < (anew ? ANEW : FRESH)) return ring.keys
    const { keys } = await jsonFrom(fetch, from)
    ring = { from, keys: Array.isArray(keys) ? keys.filter(isJsonObject) : [], at: now() }
    return ring.keys
  }
  return {
    endpoints,
    exchange: async (section, { code, verifier, redirectUri }) => {
      const { token } = await endpoints(section)
      const form = new URLSearchParams({
        grant_type: 'authorization_code',
        code,
        redirect_uri: redirectUri,
        client_id: section.clientId,
        code_verifier: verifier,
      })
      const answer = await jsonFrom(fetch, token, { method: 'POST', body: form, headers: authorizationOf(section, env) })
      if (typeof answer.id_token !== 'string') throw new LoginFault('the provider sent no signed token')
      return answer.id_token
    },
    verified: async (section, token) => {
      const signed = readSigned(token)
      const { keys } = await endpoints(section)
      const holds = signed.signedBy(await keysOf(keys, false)) || signed.signedBy(await keysOf(keys, true))
      if (!holds) throw new LoginFault('the signature of the token does not hold')
      checkClaims(signed.claims, section, now())
      return signed.claims
    },
  }
}

function authorizationOf({ clientId, clientSecretEnv }: OidcSection, env: OidcParts['env']): Readonly<Record<string, string>> {
  if (clientSecretEnv === null) return {}
  const given = env(clientSecretEnv)
  if (given === undefined || given === '') throw new LoginFault(`the variable \`${clientSecretEnv}\` with the client secret is not set`)
  const pair = [clientId, given].map((part) => new URLSearchParams({ v: part }).toString().slice(2)).join(':')
  return { authorization: `Basic ${Buffer.from(pair).toString('base64')}` }
}

function checkClaims(claims: JsonObject, { issuer, clientId }: OidcSection, now: number): void {
  const { iss, aud, azp, exp, iat, nbf } = claims
  if (iss !== issuer) throw new LoginFault('the token is of another provider')
  const audience = Array.isArray(aud) ? aud : [aud]
  if (!audience.includes(clientId)) throw new LoginFault('the token is for another program')
  if ((audience.length > 1 || azp !== undefined) && azp !== clientId) throw new LoginFault('the token was given to another program')
  const time = (value: Json | undefined) => (typeof value === 'number' ? value * 1_000 : null)
  const [end, begin, from] = [time(exp), time(iat), time(nbf)]
  if (end === null || end + SKEW <= now) throw new LoginFault('the token has ended')
  if (begin === null || begin - SKEW > now || now - begin > LIFE + SKEW) throw new LoginFault('the token is not of now')
  if (nbf !== undefined && (from === null || from - SKEW > now)) throw new LoginFault('the token does not hold yet')
}

/** Highest of the roles that the provider's groups map to; nobody without one gets in. */
function personFrom(claims: JsonObject, section: OidcSection): Omit<Person, 'session'> {
  const { nameClaim, roleClaim, roles, tenantClaim } = section
  const name = own(claims, nameClaim)
  if (typeof name !== 'string' || !PLAIN_NAME.test(name)) throw new LoginFault(`the token has no usable claim \`${nameClaim}\``)
  if (nameClaim === 'email' && claims.email_verified !== true) throw new LoginFault('the provider has not verified the e-mail address')
  const groups = own(claims, roleClaim)
  const held = (Array.isArray(groups) ? groups : [groups]).flatMap((group) => (typeof group === 'string' ? (roles.get(group) ?? []) : []))
  const role = PERSON_ROLES.toReversed().find((each) => held.includes(each))
  if (role === undefined) throw new LoginFault('the provider gives you no role here')
  const tenant = tenantClaim === null ? section.tenant : own(claims, tenantClaim)
  if (tenantClaim !== null && (typeof tenant !== 'string' || tenant === '')) throw new LoginFault('the provider names no tenant of yours')
  return { kind: 'person', name: `human:${name}`, role, tenant: typeof tenant === 'string' ? tenant : null }
}

/** What people read beside an Approve button: nothing invisible, nothing that turns text around. */
const PLAIN_NAME = /^[\p{L}\p{N}][\p{L}\p{M}\p{N} ._%+@'-]{0,199}$/u

function endpointOf(document: JsonObject, name: string): string {
  const value = document[name]
  const url = typeof value === 'string' && URL.canParse(value) ? new URL(value) : null
  const local = url !== null && url.protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)
  if (url === null || (url.protocol !== 'https:' && !local)) throw new LoginFault(`the provider has no usable \`${name}\``)
  return url.href
}

const TIMEOUT = 10_000
const MOST_BYTES = 256 * 1024

async function jsonFrom(fetch: OidcParts['fetch'], url: string, init: RequestInit = {}): Promise<JsonObject> {
  const response = await attempt(() => fetch(url, { ...init, redirect: 'error', signal: AbortSignal.timeout(TIMEOUT) }))
  const bytes = response.ok ? await attempt(() => atMost(response)) : null
  if (bytes === null) throw new LoginFault(`the provider answered ${response.status}`)
  const read = readJson(bytes)
  if (!read.ok || !isJsonObject(read.value)) throw new LoginFault('the answer of the provider cannot be read')
  return read.value
}

async function attempt<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    if (error instanceof LoginFault) throw error
    throw new LoginFault('the provider cannot be reached')
  }
}

async function atMost(response: Response): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.length
    if (size > MOST_BYTES) throw new LoginFault('the answer of the provider is too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function secret(): string {
  return randomBytes(32).toString('base64url')
}
