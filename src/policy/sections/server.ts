/** The server: by which names it answers, who needs a token, how often one may ask, and who logs people in. */

import type { Listening, OidcSection, ServerSection } from '../policy.ts'
import { described, type Located, listOf, located, mapOf, oneOf, text, whole } from '../reading/fields.ts'
import { record } from '../reading/record.ts'
import { type CompileContext, section } from '../section.ts'

const ROLES = ['viewer', 'approver', 'admin'] as const

const oidcField = record(
  {
    issuer: described(located(text), 'Address of the provider; its discovery document names it exactly so. https, or http on loopback.'),
    client_id: described(text, 'What the provider calls this server.'),
    client_secret_env: described(text, 'Environment variable with the secret. Left out: a public client, with PKCE alone.'),
    scopes: described(listOf(text), 'What is asked for beside `openid`; default `profile` and `email`.'),
    name_claim: described(
      text,
      'Claim that names the person, as approvals know them; default `email`. An e-mail address must be verified.',
    ),
    role_claim: described(text, 'Claim with groups or roles; default `groups`.'),
    roles: described(mapOf(oneOf(ROLES)), 'Which of their values is which role here. Who has none of them cannot log in.'),
    tenant_claim: described(text, 'Claim with the tenant that the person sees. Left out: `tenant` holds for everybody.'),
    tenant: described(text, 'The tenant that everybody sees who logs in this way. Left out, with `tenant_claim`, too: every tenant.'),
  },
  { required: ['issuer', 'client_id', 'roles'] },
)

const serverField = record({
  listen: described(
    located(text),
    'Where `countersign serve` answers over HTTP; default `127.0.0.1:7433`. `--listen` says otherwise for one run.',
  ),
  tokens: described(
    oneOf(['optional', 'required']),
    'Whether agents need a token on the private socket, too; default `optional`. Over TCP they do, but for `serve --open-loopback`.',
  ),
  body: described(
    oneOf(['full', 'strict']),
    'What `POST /v1/decisions` answers: the whole decision (default), or without what is for the operator.',
  ),
  hosts: described(
    listOf(located(text)),
    'Further host names it answers to, such as that of a proxy in front. Loopback names always hold.',
  ),
  trusted_proxies: described(
    listOf(located(text)),
    'Proxies whose `X-Forwarded-For` is believed, such as `10.0.0.0/8`; log-ins are limited by the address that it names.',
  ),
  public_url: described(located(text), 'Where people reach it, such as `https://gate.example.com`; for links, cookies and logins.'),
  rates: described(
    record({
      agents: described(whole(1, 10_000_000), 'Requests a minute of one agent or address; default 120000.'),
      people: described(whole(1, 10_000_000), 'Requests a minute of one person; default 1200.'),
      logins: described(whole(1, 10_000), 'Logins, and wrong tokens, a minute from one address; default 20.'),
    }),
    'How often one may ask; more is answered with 429.',
  ),
  oidc: described(oidcField, 'Login of people by an OpenID provider: authorization code with PKCE; signatures RS256 or ES256.'),
})

export const server = section({
  fields: () => ({ server: described(serverField, 'The HTTP server.') }),
  compile: (values, context): { server: ServerSection } => {
    const raw = values.server
    const address = raw?.public_url === undefined ? null : urlOf(raw.public_url, context)
    return {
      server: {
        listen: raw?.listen === undefined ? USUAL : listenOf(raw.listen, context),
        tokens: raw?.tokens ?? 'optional',
        body: raw?.body ?? 'full',
        hosts: (raw?.hosts ?? []).flatMap((host) => hostOf(host, context) ?? []),
        trustedProxies: (raw?.trusted_proxies ?? []).flatMap((proxy) => networkOf(proxy, context) ?? []),
        publicUrl: address?.origin ?? null,
        rates: { agents: raw?.rates?.agents ?? 120_000, people: raw?.rates?.people ?? 1_200, logins: raw?.rates?.logins ?? 20 },
        oidc: raw?.oidc === undefined ? null : oidcOf(raw.oidc, context),
      },
    }
  },
})

type RawOidc = NonNullable<ReturnType<typeof oidcField.read>>

function oidcOf(raw: RawOidc, context: CompileContext): OidcSection | null {
  const issuer = raw.issuer === undefined ? null : urlOf(raw.issuer, context)
  if (issuer === null || raw.issuer === undefined || raw.client_id === undefined || raw.roles === undefined) return null
  if (raw.roles.size === 0) {
    const help = 'name at least one, such as `gate-admins: admin`'
    context.reader.fail({ code: 'policy.wrong_value', message: '`roles` maps nothing, so nobody could log in', help, at: raw.at })
  }
  return {
    issuer: raw.issuer.value,
    clientId: raw.client_id,
    clientSecretEnv: raw.client_secret_env ?? null,
    scopes: ['openid', ...(raw.scopes ?? ['profile', 'email']).filter((scope) => scope !== 'openid')],
    nameClaim: raw.name_claim ?? 'email',
    roleClaim: raw.role_claim ?? 'groups',
    roles: raw.roles,
    tenantClaim: raw.tenant_claim ?? null,
    tenant: raw.tenant ?? null,
  }
}

const LOCAL = new Set(['localhost', '127.0.0.1', '[::1]'])

/** An address of the web that nobody on the way can read; null, and an error, for any other. */
function urlOf({ value, at }: Located<string>, { reader }: CompileContext): URL | null {
  const url = URL.canParse(value) ? new URL(value) : null
  const plain = url !== null && url.username === '' && url.password === '' && url.search === '' && url.hash === ''
  if (url !== null && plain && (url.protocol === 'https:' || (url.protocol === 'http:' && LOCAL.has(url.hostname)))) return url
  const help = 'write it as `https://gate.example.com`'
  reader.fail({ code: 'policy.wrong_value', message: `\`${value}\` is no https address without query or credentials`, help, at })
  return null
}

const USUAL: Listening = { host: '127.0.0.1', port: 7433 }

/** `127.0.0.1:7433`, `[::1]:0`, `:8080`; null for what is no address. A host alone gets the usual port, a port alone loopback. */
export function parseListening(address: string, usual: Listening = USUAL): Listening | null {
  const match = /^(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9._-]*)(?::(\d{1,5}))?$/.exec(address)
  const port = Number(match?.[2] ?? usual.port)
  if (match === null || address === '' || port > 65_535) return null
  const host = (match[1] ?? '').replaceAll(/[[\]]/g, '')
  return { host: host === '' ? usual.host : host, port }
}

export function listenOf({ value, at }: Located<string>, { reader }: CompileContext, usual: Listening = USUAL): Listening {
  const address = parseListening(value, usual)
  if (address !== null) return address
  const help = `write it as \`127.0.0.1:${usual.port}\``
  reader.fail({ code: 'policy.wrong_value', message: `\`${value}\` is no address`, help, at })
  return usual
}

/** An address, or a network such as `10.0.0.0/8`. */
function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/')
  const four = /^\d{1,3}(?:\.\d{1,3}){3}$/.test(address) && URL.canParse(`http://${address}/`)
  const six = !four && address.includes(':') && /^[0-9a-f:.]+$/i.test(address) && URL.canParse(`http://[${address}]/`)
  if ((!four && !six) || rest.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (four ? 32 : 128))
}

function networkOf({ value, at }: Located<string>, { reader }: CompileContext): string | null {
  if (isNetwork(value)) return value
  const message = `\`${value}\` is no address and no network`
  reader.fail({ code: 'policy.wrong_value', message, help: 'write it as `10.0.0.7` or `10.0.0.0/8`', at })
  return null
}

function hostOf({ value, at }: Located<string>, { reader }: CompileContext): string | null {
  if (/^[a-zA-Z0-9]([a-zA-Z0-9._-]{0,251}[a-zA-Z0-9])?$/.test(value)) return value.toLowerCase()
  const message = `\`${value}\` is no host name`
  reader.fail({ code: 'policy.wrong_value', message, help: 'write the name alone, without scheme, port or wildcard', at })
  return null
}
