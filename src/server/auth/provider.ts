/** What is asked of an OpenID provider: its description and its keys, each kept for an hour; every answer is bounded in time and size. */
import * as jose from 'jose'
import * as oauth from 'oauth4webapi'
import { LoginFault } from './login-fault.ts'

type Fetch = typeof globalThis.fetch

/** The provider's own description, with the endpoints that a login needs. */
export interface Metadata extends oauth.AuthorizationServer {
  readonly authorization_endpoint: string
  readonly token_endpoint: string
  readonly jwks_uri: string
}

export interface Provider {
  /** Throws `LoginFault`. */
  readonly metadata: (issuer: string) => Promise<Metadata>
  /** Throws `LoginFault` unless a key of the provider signed the token. */
  readonly checkSignature: (server: Metadata, token: string) => Promise<void>
  /** For requests of the caller's own to the provider. */
  readonly options: () => oauth.HttpRequestOptions<'POST', URLSearchParams>
}

/** Chosen here, never by the token: `none` and shared secrets are no signatures at all. */
export const ALGORITHMS = ['RS256', 'ES256']
const DISCOVERY_TTL_MS = 60 * 60 * 1000
/** A token may name a new key; asking for it again and again would be a flood. */
const JWKS_REFETCH_MS = 60 * 1000
const TIMEOUT_MS = 10_000
const MAX_BYTES = 256 * 1024

export function createProvider(fetch: Fetch): Provider {
  let known: { readonly issuer: string; readonly metadata: Metadata; readonly at: number } | null = null
  let ring: { readonly from: string; readonly keys: ReturnType<typeof jose.createRemoteJWKSet> } | null = null
  // Plain HTTP is for providers on this machine only: `endpointOf` and the policy's own check refuse it elsewhere.
  const http = { [oauth.customFetch]: fetch as (url: string, init: object) => Promise<Response>, [oauth.allowInsecureRequests]: true }
  const keysAt = (from: string) => {
    if (ring?.from !== from) ring = { from, keys: jose.createRemoteJWKSet(new URL(from), keyRingOptions(fetch)) }
    return ring.keys
  }
  return {
    metadata: async (issuer) => {
      if (known !== null && known.issuer === issuer && Date.now() - known.at < DISCOVERY_TTL_MS) return known.metadata
      const metadata = await discover(issuer, http)
      known = { issuer, metadata, at: Date.now() }
      return metadata
    },
    checkSignature: async (server, token) => {
      try {
        await jose.compactVerify(token, keysAt(server.jwks_uri), { algorithms: ALGORITHMS })
      } catch (error) {
        throw error instanceof LoginFault ? error : new LoginFault('the signature of the token does not hold')
      }
    },
    options: () => http,
  }
}

function keyRingOptions(fetch: Fetch): jose.RemoteJWKSetOptions {
  return {
    [jose.customFetch]: fetch,
    cacheMaxAge: DISCOVERY_TTL_MS,
    cooldownDuration: JWKS_REFETCH_MS,
    timeoutDuration: TIMEOUT_MS,
  }
}

async function discover(issuer: string, http: oauth.DiscoveryRequestOptions): Promise<Metadata> {
  const expected = new URL(issuer)
  const response = await oauth.discoveryRequest(expected, { ...http, algorithm: 'oidc' })
  if (!response.ok) throw new LoginFault(`the provider answered ${response.status}`)
  const document = await oauth.processDiscoveryResponse(expected, response).catch(() => null)
  if (document?.issuer !== issuer) throw new LoginFault('the provider names itself otherwise than the policy does')
  return {
    ...document,
    authorization_endpoint: endpointOf(document, 'authorization_endpoint'),
    token_endpoint: endpointOf(document, 'token_endpoint'),
    jwks_uri: endpointOf(document, 'jwks_uri'),
    id_token_signing_alg_values_supported: ALGORITHMS,
  }
}

function endpointOf(document: oauth.AuthorizationServer, name: 'authorization_endpoint' | 'token_endpoint' | 'jwks_uri'): string {
  const value: unknown = document[name]
  const url = typeof value === 'string' && URL.canParse(value) ? new URL(value) : null
  const local = url !== null && url.protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)
  if (url === null || (url.protocol !== 'https:' && !local)) throw new LoginFault(`the provider has no usable \`${name}\``)
  return url.href
}

/** A fetch that follows nothing, ends after ten seconds, and reads no more than a provider has to say. Throws `LoginFault`. */
export function boundedFetch(fetch: Fetch): Fetch {
  return async (input, init) => {
    try {
      const response = await fetch(input, { ...init, redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) })
      const { status, headers } = response
      return new Response(await atMost(response), { status, headers })
    } catch (error) {
      throw error instanceof LoginFault ? error : new LoginFault('the provider cannot be reached')
    }
  }
}

async function atMost(response: Response): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.length
    if (size > MAX_BYTES) throw new LoginFault('the answer of the provider is too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
