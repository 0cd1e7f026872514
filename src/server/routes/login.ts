/** The console's way in: a token, or a code that is used up, becomes a cookie that scripts cannot read. */
import Type from 'typebox'
import { eventRecord } from '../../audit/record.ts'
import type { Json } from '../../core/json.ts'
import type { Caller, Person } from '../auth/caller.ts'
import { COOKIE, sentOf, tooOften } from '../guard.ts'
import type { ServerParts } from '../parts.ts'
import { type Reply, refused } from '../reply.ts'
import { type Route, route } from '../route.ts'
import { Login } from '../schemas.ts'

const Credentials = Type.Object(
  {
    token: Type.Optional(Type.String({ minLength: 1, maxLength: 500, description: 'a token of a person' })),
    code: Type.Optional(Type.String({ minLength: 1, maxLength: 500, description: 'the code of a login link; holds once' })),
  },
  { additionalProperties: false },
)

export function loginRoutes(parts: ServerParts): readonly Route[] {
  const { guard } = parts
  return [
    route({
      method: 'POST',
      path: '/v1/login',
      tag: 'people',
      summary: 'Log a browser in, by a token or by the code of a login link',
      who: 'anyone',
      body: Credentials,
      answers: { 200: { description: 'logged in; the cookie is set', schema: Login, headers: ['set-cookie'] } },
      handle: async ({ context, body }) => {
        // The secret first: nobody who lacks one can use up the tries of somebody who has it.
        const known = body.code === undefined ? fromToken(body.token ?? '', parts) : guard.sessions.redeem(body.code)
        if (known !== null) return loggedIn(known, parts)
        const wait = guard.strangerTries(sentOf(context))
        if (wait > 0) return tooOften(wait)
        return refused(401, { code: 'http.login', message: 'this token or code is not known, or was used already' })
      },
    }),
    route({
      method: 'GET',
      path: '/v1/whoami',
      tag: 'people',
      summary: 'Who you are here',
      who: 'viewer',
      answers: { 200: { description: 'the person', schema: Login } },
      handle: ({ caller }) => ({ status: 200, body: describe(personOf(caller)) }),
    }),
    route({
      method: 'POST',
      path: '/v1/logout',
      tag: 'people',
      summary: 'End the console session',
      who: 'viewer',
      answers: { 200: { description: 'logged out', schema: Type.Object({ name: Type.String() }), headers: ['set-cookie'] } },
      handle: ({ caller }) => {
        const { name, session } = personOf(caller)
        if (session !== null) guard.sessions.close(session.id)
        return { status: 200, body: { name }, headers: { 'set-cookie': `${COOKIE}=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict` } }
      },
    }),
    route({
      method: 'POST',
      path: '/v1/login/codes',
      tag: 'people',
      summary: 'A login link for yourself: holds once, for ten minutes',
      who: 'viewer',
      answers: { 200: { description: 'the link', schema: Type.Object({ url: Type.String() }) } },
      handle: ({ caller }) => {
        const { session: _session, ...person } = personOf(caller)
        return { status: 200, body: { url: loginUrl(parts.base(), guard.sessions.code(person)) } }
      },
    }),
  ]
}

/** The code stands behind `#`: it is never sent to a server by itself, and stays out of logs. */
export function loginUrl(base: string | null, code: string): string {
  return `${base ?? ''}/#login=${code}`
}

function fromToken(token: string, { guard }: ServerParts): Omit<Person, 'session'> | null {
  const caller = guard.holderOf(token)
  return caller.kind === 'person' ? caller : null
}

/** A fresh session for each login, with a record: one that was planted before is not taken over. */
export async function loggedIn(
  person: Omit<Person, 'session'>,
  { guard, policy, store, now }: Pick<ServerParts, 'guard' | 'policy' | 'store' | 'now'>,
): Promise<Reply> {
  const wait = guard.personEnters(person)
  if (wait > 0) return tooOften(wait)
  const about = { session: null, tenant: person.tenant, tool: null, decision: null, code: null }
  await store.append(eventRecord({ ...about, kind: 'note', at: now(), body: { event: 'login', name: person.name, role: person.role } }))
  const { secret, csrf } = guard.sessions.open(person)
  const secure = policy().policy?.server.publicUrl?.startsWith('https:') === true ? '; Secure' : ''
  const { name, role, tenant } = person
  return {
    status: 200,
    body: { name, role, tenant, csrf },
    headers: { 'set-cookie': `${COOKIE}=${secret}; Path=/; Max-Age=43200; HttpOnly; SameSite=Strict${secure}` },
  }
}

function describe({ name, role, tenant, session }: Person): Json {
  return { name, role, tenant, csrf: session?.csrf ?? null }
}

/** Routes that ask for a role of people are reached by people alone. */
export function personOf(caller: Caller): Person {
  if (caller.kind !== 'person') throw new Error('a route for people was reached by somebody else')
  return caller
}
