/** What happened to files after a call and before its way back, as far as the log and the files tell: it goes with the way back. */
import { lstatSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Kept, standsAt } from './files/kept.ts'

export interface Later {
  /** When the result of the call came, in milliseconds since the epoch; null: nobody told. */
  readonly ended: number | null
  /** Calls that the gate let run since and that were not taken back, the newest first. */
  readonly calls: readonly LaterCall[]
  /** Ways back that were taken since. */
  readonly backs: readonly LaterBack[]
  /** True where there were more than were looked at. */
  readonly more: boolean
}

export interface LaterCall {
  /** As people are told: its record and its session. */
  readonly told: string
  /** When it was allowed, in milliseconds since the epoch. */
  readonly at: number
  readonly touches: Touches
  /** Databases that were dumped before it, as the policy calls them. */
  readonly databases: readonly string[]
}

export interface LaterBack {
  readonly from: number
  readonly until: number
  readonly touches: Touches
}

/** True where something was kept of the name, of a name below it, or of nothing that stood above it. */
export type Touches = (path: string) => boolean

export const NOTHING_LATER: Later = { ended: null, calls: [], backs: [], more: false }

/** Where nobody told the result: calls are over by then, most of them. */
const CALL_MS = 60_000
/** File systems round times down to a tick of the clock. */
const TICK_MS = 16
const MAX_NAMED = 10
/** Names in a directory that are looked at for the newest. */
const MAX_LOOKED_AT = 20_000

export function touching(entries: readonly Kept[]): Touches {
  const exact = new Set(entries.map(({ path }) => path))
  const above = new Set<string>()
  for (const path of exact) for (let at = dirname(path); !above.has(at); at = dirname(at)) above.add(at)
  const made = new Set(entries.flatMap(({ path, type }) => (type === 'absent' ? [path] : [])))
  const isMade = (path: string): boolean => made.has(path) || (dirname(path) !== path && isMade(dirname(path)))
  return (path) => exact.has(path) || above.has(path) || (made.size > 0 && isMade(path))
}

export interface Changing {
  /** What taking the call back would do now. */
  readonly lines: readonly string[]
  readonly entries: readonly Kept[]
  /** When the call was allowed. */
  readonly at: number
  readonly later: Later
}

/** Sentences for people; empty: nobody else changed what would go. */
export function changedLater({ lines, entries, at, later }: Changing): readonly string[] {
  const directories = new Set(entries.flatMap(({ path, type }) => (type === 'directory' ? [path] : [])))
  const found = lines.flatMap((line) => {
    const path = line.slice(line.indexOf('/'))
    const call = later.calls.find(({ touches }) => touches(path))
    if (call !== undefined) return [`${path} may have been changed by the later call ${call.told}, and that goes as well`]
    // Of a directory that stays only permissions and the like are put back.
    const stays = directories.has(path) && standsAt(path)?.isDirectory() === true
    const since = stays ? null : timeSince(path, at, later)
    return since === null ? [] : [`${path} was changed ${since}, and that goes as well`]
  })
  const more = found.length > MAX_NAMED ? [`so do changes to ${found.length - MAX_NAMED} more names`] : []
  const unknown = later.more ? ['there are more later calls than were looked at for changes to the same files'] : []
  return [...found.slice(0, MAX_NAMED), ...more, ...unknown]
}

/** Sentences for people, of a database that goes back as a whole. */
export function databaseLater(database: string, { calls }: Later): readonly string[] {
  const call = calls.find(({ databases }) => databases.includes(database))
  return call === undefined ? [] : [`${database} may have been changed by the later call ${call.told}, and that goes as well`]
}

/** Null: nothing there is newer than the call. */
function timeSince(path: string, at: number, { ended, backs }: Later): string | null {
  const own = backs.filter(({ touches }) => touches(path))
  // The clock of files may stand a tick before that of the record.
  const end = ended === null ? at + CALL_MS : ended + TICK_MS
  const newest = newestIn(path, (time) => time > end && !own.some(({ from, until }) => time >= from - TICK_MS && time <= until))
  if (newest === null) return null
  if (ended === null) return `${Math.round((newest - at) / 60_000)} minutes after the call was allowed`
  const seconds = Math.max(1, Math.round((newest - ended) / 1_000))
  return `${seconds < 120 ? `${seconds} seconds` : `${Math.round(seconds / 60)} minutes`} after the call ended`
}

/** The newest of those times in it that count; null: none does. A file that was moved there has an older time of its own. */
function newestIn(path: string, counts: (time: number) => boolean): number | null {
  let newest: number | null = null
  let left = MAX_LOOKED_AT
  const waiting = [path]
  for (let next = waiting.pop(); next !== undefined && left > 0; next = waiting.pop(), left--) {
    const stat = standsAt(next)
    if (stat === undefined) continue
    const time = Math.max(stat.mtimeMs, stat.ctimeMs)
    if (counts(time) && time > (newest ?? 0)) newest = time
    if (stat.isDirectory()) for (const name of namesIn(next)) waiting.push(join(next, name))
  }
  return newest
}

function namesIn(directory: string): readonly string[] {
  try {
    return lstatSync(directory).isDirectory() ? readdirSync(directory) : []
  } catch {
    return []
  }
}
