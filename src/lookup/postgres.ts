/** Reads one row of a PostgreSQL database for a state provider, where the host program has the package `pg`. */
import type { Json } from '../core/json.ts'
import { readJson } from '../ingress/json.ts'
import type { SqlReader } from './sql.ts'

/** The part of `pg` in use. */
export interface PgClient {
  connect(): Promise<unknown>
  query(sql: string, values?: readonly unknown[]): Promise<{ readonly rows: readonly Json[] }>
  on(event: 'error', listener: () => void): unknown
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
      const client = new pg.Client({
        connectionString: place,
        connectionTimeoutMillis: time,
        application_name: 'countersign',
        types: TYPES,
      })
      // What breaks between two queries is told to nobody else, and without a listener it would end the process.
      client.on('error', () => {})
      const late = (): void => void client.end().catch(() => {})
      signal.addEventListener('abort', late, { once: true })
      try {
        await client.connect()
        await client.query(
          `BEGIN READ ONLY; SET LOCAL statement_timeout = ${time}; SET LOCAL TimeZone = 'UTC'; SET LOCAL DateStyle = 'ISO'`,
        )
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

/** Types of a server by their numbers, with how their text is read; the text of every other stands as it is. */
const READERS: ReadonlyMap<number, (text: string) => Json> = new Map<number, (text: string) => Json>([
  [16, (text) => text === 't'],
  [17, () => null],
  [20, integer],
  [21, Number],
  [23, Number],
  [26, Number],
  [114, document],
  [700, finite],
  [701, finite],
  [1114, (text) => text.replace(' ', 'T')],
  [1184, (text) => text.replace(' ', 'T').replace(/\+00$/, 'Z')],
  [1700, decimal],
  [3802, document],
])

const TYPES = { getTypeParser: (type: number) => READERS.get(type) ?? ((text: string): Json => text) }

/** A number where a double carries it, else its digits. */
function integer(text: string): Json {
  const value = Number(text)
  return Number.isSafeInteger(value) ? value : text
}

function finite(text: string): Json {
  const value = Number(text)
  return Number.isFinite(value) ? value : null
}

/** Fifteen digits are what a double always gives back. */
function decimal(text: string): Json {
  const digits = text.replace(/\D/g, '').length
  return digits <= 15 || !Number.isFinite(Number(text)) ? finite(text) : text
}

/** Strictly, as everything from outside: what is ambiguous is null. */
function document(text: string): Json {
  const read = readJson(text)
  return read.ok ? read.value : null
}
