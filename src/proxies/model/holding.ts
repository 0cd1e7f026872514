/** Waiting for people while a client waits for its answer. */
import type { ApprovalQueue } from '../../approvals/queue.ts'
import type { Decision } from '../../core/decision.ts'
import type { Metrics } from '../metrics.ts'
import type { Patience } from './clients.ts'
import type { Reply } from './reply.ts'

/** How long the answer is kept for a client that left and may come back. */
const AWAY_MS = 10 * 60_000

export interface HoldParts {
  readonly queue: Pick<ApprovalQueue, 'wait'>
  readonly reply: Reply
  readonly patience: Patience
  /** Milliseconds, as the policy says. */
  readonly longest: number
  /** Milliseconds between signs of life. */
  readonly every: number
  /** Begins the answer where it has not begun, so that a sign of life can be sent. */
  readonly begin: () => void
  /** White space before the body of an answer that is no stream, an event of a stream. */
  readonly sign: Buffer
  readonly metrics: Pick<Metrics, 'holding'>
}

/** Resolves to true where people answered and somebody is there to hear it. All calls of one answer share its time. */
export function createHold(parts: HoldParts): (decision: Decision) => Promise<boolean> {
  let until: number | null = null
  return async ({ approval }) => {
    until ??= performance.now() + Math.min(parts.longest, parts.patience.limit)
    const left = until - performance.now()
    if (approval === null || left <= 0) return false
    const { reply, metrics } = parts
    reply.hold(true)
    metrics.holding(1)
    const beat = setInterval(() => {
      parts.begin()
      reply.write(parts.sign)
    }, parts.every)
    try {
      const answered = await wasAnswered(approval.id, left, parts)
      return answered && (await reply.back(AWAY_MS))
    } finally {
      clearInterval(beat)
      metrics.holding(-1)
      reply.hold(false)
    }
  }
}

async function wasAnswered(id: string, left: number, { queue }: HoldParts): Promise<boolean> {
  try {
    const { status } = await queue.wait(id, { tenant: null, signal: AbortSignal.timeout(Math.ceil(left)) })
    return status !== 'pending'
  } catch {
    return false
  }
}
