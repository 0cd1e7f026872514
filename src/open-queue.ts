/** The queue of a gate: it decides what people change a call into, and makes what a preview showed. */
import { type ApprovalQueue, createApprovalQueue, type Reviewing } from './approvals/queue.ts'
import type { Digester } from './core/digest.ts'
import type { ConsideringGate, Gate } from './gate.ts'
import type { GateStore } from './open.ts'
import { type ApplyingParts, afterRecovery, applyingWith, recoveredFirst } from './open-applying.ts'
import { type Asking, askingFirst, lookUpFirst } from './open-lookup.ts'
import { loadKeys } from './store/sqlite/keys.ts'
import { waysOf } from './undo/catalogue.ts'

export interface QueuePlace {
  readonly asking: Asking
  readonly store: GateStore
  /** State directory. */
  readonly home: string
  /** The gate's own places, in which nothing is made. */
  readonly own: readonly string[]
  readonly digest: Digester['digest']
  /** False: nothing is made here, and so nothing is taken up again. */
  readonly spends: boolean
  /** The gate as it is handed out. */
  readonly wrapped: (gate: Gate) => Gate
}

export interface OpenedQueue {
  readonly queue: ApprovalQueue
  readonly reviewing: Reviewing
  /** Decides once what an earlier process left half made is taken back. */
  readonly gate: Gate
}

/** Changed calls are judged as calls are: what has to be looked up is looked up first. */
export function queueOf(gate: ConsideringGate, { asking, store, home, own, digest, spends, wrapped }: QueuePlace): OpenedQueue {
  const applying: ApplyingParts = {
    home,
    own,
    store,
    decide: (call) => askingFirst(gate, asking).decide(call),
    keys: () => loadKeys(home),
    agree: async (approval, by) => {
      const answer = { tenant: null, by, verdict: 'approve', comment: 'asked for with the changes of a preview' } as const
      await queue.answer(approval, answer)
    },
  }
  const reviewing: Reviewing = {
    digest,
    consider: async (call) => {
      await lookUpFirst(call, gate, asking)
      const { decision, basis = null } = await gate.consider(call)
      return { decision, facts: basis?.facts ?? null, preview: basis?.preview ?? null, keeps: waysOf(basis?.policy ?? null) }
    },
    applying: applyingWith(applying),
  }
  const queue = createApprovalQueue({ store, keys: () => loadKeys(home), reviewing })
  const recovered = spends ? recoveredFirst(applying) : null
  return { queue, reviewing, gate: wrapped(afterRecovery(askingFirst(gate, asking), recovered)) }
}
