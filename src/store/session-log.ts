/** What the log holds of one session. */
import { isJsonObject, type JsonObject, parseJson } from '../core/json.ts'
import { storeError } from './sqlite/faults.ts'
import { BODY } from './sqlite/records/pieces.ts'
import type { Store, StoredRecord } from './store.ts'

const LOGGED = `SELECT 1 FROM records WHERE session = ? AND tenant IS ? AND kind = 'decision' LIMIT 1`

/** True where a call of the session was decided. @param tenant empty: none. */
export function isLogged(store: Pick<Store, 'query'>, tenant: string, session: string): boolean {
  return store.query((tx) => tx.get(LOGGED, session, tenant === '' ? null : tenant)) !== undefined
}

const PAST = `SELECT sequence, hash, tenant, wanted, CASE WHEN wanted THEN body END AS body FROM (
  SELECT sequence, hash, tenant, ${BODY} AS body, tool IS NULL OR instr(?, char(10) || tool || char(10)) > 0 AS wanted
  FROM records WHERE session = ? AND sequence > ? AND kind = 'result' ORDER BY sequence LIMIT ?)`

export interface PastQuery {
  readonly session: string
  /** Bare names. The record of a call whose name was redacted tells nothing to tables either. */
  readonly tools: ReadonlySet<string>
  /** Only records after this one; default all. */
  readonly after?: number
}

/** Of the record of a result. */
export type PastResult = Pick<StoredRecord, 'sequence' | 'hash' | 'tenant' | 'body'>

/** Rows that are read at a time: calls of other sessions are decided in between. */
const PAST_ROWS = 128

/**
 * What the calls of a session returned, oldest first. Only what tables are made of is read, and no result of a tool that fills none: a
 * session with thousands of results is known again in a fraction of the time. Throws where the log is damaged.
 */
export function* pastResults(store: Pick<Store, 'query'>, { session, tools, after: first = 0 }: PastQuery): Iterable<PastResult> {
  const names = `\n${[...tools].join('\n')}\n`
  let after = first
  for (;;) {
    const rows = store.query((tx) => tx.all(PAST, names, session, after, PAST_ROWS))
    for (const { sequence, hash, tenant, wanted, body: text } of rows) {
      after = Number(sequence)
      if (Number(wanted) === 0) continue
      const body = typeof text === 'string' ? parseJson(text) : null
      if (!isJsonObject(body ?? null)) throw storeError('corrupt', `record ${String(sequence)} of the log is damaged`)
      yield { sequence: after, hash: String(hash), tenant: typeof tenant === 'string' ? tenant : null, body: body as JsonObject }
    }
    if (rows.length < PAST_ROWS) return
  }
}
