/**
 * One thin interface over `node:sqlite` (Node >= 22.13) and `libsql` (Node 20): the store is written once against this,
 * and one suite runs on both.
 */
import type { SqlRow, SqlValue } from '../store.ts'

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

/** What SQLite said: its primary result code (`SQLITE_BUSY` is 5), or 0 where the failure was outside SQLite. */
export class SqliteFault extends Error {
  readonly result: number

  constructor(message: string, result: number, cause: unknown) {
    super(message, { cause })
    this.name = 'SqliteFault'
    this.result = result & 0xff
  }
}
