/**
 * The queue where approvals are read and answered: one for the terminal, HTTP, channels and programs that embed the gate. The
 * tenant is part of every question, and what is not there for a tenant does not exist for it (T64).
 */

import type { ToolCall } from '../core/call.ts'
import type { Digester } from '../core/digest.ts'
import type { JsonObject } from '../core/json.ts'
import { alikeOf } from '../facts/tools/roles/alike.ts'
import type { Store } from '../store/store.ts'
import { amend } from './amend.ts'
import { answerApproval, NoApproval, type Outcome } from './answer.ts'
import { type Changes, type Considered, changesTo } from './edit.ts'
import { type ApprovalEvent, advance, isOpen, type Refusal, type Scope, type Status } from './machine.ts'
import { type AskedScope, scopeOf } from './scope.ts'
import { findApprovals, isBeingMade, type Keyed, readApproval, type StoredApproval } from './store.ts'
import { createWatch } from './watch.ts'

export interface QueueParts {
  readonly store: Pick<Store, 'query' | 'run' | 'now'>
  /** Keys that sign approvals; read anew for each use, so that a rotated key is known. */
  readonly keys: () => Keyed
  /** Milliseconds since the epoch; default what the store judges ends by. */
  readonly now?: () => number
  /** Decides changed calls. Absent: arguments cannot be changed here. */
  readonly reviewing?: Reviewing
}

export interface Reviewing {
  /** What the layers say of a call, from the start; nothing is recorded. */
  readonly consider: (call: ToolCall) => Promise<Considered>
  readonly digest: Digester['digest']
  /** Makes what a preview showed. Absent: nobody can ask for it here. */
  readonly applying?: Applying
}

export interface Applying {
  /** Why the changes of its preview cannot be made now; null: they can. */
  readonly objection: (approval: StoredApproval) => Promise<Refusal | null>
  /** Of an approval that all who had to agree gave for this: judged by the gate, made or not, and recorded. */
  readonly make: (approval: StoredApproval, by: string) => Promise<Outcome>
}

/** Null: every tenant, for the operator of the machine alone. Empty: calls that named no tenant. */
export type Tenancy = string | null

export interface Listed {
  readonly tenant: Tenancy
  /** `open`: waits or may be used. Default every status. */
  readonly status?: Status | 'open'
  readonly session?: string
  /** From 1 to 1000; default 50. */
  readonly limit?: number
}

export interface Listing {
  readonly approvals: readonly StoredApproval[]
  /** True where there are more than `limit`. */
  readonly more: boolean
}

export interface GivenAnswer {
  readonly tenant: Tenancy
  /** Who answers, authenticated by whoever asks the queue: `human:…`. Never what the caller says of himself (AEG-W12). */
  readonly by: string
  readonly verdict: 'approve' | 'deny'
  readonly comment?: string
  readonly breakGlass?: boolean
  /** How far a yes reaches: `once` (the default), `session`, or a `grant` as the approval proposes it. */
  readonly scope?: AskedScope
  /**
   * Top-level arguments that the call shall run with instead. It is decided again and nothing counts yet: the approval waits,
   * in a new version that shows the new decision, for a yes to that.
   */
  readonly modifiedArguments?: JsonObject
  /** The version that the person looked at; another one is refused as changed. */
  readonly version?: number
}

export type Withdrawal = Pick<GivenAnswer, 'tenant' | 'by' | 'comment' | 'version'>

export interface Waiting {
  readonly tenant: Tenancy
  /** Until it is another version than this. Default: until it waits for nobody any more. */
  readonly version?: number
  /** Ends the waiting; the answer is the approval as it is then. */
  readonly signal?: AbortSignal
}

export interface BatchResult {
  readonly id: string
  readonly approval: StoredApproval | null
  /** Null where the answer was taken. */
  readonly refused: Refusal | null
}

export interface ApprovalQueue {
  readonly list: (query: Listed) => Listing
  /** As of now: clocks that ran out count. Null where the tenant has no such approval. */
  readonly show: (id: string, query: { readonly tenant: Tenancy }) => StoredApproval | null
  /** Rejects with `NoApproval`, and with what the store throws; what is not taken is answered as `refused`. */
  readonly answer: (id: string, answer: GivenAnswer) => Promise<Outcome>
  /** Withdraws it, so that neither a yes nor a no comes of it. */
  readonly cancel: (id: string, by: Withdrawal) => Promise<Outcome>
  /**
   * The same answer for each of these, one by one; one that is refused or missing stops none of the others. At most 50. A yes
   * covers only those that are alike: same effects on the same targets, with the same amounts, as the first.
   */
  readonly batch: (ids: readonly string[], answer: Omit<GivenAnswer, 'version' | 'modifiedArguments'>) => Promise<readonly BatchResult[]>
  readonly wait: (id: string, waiting: Waiting) => Promise<StoredApproval>
}

export const MAX_IN_A_BATCH = 50

const NOT_ALIKE: Refusal = {
  code: 'approval.not_alike',
  message: 'this call has other targets or amounts than the first of the batch; approve it by itself',
}

/** Why one yes is not taken for this, too: it would be a wider one than the yes to the first. Null: it may be. */
export function refusedAsOther(
  found: StoredApproval | null,
  first: StoredApproval | null,
  verdict: GivenAnswer['verdict'],
): Refusal | null {
  const other = verdict === 'approve' && found !== null && first !== null && alikeOf(found.sheet) !== alikeOf(first.sheet)
  return other ? NOT_ALIKE : null
}

const NOT_HERE: Refusal = {
  code: 'approval.scope',
  message: 'the changes of a preview cannot be made here, because there is no gate that judges them',
}

const MAX_LISTED = 1_000

export function createApprovalQueue({ store, keys, now = store.now, reviewing }: QueueParts): ApprovalQueue {
  const show: ApprovalQueue['show'] = (id, { tenant }) => {
    const found = store.query((tx) => readApproval(tx, id, keys().ring))
    return found === null || (tenant !== null && found.tenant !== tenant) ? null : asOf(found, now())
  }
  const known = (id: string, tenancy: { readonly tenant: Tenancy }): StoredApproval => {
    const found = show(id, tenancy)
    if (found === null) throw new NoApproval(`there is no approval \`${id}\``)
    return found
  }
  const watch = createWatch((ids) => store.query((tx) => ids.map((id) => stampOf(readApproval(tx, id, keys().ring), now()))))
  const happen = async (id: string, event: ApprovalEvent, { version, also }: Happening): Promise<Outcome> => {
    const more = also === undefined ? {} : { also }
    const outcome = await answerApproval(id, event, { store, keys: keys(), version: version ?? null, ...more })
    watch.look()
    return outcome
  }
  const answer: ApprovalQueue['answer'] = async (id, given) => {
    const approval = known(id, given)
    const at = now()
    const edited: Changes = given.verdict === 'deny' ? { changes: null } : changesTo(approval, given.modifiedArguments ?? {})
    if ('refused' in edited) return notTaken(approval, edited.refused)
    if (edited.changes !== null) {
      const amendment = await amend(approval, edited.changes, { by: given.by, at, reviewing })
      return 'refused' in amendment
        ? notTaken(approval, amendment.refused)
        : happen(id, amendment.event, { ...given, also: amendment.also })
    }
    const scope = given.verdict === 'approve' ? scopeOf(given.scope, approval, at) : 'once'
    const agree = (agreed: Scope) => happen(id, eventOf(given, agreed, at), given)
    return reaching(scope, { approval, by: given.by, reviewing, agree, look: watch.look })
  }
  return {
    list: ({ limit = 50, ...query }) => {
      const most = Math.min(Math.max(1, Math.trunc(limit)), MAX_LISTED)
      const at = now()
      const found = store.query((tx) => findApprovals(tx, keys().ring, { ...query, now: at, limit: most + 1 }))
      return { approvals: found.slice(0, most).map((approval) => asOf(approval, at)), more: found.length > most }
    },
    show,
    answer,
    cancel: async (id, given) => happen(known(id, given).id, cancelled(given, now()), given),
    batch: async (ids, given) => {
      if (ids.length > MAX_IN_A_BATCH) throw new RangeError(`a batch has at most ${MAX_IN_A_BATCH} approvals, not ${ids.length}`)
      return batchOf(
        [...new Set(ids)].map((id) => ({ id, found: show(id, given) })),
        given.verdict,
        (id) => answer(id, given),
      )
    },
    wait: async (id, { tenant, version, signal = null }) => {
      let current = known(id, { tenant })
      while (!(signal?.aborted ?? false) && stillSo(current, version, now())) {
        await watch.changed(id, { stamp: stampOf(current, now()), signal })
        current = known(id, { tenant })
      }
      return current
    },
  }
}

const notTaken = (approval: StoredApproval, refused: Refusal): Outcome => ({ approval, happened: [], refused, grant: null })

interface Reaching {
  readonly approval: StoredApproval
  readonly by: string
  readonly reviewing: Reviewing | undefined
  /** Takes the answer. */
  readonly agree: (scope: Scope) => Promise<Outcome>
  /** Whoever waits looks again. */
  readonly look: () => void
}

/** Changes that cannot be made are agreed to by nobody; with the last yes they are made. */
async function reaching(scope: Scope | Refusal, { approval, by, reviewing, agree, look }: Reaching): Promise<Outcome> {
  if (typeof scope !== 'string') return notTaken(approval, scope)
  if (scope !== 'apply') return agree(scope)
  const applying = reviewing?.applying
  if (applying === undefined) return notTaken(approval, NOT_HERE)
  const objection = await applying.objection(approval)
  if (objection !== null) return notTaken(approval, objection)
  const agreed = await agree(scope)
  const isDue = agreed.refused === null && agreed.approval.status === 'approved' && agreed.approval.scope === 'apply'
  return isDue ? applying.make(agreed.approval, by).finally(look) : agreed
}

/** With the clocks counted up to `now`; what ended is written when somebody next touches it. */
function asOf(approval: StoredApproval, now: number): StoredApproval {
  return { ...approval, ...advance(approval, { kind: 'look', at: now }).approval }
}

function stampOf(approval: StoredApproval | null, now: number): string {
  if (approval === null) return 'gone'
  const { status } = asOf(approval, now)
  return `${approval.version} ${status}${isMaking(approval, now) ? ' making' : ''}`
}

/** Changes take moments to make. Where the process that made them died, nobody waits for ever. */
const MAKING_MS = 60_000

function isMaking(approval: StoredApproval, now: number): boolean {
  const { status, answers } = approval
  return isBeingMade(approval) && (status === 'approved' || now - (answers.at(-1)?.at ?? 0) < MAKING_MS)
}

/** True while somebody who waits has nothing to hear: the same version of what is open, or any version that still waits. */
function stillSo(current: StoredApproval, version: number | undefined, now: number): boolean {
  // An approval whose changes are being made is not at its end: the call does not run.
  const making = isMaking(current, now)
  return version === undefined ? current.status === 'pending' || making : current.version === version && (isOpen(current) || making)
}

interface Happening {
  readonly version?: number
  readonly also?: (approval: StoredApproval) => StoredApproval
}

function eventOf({ by, verdict, comment = '', breakGlass = false }: GivenAnswer, scope: Scope, at: number): ApprovalEvent {
  if (verdict === 'deny') return { kind: 'deny', at, by, reason: comment }
  return { kind: 'approve', at, by, reason: comment, breakGlass, scope }
}

const cancelled = ({ by, comment = '' }: Withdrawal, at: number): ApprovalEvent => ({ kind: 'cancel', at, by, reason: comment })

interface Member {
  readonly id: string
  readonly found: StoredApproval | null
}

async function batchOf(
  members: readonly Member[],
  verdict: GivenAnswer['verdict'],
  answer: (id: string) => Promise<Outcome>,
): Promise<readonly BatchResult[]> {
  const first = members.find(({ found }) => found !== null)?.found ?? null
  const results: BatchResult[] = []
  for (const { id, found } of members) {
    const refused = refusedAsOther(found, first, verdict)
    results.push(refused === null ? await oneOf(id, () => answer(id)) : { id, approval: found, refused })
  }
  return results
}

async function oneOf(id: string, act: () => Promise<Outcome>): Promise<BatchResult> {
  try {
    const { approval, refused } = await act()
    return { id, approval, refused }
  } catch (error) {
    if (!(error instanceof NoApproval)) throw error
    return { id, approval: null, refused: { code: 'approval.unknown', message: error.message } }
  }
}
