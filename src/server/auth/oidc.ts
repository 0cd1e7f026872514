/**
 * Login by an OpenID provider: authorization code with PKCE. One login belongs to one browser (a cookie), is used once, and
 * ends after ten minutes; what the provider says is believed only where its signature, its issuer and its audience hold.
 * The protocol is `oauth4webapi`'s, the signatures are `jose`'s; here stand the bounds, and who a token lets in as what.
 */
import * as oauth from 'oauth4webapi'
import { type JsonObject, own } from '../../core/json.ts'
import type { OidcSection } from '../../policy/policy.ts'
import { PERSON_ROLES, type Person } from './caller.ts'
import { LoginFault } from './login-fault.ts'
import { ALGORITHMS, boundedFetch, createProvider, type Provider } from './provider.ts'
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

const LOGIN_TTL_MS = 10 * 60 * 1000
const MAX_PENDING = 1_000
/** Clocks of two machines may differ by this much, in seconds. */
const CLOCK_TOLERANCE_S = 60

export function createOidc({ fetch, env, now }: OidcParts): Oidc {
  const pending = new Map<string, Pending>()
  const provider = createProvider(boundedFetch(fetch))
  return {
    begin: async (section, redirectUri) => {
      const { authorization_endpoint } = await provider.metadata(section.issuer)
      const [state, nonce, cookie] = [oauth.generateRandomState(), oauth.generateRandomNonce(), oauth.generateRandomState()]
      const verifier = oauth.generateRandomCodeVerifier()
      for (const [key, { ends }] of pending) if (ends <= now() || pending.size >= MAX_PENDING) pending.delete(key)
      pending.set(digestOf(state), { browser: digestOf(cookie), nonce, verifier, redirectUri, ends: now() + LOGIN_TTL_MS })
      const url = new URL(authorization_endpoint)
      for (const [name, value] of [
        ['response_type', 'code'],
        ['client_id', section.clientId],
        ['redirect_uri', redirectUri],
        ['scope', section.scopes.join(' ')],
        ['state', state],
        ['nonce', nonce],
        ['code_challenge', await oauth.calculatePKCECodeChallenge(verifier)],
        ['code_challenge_method', 'S256'],
      ] as const)
        url.searchParams.set(name, value)
      return { url: url.href, cookie }
    },
    finish: async (section, returned) => {
      const key = digestOf(returned.state)
      const begun = pending.get(key)
      pending.delete(key)
      if (begun === undefined || begun.ends <= now()) throw new LoginFault('this login was not begun here, or took too long')
      if (!sameDigest(begun.browser, digestOf(returned.cookie))) throw new LoginFault('this login was begun in another browser')
      const proof = clientAuthentication(section, env)
      return personFrom(await redeem({ section, provider, begun, proof }, returned), section)
    },
  }
}

interface Redeeming {
  readonly section: OidcSection
  readonly provider: Provider
  readonly begun: Pending
  readonly proof: oauth.ClientAuth
}

/** The claims of the identity token that the code is exchanged for; signature, issuer, audience, times and nonce hold. */
async function redeem({ section, provider, begun, proof }: Redeeming, { code, state, issuer }: Returned): Promise<JsonObject> {
  const server = await provider.metadata(section.issuer)
  const client: oauth.Client = { client_id: section.clientId, [oauth.clockTolerance]: CLOCK_TOLERANCE_S }
  const answer = new URLSearchParams({ code, state, ...(issuer === null ? {} : { iss: issuer }) })
  if (issuer !== null && issuer !== section.issuer) throw new LoginFault('the answer is of another provider')
  const { redirectUri, verifier, nonce } = begun
  try {
    const checked = oauth.validateAuthResponse(server, client, answer, state)
    const response = await oauth.authorizationCodeGrantRequest(server, client, proof, checked, redirectUri, verifier, provider.options())
    const tokens = await oauth.processAuthorizationCodeResponse(server, client, response, { expectedNonce: nonce, requireIdToken: true })
    await provider.checkSignature(server, tokens.id_token ?? '')
    const claims = oauth.getValidatedIdTokenClaims(tokens)
    if (claims === undefined) throw new LoginFault('the provider sent no signed token')
    checkForThisLogin(claims, section.clientId)
    return claims as JsonObject
  } catch (error) {
    throw faultOf(error)
  }
}

function clientAuthentication({ clientSecretEnv }: OidcSection, env: OidcParts['env']): oauth.ClientAuth {
  if (clientSecretEnv === null) return oauth.None()
  const given = env(clientSecretEnv)
  if (given === undefined || given === '') throw new LoginFault(`the variable \`${clientSecretEnv}\` with the client secret is not set`)
  return oauth.ClientSecretBasic(given)
}

/** What the library leaves open: a token given to another program, made in the future, or kept for a while. */
function checkForThisLogin({ azp, iat }: oauth.IDToken, clientId: string): void {
  if (azp !== undefined && azp !== clientId) throw new LoginFault(CLAIM_FAULTS.azp)
  const age = Date.now() - iat * 1_000
  const tolerance = CLOCK_TOLERANCE_S * 1_000
  if (age < -tolerance || age > LOGIN_TTL_MS + tolerance) throw new LoginFault(CLAIM_FAULTS.iat)
}

const CLAIM_FAULTS = {
  iss: 'the token is of another provider',
  aud: 'the token is for another program',
  azp: 'the token was given to another program',
  exp: 'the token has ended',
  iat: 'the token is not of now',
  nbf: 'the token does not hold yet',
  nonce: 'the token is for another login',
} as const

/** In words of ours where the claim is known; else the library's, which name claims and never values. */
function faultOf(error: unknown): Error {
  if (error instanceof oauth.ResponseBodyError) return new LoginFault(`the provider answered ${error.status}`)
  if (!(error instanceof oauth.OperationProcessingError || error instanceof oauth.UnsupportedOperationError)) return error as Error
  const { claim, expected } = (error.cause ?? {}) as { readonly claim?: string; readonly expected?: unknown }
  if (expected === ALGORITHMS) return new LoginFault(`the token is not signed with ${ALGORITHMS.join(' or ')}`)
  const known = Object.entries(CLAIM_FAULTS).find(([name]) => name === claim)
  return new LoginFault(known?.[1] ?? `the token cannot be used: ${error.message}`)
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
