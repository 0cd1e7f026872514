/** What changed between two states of a role, and what waits: the report of drift. Pure. */
import { type Term, UNITS, type Unit } from '../core/behaviour.ts'
import { levelsOf } from './levels.ts'
import type { RoleModel, Waiting } from './model.ts'

export interface Change extends Term {
  /** Shares of the value in its context, from 0 to 1; 0: it is not there. */
  readonly before: number
  readonly after: number
}

export interface WaitingTerm extends Term, Waiting {}

/** A value whose share changed by less than this factor is as it was. */
const FACTOR = 2
/** Shares below this are noise, unless the value is new or gone. */
const LEAST_SHARE = 0.01

/** New values first, then those that are gone, then the largest changes. */
export function changesBetween(before: RoleModel, after: RoleModel): readonly Change[] {
  const changes: Change[] = []
  for (const place of new Set([...before.places.keys(), ...after.places.keys()])) {
    const own = contextOf(place)
    if (own === null) continue
    const [old, now] = [before.places.get(place), after.places.get(place)]
    for (const value of new Set([...(old?.values.keys() ?? []), ...(now?.values.keys() ?? [])])) {
      const change = { ...own, value, before: share(old, value), after: share(now, value) }
      if (isChanged(change)) changes.push(change)
    }
  }
  return changes.sort((a, b) => weightOf(b) - weightOf(a) || (nameOf(a) < nameOf(b) ? -1 : 1))
}

/** What the role showed and does not count yet, what was flagged first. */
export function waitingOf({ waiting }: RoleModel): readonly WaitingTerm[] {
  const terms = [...waiting].flatMap(([key, entry]): readonly WaitingTerm[] => {
    const at = key.lastIndexOf('\t')
    const own = contextOf(key.slice(0, at))
    return own === null ? [] : [{ ...own, value: key.slice(at + 1), ...entry }]
  })
  return terms.sort((a, b) => Number(b.flagged) - Number(a.flagged) || b.sessions - a.sessions || (nameOf(a) < nameOf(b) ? -1 : 1))
}

/** What has to be admitted so that a term counts, whatever it falls back on. */
export function keysOf(term: Term): readonly string[] {
  return levelsOf(term).map(({ place, value }) => `${place}\t${value}`)
}

/** Null for what only others fall back on. */
function contextOf(place: string): Pick<Term, 'unit' | 'context'> | null {
  const at = place.indexOf('\t')
  const [unit, context] = [place.slice(0, at), place.slice(at + 1)]
  if (!isUnit(unit)) return null
  return context === '' && unit !== 'tool' && unit !== 'command' ? null : { unit, context }
}

function isUnit(name: string): name is Unit {
  return UNITS.some((unit) => unit === name)
}

function share(counted: { readonly total: number; readonly values: ReadonlyMap<string, number> } | undefined, value: string): number {
  return counted === undefined || counted.total === 0 ? 0 : (counted.values.get(value) ?? 0) / counted.total
}

function isChanged({ before, after }: Change): boolean {
  if (before === 0 || after === 0) return before !== after
  if (Math.max(before, after) < LEAST_SHARE) return false
  return after >= before * FACTOR || before >= after * FACTOR
}

function weightOf({ before, after }: Change): number {
  if (before === 0) return 2 + after
  return after === 0 ? 1 + before : Math.abs(after - before)
}

function nameOf({ unit, context, value }: Term): string {
  return `${unit}\t${context}\t${value}`
}
