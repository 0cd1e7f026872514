/** What the log tells of the time between a call and its way back: the end of the call, later calls on the same files, and other ways back. */
import type { ReadableLog } from './audit/log.ts'
import { canonicalJson } from './core/canonical.ts'
import { isJsonObject, type Json, type JsonObject, own } from './core/json.ts'
import type { StoredRecord } from './store/store.ts'
import { type CaptureStore, captureIn } from './undo/captures.ts'
import { type Later, type LaterBack, type LaterCall, touching } from './undo/later.ts'

type Log = Pick<ReadableLog, 'read'>

/** Captures that are opened; of more it is said that there are more. */
const MAX_CAPTURES = 200
/** Results that are looked at for that of the call. */
const MAX_RESULTS = 1_000
const MAX_NOTES = 10_000

/** What a record says is kept; null: nothing. */
export function undoOf(body: JsonObject): JsonObject | null {
  const decision = own(body, 'decision')
  const note = own(isJsonObject(decision) ? decision : body, 'undo')
  return isJsonObject(note) ? note : null
}

function isPart(note: JsonObject | null): boolean {
  const problems = own(note ?? {}, 'problems')
  return Array.isArray(problems) && problems.length > 0
}

/**
 * Ids of the records that were taken back as a whole. A way back that was itself taken back does not count any more.
 * @param notes of ways back, newest first.
 */
export function takenBackBy(notes: readonly StoredRecord[]): ReadonlySet<string> {
  const taken = new Set<string>()
  for (const { id, body } of notes) {
    const note = undoOf(body)
    const of = own(note ?? {}, 'of')
    if (typeof of === 'string' && !isPart(note) && !taken.has(id)) taken.add(of)
  }
  return taken
}

/** What the log tells of the time since a record. */
export type LaterThan = (record: StoredRecord) => Later

/** Of many records, as of a session from its end, each part of the log and each capture is read once. What is written meanwhile is seen. */
export function laterIn(log: Log, store: Pick<CaptureStore, 'read'>): LaterThan {
  const read = reader(log)
  const known = new Map<string, Touched | null>()
  const touchedBy = (later: StoredRecord): Touched | null => {
    const found = known.get(later.id) ?? touchedOf(later, store)
    known.set(later.id, found)
    return found
  }
  return (record) => {
    const { notes, decisions } = read(record.sequence)
    const taken = takenBackBy(notes)
    const calls: LaterCall[] = []
    const backs: LaterBack[] = []
    for (const later of [...decisions, ...notes.slice(0, MAX_CAPTURES)]) {
      const touched = taken.has(later.id) ? null : touchedBy(later)
      if (touched === null) continue
      const { from, touches, databases } = touched
      if (typeof own(undoOf(later.body) ?? {}, 'of') === 'string') backs.push({ from, until: later.at, touches })
      else calls.push({ told: toldOf(later, record), at: from, touches, databases })
    }
    const more = decisions.length === MAX_CAPTURES || notes.length > MAX_CAPTURES
    return { ended: endOf(record, log), calls, backs, more }
  }
}

interface Since {
  /** Both newest first. */
  readonly notes: readonly StoredRecord[]
  readonly decisions: readonly StoredRecord[]
}

/** Records of ways back and of calls that something is kept of, after a sequence. */
function reader(log: Log): (sequence: number) => Since {
  let [from, head]: [number | null, number] = [null, 0]
  let [notes, decisions]: [readonly StoredRecord[], readonly StoredRecord[]] = [[], []]
  const between = (after: number, last: number): Since => {
    const part = { newestFirst: true, after, before: last + 1 }
    if (last <= after) return { notes: [], decisions: [] }
    return {
      notes: [...log.read({ ...part, kind: 'note', limit: MAX_NOTES, text: 'undo' })],
      decisions: [...log.read({ ...part, kind: 'decision', limit: MAX_CAPTURES, text: 'und_' })],
    }
  }
  const keep = (...parts: readonly Since[]): void => {
    notes = parts.flatMap((part) => part.notes).slice(0, MAX_NOTES)
    decisions = parts.flatMap((part) => part.decisions).slice(0, MAX_CAPTURES)
  }
  return (sequence) => {
    const [newest] = [...log.read({ newestFirst: true, limit: 1 })]
    const end = newest?.sequence ?? 0
    from ??= end
    keep(between(Math.max(head, from), end), { notes, decisions }, between(sequence, from))
    ;[from, head] = [Math.min(from, sequence), end]
    const since = (all: readonly StoredRecord[]) => all.filter((record) => record.sequence > sequence)
    return { notes: since(notes), decisions: since(decisions) }
  }
}

interface Touched extends Pick<LaterCall, 'touches' | 'databases'> {
  /** When it was kept. */
  readonly from: number
}

/** Null: nothing is kept of it any more. */
function touchedOf({ body }: StoredRecord, store: Pick<CaptureStore, 'read'>): Touched | null {
  const id = own(undoOf(body) ?? {}, 'id')
  const text = typeof id === 'string' ? store.read(id) : null
  if (text === null) return null
  const { at, ways } = captureIn(text)
  return {
    from: at,
    touches: touching(ways.flatMap((way) => ('entries' in way ? way.entries : []))),
    databases: ways.flatMap((way) => ('dump' in way ? [way.dump.database] : [])),
  }
}

/** Nobody is told of another tenant's sessions. */
function toldOf({ id, session, tenant }: StoredRecord, { tenant: own }: StoredRecord): string {
  if ((tenant ?? '') !== (own ?? '')) return 'of another tenant'
  return session === null ? id : `${id} of session ${session}`
}

/** Null: nobody told its result. */
function endOf(record: StoredRecord, log: Log): number | null {
  const call = callIn(record)
  if (call === null) return null
  const { session, tool, sequence } = record
  const at = { ...(session === null ? {} : { session }), ...(tool === null ? {} : { tool }) }
  for (const result of log.read({ kind: 'result', after: sequence, limit: MAX_RESULTS, ...at })) {
    const other = callIn(result)
    if (other !== null && result.session === session && isSame(call, other)) return result.at
  }
  return null
}

function callIn({ body }: StoredRecord): JsonObject | null {
  const call = own(body, 'call')
  return isJsonObject(call) ? call : null
}

function isSame(one: JsonObject, other: JsonObject): boolean {
  const [id, otherId]: (Json | undefined)[] = [own(one, 'call_id'), own(other, 'call_id')]
  const args = (call: JsonObject): string => canonicalJson(own(call, 'args') ?? null)
  return (id ?? null) === (otherId ?? null) && own(one, 'server') === own(other, 'server') && args(one) === args(other)
}
