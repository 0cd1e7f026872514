/** The driver over `libsql`, for a Node that has no SQLite of its own. */
import { createRequire } from 'node:module'
import type { SqlValue } from '../store.ts'
import { type Database, SqliteFault, type Statement } from './driver.ts'
import { decodeRow, encodeValue } from './text.ts'

/** The part of `libsql` in use. */
interface NativeStatement {
  run(values: readonly SqlValue[]): { readonly changes: number }
  get(values: readonly SqlValue[]): object | undefined
  all(values: readonly SqlValue[]): object[]
}
interface NativeDatabase {
  exec(sql: string): void
  prepare(sql: string): NativeStatement
  close(): void
}
type NativeConstructor = new (path: string) => NativeDatabase

/**
 * SQLite copies the journal into the file when the last connection closes; here a connection lives until its statements are
 * collected, so this asks for it. It waits for nobody, and what stays in the journal is as durable there.
 */
function copyJournal(database: NativeDatabase): void {
  try {
    database.prepare('PRAGMA wal_checkpoint(PASSIVE)').get([])
  } catch {
    // The journal stands: nothing is lost.
  }
}

/** `SQLITE_CANTOPEN`: the package throws an error without a code where it cannot open a file. */
const CANNOT_OPEN = 14

/** Null where the package, or its binary for this platform, is not installed. */
export function openLibsql(path: string): Database | null {
  const Native = nativeConstructor()
  if (Native === null) return null
  const database = guarded(() => new Native(path), CANNOT_OPEN)
  return {
    engine: 'libsql',
    exec: (sql) => guarded(() => database.exec(sql)),
    prepare: (sql) => statement(guarded(() => database.prepare(sql))),
    close: () => {
      copyJournal(database)
      guarded(() => database.close())
    },
  }
}

function statement(native: NativeStatement): Statement {
  return {
    run: (values) => guarded(() => native.run(values.map(encodeValue)).changes),
    get: (values) =>
      guarded(() => {
        const row = native.get(values.map(encodeValue))
        return row === undefined ? undefined : decodeRow(row)
      }),
    all: (values) => guarded(() => native.all(values.map(encodeValue)).map(decodeRow)),
  }
}

function nativeConstructor(): NativeConstructor | null {
  try {
    return createRequire(import.meta.url)('libsql') as NativeConstructor
  } catch {
    return null
  }
}

/** `otherwise` is the result code of a failure that names none. */
function guarded<T>(act: () => T, otherwise = 0): T {
  try {
    return act()
  } catch (error) {
    const result = error instanceof Error && 'rawCode' in error && typeof error.rawCode === 'number' ? error.rawCode : otherwise
    throw new SqliteFault(error instanceof Error ? error.message : String(error), result, error)
  }
}
