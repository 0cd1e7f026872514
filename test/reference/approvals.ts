/** Approvals once more, from the prose of the documents alone: what became of one after these events, told from its history. */
import type { Terms } from '../../src/approvals/machine.ts'

export type ReferenceTerms = Omit<Terms, 'excluded'> & { readonly requester: string }
/** A use brings the call, the call as it was edited, its like in the session, another one, or the same under a changed policy. */
type Brings = 'same' | 'edited' | 'alike' | 'other' | 'changed'
type Said = { readonly by: string; readonly reason: string; readonly glass: boolean; readonly scope: 'once' | 'session' }
export type ReferenceEvent = Said & { kind: 'approve' | 'amend' | 'deny' | 'cancel' | 'use'; readonly at: number; readonly brings: Brings }
type Yes = { readonly by: string; readonly seat: string; readonly scope: string }
type So = { status: string; newest: number; end: number; yes: Yes[]; edited: boolean; scope: string; uses: number }
const turnOf = ({ chain }: ReferenceTerms, { yes }: So) => chain.find((link) => !yes.some(({ seat }) => seat === link))

/** Born at time 0. The last event's refusal, and the status after it. */
export function referenceApproval(terms: ReferenceTerms, events: readonly ReferenceEvent[]): { status: string; refused: string | null } {
  let why: string | null = null
  let so: So = { status: 'pending', newest: 0, end: terms.approveWithin, yes: [], edited: false, scope: 'once', uses: 0 }
  for (const event of events) {
    const { kind, at, by, glass, scope } = event
    if (/pending|approved/.test(so.status) && (at >= so.end || so.newest - at > 2_000)) so.status = 'expired'
    so.newest = Math.max(so.newest, at)
    why = whyNot(terms, event, so)
    if (why !== null) continue
    if (kind === 'cancel' || kind === 'deny') so.status = kind === 'deny' ? 'denied' : 'cancelled'
    if (kind === 'amend' && !so.edited) so = { ...so, edited: true, yes: [] }
    if (kind === 'use' && (so.scope === 'once' || ++so.uses === terms.session?.uses)) so.status = 'consumed'
    if (kind !== 'approve' || so.status === 'approved') continue
    if (!so.yes.some((each) => each.by === by)) so.yes.push({ by, seat: glass ? by : (seats(terms, event, so)[0] ?? by), scope })
    if (!glass && (so.yes.length < terms.quorum || turnOf(terms, so) !== undefined)) continue
    const within = !glass && so.yes.every((each) => each.scope === 'session') ? terms.session?.within : undefined
    so = { ...so, status: 'approved', scope: within === undefined ? 'once' : 'session', end: at + (within ?? terms.useWithin) }
  }
  return { status: so.status, refused: why === null ? null : why === 'expired' ? 'timeout.approval' : `approval.${why}` }
}

function whyNot(terms: ReferenceTerms, event: ReferenceEvent, so: So): string | null {
  const { kind, by, reason, scope, brings } = event
  if (!/pending|approved/.test(so.status)) return so.status === 'denied' && kind === 'deny' ? null : so.status
  if (kind === 'cancel' || kind === 'deny') return null
  if (kind === 'use' && so.status === 'pending') return 'pending'
  if (kind === 'use' && (so.edited !== (brings === 'edited') || (so.scope === 'once' && /alike|other/.test(brings)))) return 'mismatch'
  if (kind === 'use') return /changed|other/.test(brings) ? 'stale' : null
  if (so.status === 'approved') return kind === 'amend' ? 'changed' : null
  const [turn, [free], glass] = [turnOf(terms, so), seats(terms, event, so), kind === 'approve' && event.glass]
  if (by === terms.requester) return 'requester'
  if (glass ? !terms.breakGlass.includes(by) : seats(terms, event).length === 0) return 'not_approver'
  if (glass && reason === '') return 'no_reason'
  if (kind === 'amend' || so.yes.some((each) => each.by === by)) return null
  if (!glass && (free === undefined || free !== (turn ?? free))) return turn === undefined ? 'not_approver' : 'not_turn'
  return scope === 'session' && (glass || so.edited || terms.session === null) ? 'scope' : null
}

/** In whose stead this person may agree: all, or those that nobody has taken, with the one whose turn it is first. */
function seats(terms: ReferenceTerms, { by, at }: ReferenceEvent, so?: So): readonly string[] {
  const { approvers, chain, requester, delegates } = terms
  const may = (from: string) => from !== requester && (approvers ?? chain).includes(from)
  const lent = delegates.filter(({ from, to, until }) => to === by && at < (until ?? Infinity) && may(from))
  const mine = [...(approvers?.includes(by) === false ? [] : [by]), ...(chain.includes(by) ? [] : lent.map(({ from }) => from))]
  const free = mine.filter((seat) => !so?.yes.some((each) => each.seat === seat))
  return so === undefined ? mine : free.toSorted((a, b) => Number(b === turnOf(terms, so)) - Number(a === turnOf(terms, so)))
}
