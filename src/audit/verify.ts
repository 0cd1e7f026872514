/**
 * Is this the log that was written? Pure: records, keys and anchors in, a report out. Each break names the kind of
 * tampering it looks like; whatever it looks like, the log is not ok.
 */
import { GENESIS, recordText, type Signer } from '../store/chain.ts'
import type { Head, StoredRecord } from '../store/store.ts'
import { type Break, type Report, report, type Warning } from './report.ts'

/** One entry of a log: a record that was read, or why none could be. */
export type Entry =
  | { readonly record: StoredRecord; readonly where?: string }
  | { readonly problem: string; readonly kind: 'malformed' | 'unsigned' | 'missing_key'; readonly where?: string }

export interface VerifyOptions {
  /** Every key that may have signed a record, by id. */
  readonly ring: ReadonlyMap<string, Signer>
  /** Heads that the log is known to have had, each already checked: the store's own anchor and what was kept elsewhere. */
  readonly anchors: readonly Head[]
  /** Why an anchor that should be there cannot be used. */
  readonly anchorProblem?: string
  /** Sequence of the first record, for a part of a log. Default 1. */
  readonly start?: number
  /** Keep one break of each run of breaks. */
  readonly summarise?: boolean
  readonly warnings?: readonly Warning[]
}

/** An entry that fails by itself, until the next good record tells where it stands. */
interface Bad {
  readonly kind: Break['kind']
  readonly index: number
  readonly record: StoredRecord | null
  readonly detail: string
}

interface Gap {
  from: number
  to: number
  readonly index: number
  readonly atStart: boolean
  readonly before: StoredRecord
}

interface State {
  readonly options: VerifyOptions
  readonly start: number
  readonly anchors: Map<number, string[]>
  readonly breaks: Break[]
  readonly gaps: Gap[]
  /** First 48 bits of the hash of each good record, by sequence. */
  readonly seen: Map<number, number>
  bad: Bad[]
  next: number
  /** Hash that the next record must continue; null where it cannot be known. */
  previous: string | null
}

/** Reads all entries once. Memory grows by a few bytes per record. */
export function verify(entries: Iterable<Entry>, options: VerifyOptions): Report {
  const { take, end } = verification(options)
  for (const entry of entries) take(entry)
  return end()
}

/** The same, entry by entry, for whoever has other work to do between them. */
export interface Verification {
  readonly take: (entry: Entry) => void
  /** The report of all that was taken; nothing can be taken after it. */
  readonly end: () => Report
}

export function verification(options: VerifyOptions): Verification {
  const state = initial(options)
  let total = 0
  return {
    take: (entry) => {
      const index = total
      total += 1
      const bad = fault(entry, index, options.ring)
      if (bad !== null) state.bad.push(bad)
      else if ('record' in entry) place(state, entry.record, index)
    },
    end: () => {
      finish(state, total)
      return report({ total, breaks: state.breaks, warnings: options.warnings ?? [], summarise: options.summarise ?? false })
    },
  }
}

function initial(options: VerifyOptions): State {
  const start = options.start ?? 1
  const anchors = new Map<number, string[]>()
  for (const { size, hash } of options.anchors) anchors.set(size, [...(anchors.get(size) ?? []), hash])
  const previous = start === 1 ? GENESIS : null
  return { options, start, anchors, breaks: [], gaps: [], seen: new Map(), bad: [], next: start, previous }
}

/** What is wrong with the entry itself; null for a record that its key vouches for. */
function fault(entry: Entry, index: number, ring: ReadonlyMap<string, Signer>): Bad | null {
  if (!('record' in entry)) return { kind: entry.kind, index, record: null, detail: entry.problem }
  const { record } = entry
  if (record.key === '') return { kind: 'missing_key', index, record, detail: 'the record names no key' }
  const signer = ring.get(record.key)
  if (signer === undefined) return { kind: 'unknown_key', index, record, detail: `no key \`${record.key}\` is at hand` }
  if (mac(signer, record) === record.hash) return null
  return { kind: 'self_mismatch', index, record, detail: 'the record was modified: its hash does not hold' }
}

/** Null for a record that has no canonical text, such as one with half a surrogate pair: nobody signed that. */
function mac(signer: Signer, record: StoredRecord): string | null {
  try {
    return signer.mac(recordText(record))
  } catch {
    return null
  }
}

function place(state: State, record: StoredRecord, index: number): void {
  if (record.sequence < state.next) outOfPlace(state, record, index)
  else placeNext(state, record, index)
}

function placeNext(state: State, record: StoredRecord, index: number): void {
  const missing = record.sequence - state.next
  const standing = settleBad(state, missing)
  const lost = missing - standing.length
  if (lost > 0) {
    const atStart = state.seen.size === 0 && standing.length === 0
    state.gaps.push({ from: record.sequence - lost, to: record.sequence - 1, index, atStart, before: record })
  } else {
    const expected = standing.length === 0 ? state.previous : (standing.at(-1)?.record?.hash ?? null)
    if (expected !== null && expected !== record.previous) {
      add(state, { kind: 'link_mismatch', index, record, detail: 'the record does not continue the one before it' })
    }
  }
  advance(state, record, index)
}

function advance(state: State, record: StoredRecord, index: number): void {
  state.next = record.sequence + 1
  state.previous = record.hash
  note(state, record, index)
}

function note(state: State, record: StoredRecord, index: number): void {
  state.seen.set(record.sequence, fingerprint(record))
  const anchored = state.anchors.get(record.sequence)
  if (anchored?.some((hash) => hash !== record.hash)) {
    add(state, { kind: 'anchor_mismatch', index, record, detail: `record ${record.sequence} is not the one that was anchored` })
  }
}

/** The first `room` entries stand where records are missing, so they were changed in place; the others were put in. */
function settleBad(state: State, room: number): readonly Bad[] {
  const standing = state.bad.slice(0, room)
  for (const bad of standing) add(state, bad)
  for (const bad of state.bad.slice(room)) {
    const forged = bad.record !== null
    add(state, forged ? { ...bad, kind: 'inserted', detail: `an unsigned record was inserted (${bad.detail})` } : bad)
  }
  state.bad = []
  return standing
}

/** A good record that comes after its place has passed. */
function outOfPlace(state: State, record: StoredRecord, index: number): void {
  const { sequence } = record
  const gap = state.gaps.find(({ from, to }) => from <= sequence && sequence <= to)
  if (gap !== undefined) {
    closeGap(state, gap, sequence)
    note(state, record, index)
    add(state, { kind: 'reordered', index, record, detail: `record ${sequence} comes after record ${state.next - 1}` })
    return
  }
  const known = state.seen.get(sequence)
  if (known === undefined) add(state, { kind: 'reordered', index, record, detail: `record ${sequence} is out of its place` })
  else if (known === fingerprint(record)) add(state, { kind: 'duplicate', index, record, detail: `record ${sequence} occurs twice` })
  else if (sequence === 1) restart(state, record, index)
  else add(state, { kind: 'fork', index, record, detail: `there are two signed records ${sequence}` })
}

/** A second first record: somebody began the log anew. What follows is checked against the new beginning. */
function restart(state: State, record: StoredRecord, index: number): void {
  add(state, { kind: 'chain_reset', index, record, detail: `the log begins anew after record ${state.next - 1}` })
  state.seen.clear()
  advance(state, record, index)
}

function closeGap(state: State, gap: Gap, sequence: number): void {
  if (sequence < gap.to) state.gaps.push({ ...gap, from: sequence + 1 })
  gap.to = sequence - 1
}

function finish(state: State, total: number): void {
  const trailing = state.bad.length
  for (const bad of state.bad) add(state, bad)
  for (const gap of state.gaps) if (gap.from <= gap.to) addGap(state, gap)
  const reached = state.next - 1 + trailing
  const anchored = Math.max(0, ...state.options.anchors.map(({ size }) => size))
  const at = { index: total, record: null }
  if (anchored > reached) {
    add(state, { ...at, kind: 'truncated', detail: `the log ends at record ${reached}, but had ${anchored} when it was last anchored` })
  }
  if (state.options.anchorProblem !== undefined) {
    add(state, { ...at, kind: 'anchor_invalid', detail: state.options.anchorProblem })
  } else if (state.options.anchors.length === 0) {
    add(state, { ...at, kind: 'anchor_missing', detail: 'no anchor tells how long the log was, so a cut tail cannot be ruled out' })
  }
}

function addGap(state: State, { from, to, index, atStart, before: record }: Gap): void {
  if (atStart) {
    add(state, { kind: 'missing_start', index, record, detail: `the log begins with record ${record.sequence}` })
    return
  }
  const count = to - from + 1
  const lost = `${count === 1 ? 'one record' : `${count} records`} deleted before this one: sequence ${from - 1} → ${to + 1}`
  add(state, { kind: 'deleted', index, record, detail: lost })
  add(state, { kind: 'link_mismatch', index, record, detail: `record ${record.sequence} continues a record that is not there` })
}

function add(state: State, found: Bad): void {
  const { kind, index, record, detail } = found
  state.breaks.push({ kind, index, sequence: record?.sequence ?? null, id: record?.id ?? null, detail, suppressed: 0 })
}

function fingerprint(record: StoredRecord): number {
  return Number.parseInt(record.hash.slice(0, 12), 16)
}
