/** Stores for tests, and how they are tampered with behind their back. */
import { rmSync } from 'node:fs'
import { onTestFinished } from 'vitest'
import { databasePath } from '../../src/store/sqlite/connection.ts'
import type { EngineName } from '../../src/store/sqlite/driver.ts'
import { openDatabase } from '../../src/store/sqlite/engines.ts'
import { type EmbeddedStore, openStore, type StoreOptions } from '../../src/store/sqlite/open.ts'
import { StoreError, type StoreFault } from '../../src/store/store.ts'
import { input, temporaryDirectory } from './records.ts'

export function opened(options: StoreOptions): EmbeddedStore {
  const store = openStore(options)
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

/** Works on the file behind the store's back. */
export function tamper(directory: string, sql: string): void {
  const database = openDatabase(databasePath(directory))
  database?.exec(sql)
  database?.close()
}

export const numbers = (store: EmbeddedStore, query = {}) => [...store.read(query)].map(({ body }) => body.number)

/** A store of `count` records on this engine, closed when the test ends. */
export async function filledStore(engine: EngineName, count: number, options: Partial<StoreOptions> = {}) {
  const directory = temporaryDirectory()
  const store = opened({ directory, engine, ...options })
  for (let number = 1; number <= count; number += 1) await store.append(input(number))
  return { directory, store }
}
