/** What is being made right now, written down before it begins; after a crash it is taken back, or finished where all of it was made. */
import {
  chmodSync,
  closeSync,
  fsyncSync,
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

export interface Journal {
  /** Of the approval. */
  readonly id: string
  readonly process: number
  /** True: all of it is made. */
  readonly done: boolean
  /** For its record, where the process ends before that is written. */
  readonly told: Told
  /** Directories beside the places, which hold what is new and what was put aside. */
  readonly stagings: readonly string[]
  readonly steps: readonly Step[]
}

/** On the disk when it returns. @throws with `wx`, where the approval is being made already. */
export function writeJournal(path: string, journal: Journal, flag: 'wx' | 'w'): void {
  const to = flag === 'wx' ? path : `${path}.new`
  const file = openSync(to, flag, 0o600)
  try {
    writeFileSync(file, JSON.stringify(journal))
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  if (to !== path) renameSync(to, path)
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

/** Each step tells from what lies beside the place whether it was taken. */
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
      if (!isThere(step.staged)) return
      inDirectory(path, (at) => {
        const is = lstatSync(at, { throwIfNoEntry: false })
        if (is !== undefined && is.ino === inDirectory(step.staged, (staged) => lstatSync(staged)).ino) unlinkSync(at)
      })
      return
    case 'directory':
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

/** After its record is written: what was put aside is not needed any more. */
export function settle(id: string, journals: string): void {
  const path = join(journals, `${id}.json`)
  removeStagings(journalAt(path)?.stagings ?? [])
  rmSync(path, { force: true })
}

function journalAt(path: string): Journal | null {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Journal
  } catch {
    return null
  }
}

export interface Recovered {
  readonly id: string
  /** True: all of it is made, and its record is missing. */
  readonly made: boolean
  /** What could not be put back. */
  readonly left: readonly string[]
  readonly told: Told
}

/** Of a journal that an earlier version wrote. */
const UNTOLD: Told = { by: 'countersign', files: [], more: 0, undo: null }

/** What processes that are gone left half made is taken back. */
export function recover(journals: string): readonly Recovered[] {
  return readdirSync(journals).flatMap((name): readonly Recovered[] => {
    const path = join(journals, name)
    const journal = name.endsWith('.json') ? journalAt(path) : null
    if (journal === null || isAlive(journal.process)) return []
    const { id, done, told = UNTOLD } = journal
    if (done) return [{ id, made: true, left: [], told }]
    const left = takeBackSteps(journal)
    rmSync(path, { force: true })
    return [{ id, made: false, left, told }]
  })
}

function isAlive(pid: number): boolean {
  if (pid === process.pid) return true
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
