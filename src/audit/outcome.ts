/** What became of a call that was let through, as the records after its decision tell it. */
import { canonicalJson } from '../core/canonical.ts'
import { isJsonObject, type JsonObject, own } from '../core/json.ts'
import type { RecordQuery, StoredRecord } from '../store/store.ts'

export interface RecordedOutcome extends JsonObject {
  /** `unknown`: no result came, or it does not tell. */
  readonly state: 'ran' | 'failed' | 'refused' | 'unknown'
  readonly why: string | null
  /** Id of the record that tells it; null: there is none. */
  readonly record: string | null
}

const MOST = 1_000

type Asked = RecordQuery & { readonly limit: number }

/** The records to ask for; null for a record whose call was not let through. */
export function afterwards(record: StoredRecord): { readonly results: Asked; readonly notes: Asked } | null {
  if (record.kind !== 'decision' || !mayHaveRun(record)) return null
  const { sequence: after, session } = record
  const mine = record.tenant === null ? {} : { tenant: record.tenant }
  const callId = own(objectAt(record.body, 'call'), 'call_id')
  const named = typeof callId === 'string' ? { text: callId } : {}
  return {
    results: { kind: 'result', after, limit: MOST, ...mine, ...named, ...(session === null ? {} : { session }) },
    notes: { kind: 'note', after, limit: MOST, ...mine, text: record.id },
  }
}

/** By what the result says that it is of, then by the host's id of the call, then by the call itself. */
export function outcomeIn(record: StoredRecord, { results, notes }: Found): RecordedOutcome {
  const settled = notes.findLast((note) => isOf(note, record))
  const named = settled ?? results.findLast((result) => isOf(result, record))
  const found = named ?? results.find((result) => isSameCall(result, record))
  if (found === undefined) return { state: 'unknown', why: silence(record), record: null }
  const { state, why } = objectAt(found.body, 'outcome')
  if (state !== 'ran' && state !== 'failed' && state !== 'refused' && state !== 'unknown')
    return { state: 'unknown', why: 'its result was recorded by a version that did not judge it', record: found.id }
  return { state, why: typeof why === 'string' ? why : null, record: found.id }
}

export interface Found {
  readonly results: readonly StoredRecord[]
  readonly notes: readonly StoredRecord[]
}

/** A person at the host may have let an `ask` run, which the gate is not told. */
function mayHaveRun({ decision, body }: StoredRecord): boolean {
  return decision === 'allow' || decision === 'flag' || (decision === 'ask' && own(objectAt(body, 'decision'), 'approval') === null)
}

function silence({ decision }: StoredRecord): string {
  return decision === 'ask' ? 'a person at the host was asked, who does not tell the gate, and no result came' : 'no result came'
}

function isOf({ body }: StoredRecord, { id }: StoredRecord): boolean {
  const of = own(objectAt(body, 'outcome'), 'of')
  return Array.isArray(of) && of.includes(id)
}

function isSameCall(result: StoredRecord, decision: StoredRecord): boolean {
  const [its, ours] = [objectAt(result.body, 'call'), objectAt(decision.body, 'call')]
  if (own(objectAt(result.body, 'outcome'), 'of') !== undefined || result.session !== decision.session) return false
  const [a, b] = [own(its, 'call_id') ?? null, own(ours, 'call_id') ?? null]
  if (a !== null && b !== null) return a === b
  return (
    canonicalJson([own(its, 'tool') ?? null, own(its, 'args') ?? null]) ===
    canonicalJson([own(ours, 'tool') ?? null, own(ours, 'args') ?? null])
  )
}

function objectAt(object: JsonObject, name: string): JsonObject {
  const value = own(object, name)
  return isJsonObject(value) ? value : {}
}
