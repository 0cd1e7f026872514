/** What a proxy decides for one of its routes, counted. */
import type { ApprovalQueue } from '../approvals/queue.ts'
import { timed } from '../gate/timed.ts'
import type { Gate } from '../gate.ts'
import type { Metrics } from './metrics.ts'
import type { Uninspected } from './uninspected.ts'

interface Deciding {
  readonly gate: Pick<Gate, 'decide' | 'refuse'>
  readonly queue: ApprovalQueue
  readonly uninspected: Uninspected['count']
}

export function counted({ gate, queue, uninspected }: Deciding, metrics: Metrics, route: string): Deciding {
  return {
    gate: timed(gate, ({ decision, would }, seconds) => {
      metrics.decided(route, decision, would)
      metrics.released(seconds)
    }),
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
