/** Who may say yes to an approval, and in whose stead. Nobody twice, nobody for who asked, and the chain in its order. Pure. */
import type { Answered, Approval, Refusal } from './machine.ts'

export interface Agreeing {
  readonly by: string
  readonly at: number
  readonly reason: string
  readonly breakGlass: boolean
  /** True where it is no turn that is taken: whoever may answer at all may. */
  readonly anyTurn?: boolean
}

/** One person, however the name is written: who may not answer twice or for themselves cannot by another case of their name. */
export function isSame(one: string, other: string): boolean {
  return one === other || written(one) === written(other)
}

function written(name: string): string {
  return name.normalize('NFKC').toLowerCase()
}

type Asked = Pick<Approval, 'terms' | 'answers'>

/** Why this person may not agree here and now; null where they may, or did already. */
export function objectionTo({ terms, answers }: Asked, agreeing: Agreeing): Refusal | null {
  const { by, breakGlass, anyTurn = false } = agreeing
  if (isExcluded(terms, by)) return { code: 'approval.requester', message: `\`${by}\` asked for this call and cannot approve it` }
  if (breakGlass) return objectionToGlass(terms, agreeing)
  const seats = seatsOf({ terms, answers }, agreeing)
  if (seats.length === 0) return { code: 'approval.not_approver', message: `\`${by}\` is no approver of this call${listed(terms)}` }
  const next = terms.chain.find((link) => !hasSeat(answers, link))
  if (anyTurn || answers.some((answer) => isYes(answer) && isSame(answer.by, by))) return null
  if (next !== undefined) return seats.includes(next) ? null : { code: 'approval.not_turn', message: `\`${next}\` has to agree first` }
  if (seats.some((seat) => !hasSeat(answers, seat))) return null
  return { code: 'approval.not_approver', message: `somebody has agreed in the stead of \`${by}\` already` }
}

/** In whose stead a person who may agree does so; null: their own. */
export function seatOf({ terms, answers }: Asked, agreeing: Agreeing): string | null {
  const seats = seatsOf({ terms, answers }, agreeing)
  const next = terms.chain.find((link) => !hasSeat(answers, link))
  const seat = next !== undefined && seats.includes(next) ? next : seats.find((each) => !hasSeat(answers, each))
  return seat === undefined || seat === agreeing.by ? null : seat
}

/** True where a yes was given for this seat, by whomever. */
export function hasSeat(answers: readonly Answered[], seat: string): boolean {
  return answers.some((answer) => isYes(answer) && isSame(answer.seat ?? answer.by, seat))
}

/** Their own first, then those that were handed to them. Who has a turn of their own takes nobody else's. */
function seatsOf({ terms }: Asked, { by, at }: Agreeing): readonly string[] {
  const own = terms.approvers === null || terms.approvers.includes(by)
  const handed = terms.delegates
    .filter(({ from, to, until }) => to === by && (until === null || at < until) && !isExcluded(terms, from))
    .map(({ from }) => from)
    .filter((from) => (terms.approvers ?? terms.chain).includes(from))
  return [...(own ? [by] : []), ...(terms.chain.includes(by) ? [] : new Set(handed))]
}

function objectionToGlass({ breakGlass }: Asked['terms'], { by, reason }: Agreeing): Refusal | null {
  if (!breakGlass.includes(by)) return { code: 'approval.not_approver', message: `\`${by}\` may not break the glass here` }
  return reason.trim() === '' ? { code: 'approval.no_reason', message: 'breaking the glass needs a reason' } : null
}

function isExcluded({ excluded }: Asked['terms'], name: string): boolean {
  return excluded.some((each) => isSame(each, name))
}

function isYes({ verdict }: Answered): boolean {
  return verdict === 'approve'
}

function listed({ approvers }: Asked['terms']): string {
  return approvers === null ? '' : `; these are: ${approvers.join(', ')}`
}
