/** A person's answer, with its record in the same transaction: who, when, why, and what came of it (P5, P8). */
import { eventRecord } from '../audit/record.ts'
import type { JsonObject } from '../core/json.ts'
import type { Grant } from '../grants/grant.ts'
import { mintGrant } from '../grants/mint.ts'
import { grantToJson } from '../grants/store.ts'
import type { RecordInput, Store, Transaction } from '../store/store.ts'
import { type Answered, type ApprovalEvent, advance, currentApprover, type Refusal, type Step } from './machine.ts'
import { grantOf } from './scope.ts'
import { changeApproval, type Keyed, readApproval, type StoredApproval } from './store.ts'

export interface Answering {
  readonly store: Pick<Store, 'run'>
  readonly keys: Keyed
  /** The version that the person looked at; null or absent: whichever there is. */
  readonly version?: number | null
  /** Says what else has to hold, in the same transaction; throws where the answer is not to be taken at all. */
  readonly guard?: (tx: Transaction, approval: StoredApproval) => void
  /** The channel that the answer came by, for the log. */
  readonly via?: string
  /** What else of the row changes with the event; a pure function of the approval after it. */
  readonly also?: (approval: StoredApproval) => StoredApproval
}

export interface Outcome {
  readonly approval: StoredApproval
  readonly happened: Step['happened']
  /** Why the answer was not taken; null where it was. */
  readonly refused: Refusal | null
  /** What was handed out with the yes; null: nothing but the one call. */
  readonly grant: Grant | null
}

/** There is no approval of this id whose signature holds. */
export class NoApproval extends Error {
  override readonly name = 'NoApproval'
}

class Unchanged extends Error {
  readonly outcome: Outcome

  constructor(outcome: Outcome) {
    super('nothing changed')
    this.outcome = outcome
  }
}

/**
 * Lets an event of a person happen. The same answer twice is recorded once (D15); a refused one is recorded, too, because
 * somebody tried. Rejects with `NoApproval`, and with what the store throws.
 */
export async function answerApproval(
  id: string,
  event: ApprovalEvent,
  { store, keys, version = null, guard, also, via }: Answering,
): Promise<Outcome> {
  const work = (tx: Transaction): Outcome => {
    const before = readApproval(tx, id, keys.ring)
    if (before === null) throw new NoApproval(`there is no approval \`${id}\``)
    guard?.(tx, before)
    const { approval, happened, refused } = seen(before, version, advance(before, event))
    const next = { ...before, ...approval }
    const quiet = { approval: next, happened, refused, grant: null }
    if (happened.length === 0 && refused === null) throw new Unchanged(quiet)
    if (happened.length === 0) return quiet
    const changed = refused === null && also !== undefined ? also(next) : next
    if (!changeApproval(tx, changed, keys.current)) throw new Error(`\`${id}\` was changed by somebody else; try again`)
    const outcome = { ...quiet, approval: { ...changed, version: before.version + 1 } }
    remember(tx, outcome, event.at)
    return { ...outcome, grant: handedOut(tx, outcome, keys) }
  }
  try {
    const { result } = await store.run(work, (outcome) => recordOf(outcome, event, via))
    return result
  } catch (error) {
    if (error instanceof Unchanged) return error.outcome
    throw error
  }
}

/** Whoever looked at another version did not see what they answer. */
function seen(before: StoredApproval, version: number | null, step: Step): Step {
  if (version === null || version === before.version || step.happened.length === 0) return step
  const message = `it was changed: you saw version ${version}, and now it is version ${before.version}`
  return { approval: before, happened: [], refused: { code: 'approval.changed', message } }
}

/** A no counts against the same effect on the same target; a yes makes good for earlier ones (PRO-26). */
function remember(tx: Transaction, { approval, happened }: Omit<Outcome, 'grant'>, now: number): void {
  const { subjects, within, scope } = approval.memory
  for (const subject of subjects) {
    const key = denialCounter(approval.tenant, scope, subject)
    if (happened.includes('denied')) tx.add(key, 1, { now, expiresAt: now + within })
    if (happened.includes('approved')) tx.add(key, -tx.count(key, now), { now, expiresAt: now + within })
  }
}

/** The grant that all who said yes asked for, in the transaction of the last yes. */
function handedOut(tx: Transaction, { approval, happened }: Omit<Outcome, 'grant'>, { current }: Keyed): Grant | null {
  const asked = happened.includes('approved') ? grantOf(approval.scope, approval) : null
  if (asked === null) return null
  const author = approval.answers.flatMap(({ by, verdict }) => (verdict === 'approve' ? [by] : [])).join(', ')
  return mintGrant(tx, { ...asked, reason: `with approval ${approval.id}` }, { signer: current, author })
}

/** Approved sooner than a person can read it (T23). */
export function isFast(
  { createdAt, edit }: Pick<StoredApproval, 'createdAt' | 'edit'>,
  { verdict, at }: Pick<Answered, 'verdict' | 'at'>,
): boolean {
  return verdict === 'approve' && at - Math.max(createdAt, edit?.at ?? 0) < FAST
}

/** Milliseconds. */
const FAST = 2_000

/** How often people said no to this subject in this scope. */
export function denialCounter(tenant: string, scope: string, subject: string): readonly [string, ...string[]] {
  return [tenant, 'approval-denied', scope, subject]
}

function recordOf({ approval, happened, refused, grant }: Outcome, event: ApprovalEvent, via?: string): RecordInput {
  const { id, status, sheet, session, tenant, answers } = approval
  const said: JsonObject = 'by' in event ? { by: event.by ?? null, reason: 'reason' in event ? (event.reason ?? '') : '' } : {}
  const call = sheet.tool
  return eventRecord({
    kind: 'approval',
    session: session === '' ? null : session,
    tenant: tenant === '' ? null : tenant,
    tool: typeof call === 'string' ? call : null,
    decision: null,
    code: refused?.code ?? null,
    at: event.at,
    body: {
      event: event.kind,
      approval: id,
      version: approval.version,
      ...said,
      happened: [...happened],
      status,
      refused: refused?.message ?? null,
      answers: answers.length,
      next: currentApprover(approval),
      break_glass: happened.includes('broke_glass'),
      ...detailsOf(approval, event, happened),
      ...(grant === null ? {} : { grant: grantToJson(grant) }),
      ...(via === undefined ? {} : { channel: via }),
    },
  })
}

/** What only some answers have. */
function detailsOf(approval: StoredApproval, event: ApprovalEvent, happened: Step['happened']): JsonObject {
  const last = approval.answers.at(-1)
  if (event.kind === 'amend' && happened.includes('amended')) return { modified_arguments: approval.edit?.args ?? null }
  if (event.kind !== 'approve' || last === undefined || !happened.includes('answered')) return {}
  return { scope: last.scope, ...(last.seat === null ? {} : { in_the_stead_of: last.seat }), fast: isFast(approval, last) }
}
