/** Reads one row of a database for a state provider. What reads it is handed in: this room opens nothing by itself. */
import type { Json, JsonObject } from '../core/json.ts'
import { isJsonObject } from '../core/json.ts'
import type { SqlLookup } from '../policy/contracts/model.ts'
import { readPath } from '../policy/contracts/path.ts'
import { NothingFound } from './nothing.ts'

export type SqlValue = string | number | boolean

export interface SqlQuery {
  /** Absolute path of a file, or the address of a server. */
  readonly place: string
  readonly sql: string
  readonly values: readonly SqlValue[]
  readonly signal: AbortSignal
  readonly timeoutMs: number
}

/** Answers at most two rows; rejects with what is wrong. It cannot write. */
export interface SqlReader {
  readonly query: (query: SqlQuery) => Promise<readonly Json[]>
  readonly close: () => void
}

export interface SqlReaders {
  readonly sqlite: SqlReader
  readonly postgres: SqlReader
}

interface Asking {
  readonly readers: SqlReaders
  /** The absolute path of a file that the policy names. */
  readonly resolve: (file: string) => string
  readonly signal: AbortSignal
  readonly timeoutMs: number
}

/** The one row for these arguments, by column. Rejects where there is none, where there are several, and with whatever else is wrong. */
export async function lookUpSql(lookup: SqlLookup, args: JsonObject, { readers, resolve, signal, timeoutMs }: Asking): Promise<JsonObject> {
  const values = lookup.args.map((path): SqlValue => {
    const value = readPath(args, path)
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value
    if (value === undefined) throw new NothingFound(`the argument \`${path.text}\` is missing`)
    throw new Error(`the argument \`${path.text}\` is no single value`)
  })
  const { file, url } = lookup
  const reader = file === null ? readers.postgres : readers.sqlite
  const place = file === null ? url : resolve(file)
  if (place === null) throw new Error('the variable with the address of the database is not set')
  const sql = lookup.parts.reduce((text, part, index) => `${text}${file === null ? `$${index}` : '?'}${part}`)
  const [row, other] = await reader.query({ place, sql, values, signal, timeoutMs })
  if (row === undefined) throw new NothingFound('the query finds no row')
  if (other !== undefined) throw new Error('the query finds more than one row')
  if (!isJsonObject(row)) throw new Error('the row cannot be read')
  return plain(row)
}

/** The same without a prototype. */
function plain(row: JsonObject): JsonObject {
  return Object.assign(Object.create(null), row)
}
