/** Stores for tests, and how they are tampered with behind their back. */
import { rmSync } from 'node:fs'
import { onTestFinished } from 'vitest'
import { databasePath } from '../../src/store/sqlite/connection.ts'
import type { EngineName } from '../../src/store/sqlite/driver.ts'
import { openDatabase } from '../../src/store/sqlite/engines.ts'
import { MIGRATIONS } from '../../src/store/sqlite/migrations/index.ts'
import { type EmbeddedStore, openStore, type StoreOptions } from '../../src/store/sqlite/open.ts'
import { StoreError, type StoreFault } from '../../src/store/store.ts'
import { input, temporaryDirectory } from './records.ts'

/** Two libraries of SQLite in one process take each other's locks: what reaches into a store does so with the one that opened it. */
const engines = new Map<string, EngineName | undefined>()

export function opened(options: StoreOptions): EmbeddedStore {
  const store = openStore(options)
  engines.set(options.directory, options.engine)
  onTestFinished(() => {
    try {
      store.close()
    } catch (error) {
      if (!(error instanceof StoreError)) throw error
    }
  })
  return store
}

export function fault(act: () => unknown): StoreFault {
  try {
    act()
  } catch (error) {
    if (error instanceof StoreError) return error.fault
    throw error
  }
  throw new Error('nothing was thrown')
}

export async function rejection(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => {
      throw new Error('nothing was thrown')
    },
    (error: unknown) => error,
  )
}

/** Without its journal, whatever is in the file is all there is. */
export function removeJournal(directory: string): void {
  for (const suffix of ['-wal', '-shm']) rmSync(`${databasePath(directory)}${suffix}`, { force: true })
}

/** Everything in the one file: a copy of it alone is whole then. */
export function emptyJournal(directory: string): void {
  const database = openDatabase(databasePath(directory), engines.get(directory))
  database?.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get([])
  database?.close()
}

/** Works on the file behind the store's back. */
export function tamper(directory: string, sql: string): void {
  const database = openDatabase(databasePath(directory), engines.get(directory))
  database?.exec(sql)
  database?.close()
}

/**
 * SQL that takes a store back to its first `version` migrations. What later ones made is dropped, and a table that they widened is empty
 * again. So a new migration changes no test of an older store.
 */
export function windBack(version: number): string {
  const before = schemaAt(version)
  const statements = [`PRAGMA user_version = ${version}`]
  const now = schemaAt(MIGRATIONS.length)
  for (const [name, { sql }] of before) if (!now.has(name)) statements.push(sql)
  for (const [name, { type, sql }] of now) {
    const older = before.get(name)
    if (older?.sql === sql) continue
    statements.push(`DROP ${type} IF EXISTS ${name}`)
    if (older === undefined) continue
    statements.push(older.sql)
    for (const { sql, table } of before.values()) if (table === name && sql !== older.sql) statements.push(sql)
  }
  return `${statements.join('; ')};`
}

function schemaAt(version: number) {
  const database = openDatabase(':memory:')
  if (database === null) throw new Error('no SQLite')
  for (const migration of MIGRATIONS.slice(0, version)) database.exec(migration)
  const rows = database.prepare('SELECT name, type, tbl_name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid').all([])
  database.close()
  return new Map(rows.map(({ name, type, tbl_name, sql }) => [String(name), { type, table: String(tbl_name), sql: String(sql) }]))
}

export const numbers = (store: EmbeddedStore, query = {}) => [...store.read(query)].map(({ body }) => body.number)

/** A store of `count` records on this engine, closed when the test ends. */
export async function filledStore(engine: EngineName, count: number, options: Partial<StoreOptions> = {}) {
  const directory = temporaryDirectory()
  const store = opened({ directory, engine, ...options })
  for (let number = 1; number <= count; number += 1) await store.append(input(number))
  return { directory, store }
}
