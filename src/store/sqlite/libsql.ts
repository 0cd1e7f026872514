/** The driver over `libsql`, for a Node that has no SQLite of its own. */
import { statSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { SqlRow, SqlValue } from '../store.ts'
import { type Database, SqliteFault, type Statement } from './driver.ts'
import { decodeBytes, decodeRow, encodeValue } from './text.ts'

/** The part of `libsql` in use. */
interface NativeStatement {
  run(values: readonly SqlValue[]): { readonly changes: number }
  get(values: readonly SqlValue[]): object | undefined
  all(values: readonly SqlValue[]): object[]
  columns(): { readonly name: string }[]
}
interface NativeDatabase {
  exec(sql: string): void
  prepare(sql: string): NativeStatement
  close(): void
}
type NativeConstructor = new (path: string) => NativeDatabase

/** `SQLITE_CANTOPEN`: the package throws an error without a code where it cannot open a file. */
const CANNOT_OPEN = 14

/** 128 pages, each with its head, and the head of the journal. */
const SHORT_JOURNAL_BYTES = 128 * (4_096 + 24) + 32

/** `t` before the bytes of a text; `b` stands before those of a blob. */
const TEXT = 0x74

/** Null where the package, or its binary for this platform, is not installed. */
export function openLibsql(path: string): Database | null {
  const Native = nativeConstructor()
  if (Native === null) return null
  const database = guarded(() => new Native(path), CANNOT_OPEN)
  return {
    engine: 'libsql',
    exec: (sql) => guarded(() => database.exec(sql)),
    prepare: (sql) => guarded(() => statement(database, sql)),
    close: () => {
      if (journalBytes(path) > SHORT_JOURNAL_BYTES) copyJournal(database)
      guarded(() => database.close())
    },
  }
}

function statement(database: NativeDatabase, sql: string): Statement {
  const native = database.prepare(sql)
  const select = /^\s*SELECT\b/i.test(sql)
  const reading = select ? database.prepare(tagged(sql, native)) : native
  const decode = select ? untagRow : decodeRow
  return {
    run: (values) => guarded(() => native.run(values.map(encodeValue)).changes),
    get: (values) =>
      guarded(() => {
        const row = reading.get(values.map(encodeValue))
        return row === undefined ? undefined : decode(row)
      }),
    all: (values) => guarded(() => reading.all(values.map(encodeValue)).map(decode)),
  }
}

/**
 * The query with text and blobs as bytes behind one byte that tells them apart. The package ends the whole process when a
 * text column is not UTF-8, and one flipped bit on the disk must not do that (T33). Columns need distinct names.
 */
function tagged(sql: string, native: NativeStatement): string {
  const columns = native.columns().map(({ name }) => {
    const column = `"${name.replaceAll('"', '""')}"`
    const behind = (tag: string) => `CAST('${tag}' || ${column} AS BLOB)`
    return `CASE typeof(${column}) WHEN 'text' THEN ${behind('t')} WHEN 'blob' THEN ${behind('b')} ELSE ${column} END AS ${column}`
  })
  return `SELECT ${columns.join(', ')} FROM (${sql})`
}

function untagRow(row: object): SqlRow {
  const untagged: Record<string, unknown> = Object.create(null)
  for (const [column, value] of Object.entries(row)) {
    // One row has a Buffer where many have an ArrayBuffer.
    const bytes = value instanceof ArrayBuffer ? new Uint8Array(value) : value
    untagged[column] = bytes instanceof Uint8Array ? untag(bytes) : value
  }
  return decodeRow(untagged)
}

function untag(bytes: Uint8Array): string | Uint8Array {
  const content = new Uint8Array(bytes.buffer, bytes.byteOffset + 1, bytes.length - 1)
  return bytes[0] === TEXT ? decodeBytes(content) : content
}

/**
 * SQLite copies the journal into the file and empties it when the last connection closes; here a connection lives until its statements are
 * collected, so this asks for it. It takes two syncs, and the first commit to the empty journal two more; a hook would make all four for each
 * call, and its agent waits for them. So a short journal stays: it is as durable as the file, and the next process that opens the file reads
 * it in a fraction of what one sync takes. A long one would be read by each. This waits for nobody.
 */
function copyJournal(database: NativeDatabase): void {
  try {
    database.exec('PRAGMA busy_timeout = 0')
    database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get([])
  } catch {
    // The journal stands: nothing is lost.
  }
}

function journalBytes(path: string): number {
  return statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0
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
    if (error instanceof SqliteFault) throw error
    const result = error instanceof Error && 'rawCode' in error && typeof error.rawCode === 'number' ? error.rawCode : otherwise
    throw new SqliteFault(error instanceof Error ? error.message : String(error), result, error)
  }
}
