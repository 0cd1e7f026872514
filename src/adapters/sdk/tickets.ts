/**
 * Frameworks ask twice about one call: before people see it, and before it runs. The first answer is kept for the second, for exactly
 * that call and once, so that nothing is recorded, counted or used up twice. What sends the same messages again finds none.
 */
import type { ToolCall } from '../../core/call.ts'
import type { Decision } from '../../core/decision.ts'
import { digester } from '../../open.ts'

export interface Ticket {
  readonly decision: Decision
  /** False: so much time has passed that the call has to be judged again. */
  readonly fresh: boolean
}

export interface Tickets {
  readonly issue: (call: ToolCall, decision: Decision) => void
  /** The answer to a call that was asked about a moment ago and has not run. */
  readonly held: (call: ToolCall) => Decision | null
  readonly take: (call: ToolCall) => Ticket | null
}

const FRESH_MS = 30_000
const MAX_TICKETS = 1_000

/** @param now any clock in milliseconds; default the monotonic one. */
export function createTickets(now: () => number = () => performance.now()): Tickets {
  const held = new Map<string, { readonly decision: Decision; readonly at: number }>()
  const isFresh = (at: number) => now() - at < FRESH_MS
  return {
    held: (call) => {
      const key = keyOf(call)
      const ticket = key === null ? undefined : held.get(key)
      return ticket !== undefined && isFresh(ticket.at) ? ticket.decision : null
    },
    issue: (call, decision) => {
      const key = keyOf(call)
      // Who waits for people is asked about again: they may have answered.
      if (key === null || decision.decision === 'ask') return
      // The answer rests on an earlier run of the same id. Only a ticket that nobody used yet says that it did not run.
      if (decision.repeats === true && !held.has(key)) return
      held.delete(key)
      held.set(key, { decision, at: now() })
      for (const oldest of held.keys()) {
        if (held.size <= MAX_TICKETS) break
        held.delete(oldest)
      }
    },
    take: (call) => {
      const key = keyOf(call)
      const ticket = key === null ? undefined : held.get(key)
      if (key === null || ticket === undefined) return null
      held.delete(key)
      return { decision: ticket.decision, fresh: isFresh(ticket.at) }
    },
  }
}

function keyOf(call: ToolCall): string | null {
  return call.callId === null ? null : JSON.stringify([call.session, call.callId, digester.callDigest(call)])
}
