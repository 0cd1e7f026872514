/** Reads one row of a PostgreSQL database for a state provider, where the host program has the package `pg`. */
import type { Json } from '../core/json.ts'
import type { SqlReader } from './sql.ts'

/** The part of `pg` in use. */
export interface PgClient {
  connect(): Promise<unknown>
  query(sql: string, values?: readonly unknown[]): Promise<{ readonly rows: readonly Json[] }>
  end(): Promise<unknown>
}
type PgModule = { readonly Client: new (options: object) => PgClient }

/** The module, or null where it is not installed. */
export type LoadPg = () => Promise<PgModule | null>

/** An optional peer: nothing but this names it, and only at run time. */
const NAME = 'pg'

const installed: LoadPg = async () => {
  try {
    const found = (await import(NAME)) as PgModule & { readonly default?: PgModule }
    return found.default ?? found
  } catch {
    return null
  }
}

/**
 * Answers the rows of a query, at most two, from the database at an address. The query runs in a transaction that can only read,
 * that the server ends when its time is over, and that is always rolled back. Rejects with what is wrong.
 */
export function createPostgresReader(load: LoadPg = installed): SqlReader {
  return {
    query: async ({ place, sql, values, signal, timeoutMs }) => {
      const pg = await load()
      if (pg === null) throw new Error('the package `pg` is not installed: run `npm install pg` where the gate runs')
      const time = Math.max(1, Math.trunc(timeoutMs))
      const client = new pg.Client({ connectionString: place, connectionTimeoutMillis: time, application_name: 'countersign' })
      const late = (): void => void client.end().catch(() => {})
      signal.addEventListener('abort', late, { once: true })
      try {
        await client.connect()
        await client.query('BEGIN READ ONLY')
        await client.query(`SET LOCAL statement_timeout = ${time}`)
        const { rows } = await client.query(`SELECT * FROM (\n${sql}\n) AS found LIMIT 2`, values)
        await client.query('ROLLBACK')
        return rows
      } finally {
        signal.removeEventListener('abort', late)
        await client.end().catch(() => {})
      }
    },
    close: () => {},
  }
}
