/** The `audit` commands as functions: they return data, printing is the caller's. */
import { type Anchor, anchorText, recordText, type Signer } from '../store/chain.ts'
import { openRawLog, type RawLog, type RawLogOptions } from '../store/sqlite/log.ts'
import type { Head, RecordQuery, Store, StoredRecord } from '../store/store.ts'
import { exportCsv, exportJsonl } from './export.ts'
import { type ExportFile, entryOf, type ReadExport, readExport } from './read-export.ts'
import { type Report, report, type Warning } from './report.ts'
import { type Entry, type VerifyOptions, verification, verify } from './verify.ts'

/** The part of an embedded store that reading needs. */
export type ReadableLog = Pick<Store, 'get' | 'head'> & { read(query: RecordQuery): Iterable<StoredRecord> }

/** The newest records, oldest of them first. Default 20. */
export function auditTail(log: ReadableLog, query: RecordQuery = {}): StoredRecord[] {
  return [...log.read({ ...query, limit: query.limit ?? 20, newestFirst: true })].reverse()
}

export interface SearchPage {
  /** Newest first. */
  readonly records: readonly StoredRecord[]
  /** Hand in as `before` for the next page; null where there is none. */
  readonly next: number | null
}

/** One page, newest first. Default limit 50. */
export function auditSearch(log: ReadableLog, query: RecordQuery): SearchPage {
  const limit = query.limit ?? 50
  const records = [...log.read({ ...query, limit: limit + 1, newestFirst: true })]
  const shown = records.slice(0, limit)
  return { records: shown, next: records.length > limit ? (shown.at(-1)?.sequence ?? null) : null }
}

export interface ShownRecord {
  readonly record: StoredRecord
  /** True where the record's hash holds under the key it names. */
  readonly intact: boolean
}

/** One record by its id or by its sequence, with a check of its own hash; null where there is none. */
export function auditShow(log: ReadableLog, reference: string, ring: ReadonlyMap<string, Signer>): ShownRecord | null {
  const record = /^\d{1,15}$/.test(reference) ? bySequence(log, Number(reference)) : log.get(reference.toUpperCase())
  if (record === null) return null
  return { record, intact: isIntact(record, ring) }
}

/** True where the record's hash holds under the key it names. */
export function isIntact(record: StoredRecord, ring: ReadonlyMap<string, Signer>): boolean {
  return ring.get(record.key)?.mac(recordText(record)) === record.hash
}

export interface AuditVerifyOptions extends RawLogOptions {
  /** Heads that were kept outside of this machine; they are trusted as given. */
  readonly anchors?: readonly Head[]
  /** What the copies say that the policy has kept. */
  readonly copies?: Elsewhere
  readonly summarise?: boolean
}

/** Copies of the head, as they were read. */
export interface Elsewhere {
  /** Heads that the log must still have, their signatures already checked. */
  readonly heads: readonly Head[]
  /** Why copies are of another log. */
  readonly foreign: readonly string[]
  /** Why copies tell nothing. */
  readonly silent: readonly string[]
}

/** Checks every record of a state directory. Throws `StoreError` where there is nothing to check or no key to check it with. */
export function auditVerify(options: AuditVerifyOptions): Report {
  const log = openRawLog(options)
  try {
    return verify(entriesOf(log), { ...anchorsOf(log, options), ring: log.ring, summarise: options.summarise ?? false })
  } finally {
    log.close()
  }
}

export interface SlicedVerifyOptions extends AuditVerifyOptions {
  /** Records that are checked at one go; default 64. */
  readonly slice?: number
  /** What is waited for between two slices; default whatever else this process has to do. */
  readonly pause?: () => Promise<unknown>
}

/** The same in slices, for a process that has calls to decide meanwhile. Rejects where `auditVerify` throws. */
export async function auditVerifyInSlices(options: SlicedVerifyOptions): Promise<Report> {
  const { slice = 64, pause = () => new Promise((resolve) => setImmediate(resolve)), summarise = false } = options
  const log = openRawLog(options)
  try {
    const { take, end } = verification({ ...anchorsOf(log, options), ring: log.ring, summarise })
    let taken = 0
    for (const entry of entriesOf(log)) {
      take(entry)
      taken += 1
      if (taken % slice === 0) await pause()
    }
    return end()
  } finally {
    log.close()
  }
}

export type VerifyExportOptions = Omit<VerifyOptions, 'warnings'>

/**
 * Checks exported files: parts of one log, in the order given; or exports of different age, of which each must be the beginning
 * of the next larger one.
 */
export function auditVerifyExport(files: readonly ExportFile[], options: VerifyExportOptions): Report {
  const aged = byAge(files)
  return aged === null ? verifyRead(readExport(files), options) : verifyAged(aged, options)
}

function verifyRead({ entries, warnings, anchor }: ReadExport, options: VerifyExportOptions): Report {
  if (anchor === null) return verify(entries, { ...options, warnings })
  const signed = options.ring.get(anchor.key)?.mac(anchorText(anchor)) === anchor.mac
  if (signed) return verify(entries, { ...options, warnings, anchors: [anchor, ...options.anchors] })
  return verify(entries, { ...options, warnings, anchorProblem: 'the signature of the closing line does not hold' })
}

interface AgedExport {
  readonly name: string
  readonly read: ReadExport
  /** Of its last record. */
  readonly head: Head
}

/** The exports from the shortest to the longest, where more than one begins with the first record; else null: they are parts. */
function byAge(files: readonly ExportFile[]): readonly AgedExport[] | null {
  const exports = files.map((file) => ({ name: file.name, read: readExport([file]) }))
  if (exports.length < 2) return null
  const aged = exports.flatMap(({ name, read }) => {
    const first = read.entries[0]
    const last = read.entries.findLast((entry) => 'record' in entry)
    if (first === undefined || last === undefined || !('record' in first && 'record' in last) || first.record.sequence !== 1) return []
    return [{ name, read, head: { size: last.record.sequence, hash: last.record.hash } }]
  })
  return aged.length === exports.length ? aged.toSorted((a, b) => a.head.size - b.head.size) : null
}

/** A hash stands for all records before it: where the longer export has the head of the shorter one, it has the whole of it. */
function verifyAged(aged: readonly AgedExport[], options: VerifyExportOptions): Report {
  const last = aged.length - 1
  const reports = aged.map(({ name, read }, index) => {
    const shorter = aged.slice(0, index).map(({ head }) => head)
    const whole = index === last ? options.anchors : options.anchors.filter(({ size }) => size <= read.entries.length)
    const open = read.anchor === null && whole.length === 0 ? { anchorProblem: 'nothing tells how long this export was' } : {}
    const found = verifyRead(read, { ...options, ...open, anchors: [...shorter, ...whole] })
    return { ...found, breaks: found.breaks.map((each) => ({ ...each, detail: `${name}: ${each.detail}` })) }
  })
  const longest = aged[last]
  const prefixes = aged.slice(0, last).map(({ name, head }): Warning => {
    const detail = `${name}: its ${head.size} records are the beginning of ${longest?.name}, which has ${(longest?.head.size ?? 0) - head.size} more`
    return { kind: 'prefix', index: head.size, detail }
  })
  const breaks = reports.flatMap((each) => each.breaks)
  const warnings = [...reports.flatMap((each) => each.warnings), ...(breaks.length === 0 ? prefixes : [])]
  return report({ total: reports[last]?.total ?? 0, breaks, warnings, summarise: options.summarise ?? false })
}

export interface AuditExportOptions {
  readonly format: 'jsonl' | 'csv'
  readonly query?: RecordQuery
  /** Signs the closing line of a JSONL export of the whole log; without it, a cut tail cannot be told from the export. */
  readonly close?: (last: StoredRecord) => Anchor
}

/** The records as text, piece by piece, oldest first. */
export function auditExport(log: ReadableLog, options: AuditExportOptions): Iterable<string> {
  const records = log.read(options.query ?? {})
  return options.format === 'csv' ? exportCsv(records) : exportJsonl(records, options.close)
}

function bySequence(log: ReadableLog, sequence: number): StoredRecord | null {
  for (const record of log.read({ after: sequence - 1, limit: 1 })) return record.sequence === sequence ? record : null
  return null
}

function* entriesOf(log: RawLog): Iterable<Entry> {
  for (const row of log.rows()) {
    yield 'fields' in row ? entryOf(row.fields) : { kind: 'malformed', problem: row.problem }
  }
}

function anchorsOf(log: RawLog, { anchors: given = [], copies = NO_COPIES }: AuditVerifyOptions): AnchorsGiven {
  const { anchor, counter } = log
  const readings = [anchor, ...(counter === null ? [] : [counter])]
  const anchors = [...readings.flatMap((reading) => (reading.state === 'found' ? [reading.mark] : [])), ...given, ...copies.heads]
  const warnings = copies.silent.map((detail): Warning => ({ kind: 'copy_silent', index: -1, detail }))
  const problem = markProblem(log) ?? copies.foreign[0]
  return problem === undefined ? { anchors, warnings } : { anchors, warnings, anchorProblem: problem }
}

type AnchorsGiven = Pick<VerifyOptions, 'anchors' | 'anchorProblem' | 'warnings'>

const NO_COPIES: Elsewhere = { heads: [], foreign: [], silent: [] }

function markProblem({ anchor, counter }: RawLog): string | undefined {
  if (anchor.state === 'invalid') return anchor.detail
  if (anchor.state === 'missing') return 'the anchor file of the log is missing'
  if (counter?.state === 'invalid') return counter.detail
  if (counter?.state === 'missing') return 'the counter of the key is missing'
  return undefined
}
