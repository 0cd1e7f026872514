/** How the peer client logs in: a browser that agrees at once, and the keys that a scenario hands out. */
import { ClientCredentialsProvider, type OAuthClientProvider, PrivateKeyJwtProvider } from '@modelcontextprotocol/client'

export interface Context {
  readonly client_id?: string
  readonly client_secret?: string
  readonly private_key_pem?: string
  readonly signing_algorithm?: string
  readonly issuer?: string
  readonly toolCalls?: readonly { readonly name: string; readonly arguments: Record<string, unknown> }[]
}

export interface Login {
  readonly provider: OAuthClientProvider
  /** What the login server said when it sent the browser back; null where nobody was asked. */
  readonly back: () => URLSearchParams | null
}

const REDIRECT = 'http://127.0.0.1:3000/callback'

export function createLogin(scenario: string, context: Context): Login {
  const { client_id: clientId = '', client_secret: clientSecret = '' } = context
  if (scenario === 'auth/client-credentials-basic')
    return { provider: new ClientCredentialsProvider({ clientId, clientSecret }), back: () => null }
  if (scenario === 'auth/client-credentials-jwt') {
    const { private_key_pem: privateKey = '', signing_algorithm: algorithm = 'ES256' } = context
    return { provider: new PrivateKeyJwtProvider({ clientId, privateKey, algorithm }), back: () => null }
  }
  return browser(
    scenario === 'auth/pre-registration' ? { client_id: clientId, client_secret: clientSecret, issuer: context.issuer } : undefined,
  )
}

function browser(registered: object | undefined): Login {
  const kept = new Map<string, unknown>([['client', registered]])
  let came: URLSearchParams | null = null
  const provider: OAuthClientProvider = {
    redirectUrl: REDIRECT,
    clientMetadataUrl: 'https://conformance-test.local/client-metadata.json',
    clientMetadata: { client_name: 'conformance-peer', redirect_uris: [REDIRECT], application_type: 'native' },
    clientInformation: () => kept.get('client') as never,
    saveClientInformation: (told) => void kept.set('client', told),
    tokens: () => kept.get('tokens') as never,
    saveTokens: (told) => void kept.set('tokens', told),
    saveCodeVerifier: (told) => void kept.set('verifier', told),
    codeVerifier: () => String(kept.get('verifier')),
    invalidateCredentials: (scope) => {
      if (scope === 'all' || scope === 'client') kept.delete('client')
      if (scope === 'all' || scope === 'tokens') kept.delete('tokens')
    },
    redirectToAuthorization: async (url) => {
      const sent = await fetch(url, { redirect: 'manual' })
      came = new URL(sent.headers.get('location') ?? REDIRECT).searchParams
    },
  }
  return { provider, back: () => came }
}
