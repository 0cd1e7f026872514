/** The driver over Node's own SQLite. */
import type { SqlValue } from '../store.ts'
import { type Database, SqliteFault, type Statement } from './driver.ts'
import { decodeRow, encodeValue } from './text.ts'

/** The part of `node:sqlite` in use; the typings of Node 20 have none. */
interface NativeStatement {
  run(...values: SqlValue[]): { readonly changes: number | bigint }
  get(...values: SqlValue[]): object | undefined
  all(...values: SqlValue[]): object[]
}
interface NativeDatabase {
  exec(sql: string): void
  prepare(sql: string): NativeStatement
  close(): void
}
interface NativeModule {
  readonly DatabaseSync: new (path: string) => NativeDatabase
}

/** Null on a Node without `node:sqlite`. */
export function openNodeSqlite(path: string): Database | null {
  const native = nativeModule()
  if (native === null) return null
  const database = guarded(() => new native.DatabaseSync(path))
  return {
    engine: 'node:sqlite',
    exec: (sql) => guarded(() => database.exec(sql)),
    prepare: (sql) => statement(guarded(() => database.prepare(sql))),
    close: () => guarded(() => database.close()),
  }
}

function statement(native: NativeStatement): Statement {
  return {
    run: (values) => guarded(() => Number(native.run(...values.map(encodeValue)).changes)),
    get: (values) =>
      guarded(() => {
        const row = native.get(...values.map(encodeValue))
        return row === undefined ? undefined : decodeRow(row)
      }),
    all: (values) => guarded(() => native.all(...values.map(encodeValue)).map(decodeRow)),
  }
}

/** Node 22 calls the module experimental on stderr, where a hook's output has a meaning to its host (T30). */
function nativeModule(): NativeModule | null {
  const emit = process.emitWarning
  process.emitWarning = () => {}
  try {
    return (process.getBuiltinModule('node:sqlite') as NativeModule | undefined) ?? null
  } finally {
    process.emitWarning = emit
  }
}

function guarded<T>(act: () => T): T {
  try {
    return act()
  } catch (error) {
    if (error instanceof SqliteFault) throw error
    const result = error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' ? error.errcode : 0
    throw new SqliteFault(error instanceof Error ? error.message : String(error), result, error)
  }
}
