/** Large calls of a proxy on a thread of their own. */

import type { ToolCall } from '../../core/call.ts'
import type { PolicyState } from '../../gate.ts'
import { bytesDigest, type OpenedGate } from '../../open.ts'
import type { Policy } from '../../policy/policy.ts'
import { judgingPolicies } from '../../policy/scopes/model.ts'
import { besideLarge } from '../../proxies/large.ts'
import { type DecisionsOptions, openDecisions } from '../threads/open.ts'

export interface LargeCalls {
  readonly gate: Pick<OpenedGate['gate'], 'decide' | 'refuse'>
  /** Notes a result whose record is on its way: no large call is decided before it is durable. */
  readonly kept: <T extends { readonly kept: Promise<unknown> }>(result: T) => T
  /** Once every result that was noted is durable. */
  readonly close: () => Promise<void>
}

/** Without a thread for them. */
export function decidedHere({ gate }: Pick<OpenedGate, 'gate'>): Pick<LargeCalls, 'gate' | 'kept'> {
  return { gate, kept: (result) => result }
}

export interface LargeOptions extends DecisionsOptions {
  readonly current: (cwd: string | null) => PolicyState
  readonly copyJournal: () => void
  /** What else is judged by what only this process knows. */
  readonly here: (call: ToolCall, policy: Policy) => boolean
}

export function openLargeCalls(opened: OpenedGate, { current, copyJournal, here, ...data }: LargeOptions): LargeCalls {
  const thread = openDecisions(data)
  const under = new Set<Promise<unknown>>()
  const gate = besideLarge({
    gate: opened.gate,
    // A few of them fill the journal, and the commit that finds it full would copy it while others wait.
    elsewhere: (large) => thread.decide(large).finally(copyJournal),
    here: (call) => {
      const { policy } = current(call.cwd)
      return policy === null || refersToResults(policy) || here(call, policy)
    },
    durable: () => Promise.allSettled(under),
    digest: bytesDigest,
  })
  return {
    gate,
    kept: (result) => {
      const settled = result.kept.catch(() => {})
      under.add(settled)
      void settled.then(() => under.delete(settled))
      return result
    },
    close: async () => {
      while (under.size > 0) await Promise.allSettled(under)
      thread.close()
    },
  }
}

/** Contracts may refer to all that a long result said, of which the log has the beginning. */
function refersToResults(policy: Policy): boolean {
  return judgingPolicies(policy).some(({ contracts }) => contracts.all.length > 0 || contracts.tables.length > 0)
}
