/** The attempts as the log tells them: what the index is made from, and what it can always be compared with. */
import { isJsonObject, type Json, type JsonObject, own, parseJson } from '../../core/json.ts'
import { isSettled } from '../../outcome/classify.ts'
import { BODY } from '../../store/sqlite/records/pieces.ts'
import type { ReadTransaction, SqlRow } from '../../store/store.ts'

export interface KeptAttempt {
  readonly tenant: string
  /** Keyed digests, like `call` and `idempotency`. */
  readonly effect: string
  /** Id of the record of the decision. */
  readonly record: string
  readonly verb: string
  readonly call: string
  readonly session: string | null
  readonly callId: string | null
  readonly idempotency: string | null
  readonly attended: boolean
  readonly several: boolean
  readonly at: number
  /** `open`, what a result said, or `retried`: it was done again, in the knowledge of this one. */
  readonly state: string
  readonly why: string | null
}

/** The longest that a policy may remember, and how far back the log is read: 30 days, in milliseconds. */
export const MAX_REMEMBERED_MS = 30 * 86_400_000

const RECORDS = `SELECT id, kind, session, tenant, at, ${BODY} AS body FROM records
  WHERE at > (SELECT coalesce(max(at), 0) FROM records) - ? AND kind IN ('decision', 'result', 'note') AND ${BODY} LIKE '%"outcome":{%' ORDER BY sequence`

export function fromLog(tx: ReadTransaction): readonly KeptAttempt[] {
  const kept = new Map<string, KeptAttempt[]>()
  for (const row of tx.all(RECORDS, MAX_REMEMBERED_MS)) {
    const body = bodyOf(row)
    if (row.kind === 'decision') began(kept, row, body)
    else ended(kept, objectAt(body, 'outcome'))
  }
  return [...kept.values()].flat()
}

function began(kept: Map<string, KeptAttempt[]>, row: SqlRow, body: JsonObject): void {
  const outcome = objectAt(objectAt(body, 'decision'), 'outcome')
  const effects = own(outcome, 'effects')
  if (!Array.isArray(effects)) return
  for (const record of textsAt(outcome, 'retries')) {
    kept.set(
      record,
      (kept.get(record) ?? []).map((each) => ({ ...each, state: 'retried' })),
    )
  }
  const record = String(row.id)
  const call = objectAt(body, 'call')
  const rows = effects.filter(isJsonObject).map(
    (effect): KeptAttempt => ({
      tenant: typeof row.tenant === 'string' ? row.tenant : '',
      effect: String(own(effect, 'effect')),
      record,
      verb: String(own(effect, 'verb')),
      call: String(own(outcome, 'call')),
      session: textAt(call, 'session'),
      callId: textAt(call, 'call_id'),
      idempotency: textAt(effect, 'idempotency'),
      attended: own(outcome, 'attended') === true,
      several: own(outcome, 'several') === true,
      at: Number(row.at),
      state: 'open',
      why: null,
    }),
  )
  kept.set(record, rows)
}

function ended(kept: Map<string, KeptAttempt[]>, outcome: JsonObject): void {
  const [state, why] = [textAt(outcome, 'state'), textAt(outcome, 'why')]
  if (state !== 'ran' && state !== 'failed' && state !== 'refused' && state !== 'unknown') return
  for (const record of textsAt(outcome, 'of')) {
    const rows = kept.get(record) ?? []
    kept.set(
      record,
      rows.map((row) => ({ ...row, why, state: isSettled({ state, why }, row.verb) ? state : 'unknown' })),
    )
  }
}

function bodyOf(row: SqlRow): JsonObject {
  const value = parseJson(String(row.body))
  return isJsonObject(value) ? value : {}
}

function objectAt(object: JsonObject, name: string): JsonObject {
  const value: Json | undefined = own(object, name)
  return isJsonObject(value) ? value : {}
}

function textAt(object: JsonObject, name: string): string | null {
  const value = own(object, name)
  return typeof value === 'string' ? value : null
}

function textsAt(object: JsonObject, name: string): readonly string[] {
  const value = own(object, name)
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []
}
