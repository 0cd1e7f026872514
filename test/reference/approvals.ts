/** Approvals once more, from the prose of the documents alone: what became of one after these events, told from its history. */
export interface ReferenceTerms {
  readonly quorum: number
  readonly requester: string
  readonly approvers: readonly string[] | null
  readonly chain: readonly string[]
  readonly glass: readonly string[]
  readonly approveWithin: number
  readonly useWithin: number
}

export interface ReferenceEvent {
  readonly kind: 'approve' | 'deny' | 'cancel' | 'use'
  readonly at: number
  readonly by: string
  readonly glass: boolean
  readonly reason: string
  /** What a use brings along: the approved call, another one, or the same under a changed policy. */
  readonly brings: 'same' | 'other' | 'changed'
}

/** Born at time 0. The last event's refusal, and the status after it. */
export function referenceApproval(terms: ReferenceTerms, events: readonly ReferenceEvent[]): { status: string; refused: string | null } {
  const yes: string[] = []
  let [status, refused, newest, end] = ['pending', null as string | null, 0, terms.approveWithin]
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
      if (status === 'pending') refused = 'approval.pending'
      else if (event.brings === 'other') refused = 'approval.mismatch'
      else if (event.brings === 'changed') refused = 'approval.stale'
      else status = 'consumed'
    } else if (status === 'pending') {
      refused = objection(terms, event, yes)
      if (refused !== null) continue
      if (!yes.includes(event.by)) yes.push(event.by)
      if (!event.glass && (yes.length < terms.quorum || !terms.chain.every((link) => yes.includes(link)))) continue
      status = 'approved'
      end = event.at + terms.useWithin
    }
  }
  return { status, refused }
}

function objection(terms: ReferenceTerms, { by, glass, reason }: ReferenceEvent, yes: readonly string[]): string | null {
  if (by === terms.requester) return 'approval.requester'
  if (glass) return terms.glass.includes(by) ? (reason === '' ? 'approval.no_reason' : null) : 'approval.not_approver'
  if (terms.approvers !== null && !terms.approvers.includes(by)) return 'approval.not_approver'
  const turn = terms.chain.find((link) => !yes.includes(link))
  return turn === undefined || turn === by || yes.includes(by) ? null : 'approval.not_turn'
}
