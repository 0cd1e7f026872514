/** Picks the SQLite of this Node. An engine is loaded when it is first needed: a Node that has its own never loads the other. */
import type { Database, EngineName } from './driver.ts'
import { openLibsql } from './libsql.ts'
import { openNodeSqlite } from './node-sqlite.ts'

/** Opens one engine's connection, or null where this Node does not have that engine. */
type OpenEngine = (path: string) => Database | null

const ENGINES: readonly (readonly [EngineName, OpenEngine])[] = [
  ['node:sqlite', openNodeSqlite],
  ['libsql', openLibsql],
]

/** The first engine this Node has, or the named one. Null where there is none. */
export function openDatabase(path: string, engine?: EngineName): Database | null {
  for (const [name, open] of ENGINES) {
    if (engine !== undefined && engine !== name) continue
    const database = open(path)
    if (database !== null) return database
  }
  return null
}
