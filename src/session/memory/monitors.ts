/**
 * What rules over time remember: when something was last seen, how often, how much, how many of a kind, each by a key and within a time.
 * Bounded, and never in favour of a call: what there is no room for is kept as one sum for all.
 */

/** Something that a rule looks for held for a call. */
export interface Mark {
  /** Names what is looked for; the same for the same words. */
  readonly id: string
  readonly kind: 'seen' | 'count' | 'distinct'
  /** Milliseconds; negative: so many calls; null: the whole session. */
  readonly window: number | null
  /** Hash of the key that it is counted by; 0: by none. */
  readonly by: number
  /** What is added; of `distinct` the hash of the value. */
  readonly value: number
  /** It counts whatever was decided; otherwise only where the call may run. */
  readonly always: boolean
}

interface Series {
  /** Number of the last call, and its time in milliseconds since the epoch. */
  step: number
  at: number
  /** Sums by part of the window; one part where there is no window. */
  readonly parts: Map<number, number>
  /** Hashes of values, each with the time it was last seen. */
  readonly values: Map<number, number>
  /** Values that there was no room for. */
  more: number
}

export interface Monitor {
  readonly window: number | null
  readonly series: Map<number, Series>
  /** Nothing but denied calls was marked: a person who lets the session go on forgets it. */
  denied: boolean
}

export type Monitors = Map<string, Monitor>

/** Parts of a window: what is older than the window is forgotten at most one part late. */
const PARTS = 16
const MAX_VALUES = 24
const MAX_MONITORS = 24
/** Room of all series; where there is none left, the oldest is added to the sum of its monitor. */
const MAX_ROOM = 80
/** Parts and values that take as much room as a series by itself. */
const PER_SERIES = 12
/** The key of what there is no room for. */
const REST = -1

/** Where a session stands: its calls so far, and the time in milliseconds since the epoch. */
export interface Moment {
  readonly step: number
  readonly at: number
  /** The call was denied. */
  readonly denied?: boolean
}

export function mark(monitors: Monitors, { id, window, by, kind, value }: Mark, moment: Moment): void {
  const { step, at, denied = false } = moment
  const monitor = monitors.get(id) ?? create(monitors, id, { window, denied })
  monitor.denied &&= denied
  const series = monitor.series.get(by) ?? newSeries()
  monitor.series.delete(by)
  monitor.series.set(by, series)
  series.step = step
  series.at = Math.max(series.at, at)
  if (kind === 'count') addTo(series, partOf(clockOf(moment, window), window), value)
  if (kind === 'distinct') addValue(series, value, clockOf(moment, window))
  makeRoom(monitors)
}

function create(monitors: Monitors, id: string, { window, denied }: Pick<Monitor, 'window' | 'denied'>): Monitor {
  const monitor: Monitor = { window, series: new Map(), denied }
  monitors.set(id, monitor)
  // Rules that are no longer in force stop marking, so theirs are the oldest.
  for (const oldest of monitors.keys()) {
    if (monitors.size <= MAX_MONITORS) break
    monitors.delete(oldest)
  }
  return monitor
}

function newSeries(): Series {
  return { step: 0, at: 0, parts: new Map(), values: new Map(), more: 0 }
}

/** What a window is counted in: calls or milliseconds. */
function clockOf({ step, at }: Moment, window: number | null): number {
  return window !== null && window < 0 ? step : at
}

function partOf(at: number, window: number | null): number {
  return window === null ? 0 : Math.floor(at / Math.max(1, Math.abs(window) / PARTS))
}

function addTo({ parts }: Series, part: number, value: number): void {
  parts.set(part, (parts.get(part) ?? 0) + value)
  for (const old of parts.keys()) if (old < part - PARTS) parts.delete(old)
}

function addValue(series: Series, value: number, at: number): void {
  if (!series.values.has(value) && series.values.size >= MAX_VALUES) series.more += 1
  else series.values.set(value, at)
}

function makeRoom(monitors: Monitors): void {
  while (roomOf(monitors) > MAX_ROOM) {
    const oldest = oldestOf(monitors)
    if (oldest === null) return
    merge(oldest.monitor, oldest.by)
  }
}

function roomOf(monitors: Monitors): number {
  let room = 0
  for (const { series } of monitors.values())
    for (const { parts, values } of series.values()) room += 1 + (parts.size + values.size) / PER_SERIES
  return room
}

function oldestOf(monitors: Monitors): { readonly monitor: Monitor; readonly by: number } | null {
  let oldest: { monitor: Monitor; by: number; at: number } | null = null
  for (const monitor of monitors.values()) {
    for (const [by, { at }] of monitor.series) {
      if (by !== REST && (oldest === null || at < oldest.at)) oldest = { monitor, by, at }
    }
  }
  return oldest
}

function merge({ series }: Monitor, by: number): void {
  const gone = series.get(by)
  if (gone === undefined) return
  const rest = series.get(REST) ?? newSeries()
  rest.step = Math.max(rest.step, gone.step)
  rest.at = Math.max(rest.at, gone.at)
  for (const [part, value] of gone.parts) addTo(rest, part, value)
  for (const [value, at] of gone.values) addValue(rest, value, at)
  rest.more += gone.more
  series.delete(by)
  series.set(REST, rest)
}

/** When it was last seen under this key, or under one that there was no room for; null: never. */
export function lastSeen(monitors: Monitors, id: string, by: number): { readonly step: number; readonly at: number } | null {
  let last: Series | null = null
  for (const series of seriesOf(monitors, id, by)) if (last === null || series.step > last.step) last = series
  return last
}

export function countOf(monitors: Monitors, id: string, { by, now }: { readonly by: number; readonly now: Moment }): number {
  const window = monitors.get(id)?.window ?? null
  const from = window === null ? Number.NEGATIVE_INFINITY : partOf(clockOf(now, window) - Math.abs(window), window)
  let count = 0
  for (const { parts } of seriesOf(monitors, id, by)) for (const [part, value] of parts) if (part >= from) count += value
  return count
}

interface Asked {
  readonly by: number
  readonly now: Moment
  /** Hash of the value of the call at hand; null: it is none of those that are counted. */
  readonly value: number | null
}

/** How many values there were, with the one of the call at hand. */
export function distinctOf(monitors: Monitors, id: string, { by, now, value }: Asked): number {
  const window = monitors.get(id)?.window ?? null
  const from = window === null ? Number.NEGATIVE_INFINITY : clockOf(now, window) - Math.abs(window)
  const values = new Set<number>(value === null ? [] : [value])
  let more = 0
  for (const series of seriesOf(monitors, id, by)) {
    more += series.more
    for (const [one, seen] of series.values) if (seen > from) values.add(one)
  }
  return values.size + more
}

function* seriesOf(monitors: Monitors, id: string, by: number): Generator<Series> {
  const series = monitors.get(id)?.series
  const [own, rest] = [series?.get(by), series?.get(REST)]
  if (own !== undefined) yield own
  if (rest !== undefined) yield rest
}

/** As plain lists, for keeping. */
export function monitorsToJson(monitors: Monitors): readonly unknown[] {
  return [...monitors].map(([id, { window, series, denied }]) => [
    id,
    window,
    [...series].map(([by, { step, at, parts, values, more }]) => [by, step, at, [...parts].flat(), [...values].flat(), more]),
    ...(denied ? [true] : []),
  ])
}

type Kept = readonly [
  string,
  number | null,
  readonly (readonly [number, number, number, readonly number[], readonly number[], number])[],
  true?,
]

export function monitorsFromJson(json: unknown): Monitors {
  const monitors: Monitors = new Map()
  for (const [id, window, all, denied = false] of (Array.isArray(json) ? json : []) as readonly Kept[]) {
    const series = new Map<number, Series>()
    for (const [by, step, at, parts, values, more] of all) series.set(by, { step, at, parts: pairs(parts), values: pairs(values), more })
    monitors.set(id, { window, series, denied })
  }
  return monitors
}

function pairs(flat: readonly number[]): Map<number, number> {
  const map = new Map<number, number>()
  for (let i = 0; i + 1 < flat.length; i += 2) map.set(flat[i] ?? 0, flat[i + 1] ?? 0)
  return map
}
