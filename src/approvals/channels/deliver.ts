/** Carries one message of the outbox: claims its row, tells the channel, and keeps what came of it. At least once, seldom twice. */

import { eventRecord } from '../../audit/record.ts'
import { redactText } from '../../audit/redact.ts'
import type { Json } from '../../core/json.ts'
import type { ChannelPolicy } from '../../policy/channels.ts'
import type { RecordInput, Store } from '../../store/store.ts'
import { advance } from '../machine.ts'
import type { StoredApproval } from '../store.ts'
import { type Channel, type ChannelAnswer, ChannelFailure } from './channel.ts'
import { type Notice, noticeOf } from './notice.ts'
import { changeRow, type OutboxRow, type Phase } from './outbox.ts'

export interface DeliverParts {
  readonly store: Pick<Store, 'run'>
  readonly redact: (value: Json) => Json
  readonly now: () => number
  /** From 0 to 1. */
  readonly random: () => number
}

/** A row with what it is about. Null: the approval is gone, or the policy has no such channel any more. */
export interface Parcel {
  readonly row: OutboxRow
  readonly approval: StoredApproval | null
  readonly policy: ChannelPolicy | null
  readonly channel: Channel | null
}

/** Beyond the time of an attempt, until another process may take it for lost. */
const GRACE = 5_000
const FIRST_DELAY = 2_000
const LONGEST_DELAY = 300_000

type Ending = Pick<OutboxRow, 'state' | 'error'>

/** What is to be told, and to whom. */
interface Message {
  /** True where somebody is asked; false where it is told how it ended. */
  readonly asked: boolean
  readonly policy: ChannelPolicy
  readonly channel: Channel
  readonly notice: Notice
  /** Attempts before this one. */
  readonly tried: number
}

/** The message of a row, or how the row ends without one. */
function messageOf(
  { row, policy, channel }: Parcel,
  { approval, now, parts }: { readonly approval: StoredApproval; readonly now: number; readonly parts: DeliverParts },
): Message | Ending {
  const status = advance(approval, { kind: 'look', at: now }).approval.status
  // One that was told and still waits was changed by somebody since: it is told anew.
  const asked = status === 'pending' || (row.phase === 'requested' && row.state !== 'told')
  if (asked && status !== 'pending') return { state: 'over', error: null }
  if (policy === null || channel === null) return { state: 'dead', error: 'the policy has no such channel any more' }
  const phase = phaseOf(asked)
  const tried = phase === row.phase && row.state !== 'told' ? row.attempts : 0
  if (tried >= policy.attempts) return { state: 'dead', error: row.error ?? 'the last attempt never ended' }
  const notice = noticeOf(approval, { phase, channel: policy, now, redact: parts.redact })
  if (notice === null) return { state: 'dead', error: 'it could not be redacted, so nothing was sent' }
  return { asked, policy, channel, notice, tried }
}

function phaseOf(asked: boolean): Phase {
  return asked ? 'requested' : 'resolved'
}

/** What the channel answered at once; null where it did not. Rejects with what the store throws. */
export async function deliver(parcel: Parcel, parts: DeliverParts): Promise<ChannelAnswer | null> {
  const { row, approval } = parcel
  if (approval === null) return end(parcel, { state: 'over', error: 'the approval is gone' }, parts)
  const now = parts.now()
  const message = messageOf(parcel, { approval, now, parts })
  if ('state' in message) return end(parcel, message, parts)
  const { asked, policy, channel, notice, tried } = message
  const complete = asked ? notice.complete && (channel.shows?.(notice) ?? true) : row.complete
  const claimed: OutboxRow = {
    ...row,
    phase: phaseOf(asked),
    state: 'claimed',
    attempts: tried + 1,
    dueAt: now + policy.timeoutMs + GRACE,
    complete,
  }
  if (!(await change(parcel, claimed, parts))) return null
  const taken = { ...parcel, row: claimed }
  try {
    const { receipt, answer } = await channel.tell({ id: messageId(row, notice), notice, receipt: row.receipt, now: parts.now() })
    const state = asked && channel.resolves ? 'told' : 'over'
    await change(
      taken,
      {
        ...claimed,
        state,
        dueAt: parts.now(),
        receipt: { ...row.receipt, ...receipt, digest: notice.digest, version: approval.version },
        error: null,
      },
      parts,
    )
    return answer
  } catch (error) {
    await change(taken, failed(claimed, { error, policy, parts }), parts)
    return null
  }
}

/** The same for every attempt, and another one for what was changed. */
function messageId({ id }: OutboxRow, { phase, digest }: Notice): string {
  return `${id}_${phase}_${digest.slice(0, 12)}`
}

interface Failing {
  readonly error: unknown
  readonly policy: ChannelPolicy
  readonly parts: DeliverParts
}

function failed(row: OutboxRow, { error, policy, parts }: Failing): OutboxRow {
  const failure = error instanceof ChannelFailure ? error : new ChannelFailure('it failed in a way that was not foreseen')
  const text = redactText(failure.message)
  if (failure.final || row.attempts >= policy.attempts) return { ...row, state: 'dead', error: text }
  return { ...row, state: 'waiting', dueAt: parts.now() + delayAfter(row.attempts, failure.retryAfter, parts.random()), error: text }
}

/** Three times as long after each attempt, up to five minutes, less up to half of it by chance. Milliseconds. */
export function delayAfter(attempts: number, asked: number | null, random: number): number {
  const grown = Math.min(LONGEST_DELAY, FIRST_DELAY * 3 ** (attempts - 1))
  return Math.max(Math.round(grown * (1 - random / 2)), Math.min(asked ?? 0, 2 * LONGEST_DELAY))
}

async function end(parcel: Parcel, how: Ending, parts: DeliverParts): Promise<null> {
  await change(parcel, { ...parcel.row, ...how }, parts)
  return null
}

/** Begins again with what was given up. False where it was not given up, or somebody else was faster. */
export async function revive(parcel: Parcel, parts: DeliverParts): Promise<boolean> {
  if (parcel.row.state !== 'dead') return false
  return change(parcel, { ...parcel.row, state: 'waiting', attempts: 0, dueAt: parts.now() }, parts)
}

class Lost extends Error {}

/** False where another process was faster: then nothing happened. */
async function change(parcel: Parcel, after: OutboxRow, { store, now }: DeliverParts): Promise<boolean> {
  try {
    await store.run(
      (tx) => {
        if (!changeRow(tx, parcel.row, after)) throw new Lost('another process has it')
      },
      recordOf(parcel, after, now()),
    )
    return true
  } catch (error) {
    if (error instanceof Lost) return false
    throw error
  }
}

function recordOf({ approval }: Parcel, row: OutboxRow, at: number): RecordInput {
  return eventRecord({
    kind: 'note',
    session: approval === null || approval.session === '' ? null : approval.session,
    tenant: approval === null || approval.tenant === '' ? null : approval.tenant,
    tool: null,
    decision: null,
    code: null,
    at,
    body: {
      event: 'channel',
      channel: row.channel,
      approval: row.approval,
      phase: row.phase,
      state: row.state,
      attempt: row.attempts,
      shown: row.complete,
      error: row.error,
    },
  })
}
