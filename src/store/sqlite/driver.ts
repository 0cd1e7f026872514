/**
 * One thin interface over `node:sqlite` (Node >= 22.13) and `libsql` (Node 20): the store is written once against this,
 * and one suite runs on both. The engine is loaded when it is first needed, so a Node that has its own never loads the other.
 */
import type { SqlRow, SqlValue } from '../store.ts'
import { openLibsql } from './libsql.ts'
import { openNodeSqlite } from './node-sqlite.ts'

export type EngineName = 'node:sqlite' | 'libsql'

export interface Statement {
  /** Rows changed. */
  run(values: readonly SqlValue[]): number
  get(values: readonly SqlValue[]): SqlRow | undefined
  all(values: readonly SqlValue[]): readonly SqlRow[]
}

/** Every method throws `SqliteFault` and nothing else. */
export interface Database {
  readonly engine: EngineName
  exec(sql: string): void
  prepare(sql: string): Statement
  close(): void
}

/** Opens one engine's connection, or null where this Node does not have that engine. */
export type OpenEngine = (path: string) => Database | null

const ENGINES: readonly (readonly [EngineName, OpenEngine])[] = [
  ['node:sqlite', openNodeSqlite],
  ['libsql', openLibsql],
]

/** What SQLite said: its primary result code (`SQLITE_BUSY` is 5), or 0 where the failure was outside SQLite. */
export class SqliteFault extends Error {
  readonly result: number

  constructor(message: string, result: number, cause: unknown) {
    super(message, { cause })
    this.name = 'SqliteFault'
    this.result = result & 0xff
  }
}

/** The first engine this Node has, or the named one. Null where there is none. */
export function openDatabase(path: string, engine?: EngineName): Database | null {
  for (const [name, open] of ENGINES) {
    if (engine !== undefined && engine !== name) continue
    const database = open(path)
    if (database !== null) return database
  }
  return null
}
