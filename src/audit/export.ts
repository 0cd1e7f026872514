/** Records as text that cannot lie: one escaped JSON line each, or CSV that no spreadsheet takes for a formula (T61). */
import { canonicalJson } from '../core/canonical.ts'
import type { Anchor } from '../store/chain.ts'
import type { StoredRecord } from '../store/store.ts'

/** Controls, formats (bidi, zero width), private use, unassigned, line separators, and what renders as nothing. */
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu

const COLUMNS = [
  'sequence',
  'id',
  'at',
  'kind',
  'session',
  'tenant',
  'tool',
  'decision',
  'code',
  'body',
  'previous',
  'key',
  'hash',
] as const

/** What a spreadsheet may take for a formula, full-width forms included, after any white space. */
const FORMULA = /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]/u

/** The record as one line of JSON without its line end: canonical, with every character that cannot be seen escaped. */
export function exportLine(record: StoredRecord): string {
  const { sequence, id, previous, hash, key, kind, session, tenant, tool, decision, code, at, body } = record
  return escapeUnseen(canonicalJson({ v: 1, sequence, id, previous, hash, key, kind, session, tenant, tool, decision, code, at, body }))
}

/** The closing line of an export: how long the log was, so that a cut tail shows. Without its line end. */
export function anchorLine(anchor: Anchor): string {
  return canonicalJson({ anchor: { ...anchor } })
}

/** Lines with their line ends; `close` signs the last record as the end, where the whole log is exported. */
export function* exportJsonl(records: Iterable<StoredRecord>, close?: (last: StoredRecord) => Anchor): Iterable<string> {
  let last: StoredRecord | null = null
  for (const record of records) {
    last = record
    yield `${exportLine(record)}\n`
  }
  if (last !== null && close !== undefined) yield `${anchorLine(close(last))}\n`
}

/** RFC 4180 with a header. Every cell is quoted and free of line ends. `at` is ISO 8601 in UTC. */
export function* exportCsv(records: Iterable<StoredRecord>): Iterable<string> {
  yield `${COLUMNS.map(cell).join(',')}\r\n`
  for (const record of records) {
    const texts = { ...record, sequence: String(record.sequence), at: instant(record.at), body: canonicalJson(record.body) }
    yield `${COLUMNS.map((column) => cell(texts[column] ?? '')).join(',')}\r\n`
  }
}

/** Escapes what cannot be seen as JSON does (`\u202e`), so that JSON text keeps its meaning and a terminal its state. */
export function escapeUnseen(text: string): string {
  return text.replace(UNSEEN, (match) => {
    let escaped = ''
    for (let index = 0; index < match.length; index += 1) escaped += `\\u${match.charCodeAt(index).toString(16).padStart(4, '0')}`
    return escaped
  })
}

function cell(text: string): string {
  const shown = escapeUnseen(text)
  const inert = FORMULA.test(text) ? `'${shown}` : shown
  return `"${inert.replaceAll('"', '""')}"`
}

/** ISO 8601, or the number itself where it is beyond what a date can say. */
function instant(at: number): string {
  const date = new Date(at)
  return Number.isNaN(date.getTime()) ? String(at) : date.toISOString()
}
