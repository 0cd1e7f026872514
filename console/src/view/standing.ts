/** Whether this person can answer this approval, and what keeps them from it. The server decides; this says it beforehand. Pure. */
import type { Approval, Terms } from '../api/types.ts'

export interface Standing {
  /** Why a yes would be refused; null where it would be taken. */
  readonly objection: string | null
  readonly mayDeny: boolean
  readonly mayBreakGlass: boolean
}

export interface Person {
  readonly name: string
  readonly canAnswer: boolean
}

export function standingOf(approval: Approval, person: Person): Standing {
  const { terms, status } = approval
  const open = status === 'pending'
  const excluded = terms.excluded.includes(person.name)
  return {
    objection: objection(approval, person),
    mayDeny: person.canAnswer && (open || status === 'approved'),
    mayBreakGlass: open && person.canAnswer && !excluded && terms.break_glass.includes(person.name) && !isEnough(approval, person),
  }
}

/** Their plain yes alone would do: there is no glass between them and it. */
function isEnough(approval: Approval, person: Person): boolean {
  const { quorum, chain } = approval.terms
  return objection(approval, person) === null && Math.max(quorum, chain.length) <= approval.yes + 1
}

/** The person, and everybody whose seat they may take. */
function seats({ delegates = [] }: Terms, name: string): readonly string[] {
  return [name, ...delegates.filter(({ to }) => to === name).map(({ from }) => from)]
}

function objection({ status, terms, current_approver: next, answers }: Approval, { name, canAnswer }: Person): string | null {
  if (status !== 'pending') return over(status, answers)
  if (!canAnswer) return 'You may look, but not answer.'
  if (terms.excluded.includes(name)) return 'You asked for this call; somebody else has to approve it.'
  const mine = seats(terms, name)
  if (terms.approvers !== null && !terms.approvers.some((each) => mine.includes(each)))
    return `Only ${listed(terms.approvers)} can approve this call.`
  if (answers.some(({ by, verdict }) => by === name && verdict === 'approve')) return 'You have agreed; others have to agree, too.'
  return next === null || mine.includes(next) ? null : `${next} has to agree first.`
}

function over(status: Approval['status'], answers: Approval['answers']): string {
  const verdict = status === 'denied' ? 'deny' : 'approve'
  const by = status === 'denied' || status === 'approved' ? answers.findLast((answer) => answer.verdict === verdict)?.by : undefined
  const word = status === 'consumed' ? 'Used' : `${status.charAt(0).toUpperCase()}${status.slice(1)}`
  const said = `${word}${by === undefined ? '' : ` by ${by}`} already`
  return status === 'approved' ? `${said}; Deny takes it back until it is used.` : `${said}.`
}

/** `a, b or c`; of more than five the first four. */
function listed(names: readonly string[]): string {
  const shown = names.length > 5 ? [...names.slice(0, 4), `${names.length - 4} others`] : names
  return shown.length < 2 ? (shown[0] ?? 'nobody') : `${shown.slice(0, -1).join(', ')} or ${shown.at(-1)}`
}

/** `1 of 2`, where one yes is not enough; null where it is. */
export function progress({ terms, yes }: Approval): string | null {
  const needed = Math.max(terms.quorum, terms.chain.length)
  return needed > 1 ? `${yes} of ${needed}` : null
}
