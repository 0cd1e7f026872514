/**
 * Makes exactly the changes that a preview showed, all of them or none. New contents are written beside the place first. What stands at a name
 * is put aside before it is replaced, compared with what the preview saw, and put back where anything is otherwise. A journal says what was
 * planned, so that a crash in between is taken back by whoever comes next.
 */
import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  closeSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { attributesNow, attributesProblem } from '../../sandbox/attributes.ts'
import { isSameStanding, type KeptChange, type Standing } from './change.ts'
import { standingAt } from './contents.ts'
import { inDirectory } from './held.ts'
import { type Journal, type Step, type Told, takeBackSteps, thisMaker, writeJournal } from './journal.ts'

/** Why these changes cannot be made now, a line each: what stands there is not what the preview saw. */
export function driftOf(changes: readonly KeptChange[]): readonly string[] {
  const drift = nameDrift(changes)
  return drift.length > 0 ? drift : attributeDrift(changes)
}

/** What is replaced would lose its extended attributes, such as an access control list, and the preview may not have looked for them. */
function attributeDrift(changes: readonly KeptChange[]): readonly string[] {
  const replaced = changes.filter(({ before, after }) => before !== null && before.type !== 'link' && after !== null)
  if (process.platform !== 'linux') return []
  const read = attributesNow(replaced.map(({ path }) => path))
  if (read === null) return [attributesProblem() ?? 'extended attributes of what is replaced could not be read']
  return replaced
    .filter((_, index) => (read[index]?.length ?? 0) > 0)
    .map(({ path }) => `${path} has extended attributes, which would be lost`)
}

function nameDrift(changes: readonly KeptChange[]): readonly string[] {
  return changes.flatMap(({ path, before }) => {
    try {
      const now = inDirectory(path, standingAt)
      return now !== undefined && isSameStanding(now, before) ? [] : [`${path} is not as the preview saw it`]
    } catch (error) {
      // A directory that the changes themselves make is not there yet.
      if (before === null && isMade(dirname(path), changes)) return []
      return [`${path}: ${error instanceof Error ? error.message : String(error)}`]
    }
  })
}

function isMade(directory: string, changes: readonly KeptChange[]): boolean {
  return changes.some(({ path, before, after }) => path === directory && before?.type !== 'directory' && after?.type === 'directory')
}

export interface MakeParts {
  readonly blobs: string
  readonly journals: string
  /** For the record of it. */
  readonly told: Told
}

/** Null: all of them are made, and the journal stays until `settle`. Else why none is; lines that begin with `left:` name what could not be put back. */
export function makeChanges(id: string, changes: readonly KeptChange[], { blobs, journals, told }: MakeParts): string | null {
  const drift = driftOf(changes)
  if (drift.length > 0) return drift.join('; ')
  const stagings = new Map<string, string>()
  for (const { place } of changes)
    if (!stagings.has(place)) stagings.set(place, join(place, `.countersign-apply-${randomBytes(8).toString('hex')}`))
  const steps = stepsOf(changes, stagings)
  const journal: Journal = { ...thisMaker(), id, done: false, told, stagings: [...stagings.values()], steps }
  const path = join(journals, `${id}.json`)
  try {
    writeJournal(path, journal, 'wx')
  } catch (error) {
    return `it cannot be begun: ${error instanceof Error ? error.message : String(error)}`
  }
  let taken = 0
  try {
    for (const staging of stagings.values()) inDirectory(staging, (at) => mkdirSync(at, { mode: 0o700 }))
    for (const step of steps) stage(step, blobs)
    for (const step of steps) {
      taken++
      take(step)
    }
    for (const step of steps) verify(step)
    flush(changes)
    writeJournal(path, { ...journal, done: true }, 'w')
    return null
  } catch (error) {
    const left = takeBackSteps({ ...journal, steps: steps.slice(0, taken) })
    rmSync(path, { force: true })
    return [error instanceof Error ? error.message : String(error), ...left.map((line) => `left: ${line}`)].join('; ')
  }
}

/** What is deleted goes first and from below, what is new comes from above, permissions of directories come last. */
function stepsOf(changes: readonly KeptChange[], stagings: ReadonlyMap<string, string>): readonly Step[] {
  const ordered = changes.toSorted((a, b) => (a.path < b.path ? -1 : 1))
  let next = 0
  const beside = (place: string): string => join(stagings.get(place) ?? '', String(next++))
  const isSwap = ({ before, after }: KeptChange): boolean =>
    before !== null && after !== null && before.type !== 'directory' && after.type !== 'directory'
  const aside = ordered
    .toReversed()
    .filter((change) => change.before !== null && !isSwap(change) && !isModeAlone(change))
    .map(({ path, place, before }): Step => ({ kind: 'aside', path, aside: beside(place), before: before as Standing }))
  const fresh = ordered.flatMap((change): readonly Step[] => {
    const { path, place, before, after } = change
    if (after === null || isModeAlone(change)) return []
    if (after.type === 'directory') return [{ kind: 'directory', path }]
    const staged = beside(place)
    return isSwap(change)
      ? [{ kind: 'swap', path, staged, aside: beside(place), before: before as Standing, after }]
      : [{ kind: 'place', path, staged, after }]
  })
  const modes = ordered
    .toReversed()
    .flatMap(({ path, before, after }): readonly Step[] =>
      after?.type === 'directory' ? [{ kind: 'mode', path, mode: after.mode, was: before?.type === 'directory' ? before.mode : null }] : [],
    )
  return [...aside, ...fresh, ...modes]
}

function isModeAlone({ before, after }: KeptChange): boolean {
  return before?.type === 'directory' && after?.type === 'directory'
}

/** What a step will put at its name, whole and on the disk, beside the place. */
function stage(step: Step, blobs: string): void {
  if (step.kind !== 'swap' && step.kind !== 'place') return
  const { staged, after } = step
  inDirectory(staged, (at) => {
    if (after.type === 'link') symlinkSync(after.content, at)
    else {
      const file = openSync(at, 'wx', 0o600)
      try {
        writeFileSync(file, readFileSync(join(blobs, after.content)))
        fsyncSync(file)
      } finally {
        closeSync(file)
      }
      if (step.kind === 'swap') sameOwner(step.path, at)
      chmodSync(at, after.mode)
    }
    if (!isSameStanding(standingAt(at) ?? null, after)) throw new Error(`what was kept of ${step.path} is damaged or gone`)
  })
}

function sameOwner(path: string, staged: string): void {
  const [was, is] = [inDirectory(path, (at) => lstatSync(at)), lstatSync(staged)]
  if (was.uid !== is.uid || was.gid !== is.gid) chownSync(staged, was.uid, was.gid)
}

/** @throws where the name is not as it was seen; nothing of this step is done then, or it can be told from what lies beside the place. */
function take(step: Step): void {
  const { path } = step
  switch (step.kind) {
    case 'aside':
      inDirectory(path, (at) => inDirectory(step.aside, (aside) => renameSync(at, aside)))
      verify(step)
      return
    case 'swap':
      inDirectory(path, (at) => {
        inDirectory(step.aside, (aside) => linkSync(at, aside))
        verify(step)
        inDirectory(step.staged, (staged) => renameSync(staged, at))
      })
      return
    case 'place':
      // Fails where somebody else made the name meanwhile.
      inDirectory(path, (at) => inDirectory(step.staged, (staged) => linkSync(staged, at)))
      return
    case 'directory':
      inDirectory(path, (at) => mkdirSync(at, { mode: 0o700 }))
      return
    case 'mode':
      inDirectory(path, (at) => {
        const stat = lstatSync(at)
        if (!stat.isDirectory() || (step.was !== null && (stat.mode & 0o7777) !== step.was))
          throw new Error(`${path} is not as the preview saw it`)
        chmodSync(at, step.mode)
      })
  }
}

/** What was put aside is what the preview saw: who writes to it up to the end is noticed. */
function verify(step: Step): void {
  if (step.kind !== 'aside' && step.kind !== 'swap') return
  inDirectory(step.aside, (at) => {
    const kept = standingAt(at) ?? null
    const empty = kept?.type !== 'directory' || readdirSync(at).length === 0
    if (!empty || !isSameStanding(kept, step.before)) throw new Error(`${step.path} is not as the preview saw it`)
  })
}

/** Names are on the disk before the journal says so; a directory that went needs none. */
function flush(changes: readonly KeptChange[]): void {
  for (const directory of new Set(changes.map(({ path }) => dirname(path)))) {
    if (standingAt(directory)?.type !== 'directory') continue
    const held = openSync(directory, 'r')
    try {
      fsyncSync(held)
    } finally {
      closeSync(held)
    }
  }
}
