/**
 * Takes an answer that a channel read: in one transaction with its record it is bound to the call that was shown, taken once,
 * and given to the state machine, which knows who may answer.
 */
import type { ChannelPolicy } from '../../policy/channels.ts'
import type { Store, Transaction } from '../../store/store.ts'
import { answerApproval, NoApproval } from '../answer.ts'
import type { ApprovalEvent, Refusal } from '../machine.ts'
import type { Keyed, StoredApproval } from '../store.ts'
import type { ChannelAnswer } from './channel.ts'
import { shownDigest } from './notice.ts'
import { rowFor } from './outbox.ts'

/** A channel together with the policy that it stands in. */
export interface BoundChannel {
  readonly channel: ChannelPolicy
  /** Digest of that policy. */
  readonly policy: string
}

export interface TakeParts {
  readonly store: Pick<Store, 'run'>
  readonly keys: Keyed
  /** Digest of the policy that holds for calls from this directory now. */
  readonly policyOf: (cwd: string | null) => string | null
  readonly now: number
}

export interface Taken {
  /** Null where there is no such approval, or the answer is not for it. */
  readonly approval: StoredApproval | null
  readonly refused: Refusal | null
}

/** Longer than a signature is fresh, both ways. */
const REMEMBERED = 15 * 60 * 1_000

class NotTaken extends Error {
  readonly refusal: Refusal

  constructor(refusal: Refusal) {
    super(refusal.message)
    this.refusal = refusal
  }
}

/** Rejects with what the store throws. */
export async function takeAnswer(answer: ChannelAnswer, from: BoundChannel, parts: TakeParts): Promise<Taken> {
  const { verdict, by, comment } = answer
  const said = { at: parts.now, by, reason: comment }
  const event: ApprovalEvent = verdict === 'approve' ? { kind: 'approve', ...said, breakGlass: false } : { kind: 'deny', ...said }
  const guard = (tx: Transaction, approval: StoredApproval): void => check(tx, approval, { answer, from, parts })
  try {
    const { approval, refused } = await answerApproval(answer.approval, event, {
      store: parts.store,
      keys: parts.keys,
      guard,
      via: from.channel.name,
    })
    return { approval, refused }
  } catch (error) {
    if (error instanceof NotTaken) return { approval: null, refused: error.refusal }
    if (error instanceof NoApproval) return { approval: null, refused: { code: 'approval.unknown', message: error.message } }
    throw error
  }
}

interface Checking {
  readonly answer: ChannelAnswer
  readonly from: BoundChannel
  readonly parts: TakeParts
}

/** What has to hold before anybody's answer is looked at. */
function check(tx: Transaction, approval: StoredApproval, { answer, from, parts: { policyOf, now } }: Checking): void {
  const { name } = from.channel
  const row = rowFor(tx, approval.id, name)
  if (row === null || policyOf(approval.binding.cwd) !== from.policy)
    throw new NotTaken({ code: 'approval.unknown', message: `\`${name}\` was never asked about \`${approval.id}\`` })
  if (shownDigest(approval) !== answer.digest)
    throw new NotTaken({ code: 'approval.mismatch', message: 'the answer is about another call' })
  const seen = [approval.tenant, 'channel-reply', name, answer.id] as const
  if (tx.count(seen, now) > 0) throw new NotTaken({ code: 'approval.replayed', message: 'this answer was taken before' })
  if (answer.verdict === 'approve' && !row.complete)
    throw new NotTaken({
      code: 'approval.not_shown',
      message: `\`${name}\` did not show the whole call: approve it in the console or a terminal`,
    })
  tx.add(seen, 1, { now, expiresAt: now + REMEMBERED })
}
