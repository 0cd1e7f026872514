/**
 * What a baseline has learned of a role: weights of values in their contexts, counted in sessions. A day is learned at once: one session
 * counts once, and once the role is known a day moves little, so that what is dripped in stays strange. Pure.
 */
import type { Term } from '../core/behaviour.ts'
import { levelsOf } from './levels.ts'

export interface Counted {
  total: number
  readonly values: Map<string, number>
}

/** A value that the role has not shown before. It counts once people accepted it, or once it is old. */
export interface Waiting {
  /** Days since the epoch of the first and the last sight. */
  readonly first: number
  last: number
  /** Days on which it was seen, and sessions. */
  days: number
  sessions: number
  /** A call with it was flagged by the baseline: only people let it in. */
  flagged: boolean
}

export interface RoleModel {
  sessions: number
  days: number
  /** Days since the epoch; null: nothing was learned. */
  lastDay: number | null
  readonly places: Map<string, Counted>
  /** By place and value. */
  readonly waiting: Map<string, Waiting>
}

export interface Learning {
  /** Sessions after which a role is known. */
  readonly warmUp: number
  /** Days after which an unflagged value counts without anybody's word. */
  readonly quarantineDays: number
}

/** What one session showed on one day. */
export interface SessionLesson {
  readonly terms: readonly Term[]
  /** Terms of calls that the baseline flagged, or people agreed to. */
  readonly flagged: readonly Term[]
}

/** Most that a day adds to a value: a share of what it weighs, a share of its context, or one session a week. */
const DAILY_SHARE = 0.02
const DAILY_OF_CONTEXT = 0.001
const DAILY_LEAST = 1 / 7
/** By how much a day may add to what a context weighs in all. */
const DAILY_GROWTH = 1.25
/** Most that the word of people adds to a value, of its context. */
const REVIEWED_OF_CONTEXT = 0.05
/** A value that comes in by age was seen on so many days. */
const LEAST_DAYS = 3
const MAX_PLACES = 4096
const MAX_VALUES = 512
const MAX_WAITING = 4096

export function emptyModel(): RoleModel {
  return { sessions: 0, days: 0, lastDay: null, places: new Map(), waiting: new Map() }
}

/** Adds a day. Of the same lessons in another order the same comes out. */
export function learnDay(
  model: RoleModel,
  day: number,
  given: { readonly lessons: readonly SessionLesson[]; readonly by: Learning },
): void {
  const { lessons, by } = given
  const known = model.sessions >= by.warmUp
  const shown = new Shown(model)
  for (const [key, { place, value, sessions }] of tally(lessons.map(({ terms }) => terms))) {
    if (!known) gain(model, place, { value, weight: sessions })
    else if (isKnown(model, place, value)) shown.add(place, { value, sessions })
    else wait(model, key, { day, sessions, flagged: false })
  }
  shown.learn()
  for (const [key, { place, value, sessions }] of tally(lessons.map(({ flagged }) => flagged))) {
    if (!isKnown(model, place, value)) wait(model, key, { day, sessions, flagged: true })
  }
  for (const [key, entry] of [...model.waiting].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const old = !entry.flagged && entry.days >= LEAST_DAYS && day - entry.first >= by.quarantineDays
    if (old) admit(model, key)
  }
  model.sessions += lessons.filter(({ terms }) => terms.length > 0).length
  model.days++
  model.lastDay = day
}

/** A value that waits counts from now on; `reviewed`: because people looked at it. False where none waits under this key. */
export function admit(model: RoleModel, key: string, reviewed = false): boolean {
  const entry = model.waiting.get(key)
  if (entry === undefined) return false
  model.waiting.delete(key)
  const at = key.lastIndexOf('\t')
  const [place, value] = [key.slice(0, at), key.slice(at + 1)]
  const most = reviewed ? Math.max(1, REVIEWED_OF_CONTEXT * (model.places.get(place)?.total ?? 0)) : mostOf(model, place, value)
  gain(model, place, { value, weight: Math.min(entry.sessions, most) })
  return true
}

/**
 * What a known role showed of what it is known for. Shares move little, whatever a day shows; how sure they are grows with what was
 * seen, which makes new things more surprising, never less.
 */
class Shown {
  readonly #model: RoleModel
  readonly #places = new Map<string, { readonly before: number; seen: number; readonly gains: { value: string; weight: number }[] }>()

  constructor(model: RoleModel) {
    this.#model = model
  }

  add(place: string, { value, sessions }: { readonly value: string; readonly sessions: number }): void {
    const entry = this.#places.get(place) ?? { before: this.#model.places.get(place)?.total ?? 0, seen: 0, gains: [] }
    this.#places.set(place, entry)
    entry.seen += sessions
    entry.gains.push({ value, weight: Math.min(sessions, mostOf(this.#model, place, value)) })
  }

  learn(): void {
    for (const [place, { before, seen, gains }] of this.#places) {
      for (const each of gains) gain(this.#model, place, each)
      const counted = this.#model.places.get(place)
      const target = Math.min(before + seen, before * DAILY_GROWTH)
      if (counted !== undefined && counted.total < target) scale(counted, target / counted.total)
    }
  }
}

function scale(counted: Counted, factor: number): void {
  counted.total = 0
  for (const [value, weight] of counted.values) {
    const scaled = rounded(weight * factor)
    counted.values.set(value, scaled)
    counted.total = rounded(counted.total + scaled)
  }
}

interface Tallied {
  readonly place: string
  readonly value: string
  readonly sessions: number
}

function tally(sessions: readonly (readonly Term[])[]): readonly (readonly [string, Tallied])[] {
  const all = new Map<string, Tallied>()
  for (const terms of sessions) {
    const own = new Map(terms.flatMap(levelsOf).map((level) => [`${level.place}\t${level.value}`, level]))
    for (const [key, { place, value }] of own) all.set(key, { place, value, sessions: (all.get(key)?.sessions ?? 0) + 1 })
  }
  return [...all].sort(([a], [b]) => (a < b ? -1 : 1))
}

function isKnown({ places }: RoleModel, place: string, value: string): boolean {
  return places.get(place)?.values.has(value) === true
}

/** The bound on what a day can move. */
function mostOf({ places }: RoleModel, place: string, value: string): number {
  const counted = places.get(place)
  if (counted === undefined) return DAILY_LEAST
  return Math.max(DAILY_SHARE * (counted.values.get(value) ?? 0), DAILY_OF_CONTEXT * counted.total, DAILY_LEAST)
}

function gain({ places }: RoleModel, place: string, { value, weight }: { readonly value: string; readonly weight: number }): void {
  let counted = places.get(place)
  if (counted === undefined) {
    if (places.size >= MAX_PLACES) return
    counted = { total: 0, values: new Map() }
    places.set(place, counted)
  }
  const before = counted.values.get(value)
  if (before === undefined && counted.values.size >= MAX_VALUES) return
  counted.values.set(value, rounded((before ?? 0) + weight))
  counted.total = rounded(counted.total + weight)
}

/** So that weights read back are the ones that were written. */
function rounded(weight: number): number {
  return Math.round(weight * 1e6) / 1e6
}

interface Sighting {
  readonly day: number
  readonly sessions: number
  readonly flagged: boolean
}

function wait({ waiting }: RoleModel, key: string, { day, sessions, flagged }: Sighting): void {
  const entry = waiting.get(key)
  if (entry === undefined) {
    if (waiting.size < MAX_WAITING) waiting.set(key, { first: day, last: day, days: 1, sessions, flagged })
    return
  }
  if (entry.last !== day) entry.days++
  entry.last = day
  entry.sessions += sessions
  entry.flagged ||= flagged
}

/** All roles as one: what a role falls back on that has seen little itself. */
export function pooled(models: readonly RoleModel[]): RoleModel {
  const pool = emptyModel()
  for (const model of models) {
    pool.sessions += model.sessions
    for (const [place, { values }] of model.places) for (const [value, weight] of values) gain(pool, place, { value, weight })
  }
  return pool
}
