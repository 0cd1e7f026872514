/**
 * Reads one row of a SQLite file for a state provider. A slow query cannot be stopped from within the thread it runs on, so it
 * runs in a process of its own that is killed when its time is over; the process stays for the next query and ends with this one.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { createInterface } from 'node:readline'
import type { Json } from '../core/json.ts'
import type { SqlReader, SqlValue } from './sql.ts'

/**
 * Node's own SQLite, else `libsql`. Read-only three times: by how the file is opened (where the engine can), by the pragma, and
 * because only a query can stand where this one stands. At most two rows: the second only tells that the first is not the only.
 */
const PROGRAM = String.raw`
const { existsSync } = require('node:fs')
const native = (process.getBuiltinModule ?? (() => undefined))('node:sqlite')
const open = (path) => {
  if (!existsSync(path)) throw new Error('there is no such file')
  return native === undefined ? new (require(process.argv[1]))(path) : new native.DatabaseSync(path, { readOnly: true })
}
const value = (it) => {
  if (typeof it === 'bigint') return it >= Number.MIN_SAFE_INTEGER && it <= Number.MAX_SAFE_INTEGER ? Number(it) : String(it)
  if (typeof it === 'number') return Number.isFinite(it) ? it : null
  return typeof it === 'object' && it !== null ? null : it
}
const answer = ({ path, sql, values, wait }) => {
  const database = open(path)
  try {
    database.exec('PRAGMA busy_timeout = ' + wait)
    database.exec('PRAGMA query_only = ON')
    database.exec('PRAGMA trusted_schema = OFF')
    const statement = database.prepare('SELECT * FROM (\n' + sql + '\n) LIMIT 2')
    if (native === undefined) statement.safeIntegers(true)
    else statement.setReadBigInts(true)
    const rows = native === undefined ? statement.all(values) : statement.all(...values)
    return rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, it]) => [name, value(it)])))
  } finally {
    database.close()
  }
}
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const asked = JSON.parse(line)
  let said
  try {
    said = { rows: answer(asked) }
  } catch (error) {
    said = { problem: String(error && error.message || error).split('\n')[0].slice(0, 200) }
  }
  process.stdout.write(JSON.stringify({ id: asked.id, ...said }) + '\n')
})
`

interface Waiting {
  readonly resolve: (rows: readonly Json[]) => void
  readonly reject: (error: Error) => void
}

interface Reader {
  readonly child: ChildProcess
  readonly waiting: Map<number, Waiting>
}

/** Answers the rows of a query on the file at an absolute path, at most two. Rejects with what is wrong; never writes. */
export function createSqliteReader(): SqlReader {
  let reader: Reader | null = null
  let count = 0
  return {
    query: ({ place, sql, values, signal }) => {
      reader ??= start(() => {
        reader = null
      })
      const { child, waiting } = reader
      const id = ++count
      return new Promise<readonly Json[]>((resolve, reject) => {
        const late = (): void => {
          reader = null
          stop(child, waiting, new Error('it took too long'))
        }
        signal.addEventListener('abort', late, { once: true })
        const settled =
          <T>(done: (value: T) => void) =>
          (value: T): void => {
            signal.removeEventListener('abort', late)
            waiting.delete(id)
            done(value)
          }
        waiting.set(id, { resolve: settled(resolve), reject: settled(reject) })
        child.stdin?.write(`${JSON.stringify({ id, path: place, sql, values: values.map(bound), wait: BUSY_MS })}\n`)
      })
    },
    close: () => {
      reader?.child.kill('SIGKILL')
      reader = null
    },
  }
}

/** How long a query waits for a writer. */
const BUSY_MS = 200

/** SQLite has no booleans. */
function bound(value: SqlValue): string | number {
  return typeof value === 'boolean' ? Number(value) : value
}

function start(ended: () => void): Reader {
  // Nothing of the environment goes in: NODE_OPTIONS would run the agent's code here.
  const child = spawn(process.execPath, ['-e', PROGRAM, libsqlPath()], { stdio: ['pipe', 'pipe', 'ignore'], env: {}, windowsHide: true })
  const waiting = new Map<number, Waiting>()
  // A gate that has nothing else to do ends, and its input with it.
  child.unref()
  for (const stream of [child.stdin, child.stdout])
    if (stream !== null && 'unref' in stream && typeof stream.unref === 'function') stream.unref()
  const fail = (why: string) => (): void => {
    ended()
    stop(child, waiting, new Error(why))
  }
  child.on('error', fail('it could not be started'))
  child.on('exit', fail('it ended without an answer'))
  child.stdin?.on('error', () => {})
  if (child.stdout !== null) createInterface({ input: child.stdout }).on('line', (line) => heard(line, waiting))
  return { child, waiting }
}

function heard(line: string, waiting: ReadonlyMap<number, Waiting>): void {
  // Written by our own program.
  const { id, rows, problem } = JSON.parse(line) as { id: number; rows?: readonly Json[]; problem?: string }
  const asked = waiting.get(id)
  if (rows !== undefined) asked?.resolve(rows)
  else asked?.reject(new Error(problem ?? 'no answer'))
}

/** Whoever still waits for this process is told; it may be in the middle of a query, which only a kill ends. */
function stop(child: ChildProcess, waiting: Map<number, Waiting>, error: Error): void {
  child.kill('SIGKILL')
  for (const each of [...waiting.values()]) each.reject(error)
}

function libsqlPath(): string {
  try {
    return createRequire(import.meta.url).resolve('libsql')
  } catch {
    return 'libsql'
  }
}
