/** What the log holds of one session. */
import { isJsonObject, type JsonObject, parseJson } from '../core/json.ts'
import { storeError } from './sqlite/faults.ts'
import { BODY } from './sqlite/records/pieces.ts'
import { SESSION_RECORDS, type Store, type StoredRecord } from './store.ts'

const LOGGED = `SELECT 1 FROM records WHERE session = ? AND tenant IS ? AND kind = 'decision' LIMIT 1`

/** True where a call of the session was decided. @param tenant empty: none. */
export function isLogged(store: Pick<Store, 'query'>, tenant: string, session: string): boolean {
  return store.query((tx) => tx.get(LOGGED, session, tenant === '' ? null : tenant)) !== undefined
}

const PAST = `SELECT sequence, id, hash, tenant, wanted, CASE WHEN wanted THEN body END AS body FROM (
  SELECT sequence, id, hash, tenant, ${BODY} AS body, tool IS NULL OR instr(?, char(10) || tool || char(10)) > 0 AS wanted
  FROM records WHERE session = ? AND sequence > ? AND sequence <= ? AND kind = 'result' ORDER BY sequence LIMIT ?)`

export interface PastQuery {
  readonly session: string
  /** Bare names. The record of a call whose name was redacted tells nothing to tables either. */
  readonly tools: ReadonlySet<string>
  /** Only records after this one; default all. */
  readonly after?: number
  /** Only records up to this one; default all. */
  readonly upto?: number
}

/** Of the record of a result. */
export type PastResult = Pick<StoredRecord, 'sequence' | 'id' | 'hash' | 'tenant' | 'body'>

/** Whether a log has more than was read of it. */
export interface LogEnd {
  /** Rises where somebody else may have written to the log: while it stays, whatever is new is of this process. */
  readonly others: () => number
  /** Sequence of the last record; 0: there is none. */
  readonly head: () => number
}

const HEAD = 'SELECT sequence FROM records ORDER BY sequence DESC LIMIT 1'

export function logEnd(store: Pick<Store, 'query'>): LogEnd {
  return {
    others: () => store.query((tx) => tx.generation(SESSION_RECORDS)),
    head: () => Number(store.query((tx) => tx.get(HEAD))?.sequence ?? 0),
  }
}

/** Rows that are read at a time: calls of other sessions are decided in between. */
const PAST_ROWS = 128
const LAST = Number.MAX_SAFE_INTEGER

/**
 * What the calls of a session returned, oldest first. Only what tables are made of is read, and no result of a tool that fills none: a
 * session with thousands of results is known again in a fraction of the time. Throws where the log is damaged.
 */
export function* pastResults(
  store: Pick<Store, 'query'>,
  { session, tools, after: first = 0, upto = LAST }: PastQuery,
): Iterable<PastResult> {
  const names = `\n${[...tools].join('\n')}\n`
  let after = first
  for (;;) {
    const rows = store.query((tx) => tx.all(PAST, names, session, after, upto, PAST_ROWS))
    for (const { sequence, id, hash, tenant, wanted, body: text } of rows) {
      after = Number(sequence)
      if (Number(wanted) === 0) continue
      const body = typeof text === 'string' ? parseJson(text) : null
      if (!isJsonObject(body ?? null)) throw storeError('corrupt', `record ${String(sequence)} of the log is damaged`)
      const whose = typeof tenant === 'string' ? tenant : null
      yield { sequence: after, id: String(id), hash: String(hash), tenant: whose, body: body as JsonObject }
    }
    if (rows.length < PAST_ROWS) return
  }
}
