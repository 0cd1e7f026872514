/**
 * An approval as a pure state machine: state and event give the next state and what happened, or why nothing may. Two clocks,
 * a quorum, a chain walked link by link, one use. Nobody approves what they asked for; a no beats a yes until the call ran.
 */
import type { Code } from '../core/codes.ts'

export const STATUSES = ['pending', 'approved', 'denied', 'expired', 'cancelled', 'consumed'] as const
export type Status = (typeof STATUSES)[number]

/** What the yes is about. Every field must be the same when it is used. */
export interface Binding {
  /** Keyed digest of the call: tool, definition, arguments, directory, principal and session. */
  readonly call: string
  readonly definition: string | null
  readonly policy: string
  readonly session: string | null
  /** Canonical text of who asked. */
  readonly principal: string
  readonly cwd: string | null
  /** Digest of what the call would do and of why that was asked: effects, scripts, questions. */
  readonly judged: string
}

/** Who must agree, and how long it holds; times in milliseconds. Names are `human:…`. */
export interface Terms {
  readonly quorum: number
  /** May never approve: whoever asked. */
  readonly excluded: readonly string[]
  /** Null: any operator may. */
  readonly approvers: readonly string[] | null
  /** Must all agree, in this order, before anybody else. */
  readonly chain: readonly string[]
  /** May approve alone, with a reason and loudly. */
  readonly breakGlass: readonly string[]
  readonly approveWithin: number
  readonly useWithin: number
}

export interface Answered {
  readonly by: string
  readonly verdict: 'approve' | 'deny'
  readonly reason: string
  /** Milliseconds since the epoch, by the wall clock; as all times here. */
  readonly at: number
  readonly breakGlass: boolean
}

export interface Approval {
  readonly id: string
  readonly status: Status
  readonly binding: Binding
  readonly terms: Terms
  readonly createdAt: number
  /** Latest time that any event carried: time does not run backwards (T28). */
  readonly seenAt: number
  readonly approveBy: number
  /** Null until it is approved. */
  readonly useBy: number | null
  readonly answers: readonly Answered[]
}

export type ApprovalEvent =
  | { readonly kind: 'approve'; readonly at: number; readonly by: string; readonly reason: string; readonly breakGlass: boolean }
  | { readonly kind: 'deny'; readonly at: number; readonly by: string; readonly reason: string }
  | { readonly kind: 'cancel'; readonly at: number; readonly by?: string; readonly reason?: string }
  | { readonly kind: 'use'; readonly at: number; readonly binding: Binding }
  /** Only lets the clocks count. */
  | { readonly kind: 'look'; readonly at: number }

/** What happened, for the log. */
export type Happening = 'answered' | 'broke_glass' | 'approved' | 'denied' | 'expired' | 'cancelled' | 'consumed'

export interface Refusal {
  readonly code: Code
  /** For the operator. */
  readonly message: string
}

export interface Step {
  readonly approval: Approval
  readonly happened: readonly Happening[]
  /** Null where the event was taken, or changed nothing because it was taken before. */
  readonly refused: Refusal | null
}

/** Clocks of two processes may differ by this much; a larger step back ends the approval. */
const SKEW = 2_000

export function openApproval(id: string, binding: Binding, { terms, at }: { readonly terms: Terms; readonly at: number }): Approval {
  return { id, status: 'pending', binding, terms, createdAt: at, seenAt: at, approveBy: at + terms.approveWithin, useBy: null, answers: [] }
}

/** The next state. Never throws; an event that is not allowed here leaves the state as the clock made it. */
export function advance(before: Approval, event: ApprovalEvent): Step {
  const ended = isLate(before, event.at)
  const approval: Approval = { ...before, seenAt: Math.max(before.seenAt, event.at), status: ended ? 'expired' : before.status }
  const step = taken(approval, event)
  return ended ? { ...step, happened: ['expired', ...step.happened] } : step
}

/** Who must agree next; null where anybody entitled may. */
export function currentApprover({ terms, answers }: Pick<Approval, 'terms' | 'answers'>): string | null {
  return terms.chain.find((link) => !hasApproved(answers, link)) ?? null
}

/** Distinct people who said yes. */
export function approvals({ answers }: Pick<Approval, 'answers'>): number {
  return new Set(answers.filter(({ verdict }) => verdict === 'approve').map(({ by }) => by)).size
}

/** True while an event can still change it. */
export function isOpen({ status }: Pick<Approval, 'status'>): boolean {
  return status === 'pending' || status === 'approved'
}

/** At its end each clock is over, and so it is once time ran backwards. */
function isLate(approval: Approval, at: number): boolean {
  if (!isOpen(approval)) return false
  const end = approval.status === 'pending' ? approval.approveBy : (approval.useBy ?? 0)
  return at >= end || at < approval.seenAt - SKEW
}

function taken(approval: Approval, event: ApprovalEvent): Step {
  switch (event.kind) {
    case 'look':
      return same(approval)
    case 'cancel':
      return isOpen(approval) ? to(approval, 'cancelled', ['cancelled']) : over(approval)
    case 'deny':
      return deny(approval, event)
    case 'approve':
      return approve(approval, event)
    case 'use':
      return use(approval, event.binding)
  }
}

function deny(approval: Approval, { by, reason, at }: Extract<ApprovalEvent, { kind: 'deny' }>): Step {
  if (approval.status === 'denied') return same(approval)
  if (!isOpen(approval)) return over(approval)
  const answers = [...approval.answers, { by, verdict: 'deny' as const, reason, at, breakGlass: false }]
  return to({ ...approval, answers, useBy: null }, 'denied', ['answered', 'denied'])
}

function approve(approval: Approval, event: Extract<ApprovalEvent, { kind: 'approve' }>): Step {
  const { terms } = approval
  if (approval.status === 'approved') return same(approval)
  if (approval.status !== 'pending') return over(approval)
  const objection = objectionTo(approval, event)
  if (objection !== null) return { ...same(approval), refused: objection }
  const { by, reason, at, breakGlass } = event
  if (!breakGlass && hasApproved(approval.answers, by)) return same(approval)
  const answered = { ...approval, answers: [...approval.answers, { by, verdict: 'approve' as const, reason, at, breakGlass }] }
  const enough = approvals(answered) >= terms.quorum && currentApprover(answered) === null
  if (!enough && !breakGlass) return { approval: answered, happened: ['answered'], refused: null }
  return to({ ...answered, useBy: at + terms.useWithin }, 'approved', [
    'answered',
    ...(breakGlass ? ['broke_glass' as const] : []),
    'approved',
  ])
}

function objectionTo(approval: Approval, { by, reason, breakGlass }: Extract<ApprovalEvent, { kind: 'approve' }>): Refusal | null {
  const { terms, answers } = approval
  if (terms.excluded.includes(by)) return { code: 'approval.requester', message: `\`${by}\` asked for this call and cannot approve it` }
  if (breakGlass) {
    if (!terms.breakGlass.includes(by)) return { code: 'approval.not_approver', message: `\`${by}\` may not break the glass here` }
    return reason.trim() === '' ? { code: 'approval.no_reason', message: 'breaking the glass needs a reason' } : null
  }
  if (terms.approvers !== null && !terms.approvers.includes(by))
    return { code: 'approval.not_approver', message: `\`${by}\` is no approver of this call; these are: ${terms.approvers.join(', ')}` }
  const next = currentApprover(approval)
  if (next === null || next === by || hasApproved(answers, by)) return null
  return { code: 'approval.not_turn', message: `\`${next}\` has to agree first` }
}

function use(approval: Approval, binding: Binding): Step {
  if (approval.status === 'pending')
    return { ...same(approval), refused: { code: 'approval.pending', message: 'nobody has approved it yet' } }
  if (approval.status !== 'approved') return over(approval)
  const refused = mismatch(approval.binding, binding)
  return refused === null ? to(approval, 'consumed', ['consumed']) : { ...same(approval), refused }
}

/** Why the call is not the one that was approved; null where it is. Another tool definition is another question, not a forgery. */
export function mismatch(approved: Binding, used: Binding): Refusal | null {
  const differs = (...fields: readonly (keyof Binding)[]) => fields.filter((field) => approved[field] !== used[field])
  const redefined = differs('definition')
  const other = redefined.length > 0 ? [] : differs('call', 'session', 'principal', 'cwd')
  if (other.length > 0) return { code: 'approval.mismatch', message: `the approval is for another call: ${other.join(', ')} differ` }
  const stale = [...redefined, ...differs('policy', 'judged')]
  return stale.length === 0 ? null : { code: 'approval.stale', message: `changed since it was approved: ${stale.join(', ')}` }
}

const OVER = {
  denied: { code: 'approval.denied', message: 'it was denied' },
  expired: { code: 'timeout.approval', message: 'its time is over' },
  cancelled: { code: 'approval.cancelled', message: 'it was withdrawn' },
  consumed: { code: 'approval.consumed', message: 'it was used already' },
} as const satisfies Partial<Record<Status, Refusal>>

function over(approval: Approval): Step {
  const { status } = approval
  return { ...same(approval), refused: status === 'pending' || status === 'approved' ? null : OVER[status] }
}

function hasApproved(answers: readonly Answered[], who: string): boolean {
  return answers.some(({ by, verdict }) => verdict === 'approve' && by === who)
}

function to(approval: Approval, status: Status, happened: readonly Happening[]): Step {
  return { approval: { ...approval, status }, happened, refused: null }
}

function same(approval: Approval): Step {
  return { approval, happened: [], refused: null }
}
