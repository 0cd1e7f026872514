/** `decision:deny tool:Bash since:24h "rm -rf"`: what a person types, as a query. Pure. */
import { RECORD_KINDS, type RecordInput, type RecordQuery } from '../store/store.ts'

export type Search = { readonly query: RecordQuery } | { readonly problem: string }

const FIELDS = ['session', 'tenant', 'tool', 'decision', 'would', 'code'] as const
const UNITS: ReadonlyMap<string, number> = new Map([
  ['s', 1_000],
  ['m', 60_000],
  ['h', 3_600_000],
  ['d', 86_400_000],
  ['w', 604_800_000],
])
/** A field with a value, a quoted phrase, or a word. */
const TERM = /(?:([a-z]+):)?(?:"([^"]*)"|(\S+))/g

/**
 * Fields: kind, session, tenant, tool, decision, would (of shadow mode), code, since, until; a value with blanks stands in double quotes. Other words
 * must all occur in the body. `since` and `until` take an ISO 8601 instant or an age such as `15m`, `24h`, `7d`; `now` is in
 * milliseconds since the epoch.
 */
export function parseSearch(text: string, now: number): Search {
  const query: { -readonly [Name in keyof RecordQuery]: RecordQuery[Name] } = {}
  const words: string[] = []
  for (const [term, field, quoted, bare] of text.matchAll(TERM)) {
    const value = quoted ?? bare ?? ''
    if (field === undefined) {
      words.push(value)
    } else if (isField(field)) {
      query[field] = value
    } else if (field === 'kind') {
      if (!isKind(value)) return { problem: `\`${value}\` is no kind of record; there are ${RECORD_KINDS.join(', ')}` }
      query.kind = value
    } else if (field === 'since' || field === 'until') {
      const at = instantOf(value, now)
      if (at === null) return { problem: `\`${value}\` is neither an instant such as 2026-01-31T12:00:00Z nor an age such as 24h` }
      query[field] = at
    } else {
      words.push(term)
    }
  }
  return { query: words.length === 0 ? query : { ...query, text: words.join(' ') } }
}

/** Milliseconds since the epoch, or null. */
export function instantOf(text: string, now: number): number | null {
  const age = /^(\d{1,9})([smhdw])$/.exec(text)
  if (age !== null) return now - Number(age[1]) * (UNITS.get(age[2] ?? '') ?? 0)
  const at = /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(at) ? null : at
}

function isField(field: string): field is (typeof FIELDS)[number] {
  return (FIELDS as readonly string[]).includes(field)
}

function isKind(value: string): value is RecordInput['kind'] {
  return (RECORD_KINDS as readonly string[]).includes(value)
}
