/** One call of a proxy from its decision to what becomes of it: people are waited for as long as the client waits. */
import type { ApprovalQueue } from '../approvals/queue.ts'
import { isBeingMade, isReportDue, type StoredApproval } from '../approvals/store.ts'
import type { ToolCall } from '../core/call.ts'
import { CODES, type Code } from '../core/codes.ts'
import type { Decision } from '../core/decision.ts'
import { runs } from '../core/verdict.ts'
import type { Gate } from '../gate.ts'

export interface Settling {
  readonly gate: Pick<Gate, 'decide'>
  readonly queue: ApprovalQueue
  /** Milliseconds that the call waits for people before it is answered as pending; 0: not at all. */
  readonly holdMs: (asked: Decision) => number
  /** Aborted once the client does not wait any more: then the call must not run, whatever people say later. */
  readonly signal: AbortSignal
  /** Told when the call begins to wait, so that the client keeps waiting and people can be asked; what it returns is called at the end. */
  readonly holding?: (approval: StoredApproval, asked: Decision, signal: AbortSignal) => () => void
  /** Microseconds that reading the call took. */
  readonly ingress?: number
  /** False: a call runs with the arguments that it has, or not at all. Default true. */
  readonly rewrites?: boolean
}

export type Settled =
  /** It may run, with the arguments of `decision.modified` where there are any. */
  | { readonly kind: 'run'; readonly decision: Decision }
  /** `agentReason` says what the agent is told. */
  | { readonly kind: 'stopped'; readonly decision: Decision }
  /** Nobody answered as long as the client waits: the same call can be sent again once somebody did. */
  | { readonly kind: 'pending'; readonly decision: Decision }
  /** The client gave up. Nothing runs, and nobody is answered; `decision`: what had been decided by then. */
  | { readonly kind: 'gone'; readonly decision: Decision }

/** Never rejects. */
export async function settle(call: ToolCall, settling: Settling): Promise<Settled> {
  const { gate, signal, ingress = 0, rewrites = true } = settling
  const first = await gate.decide(call, ingress, { attended: false, rewrites })
  if (signal.aborted) return { kind: 'gone', decision: first }
  if (first.decision !== 'ask' || first.approval === null) return outcomeOf(first)
  const answered = await waitFor(first.approval.id, first, settling).catch(unheard)
  if (answered.kind === 'stopped') return { kind: 'stopped', decision: { ...first, decision: 'deny', approval: null, ...answered.told } }
  if (answered.kind === 'late') return { kind: 'pending', decision: first }
  if (answered.kind === 'gone') return { kind: 'gone', decision: first }
  const { token } = first.approval
  const second = await gate.decide(token === null ? call : { ...call, approval: token }, 0, { attended: false, rewrites })
  // Whoever gave up in the meantime does not get what they asked for: they may have asked again.
  return signal.aborted ? { kind: 'gone', decision: second } : outcomeOf(second)
}

function outcomeOf(decision: Decision): Settled {
  if (runs(decision.decision)) return { kind: 'run', decision }
  return { kind: decision.decision === 'ask' ? 'pending' : 'stopped', decision }
}

type Told = Pick<Decision, 'code' | 'reason' | 'agentReason'>
type Answered = { readonly kind: 'approved' | 'late' | 'gone' } | { readonly kind: 'stopped'; readonly told: Told }

async function waitFor(id: string, asked: Decision, { queue, holdMs, signal, holding }: Settling): Promise<Answered> {
  const waiting = queue.show(id, { tenant: null })
  if (waiting === null) return stopped('approval.unknown', 'the approval is gone')
  const over = new AbortController()
  const timer = setTimeout(() => over.abort(), holdMs(asked))
  const both = AbortSignal.any([signal, over.signal])
  const stop = holding?.(waiting, asked, both)
  try {
    const answered = await queue.wait(id, { tenant: null, signal: both })
    const { status, answers } = answered
    if (signal.aborted) return { kind: 'gone' }
    if (status === 'pending' || isBeingMade(answered)) return { kind: 'late' }
    // Its changes were made instead: the gate says which when the call is sent again.
    if (isReportDue(answered)) return { kind: 'approved' }
    if (status === 'denied') return stopped('approval.denied', answers.at(-1)?.reason ?? '')
    return status === 'approved' ? { kind: 'approved' } : stopped(ENDED[status], `the approval is ${status}`)
  } finally {
    clearTimeout(timer)
    stop?.()
    over.abort()
  }
}

const ENDED = { expired: 'timeout.approval', cancelled: 'approval.cancelled', consumed: 'approval.consumed' } as const

/** The store is gone in the middle of it: whatever somebody said is not known to be kept (P5). */
function unheard(error: unknown): Answered {
  return stopped('infra.audit_unavailable', error instanceof Error ? error.message : 'the answer could not be read')
}

function stopped(code: Code, reason: string): Answered {
  return { kind: 'stopped', told: { code, reason, agentReason: CODES[code].agent } }
}
