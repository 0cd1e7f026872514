/**
 * Makes a decision durable together with what it spends: a grant's use, an approval, a rate, what the session learns. All
 * of it is one transaction with the record, or nothing is (P5, P7).
 */

import type { ToolCall } from '../core/call.ts'
import type { Code } from '../core/codes.ts'
import type { Decision } from '../core/decision.ts'
import type { Preview } from '../core/preview.ts'
import type { Facts } from '../facts/facts.ts'
import type { Policy } from '../policy/policy.ts'
import type { SessionState } from '../session/state.ts'
import type { Receipt, RecordInput, Store, Transaction } from '../store/store.ts'
import { overruled } from './compose.ts'
import type { Handover } from './handover.ts'

/** What the decision was made from. */
export interface Basis {
  readonly facts: Facts
  readonly policy: Policy
  readonly state: SessionState
  /** What the call was seen to do before people were asked; absent or null: it was not tried out. */
  readonly preview?: Preview | null
}

export interface CommitContext {
  readonly call: ToolCall
  /** Milliseconds since the epoch, by the wall clock. */
  readonly at: number
  /** Null where nothing was analysed: refused input, no policy, an internal failure. */
  readonly basis: Basis | null
  /** True where a person sits at the host and is asked there. Default false. */
  readonly attended?: boolean
  /** Where the event came by a hook that decides by itself once nobody answers. */
  readonly handover?: Handover | null
}

export interface Committed {
  /** What holds: the decision handed in, or the denial that took its place because something was spent already. */
  readonly decision: Decision
  readonly receipt: Receipt
}

/** Rejects where nothing became durable. */
export type Commit = (decision: Decision, context: CommitContext) => Promise<Committed>

/** One thing that changes together with the record. */
export interface Spender {
  /** Cheap and pure: true where `spend` has something to do for this decision. */
  readonly wants: (decision: Decision, context: CommitContext) => boolean
  /**
   * May run more than once; changes nothing but the transaction. Answers the decision with what came of it (an approval
   * that now waits), or nothing. Throws `Spent` where the decision cannot hold.
   */
  readonly spend: (tx: Transaction, decision: Decision, context: CommitContext) => Decision | undefined
}

/** What a decision rested on is used up: somebody else was faster. */
export class Spent extends Error {
  readonly code: Code
  readonly layer: string

  constructor(layer: string, code: Code, message: string) {
    super(message)
    this.name = 'Spent'
    this.layer = layer
    this.code = code
  }
}

export interface CommitParts {
  readonly store: Pick<Store, 'append' | 'run'>
  readonly toRecord: (decision: Decision, call: ToolCall, at: number) => RecordInput
  readonly spenders: readonly Spender[]
}

/** Where something was spent by another call in the meantime, the denial is recorded instead, and spends what denials do. */
export function createCommit({ store, toRecord, spenders }: CommitParts): Commit {
  const commit: Commit = async (decision, context) => {
    const due = spenders.filter((spender) => spender.wants(decision, context))
    const likely = toRecord(decision, context.call, context.at)
    if (due.length === 0) return { decision, receipt: await store.append(likely) }
    try {
      const work = (tx: Transaction): Decision => due.reduce((held, spender) => spender.spend(tx, held, context) ?? held, decision)
      const record = (held: Decision) => (held === decision ? likely : toRecord(held, context.call, context.at))
      const { result, receipt } = await store.run(work, record, { likely })
      return { decision: result, receipt }
    } catch (error) {
      if (!(error instanceof Spent)) throw error
      return commit(overruled(decision, { layer: error.layer, rule: 'commit', code: error.code, message: error.message }), context)
    }
  }
  return commit
}
