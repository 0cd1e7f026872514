/** Approvals once more, from the prose of the documents alone: what became of one after these events, told from its history. */
export interface ReferenceTerms {
  readonly quorum: number
  readonly requester: string
  readonly approvers: readonly string[] | null
  readonly chain: readonly string[]
  readonly glass: readonly string[]
  /** Who stands in for whom, until when. */
  readonly standIns: readonly (readonly [from: string, to: string, until: number])[]
  readonly approveWithin: number
  readonly useWithin: number
  readonly session: { readonly within: number; readonly uses: number } | null
}

export interface ReferenceEvent {
  readonly kind: 'approve' | 'amend' | 'deny' | 'cancel' | 'use'
  readonly at: number
  readonly by: string
  readonly glass: boolean
  readonly reason: string
  readonly scope: 'once' | 'session'
  /** What a use brings along: the call, the call as it was edited, its like in the session, another one, the same under a changed policy. */
  readonly brings: 'same' | 'edited' | 'alike' | 'other' | 'changed'
}

interface Yes {
  readonly by: string
  readonly seat: string
  readonly scope: string
}

/** Born at time 0. The last event's refusal, and the status after it. */
export function referenceApproval(terms: ReferenceTerms, events: readonly ReferenceEvent[]): { status: string; refused: string | null } {
  let [status, refused, newest, end] = ['pending', null as string | null, 0, terms.approveWithin]
  let [yes, edited, scope, uses] = [[] as Yes[], false, 'once', 0]
  for (const event of events) {
    const live = status === 'pending' || status === 'approved'
    if (live && (event.at >= end || newest - event.at > 2_000)) status = 'expired'
    newest = Math.max(newest, event.at)
    const ended = status === 'denied' || status === 'cancelled' || status === 'consumed'
    refused = status === 'expired' ? 'timeout.approval' : ended ? `approval.${status}` : null
    if (refused !== null) {
      if (status === 'denied' && event.kind === 'deny') refused = null
    } else if (event.kind === 'cancel') status = 'cancelled'
    else if (event.kind === 'deny') status = 'denied'
    else if (event.kind === 'use') {
      refused = status === 'pending' ? 'approval.pending' : misuse(event.brings, edited, scope)
      if (refused !== null) continue
      uses += 1
      if (scope !== 'session' || uses === terms.session?.uses) status = 'consumed'
    } else if (event.kind === 'amend') {
      refused = status === 'approved' ? 'approval.changed' : mayNot(terms, event)
      if (refused === null && !edited) [edited, yes] = [true, []]
    } else if (status === 'pending') {
      refused = mayNot(terms, event) ?? notNow(terms, event, yes) ?? unfit(terms, event, { yes, edited })
      if (refused !== null) continue
      if (!yes.some(({ by }) => by === event.by)) yes.push({ by: event.by, seat: seatOf(terms, event, yes), scope: event.scope })
      if (!event.glass && (yes.length < terms.quorum || !terms.chain.every((link) => taken(yes, link)))) continue
      status = 'approved'
      scope = !event.glass && yes.every((each) => each.scope === 'session') ? 'session' : 'once'
      end = event.at + (scope === 'session' ? (terms.session?.within ?? 0) : terms.useWithin)
    }
  }
  return { status, refused }
}

const taken = (yes: readonly Yes[], seat: string) => yes.some((each) => each.seat === seat)

function misuse(brings: ReferenceEvent['brings'], edited: boolean, scope: string): string | null {
  if (edited) return brings === 'edited' ? null : 'approval.mismatch'
  if (brings === 'edited' || (brings === 'alike' && scope === 'once') || (brings === 'other' && scope === 'once'))
    return 'approval.mismatch'
  return brings === 'changed' || brings === 'other' ? 'approval.stale' : null
}

function seats({ approvers, chain, standIns, requester }: ReferenceTerms, { by, at }: ReferenceEvent): readonly string[] {
  const lent = standIns.filter(([from, to, until]) => to === by && at < until && from !== requester && (approvers ?? chain).includes(from))
  return [...(approvers === null || approvers.includes(by) ? [by] : []), ...(chain.includes(by) ? [] : lent.map(([from]) => from))]
}

function mayNot(terms: ReferenceTerms, event: ReferenceEvent): string | null {
  const { by, glass, reason, kind } = event
  if (by === terms.requester) return 'approval.requester'
  if (glass && kind === 'approve') return terms.glass.includes(by) ? (reason === '' ? 'approval.no_reason' : null) : 'approval.not_approver'
  return seats(terms, event).length === 0 ? 'approval.not_approver' : null
}

function notNow(terms: ReferenceTerms, event: ReferenceEvent, yes: readonly Yes[]): string | null {
  const [mine, turn] = [seats(terms, event), terms.chain.find((link) => !taken(yes, link))]
  if (event.glass || yes.some(({ by }) => by === event.by)) return null
  if (turn !== undefined) return mine.includes(turn) ? null : 'approval.not_turn'
  return mine.every((seat) => taken(yes, seat)) ? 'approval.not_approver' : null
}

function seatOf(terms: ReferenceTerms, event: ReferenceEvent, yes: readonly Yes[]): string {
  const free = seats(terms, event).filter((seat) => !taken(yes, seat))
  return (event.glass ? event.by : (free.find((seat) => seat === terms.chain.find((link) => !taken(yes, link))) ?? free[0])) ?? event.by
}

function unfit(terms: ReferenceTerms, { scope, glass, by }: ReferenceEvent, so: { yes: readonly Yes[]; edited: boolean }): string | null {
  if (scope === 'once' || so.yes.some((each) => each.by === by)) return null
  return glass || so.edited || terms.session === null ? 'approval.scope' : null
}
