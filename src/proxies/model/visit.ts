/** One request on its way through: what becomes of it goes by its path. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Decision } from '../../core/decision.ts'
import type { ModelProxySection } from '../../policy/proxies/model.ts'
import type { Metrics } from '../metrics.ts'
import type { ModelApi, Ruling } from './api.ts'
import type { Caller } from './callers.ts'
import { fault } from './exchange.ts'
import { piped, sent } from './forward.ts'
import { fingerprintOf } from './incoming.ts'
import { judged } from './judged.ts'
import type { KeptAnswer } from './kept.ts'
import type { Memory } from './memory.ts'
import type { ModelProxyParts } from './proxy.ts'
import { Reply } from './reply.ts'
import type { WithheldBook } from './responses/withheld.ts'
import { isUnseen, type Label, routeOf } from './routes.ts'
import type { StrictOptions } from './strict.ts'
import type { Destination } from './upstream.ts'

export interface House extends Omit<ModelProxyParts, 'strict' | 'receipts'> {
  readonly metrics: Metrics<Label>
  /** Answers whose client left while a call waits, by their request. */
  readonly away: Map<string, Reply>
  /** Tools that providers may run, as they were decided lately. */
  readonly offered: Memory<number>
  /** What answers of a provider that remembers them were asked with, by their ids. */
  readonly answers: Memory<Remembered>
  /** What was said of calls of answers that are fetched again and again. */
  readonly rulings: Memory<Ruling>
  readonly withheld: WithheldBook
  /** Answers that wait for people while their clients do not, by their request. */
  readonly kept: Memory<KeptAnswer>
  /** Counts what is not looked into, and tells it in the log. */
  readonly uninspected: (here: Pick<Visit, 'destination'>, what: string, passed: boolean) => void
  /** Results that the session was told of. */
  readonly results: Memory<true>
  readonly strict: () => boolean
  readonly strictOptions: () => StrictOptions
  /** Signs a receipt; null where nothing was recorded. */
  readonly receipt: (decision: Decision) => string | null
}

/** What later requests about an answer need to know of it. */
export interface Remembered {
  readonly session: string | null
  readonly kinds: ReadonlySet<string>
}

export interface Visit {
  readonly house: House
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly body: Buffer
  readonly destination: Destination
  readonly caller: Caller
  readonly section: ModelProxySection
}

export async function visit(here: Visit): Promise<void> {
  const { house, request, response, destination, section } = here
  const path = destination.path.split('?', 1)[0] ?? ''
  const route = routeOf(request.method ?? 'GET', path)
  const unseen = isUnseen(path, section.unseen)
  const { reply, gone } = replying(here)
  response.once('finish', () => house.metrics.answered(route.label, response.statusCode))
  if (unseen || route.kind === 'uninspected')
    house.uninspected(here, route.kind === 'uninspected' ? route.what : 'a path that the policy names as unseen', unseen || isShadow(here))
  const api = route.kind === 'judged' && !unseen ? route.api : null
  const asking: Asking = { here, reply, api, signal: gone.signal, label: route.label }
  if (unseen || route.kind === 'plain') return forwarded(asking)
  if (route.kind === 'uninspected')
    return isShadow(here) ? forwarded(asking) : fault({ reply, api, headers: () => ({}) }, 403, notSent(route.what))
  await judged(asking)
}

export interface Asking {
  readonly here: Visit
  readonly reply: Reply
  readonly api: ModelApi | null
  readonly signal: AbortSignal
  readonly label: Label
}

function replying(here: Visit): { readonly reply: Reply; readonly gone: AbortController } {
  const { house, request, response, body } = here
  const reply = new Reply(response)
  const gone = new AbortController()
  reply.onAway = () => house.away.set(fingerprintOf(request, body), reply)
  reply.onGone = () => {
    for (const [key, each] of house.away) if (each === reply) house.away.delete(key)
    gone.abort()
  }
  return { reply, gone }
}

function isShadow({ house }: Visit): boolean {
  return house.policy().policy?.mode === 'shadow'
}

function notSent(what: string): string {
  return `Countersign cannot look into ${what}, so the request was not sent on. The operator can name the path in \`model_proxy.unseen\`.`
}

/** Sends the request on, and its answer back as it is. */
async function forwarded(asking: Asking): Promise<void> {
  const answer = await sent(asking, asking.here.body)
  if (answer !== null) await piped(answer, asking)
}
