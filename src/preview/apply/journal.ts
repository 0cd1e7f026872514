/** What is being made right now, written down before it begins; after a crash it is taken back, or finished where all of it was made. */
import {
  chmodSync,
  closeSync,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import type { JsonObject } from '../../core/json.ts'
import { isSameStanding, type Standing } from './change.ts'
import { standingAt } from './contents.ts'
import { inDirectory } from './held.ts'

export type Step =
  /** What stands there goes. */
  | { readonly kind: 'aside'; readonly path: string; readonly aside: string; readonly before: Standing }
  /** A file or link is replaced. */
  | {
      readonly kind: 'swap'
      readonly path: string
      readonly staged: string
      readonly aside: string
      readonly before: Standing
      readonly after: Standing
    }
  /** A file or link is new. */
  | { readonly kind: 'place'; readonly path: string; readonly staged: string; readonly after: Standing }
  | { readonly kind: 'directory'; readonly path: string }
  /** Permissions of a directory; `was` null: it is new. */
  | { readonly kind: 'mode'; readonly path: string; readonly mode: number; readonly was: number | null }

/** What the log says of it once it is made. */
export interface Told {
  readonly by: string
  /** The changes, a line each, and how many more there are. */
  readonly files: readonly string[]
  readonly more: number
  /** What takes it back. */
  readonly undo: JsonObject | null
}

/** Who is making it. A process number alone says nothing once the machine started again, or on another one. */
export interface Maker {
  /** Of the form of journals. */
  readonly version: number
  readonly machine: string
  readonly process: number
  /** When that process began, as the system counts; null where the system does not say. */
  readonly started: string | null
}

const VERSION = 1

export function thisMaker(): Maker {
  return { version: VERSION, machine: hostname(), process: process.pid, started: startOf(process.pid) }
}

export interface Journal extends Maker {
  /** Of the approval. */
  readonly id: string
  /** True: all of it is made. */
  readonly done: boolean
  /** For its record, where the process ends before that is written. */
  readonly told: Told
  /** Directories beside the places, which hold what is new and what was put aside. */
  readonly stagings: readonly string[]
  readonly steps: readonly Step[]
}

/** Whole and on the disk when it returns. @throws with `wx`, where the approval is being made already. */
export function writeJournal(path: string, journal: Journal, flag: 'wx' | 'w'): void {
  const aside = `${path}.${process.pid}.new`
  rmSync(aside, { force: true })
  const file = openSync(aside, 'wx', 0o600)
  try {
    writeFileSync(file, JSON.stringify(journal))
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  if (flag === 'w') renameSync(aside, path)
  else
    try {
      linkSync(aside, path)
    } finally {
      rmSync(aside)
    }
  const directory = openSync(dirname(path), 'r')
  try {
    fsyncSync(directory)
  } finally {
    closeSync(directory)
  }
}

/** From the last step to the first. Answers what could not be put back, with the place where it lies; empty: all is as it was. */
export function takeBackSteps({ steps, stagings }: Journal): readonly string[] {
  const left: string[] = []
  for (const step of steps.toReversed()) {
    try {
      back(step)
    } catch (error) {
      left.push(`${step.path}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  if (left.length === 0) removeStagings(stagings)
  return left
}

/** Each step tells from what lies beside the place whether it was taken. Does nothing more where it is done again. */
function back(step: Step): void {
  const { path } = step
  switch (step.kind) {
    case 'aside':
      if (!isThere(step.aside)) return
      inDirectory(path, (at) => {
        if (lstatSync(at, { throwIfNoEntry: false }) !== undefined)
          throw new Error(`something else stands there now; what was there is ${step.aside}`)
        inDirectory(step.aside, (aside) => renameSync(aside, at))
      })
      return
    case 'swap':
      // Not replaced yet: both names are the same file.
      if (!isThere(step.aside) || isThere(step.staged)) return
      inDirectory(path, (at) => {
        if (!isSameStanding(standingAt(at) ?? null, step.after))
          throw new Error(`it was written to meanwhile; what was there is ${step.aside}`)
        inDirectory(step.aside, (aside) => renameSync(aside, at))
      })
      return
    case 'place':
      if (!isThere(step.staged) || !isThere(dirname(path))) return
      inDirectory(path, (at) => {
        const is = lstatSync(at, { throwIfNoEntry: false })
        if (is !== undefined && is.ino === inDirectory(step.staged, (staged) => lstatSync(staged)).ino) unlinkSync(at)
      })
      return
    case 'directory':
      if (!isThere(dirname(path))) return
      inDirectory(path, (at) => {
        if (lstatSync(at, { throwIfNoEntry: false })?.isDirectory() === true) rmdirSync(at)
      })
      return
    case 'mode': {
      const { was } = step
      if (was !== null) inDirectory(path, (at) => chmodSync(at, was))
    }
  }
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined
}

function removeStagings(stagings: readonly string[]): void {
  for (const staging of stagings) if (isThere(staging)) inDirectory(staging, (at) => rmSync(at, { recursive: true, force: true }))
}

/** After its record is written: what was put aside is not needed any more, but for what could not be put back. */
export function settle(id: string, journals: string, left: readonly string[] = []): void {
  const path = join(journals, `${id}.json`)
  const journal = journalAt(path)
  if (left.length === 0 && journal !== null) removeStagings(journal.stagings)
  rmSync(path, { force: true })
}

function journalAt(path: string): Journal | null {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Journal
  } catch {
    return null
  }
}

/** What is in the way of making anything, and what processes that are gone left. */
export interface LeftBehind {
  /** Approvals whose changes are to be taken up again. */
  readonly ids: readonly string[]
  /** Why others cannot be, a sentence each: nobody here knows whether they are being made right now, or what they mean. */
  readonly refused: readonly string[]
}

/** Changes nothing. */
export function leftBehind(journals: string): LeftBehind {
  const ids: string[] = []
  const refused: string[] = []
  for (const name of namesIn(journals)) {
    const path = join(journals, name)
    const state = stateOf(path)
    if (state === 'left') ids.push(name.slice(0, -SUFFIX.length))
    else if (state !== 'gone' && state !== 'alive') refused.push(`${path} ${state}`)
  }
  return { ids, refused }
}

const SUFFIX = '.json'

function namesIn(journals: string): readonly string[] {
  try {
    return readdirSync(journals).filter((name) => name.endsWith(SUFFIX))
  } catch {
    return []
  }
}

function stateOf(path: string): string {
  if (!isThere(path)) return 'gone'
  const journal = journalAt(path)
  if (journal === null) return isThere(path) ? `cannot be read. ${CARE}` : 'gone'
  const { version, machine } = journal
  if (version !== VERSION) return `was written by another version of Countersign (form ${version ?? 'unknown'}). ${OTHER_VERSION}`
  if (machine !== hostname()) return `was written on another machine (\`${machine}\`). ${OTHER_MACHINE}`
  return isAlive(journal) ? 'alive' : 'left'
}

const CARE = 'Look at the files that it names, put right what is half made, and delete it'
const OTHER_VERSION = `Start that version once over this state directory. Or: ${CARE.charAt(0).toLowerCase()}${CARE.slice(1)}`
const OTHER_MACHINE = `Start Countersign there once. Where that machine is gone: ${CARE.charAt(0).toLowerCase()}${CARE.slice(1)}`

export interface Recovered {
  readonly id: string
  /** True: all of it is made, and its record is missing. */
  readonly made: boolean
  /** What could not be put back. */
  readonly left: readonly string[]
  readonly told: Told
}

/**
 * What a process that is gone left half made is taken back; null where there is nothing to do. The journal stays until `settle`, so that
 * whoever ends in between leaves this to the next one. INVARIANT: only while holding the lock that everybody takes who recovers.
 */
export function recoverOne(id: string, journals: string): Recovered | null {
  const path = join(journals, `${id}${SUFFIX}`)
  const journal = journalAt(path)
  if (journal === null || stateOf(path) !== 'left') return null
  const { done, told } = journal
  return { id, made: done, left: done ? [] : takeBackSteps(journal), told }
}

function isAlive({ process: pid, started }: Maker): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false
  }
  // Another process has its number now, or the machine started again.
  return started === null || startOf(pid) === null || startOf(pid) === started
}

/** Null where the system does not say. */
function startOf(pid: number): string | null {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)?.split(' ') ?? []
    // The first field here is the third of the manual; the start is the 22nd.
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()} ${fields[19]}`
  } catch {
    return null
  }
}
