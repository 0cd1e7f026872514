/** Login by a provider: the browser goes there, and comes back with a code. */
import Type from 'typebox'
import type { OidcSection } from '../../policy/policy.ts'
import { LoginFault } from '../auth/login-fault.ts'
import type { Oidc } from '../auth/oidc.ts'
import { cookieOf, sentOf, tooOften } from '../guard.ts'
import type { ServerParts } from '../parts.ts'
import { type Answer, ok, refused } from '../reply.ts'
import { type Incoming, type Route, route } from '../route.ts'
import { ErrorBody } from '../schemas.ts'
import { loggedIn } from './login.ts'

const COOKIE = 'countersign_login'
const PATH = '/v1/login/oidc'

const Back = Type.Object({
  code: Type.Optional(Type.String({ maxLength: 4_000 })),
  state: Type.Optional(Type.String({ maxLength: 4_000 })),
  iss: Type.Optional(Type.String({ maxLength: 4_000 })),
  error: Type.Optional(Type.String({ maxLength: 4_000 })),
})
const NONE = { 404: { description: 'the policy names no provider', schema: ErrorBody } }

export function oidcRoutes(parts: ServerParts): readonly Route[] {
  const oidc = onFirstUse(parts)
  const section = () => parts.policy().policy?.server.oidc ?? null
  return [
    route({
      method: 'GET',
      path: '/v1/login',
      tag: 'people',
      summary: 'How one can log in here',
      who: 'anyone',
      answers: { 200: { description: 'the ways', schema: Type.Object({ oidc: Type.Boolean() }) } },
      handle: () => ok({ oidc: section() !== null }),
    }),
    route({
      method: 'GET',
      path: PATH,
      tag: 'people',
      summary: 'Log in at the provider that the policy names',
      who: 'anyone',
      answers: { 303: { description: 'to the provider' }, ...NONE },
      handle: ({ context }) => {
        const wait = parts.guard.strangerTries(sentOf(context))
        return wait > 0 ? tooOften(wait) : withProvider(section(), (known) => begin(known, { oidc, parts }))
      },
    }),
    route({
      method: 'GET',
      path: `${PATH}/callback`,
      tag: 'people',
      summary: 'Where the provider sends the browser back to',
      who: 'anyone',
      query: Back,
      answers: { 303: { description: 'to the console, logged in or with `#login-error=`', headers: ['set-cookie'] }, ...NONE },
      handle: (incoming) => withProvider(section(), (known) => finish(known, { oidc, parts, incoming })),
    }),
  ]
}

/** Few servers have a provider, so its libraries are loaded by the first login. */
function onFirstUse({ fetch, env, now }: ServerParts): () => Promise<Oidc> {
  let made: Promise<Oidc> | null = null
  return () => {
    made ??= import('../auth/oidc.ts').then(({ createOidc }) => createOidc({ fetch, env, now }))
    return made
  }
}

/** The person came by a link of a browser, so they are told in the console, not in JSON. */
async function withProvider(section: OidcSection | null, act: (section: OidcSection) => Promise<Answer>): Promise<Answer> {
  if (section === null) return refused(404, { code: 'http.not_found', message: 'the policy names no provider; add `server.oidc`' })
  try {
    return await act(section)
  } catch (error) {
    if (error instanceof LoginFault) return redirect(`/#login-error=${encodeURIComponent(error.message)}`, [forget()])
    throw error
  }
}

interface Beginning {
  readonly oidc: () => Promise<Oidc>
  readonly parts: ServerParts
}

async function begin(section: OidcSection, { oidc, parts }: Beginning): Promise<Answer> {
  const { url, cookie } = await (await oidc()).begin(section, `${parts.base() ?? ''}${PATH}/callback`)
  const secure = parts.base()?.startsWith('https:') === true ? '; Secure' : ''
  // Not strict: the provider's page sends the browser back, and the cookie has to come along.
  return redirect(url, [`${COOKIE}=${cookie}; Path=${PATH}; Max-Age=600; HttpOnly; SameSite=Lax${secure}`])
}

async function finish(
  section: OidcSection,
  {
    oidc,
    parts,
    incoming,
  }: Beginning & { readonly incoming: Incoming<unknown, { code?: string; state?: string; iss?: string; error?: string }> },
): Promise<Answer> {
  const { code, state, iss = null, error } = incoming.query
  if (error !== undefined || code === undefined || state === undefined) throw new LoginFault('the provider did not log you in')
  const cookie = cookieOf(sentOf(incoming.context), COOKIE) ?? ''
  const person = await (await oidc()).finish(section, { code, state, issuer: iss, cookie })
  const { status, headers } = await loggedIn(person, parts)
  if (status !== 200) throw new LoginFault('you logged in too often; wait a minute')
  return redirect('/', [headers?.['set-cookie'] ?? '', forget()])
}

function forget(): string {
  return `${COOKIE}=; Path=${PATH}; Max-Age=0; HttpOnly; SameSite=Lax`
}

function redirect(location: string, cookies: readonly string[]): Response {
  const headers = new Headers({ location, 'cache-control': 'no-store' })
  for (const cookie of cookies) headers.append('set-cookie', cookie)
  return new Response(null, { status: 303, headers })
}
