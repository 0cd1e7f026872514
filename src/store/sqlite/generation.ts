/**
 * Tells whether what was read is still so, without reading it again. SQLite counts what other connections commit
 * (`data_version`), in this process or another; what this connection takes back and what it writes is counted here.
 */

export interface Generation {
  /** Rises whenever a table may hold something else: changed by another connection, written or taken back by this one. */
  readonly of: (table: string) => number
  /** The same without what this connection writes: rises where somebody else wrote, or this one took something back. */
  readonly others: () => number
  /** This connection runs this statement, which may write. */
  readonly runs: (sql: string) => void
  /** This connection wrote rows that have a name of their own within their table, such as `SESSION_RECORDS`. */
  readonly wrote: (rows: string) => void
  /** What this connection wrote is taken back. */
  readonly takenBack: () => void
  /** A transaction begins: nobody else writes until it ends, so that one look holds for all of it. */
  readonly begun: () => void
}

const READS = /^\s*(?:SELECT|PRAGMA|SAVEPOINT|RELEASE)\b/i
const WRITES = /^\s*(?:INSERT(?:\s+OR\s+\w+)?\s+INTO|DELETE\s+FROM|UPDATE)\s+(\w+)/i
/** A statement that is none of these may write anywhere. */
const ANY = '*'

/** The table that a statement writes to; null: none. */
function tableOf(sql: string): string | null {
  return READS.test(sql) ? null : (WRITES.exec(sql)?.[1] ?? ANY)
}

/** `version`: SQLite's count, read once in a turn of the event loop and once in a transaction. */
export function createGeneration(version: () => number): Generation {
  const tables = new Map<string, string | null>()
  const written = new Map<string, number>()
  let seen: number | null = null
  let others = 0
  let fresh = false
  let waiting = false
  const turnEnds = (): void => {
    fresh = false
    waiting = false
  }
  const look = (): number => {
    if (fresh) return others
    const now = version()
    if (now !== seen) others += 1
    seen = now
    fresh = true
    if (!waiting) setImmediate(turnEnds)
    waiting = true
    return others
  }
  const wrote = (rows: string): void => void written.set(rows, (written.get(rows) ?? 0) + 1)
  return {
    of: (table) => look() + (written.get(table) ?? 0),
    others: look,
    runs: (sql) => {
      let table = tables.get(sql)
      if (table === undefined) {
        table = tableOf(sql)
        tables.set(sql, table)
      }
      if (table === ANY) others += 1
      else if (table !== null) wrote(table)
    },
    wrote,
    takenBack: () => {
      others += 1
    },
    begun: () => {
      fresh = false
    },
  }
}
