/** What people are told of a role: how much is known of it, what is usual, what waits, what changed. Pure. */
import type { Term } from '../core/behaviour.ts'
import { type Change, changesBetween, type WaitingTerm, waitingOf } from './diff.ts'
import { heldModel, type RoleState } from './learner.ts'
import { type Usual, usualOf } from './usual.ts'
import { termText } from './words.ts'

const DAY = 86_400_000

export interface RoleStatus {
  readonly tenant: string | null
  /** Null: calls without a role. */
  readonly role: string | null
  readonly sessions: number
  readonly days: number
  /** Whether people may be asked because of it; until then calls are no more than flagged. */
  readonly known: boolean
  /** Sessions after which it is. */
  readonly needed: number
  readonly last_day: string | null
  /** New values that do not count yet, and how many of them were flagged. */
  readonly waiting: number
  readonly flagged: number
  readonly versions: readonly string[]
  /** Version that calls are held to; null: what is learned. */
  readonly held: string | null
}

/** @param key of the role, as `roleKey` makes it. */
export function statusOf(key: string, state: RoleState, needed: number): RoleStatus {
  const [tenant = '', role = ''] = key.split('\n')
  const { sessions, days, lastDay } = state.model
  const waiting = waitingOf(state.model)
  return {
    tenant: tenant === '' ? null : tenant,
    role: role === '' ? null : role,
    sessions,
    days,
    known: heldModel(state).sessions >= needed,
    needed,
    last_day: lastDay === null ? null : dayText(lastDay),
    waiting: waiting.length,
    flagged: waiting.filter(({ flagged }) => flagged).length,
    versions: [...state.versions.keys()],
    held: state.held,
  }
}

/** Something with its words. */
export type Worded<T extends Term> = T & { readonly text: string }

export interface Drift {
  /** What calls are held to, most common first. */
  readonly usual: readonly Worded<Usual>[]
  readonly waiting: readonly Worded<WaitingTerm>[]
  /** Version that the changes are since; null: none was frozen, and there are no changes to tell. */
  readonly since: string | null
  readonly changes: readonly Worded<Change>[]
}

/** @param most of each list. */
export function driftOf(state: RoleState, most: number): Drift {
  const since = state.held ?? [...state.versions.keys()].at(-1) ?? null
  const before = since === null ? undefined : state.versions.get(since)
  return {
    usual: told(usualOf(heldModel(state)), most),
    waiting: told(waitingOf(state.model), most),
    since,
    changes: before === undefined ? [] : told(changesBetween(before, state.model), most),
  }
}

function told<T extends Term>(terms: readonly T[], most: number): readonly Worded<T>[] {
  return terms.slice(0, most).map((term) => ({ ...term, text: termText(term) }))
}

/** ISO date of a day since the epoch. */
export function dayText(day: number): string {
  return new Date(day * DAY).toISOString().slice(0, 10)
}
