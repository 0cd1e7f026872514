/** Tries to do what takes a person, by somebody who is none: kept in the log, but never so many that they are a flood of their own. */
import { eventRecord } from '../audit/record.ts'
import type { GateStore } from '../open.ts'
import { createLimiter } from './auth/limits.ts'
import type { Sent } from './guard.ts'
import type { Reply } from './reply.ts'
import type { Route } from './route.ts'

const MAX_A_MINUTE = 20

export interface TriesParts {
  readonly store: Pick<GateStore, 'append'>
  /** Wall clock, for the record. */
  readonly now: () => number
  /** Monotonic, in milliseconds. */
  readonly clock: () => number
}

/** Told of every request that was not admitted; resolves once what is worth keeping is kept. Never rejects. */
export function createTries({ store, now, clock }: TriesParts): (route: Route, sent: Sent, refusal: Reply) => Promise<void> {
  const limiter = createLimiter(MAX_A_MINUTE, clock)
  return async ({ method, path, who }, { listener, address }, { status, body }) => {
    const why = typeof body === 'object' && body !== null && 'error' in body ? (body.error ?? null) : null
    const answers = method === 'POST' && (who === 'approver' || who === 'admin')
    // By reason: many of one kind do not hide the first of another.
    if (!answers || limiter.take(`${listener} ${address} ${String(why)}`) > 0) return
    const nothing = { session: null, tenant: null, tool: null, decision: null, code: null }
    const event = { event: 'answer_refused', channel: 'untrusted', path, listener, address, status, why }
    try {
      await store.append(eventRecord({ ...nothing, kind: 'note', at: now(), body: event }))
    } catch {
      // Nothing was let in; a log that cannot be written shows in the next decision.
    }
  }
}
