/**
 * An approval as a pure state machine: state and event give the next state and what happened, or why nothing may. Two clocks,
 * a quorum, a chain walked link by link, one use or, for a session, a counted few. A no beats a yes until the call ran.
 */
import type { Code } from '../core/codes.ts'
import { hasSeat, isSame, objectionTo, seatOf } from './entitled.ts'

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
  /** Digest of the arguments that people changed; null: the call runs as it came. */
  readonly edit: string | null
  /** Digest of the tool with the same effects on the same targets; null where too little is known to tell. */
  readonly standing: string | null
  /** Digest of what a preview showed; null: there was none. */
  readonly preview: string | null
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
  readonly delegates: readonly Delegation[]
  readonly approveWithin: number
  readonly useWithin: number
  /** How long and how often a yes for the session holds; null: nobody can give one. */
  readonly session: { readonly within: number; readonly uses: number } | null
}

/** `to` may answer in the stead of `from`. */
export interface Delegation {
  readonly from: string
  readonly to: string
  /** Exclusive; null: no end. */
  readonly until: number | null
}

/**
 * `once`; `session`: the same effects on the same targets in this session; `apply`: the call does not run, and the changes that its preview
 * showed are made instead; else the text of a grant, which the machine takes as one use and its caller hands out.
 */
export type Scope = string

export interface Answered {
  readonly by: string
  readonly verdict: 'approve' | 'deny'
  readonly reason: string
  /** Milliseconds since the epoch, by the wall clock; as all times here. */
  readonly at: number
  readonly breakGlass: boolean
  /** In whose stead; null: their own. */
  readonly seat: string | null
  readonly scope: Scope
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
  /** What all who said yes agreed on; `once` until then. */
  readonly scope: Scope
  /** How often it was used. */
  readonly uses: number
}

export interface ApproveEvent {
  readonly kind: 'approve'
  readonly at: number
  readonly by: string
  readonly reason: string
  readonly breakGlass: boolean
  /** Default `once`. */
  readonly scope?: Scope
}

export type ApprovalEvent =
  | ApproveEvent
  /** Other arguments, decided again from the start: from here on everybody answers about these. */
  | {
      readonly kind: 'amend'
      readonly at: number
      readonly by: string
      readonly edit: string
      readonly judged: string
      /** Of the changed call. */
      readonly preview: string | null
    }
  | { readonly kind: 'deny'; readonly at: number; readonly by: string; readonly reason: string }
  | { readonly kind: 'cancel'; readonly at: number; readonly by?: string; readonly reason?: string }
  | { readonly kind: 'use'; readonly at: number; readonly binding: Binding }
  /** What the preview showed is made now, in the stead of the call. */
  | { readonly kind: 'apply'; readonly at: number; readonly by: string }
  /** Only lets the clocks count. */
  | { readonly kind: 'look'; readonly at: number }

/** What happened, for the log. */
export type Happening = 'answered' | 'amended' | 'broke_glass' | 'approved' | 'denied' | 'expired' | 'cancelled' | 'used' | 'consumed'

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
  const times = { createdAt: at, seenAt: at, approveBy: at + terms.approveWithin, useBy: null }
  return { id, status: 'pending', binding, terms, ...times, answers: [], scope: 'once', uses: 0 }
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
  return terms.chain.find((link) => !hasSeat(answers, link)) ?? null
}

/** Distinct people who said yes. */
export function approvals({ answers }: Pick<Approval, 'answers'>): number {
  const yes = answers.filter(({ verdict }) => verdict === 'approve')
  return yes.filter(({ by }, at) => yes.findIndex((other) => isSame(other.by, by)) === at).length
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
    case 'amend':
      return amend(approval, event)
    case 'use':
      return use(approval, event.binding)
    case 'apply':
      return apply(approval)
  }
}

function deny(approval: Approval, { by, reason, at }: Extract<ApprovalEvent, { kind: 'deny' }>): Step {
  if (approval.status === 'denied') return same(approval)
  if (!isOpen(approval)) return over(approval)
  const said: Answered = { by, verdict: 'deny', reason, at, breakGlass: false, seat: null, scope: 'once' }
  return to({ ...approval, answers: [...approval.answers, said], useBy: null }, 'denied', ['answered', 'denied'])
}

function approve(approval: Approval, event: ApproveEvent): Step {
  if (approval.status === 'approved') return same(approval)
  if (approval.status !== 'pending') return over(approval)
  const { by, reason, at, breakGlass, scope = 'once' } = event
  const answeredBefore = approval.answers.some(({ verdict, by: who }) => verdict === 'approve' && isSame(who, by))
  const objection = objectionTo(approval, event) ?? (answeredBefore ? null : unfit(approval, event))
  if (objection !== null) return { ...same(approval), refused: objection }
  if (!breakGlass && answeredBefore) return same(approval)
  const said: Answered = { by, verdict: 'approve', reason, at, breakGlass, seat: breakGlass ? null : seatOf(approval, event), scope }
  const answered = { ...approval, answers: [...approval.answers, said] }
  const enough = approvals(answered) >= approval.terms.quorum && currentApprover(answered) === null
  if (!enough && !breakGlass) return { approval: answered, happened: ['answered'], refused: null }
  const loud = breakGlass ? (['broke_glass'] as const) : []
  return to(agreed(answered, at), 'approved', ['answered', ...loud, 'approved'])
}

/** A scope holds only where everybody named the same; glass is broken for one call. */
function agreed(approval: Approval, at: number): Approval {
  const yes = approval.answers.filter(({ verdict }) => verdict === 'approve')
  const [first] = yes
  const unanimous = first !== undefined && yes.every(({ scope, breakGlass }) => scope === first.scope && !breakGlass)
  const scope = unanimous ? first.scope : 'once'
  const within = (scope === 'session' ? approval.terms.session?.within : undefined) ?? approval.terms.useWithin
  return { ...approval, scope, useBy: at + within }
}

/** Why this scope cannot be given here. */
function unfit({ terms, binding, answers }: Approval, { scope = 'once', breakGlass }: ApproveEvent): Refusal | null {
  const refuse = (message: string): Refusal => ({ code: 'approval.scope', message })
  // INVARIANT: who agreed to the changes alone did not agree that the call runs, and the other way round.
  if (answers.some((each) => each.verdict === 'approve' && (each.scope === 'apply') !== (scope === 'apply')))
    return refuse('the others agreed to something else: all say `apply`, or none does')
  if (scope === 'once') return null
  if (breakGlass) return refuse('the glass is broken for one call only')
  if (binding.edit !== null) return refuse('arguments that people changed are for one call only')
  if (scope === 'apply' && binding.preview === null) return refuse('there was no preview whose changes could be made')
  if (scope !== 'session') return null
  if (terms.session === null) return refuse('the policy offers no approval for a session')
  return binding.session === null || binding.standing === null
    ? refuse('too little is known of the call to approve others like it in its session')
    : null
}

/** Everybody who agreed to the arguments of before agreed to something else. */
function amend(approval: Approval, event: Extract<ApprovalEvent, { kind: 'amend' }>): Step {
  const { edit, judged, preview } = event
  if (approval.status === 'approved')
    return { ...same(approval), refused: { code: 'approval.changed', message: 'it was approved in the meantime, as it was' } }
  if (approval.status !== 'pending') return over(approval)
  const objection = objectionTo(approval, { ...event, reason: '', breakGlass: false, anyTurn: true })
  if (objection !== null) return { ...same(approval), refused: objection }
  const { binding } = approval
  if (binding.edit === edit && binding.judged === judged && binding.preview === preview) return same(approval)
  return {
    approval: { ...approval, answers: [], binding: { ...binding, edit, judged, preview, standing: null } },
    happened: ['amended'],
    refused: null,
  }
}

function use(approval: Approval, binding: Binding): Step {
  if (approval.status === 'pending')
    return { ...same(approval), refused: { code: 'approval.pending', message: 'nobody has approved it yet' } }
  if (approval.status !== 'approved') return over(approval)
  const refused = approval.scope === 'apply' ? NOT_TO_RUN : mismatch(approval, binding)
  if (refused !== null) return { ...same(approval), refused }
  const used = { ...approval, uses: approval.uses + 1 }
  const left = approval.scope === 'session' && used.uses < (approval.terms.session?.uses ?? 0)
  return left ? { approval: used, happened: ['used'], refused: null } : to(used, 'consumed', ['consumed'])
}

const NOT_TO_RUN: Refusal = { code: 'approval.pending', message: 'people agreed that its changes are made, not that it runs' }

function apply(approval: Approval): Step {
  if (!isOpen(approval)) return over(approval)
  if (approval.status !== 'approved' || approval.scope !== 'apply')
    return { ...same(approval), refused: { code: 'approval.scope', message: 'nobody agreed that its changes are made instead' } }
  return to({ ...approval, uses: 1 }, 'consumed', ['consumed'])
}

/**
 * Why the call is not the one that was approved; null where it is. Another tool definition is another question, not a forgery.
 * A yes for the session is for every call that is its like.
 */
export function mismatch({ binding: approved, scope }: Pick<Approval, 'binding' | 'scope'>, used: Binding): Refusal | null {
  const differs = (...fields: readonly (keyof Binding)[]) => fields.filter((field) => approved[field] !== used[field])
  const alike = scope === 'session' && approved.standing !== null
  const redefined = differs('definition')
  const other = redefined.length > 0 ? [] : differs(...(alike ? [] : (['call'] as const)), 'session', 'principal', 'cwd', 'edit')
  if (other.length > 0) return { code: 'approval.mismatch', message: `the approval is for another call: ${other.join(', ')} differ` }
  const stale = [...redefined, ...differs('policy', 'preview', alike ? 'standing' : 'judged')]
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

function to(approval: Approval, status: Status, happened: readonly Happening[]): Step {
  return { approval: { ...approval, status }, happened, refused: null }
}

function same(approval: Approval): Step {
  return { approval, happened: [], refused: null }
}
