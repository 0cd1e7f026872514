/** A person's changed arguments, as an event of the machine: decided from the start first, shown with the new decision, approved by nobody yet. */
import type { JsonObject } from '../core/json.ts'
import { editDigest, judgedDigest } from './binding.ts'
import { changedCall, objectionToChange, readable } from './edit.ts'
import type { ApprovalEvent, Refusal } from './machine.ts'
import type { Reviewing } from './queue.ts'
import { approvalSheet } from './sheet.ts'
import type { StoredApproval } from './store.ts'

export interface Amending {
  readonly by: string
  readonly at: number
  readonly reviewing: Reviewing | undefined
}

export type Amendment =
  | { readonly event: ApprovalEvent; readonly also: (approval: StoredApproval) => StoredApproval }
  | { readonly refused: Refusal }

/** Refused where the changed call is denied, does not fit its schema, or cannot be decided here. */
export async function amend(approval: StoredApproval, changes: JsonObject, { by, at, reviewing }: Amending): Promise<Amendment> {
  if (reviewing === undefined)
    return {
      refused: {
        code: 'approval.modified_denied',
        message: 'arguments cannot be changed here, because there is no gate that decides them',
      },
    }
  const call = changedCall(approval, changes)
  const considered = await reviewing.consider(readable(call))
  const objection = objectionToChange(considered, approval)
  const { decision, facts, preview, keeps } = considered
  if (objection !== null) return { refused: objection }
  if (facts === null) return { refused: { code: 'approval.modified_denied', message: 'the changed call could not be analysed' } }
  const judged = judgedDigest({ facts, findings: decision.findings }, reviewing.digest)
  const sheet = { ...approvalSheet(decision, call, { at, preview, keeps }), decision: decision.would }
  const before = approval.edit?.before ?? approval.sheet
  return {
    event: { kind: 'amend', at, by, edit: editDigest(changes, reviewing.digest), judged, preview: preview?.digest ?? null },
    also: (after) => ({ ...after, sheet, proposals: [], withheld: [], kept: null, edit: { by, at, args: changes, key: null, before } }),
  }
}
