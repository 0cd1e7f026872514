/** The way in: where a request may come from, who sends it, how often, and what it lets them do. One place for every route. */
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { Context } from 'hono'
import type { ServerSection } from '../policy/policy.ts'
import { clientAddress } from './auth/address.ts'
import { type Access, type Caller, NOBODY, type Person, reaches, tenantOf } from './auth/caller.ts'
import { createLimiter, type Limiter } from './auth/limits.ts'
import { holdsCsrf, type Sessions } from './auth/sessions.ts'
import { LOOPBACK, siteFault } from './auth/site.ts'
import type { TokenBook } from './auth/tokens.ts'
import type { Listener } from './parts.ts'
import { type Fault, type Reply, refused } from './reply.ts'

export const COOKIE = 'countersign_session'

export interface GuardOptions {
  readonly tokens: TokenBook
  readonly sessions: Sessions
  readonly section: () => ServerSection
  /** Host name that was asked to be listened on; null: none. */
  readonly listening: () => string | null
  /** True: agents without a token are heard on loopback, too, whichever local user they run as. */
  readonly openLoopback: boolean
  /** For tokens that end. */
  readonly now: () => number
  /** Monotonic, in milliseconds. */
  readonly clock: () => number
}

/** What a request says of itself, from below the web's `Request`: a header that came twice is still two there. */
export interface Sent {
  readonly listener: Listener
  readonly method: string
  /** Names in lower case. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly port: number | null
  readonly address: string
  /** Absent: it never went over a wire. */
  readonly incoming?: IncomingMessage
}

export type Admission = { readonly caller: Caller } | { readonly refusal: Reply }

export interface Guard {
  /** Who it is and that they may; or what to answer instead. */
  readonly admit: (sent: Sent, access: Access) => Admission
  /** True while what the request came with still makes its sender who they were: answers that go on for long ask again. */
  readonly stands: (sent: Sent, caller: Caller) => boolean
  /** Counts a try to log in that was wrong, or that begins elsewhere. Seconds to wait before the next one from this address; 0: none. */
  readonly strangerTries: (sent: Sent) => number
  /** Counts a login of this person, who has proved to be it. Seconds to wait; 0: now. What strangers do is not counted here. */
  readonly personEnters: (person: Pick<Person, 'name' | 'tenant'>) => number
  readonly sessions: Sessions
  /** Who holds a token, now. */
  readonly holderOf: (secret: string) => Caller
}

export function createGuard(options: GuardOptions): Guard {
  const { tokens, sessions, section, openLoopback, now, clock } = options
  const rates = section().rates
  const limits = {
    agents: createLimiter(rates.agents, clock),
    people: createLimiter(rates.people, clock),
    strangers: createLimiter(rates.logins, clock),
    accounts: createLimiter(rates.logins, clock),
  }
  const siteOf = knownSite(options)
  const addressOf = (sent: Sent): string => clientAddress(arrivalOf(sent), section().trustedProxies)
  const mayBeNobody = (sent: Sent): boolean =>
    section().tokens === 'optional' && (sent.listener === 'socket' || (sent.listener === 'loopback' && openLoopback))
  const holderOf = (secret: string): Caller => tokens.callerOf(secret, now())
  const known = (sent: Sent): Caller => {
    const given = header(sent, 'authorization')
    if (given === null) return fromCookie(sent, sessions)
    const [scheme = '', secret = ''] = given.split(' ')
    return scheme.toLowerCase() === 'bearer' ? holderOf(secret) : NOBODY
  }
  const identify = (sent: Sent): Caller | Reply => {
    const caller = known(sent)
    if (caller.kind !== 'nobody' || header(sent, 'authorization') === null) return caller
    // A wrong credential is never taken for none: whoever sends one means to be somebody.
    const wait = limits.strangers.take(`wrong:${addressOf(sent)}`)
    return wait > 0 ? tooOften(wait) : unauthenticated('the token is not known, or its time is over')
  }
  return {
    sessions,
    holderOf,
    stands: (sent, caller) => sameCaller(known(sent), caller),
    strangerTries: (sent) => limits.strangers.take(`login:${addressOf(sent)}`),
    personEnters: ({ name, tenant }) => limits.accounts.take(JSON.stringify([name, tenant])),
    admit: (sent, access) => {
      const site = sent.listener === 'socket' ? null : siteFault(sent, siteOf())
      if (site !== null) return { refusal: refused(site.code === 'http.header' ? 400 : 403, site) }
      const found = identify(sent)
      if (!('kind' in found)) return { refusal: found }
      // Whoever floods what anyone may ask for must not close the way in to the people behind the same address.
      const wait = found.kind === 'nobody' && access === 'anyone' ? 0 : limiterOf(found, limits).take(keyOf(found, sent, addressOf))
      if (wait > 0) return { refusal: tooOften(wait) }
      const refusal = mayNot(found, access, { sent, needsToken: !mayBeNobody(sent) })
      return refusal === null ? { caller: found } : { refusal }
    },
  }
}

function sameCaller(now: Caller, before: Caller): boolean {
  if (now.kind === 'nobody' || before.kind === 'nobody') return now.kind === before.kind
  if (now.kind !== before.kind || now.name !== before.name || tenantOf(now) !== tenantOf(before)) return false
  return now.kind !== 'person' || before.kind !== 'person' || now.role === before.role
}

type Site = Parameters<typeof siteFault>[1]

/** The names and origins of now; put together anew where the policy changed. */
function knownSite({ section, listening }: GuardOptions): () => Site {
  let known: { readonly from: ServerSection; readonly own: string | null; readonly site: Site } | null = null
  return () => {
    const from = section()
    const own = listening()
    if (known === null || known.from !== from || known.own !== own) known = { from, own, site: siteOf(from, own) }
    return known.site
  }
}

function siteOf({ hosts, publicUrl }: ServerSection, own: string | null): Site {
  const origin = publicUrl === null ? [] : [new URL(publicUrl)]
  return {
    hosts: new Set([...LOOPBACK, ...hosts, ...(own === null ? [] : [own]), ...origin.map(({ hostname }) => hostname)]),
    origins: new Set(origin.map((url) => url.origin)),
  }
}

function fromCookie(sent: Sent, sessions: Sessions): Caller {
  const secret = cookieOf(sent, COOKIE)
  return secret === null ? NOBODY : (sessions.find(secret) ?? NOBODY)
}

interface Situation {
  readonly sent: Sent
  readonly needsToken: boolean
}

function mayNot(caller: Caller, access: Access, { sent, needsToken }: Situation): Reply | null {
  const changes = sent.method !== 'GET' && sent.method !== 'HEAD'
  if (changes && access !== 'anyone' && caller.kind === 'person' && !holdsCsrf(caller, header(sent, 'x-countersign-csrf')))
    return refused(403, { code: 'http.csrf', message: 'send the `csrf` of `GET /v1/whoami` as header `X-Countersign-CSRF`' })
  switch (access) {
    case 'anyone':
      return null
    case 'agent':
      return caller.kind === 'nobody' && needsToken
        ? unauthenticated(
            'send a token of `countersign tokens add --role agent` as `Authorization: Bearer …`, or ask by the private socket',
          )
        : null
    default:
      if (caller.kind === 'nobody') return unauthenticated('log in, or send a token of a person as `Authorization: Bearer …`')
      if (caller.kind === 'agent') return forbidden('this is for people; an agent has no part in it')
      return reaches(caller, access) ? null : forbidden(`this needs the role \`${access}\`, and yours is \`${caller.role}\``)
  }
}

function limiterOf({ kind }: Caller, limits: { readonly agents: Limiter; readonly people: Limiter }): Limiter {
  return kind === 'person' ? limits.people : limits.agents
}

function keyOf(caller: Caller, sent: Sent, addressOf: (sent: Sent) => string): string {
  return caller.kind === 'nobody' ? `${sent.listener}:${addressOf(sent)}` : `${caller.kind}:${caller.name}`
}

function arrivalOf({ address, headers }: Sent): { readonly address: string; readonly forwarded: readonly string[] } {
  return { address, forwarded: headers.flatMap(([name, value]) => (name === 'x-forwarded-for' ? [value] : [])) }
}

export function tooOften(seconds: number): Reply {
  const fault: Fault = { code: 'http.rate_limited', message: `too many requests; wait ${seconds} s` }
  return refused(429, fault, { 'retry-after': String(seconds) })
}

function unauthenticated(message: string): Reply {
  return refused(401, { code: 'http.unauthenticated', message }, { 'www-authenticate': 'Bearer' })
}

function forbidden(message: string): Reply {
  return refused(403, { code: 'http.forbidden', message })
}

export function header({ headers }: Pick<Sent, 'headers'>, name: string): string | null {
  return headers.find(([key]) => key === name)?.[1] ?? null
}

/** The cookie's value; null where there is none, or two: a page of a neighbouring name may have set the other. */
export function cookieOf(sent: Pick<Sent, 'headers'>, name: string): string | null {
  const found = (header(sent, 'cookie') ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
  return found.length === 1 ? (found[0]?.slice(name.length + 1) ?? null) : null
}

/** What came over the wire. Without it (a call that never went over one), the web's headers, and the strictest listener. */
export function sentOf(context: Context): Sent {
  const request = context.req.raw
  const env = context.env as { readonly listener?: Listener; readonly incoming?: IncomingMessage } | undefined
  const incoming = env?.incoming
  const socket: Socket | undefined = incoming?.socket
  return {
    listener: env?.listener ?? 'network',
    method: request.method,
    headers: incoming === undefined ? [...request.headers] : pairs(incoming.rawHeaders),
    port: socket?.localPort ?? null,
    address: socket?.remoteAddress ?? 'local',
    ...(incoming === undefined ? {} : { incoming }),
  }
}

function pairs(raw: readonly string[]): readonly (readonly [string, string])[] {
  const headers: [string, string][] = []
  for (let at = 0; at + 1 < raw.length; at += 2) headers.push([(raw[at] ?? '').toLowerCase(), raw[at + 1] ?? ''])
  return headers
}
