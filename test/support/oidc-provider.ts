/** A real OpenID provider on loopback: discovery, keys, codes bound to PKCE, signed tokens. What it signs can be spoiled. */
import { createHash, generateKeyPairSync, type JsonWebKey, type KeyObject, randomBytes, sign } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Claims = Record<string, unknown>

export interface ProviderKey {
  readonly kid: string
  readonly alg: 'RS256' | 'ES256'
  readonly private: KeyObject
  readonly jwk: JsonWebKey & Record<string, unknown>
}

export interface Provider {
  readonly issuer: string
  /** Who logs in next: claims beside the standing ones; may overwrite them. */
  claims: Claims
  /** Header fields of the next token, beside `alg` and `kid`. */
  header: Claims
  /** Makes the token from what would be right; default signs it. */
  token: (claims: Claims, key: ProviderKey) => string
  /** What `/keys` tells. */
  keys: readonly (JsonWebKey & Record<string, unknown>)[]
  key: ProviderKey
  /** Overwrites fields of the discovery document. */
  discovery: Claims
  /** Requests to the token endpoint: form, and whether the client proved itself. */
  readonly exchanges: { readonly form: URLSearchParams; readonly authorization: string | null }[]
  readonly asked: string[]
  readonly close: () => Promise<void>
}

export const CLIENT = 'gate'
export const SECRET = 's3cret:with/odd chars'

const made = new Map<string, ReturnType<typeof generateKeyPairSync>>()

/** The same pair for the same arguments: making one takes long. `of` tells apart keys that have the same name. */
export function providerKey(alg: ProviderKey['alg'], kid: string, { bits = 2048, of = 'test' } = {}): ProviderKey {
  const name = [alg, kid, bits, of].join()
  const known = made.get(name)
  const pair =
    known ?? (alg === 'RS256' ? generateKeyPairSync('rsa', { modulusLength: bits }) : generateKeyPairSync('ec', { namedCurve: 'P-256' }))
  made.set(name, pair)
  return { kid, alg, private: pair.privateKey, jwk: { ...pair.publicKey.export({ format: 'jwk' }), kid, use: 'sig', alg } }
}

/** A compact JWS with a real signature. */
export function signed(claims: Claims, key: ProviderKey, header: Claims = {}): string {
  const data = [{ alg: key.alg, kid: key.kid, typ: 'JWT', ...header }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.')
  const signature =
    key.alg === 'RS256'
      ? sign('sha256', Buffer.from(data), key.private)
      : sign('sha256', Buffer.from(data), { key: key.private, dsaEncoding: 'ieee-p1363' })
  return `${data}.${signature.toString('base64url')}`
}

interface Granted {
  readonly challenge: string
  readonly nonce: string
  readonly redirectUri: string
}

export async function startProvider(alg: ProviderKey['alg'] = 'RS256'): Promise<Provider> {
  const codes = new Map<string, Granted>()
  const server = createServer((request, response) => {
    void answer(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const key = providerKey(alg, 'k1', { of: 'provider' })
  const provider: Provider = {
    issuer,
    key,
    keys: [key.jwk],
    claims: {},
    header: {},
    discovery: {},
    exchanges: [],
    asked: [],
    token: (claims, own) => signed(claims, own, provider.header),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  const json = (response: ServerResponse, status: number, body: unknown): undefined => {
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(JSON.stringify(body))
  }
  const authorize = (url: URL, response: ServerResponse): undefined => {
    const { searchParams: query } = url
    const code = randomBytes(16).toString('base64url')
    const redirectUri = query.get('redirect_uri') ?? ''
    codes.set(code, { challenge: query.get('code_challenge') ?? '', nonce: query.get('nonce') ?? '', redirectUri })
    const back = new URL(redirectUri)
    back.searchParams.set('code', code)
    back.searchParams.set('state', query.get('state') ?? '')
    back.searchParams.set('iss', issuer)
    back.searchParams.set('session_state', 'x')
    response.writeHead(302, { location: back.href })
    response.end()
  }
  const exchange = (form: URLSearchParams, response: ServerResponse): undefined => {
    const granted = codes.get(form.get('code') ?? '')
    codes.delete(form.get('code') ?? '')
    const proof = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    if (granted === undefined || proof !== granted.challenge || form.get('redirect_uri') !== granted.redirectUri)
      return json(response, 400, { error: 'invalid_grant' })
    const now = Math.floor(Date.now() / 1000)
    const claims = { iss: issuer, aud: CLIENT, sub: 'u-1', nonce: granted.nonce, iat: now, exp: now + 300, ...provider.claims }
    return json(response, 200, { access_token: 'x', token_type: 'Bearer', id_token: provider.token(claims, provider.key) })
  }
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<undefined> => {
    const url = new URL(request.url ?? '/', issuer)
    provider.asked.push(url.pathname)
    if (url.pathname === '/.well-known/openid-configuration')
      return json(response, 200, {
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/keys`,
        ...provider.discovery,
      })
    if (url.pathname === '/keys') return json(response, 200, { keys: provider.keys })
    if (url.pathname === '/authorize') return authorize(url, response)
    if (url.pathname !== '/token') return json(response, 404, {})
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const form = new URLSearchParams(Buffer.concat(chunks).toString('utf8'))
    provider.exchanges.push({ form, authorization: request.headers.authorization ?? null })
    return exchange(form, response)
  }
  return provider
}
