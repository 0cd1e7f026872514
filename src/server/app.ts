/** The HTTP server: decisions for agents, approvals and the log for people, the console. It never decides; it asks the gate. */
import { Hono } from 'hono'
import { createApprovalQueue } from '../approvals/queue.ts'
import { createForward, NO_THREADS, type Threads } from './apart/forward.ts'
import { type Decided, HEARD } from './apart/message.ts'
import { watched } from './apart/watched.ts'
import type { Person } from './auth/caller.ts'
import { timeOfEnds } from './auth/ends.ts'
import { createSessions } from './auth/sessions.ts'
import { createTokenBook } from './auth/tokens.ts'
import { createFeed, type FeedOptions } from './feed.ts'
import { createGuard } from './guard.ts'
import { headOf, recordsOf } from './log.ts'
import { createMetrics, type Metrics } from './metrics.ts'
import { mount } from './mount.ts'
import type { AppParts, Listener, ServerParts } from './parts.ts'
import type { Route } from './route.ts'
import { routesOf } from './routes/index.ts'
import { DEFAULT_SERVER } from './section.ts'
import { type Heard, heardOf } from './sse-events.ts'
import { countUninspected } from './uninspected.ts'
import { createTries } from './untrusted.ts'

export type { AppParts } from './parts.ts'

export interface App {
  /** Answers one request that came in by this listener; `env` as the adaptor hands it in. */
  readonly fetch: (request: Request, env: { readonly listener: Listener }) => Response | Promise<Response>
  readonly routes: readonly Route[]
  /** A code that logs the person in once. */
  readonly loginCode: (person: Omit<Person, 'session'>) => string
  /** Ends event streams and waiting requests; what is under way is finished. */
  readonly close: () => void
}

export function createApp(given: AppParts): App {
  const { store, home, base, now = Date.now, note = () => {} } = given
  const { fetch = globalThis.fetch, env = (name: string) => process.env[name] } = given
  const metrics = createMetrics()
  const threads = given.threads ?? NO_THREADS
  const feed = createFeed({ read: heardBy(threads, store), head: () => headOf(store) })
  const section = () => given.policy().policy?.server ?? DEFAULT_SERVER
  const tokens = createTokenBook(home)
  const ends = timeOfEnds(store, now)
  const guard = createGuard({
    tokens,
    sessions: createSessions(ends, (token) => tokens.holds(token, ends())),
    section,
    openLoopback: given.openLoopback === true,
    listening: knownHostname(base),
    now: ends,
    clock: () => performance.now(),
  })
  const counted = counting(metrics, feed.poke)
  const gate = watched(given.gate, counted)
  const queue = createApprovalQueue({
    store,
    keys: given.keys,
    ...(given.now === undefined ? {} : { now: given.now }),
    ...(given.reviewing === undefined ? {} : { reviewing: given.reviewing }),
  })
  const parts: ServerParts = {
    ...given,
    channels: given.channels ?? null,
    openLoopback: given.openLoopback === true,
    build: given.build ?? null,
    threads,
    now,
    note,
    fetch,
    env,
    gate,
    queue,
    hook: { ...given.hook, gate },
    feed,
    guard,
    metrics,
    uninspected: countUninspected(store),
  }
  const routes = routesOf(parts)
  const hono = new Hono()
  const turnedAway = createTries({ store, now, clock: () => performance.now() })
  const forward = createForward({ threads, base, decided: (all) => all.forEach(counted), land: given.landApart })
  mount(hono, routes, { guard, answered: metrics.answered, note, turnedAway, forward })
  return {
    fetch: (request, env) => hono.fetch(request, env),
    routes,
    loginCode: guard.sessions.code,
    close: feed.close,
  }
}

function heardBy({ looks }: Threads, store: ServerParts['store']): FeedOptions['read'] {
  return looks === null ? (query) => [...recordsOf(store, query)].map(heardOf) : (query) => looks.ask<readonly Heard[]>(HEARD, query)
}

/** Every decision is counted and told, whichever route it came by and whichever thread made it. */
function counting(metrics: Metrics, poke: () => void): (decided: Decided) => void {
  return ({ decision, would, seconds, recorded }) => {
    metrics.decided(decision, seconds, would)
    if (!recorded) metrics.storeFailed()
    poke()
  }
}

/** Asked for each request; taken apart anew where the address changed. */
function knownHostname(base: AppParts['base']): () => string | null {
  let known: { readonly of: string | null; readonly name: string | null } = { of: null, name: null }
  return () => {
    const now = base()
    if (known.of !== now) known = { of: now, name: hostnameOf(now) }
    return known.name
  }
}

function hostnameOf(base: string | null): string | null {
  const name = base === null ? null : new URL(base).hostname.replace(/^\[|\]$/g, '')
  // What stands for every address is the name of none; some browsers let pages ask it nevertheless.
  return name === '0.0.0.0' || name === '::' ? null : name
}
