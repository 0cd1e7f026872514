/** What a proxy decides for one of its routes, counted. */
import type { ApprovalQueue } from '../approvals/queue.ts'
import type { Decision } from '../core/decision.ts'
import type { Gate } from '../gate.ts'
import type { Metrics } from './metrics.ts'
import type { Uninspected } from './uninspected.ts'

interface Deciding {
  readonly gate: Pick<Gate, 'decide' | 'refuse'>
  readonly queue: ApprovalQueue
  readonly uninspected: Uninspected['count']
}

export function counted({ gate, queue, uninspected }: Deciding, metrics: Metrics, route: string): Deciding {
  const told = (decision: Decision, started: number): Decision => {
    metrics.decided(route, decision.decision, decision.would)
    metrics.released((performance.now() - started) / 1000)
    return decision
  }
  return {
    gate: {
      decide: async (...call) => {
        const started = performance.now()
        return told(await gate.decide(...call), started)
      },
      refuse: async (...refused) => {
        const started = performance.now()
        return told(await gate.refuse(...refused), started)
      },
    },
    queue: {
      ...queue,
      wait: async (...asked) => {
        metrics.holding(1)
        try {
          return await queue.wait(...asked)
        } finally {
          metrics.holding(-1)
        }
      },
    },
    uninspected: (what, passed) => {
      uninspected(what, passed)
      metrics.uninspected(route)
    },
  }
}
