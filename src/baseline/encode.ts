/** A role's state as text, and back. The same state makes the same text. Pure. */
import { isJsonObject, type Json, type JsonObject, own } from '../core/json.ts'
import type { RoleState } from './learner.ts'
import { type Counted, emptyModel, type RoleModel, type Waiting } from './model.ts'

export function encodeState({ model, versions, held }: RoleState): string {
  return JSON.stringify({
    v: 1,
    held,
    model: encodeModel(model),
    versions: [...versions].map(([name, version]) => [name, encodeModel(version)]),
  })
}

/** Null: it is none of ours, or of another version of this program; then it is learned again from the log. */
export function decodeState(json: Json): RoleState | null {
  if (!isJsonObject(json) || own(json, 'v') !== 1) return null
  const [held, versions] = [own(json, 'held'), own(json, 'versions')]
  const model = decodeModel(own(json, 'model'))
  if (model === null || !Array.isArray(versions) || (held !== null && typeof held !== 'string')) return null
  const read = new Map<string, RoleModel>()
  for (const [name, version] of pairs(versions)) {
    const decoded = decodeModel(version)
    if (decoded === null) return null
    read.set(name, decoded)
  }
  return { model, versions: read, held: held ?? null }
}

function encodeModel({ sessions, days, lastDay, places, waiting }: RoleModel): JsonObject {
  return {
    sessions,
    days,
    last: lastDay,
    places: sorted(places).map(([place, { values }]) => [place, sorted(values).map(([value, weight]) => [value, weight])]),
    waiting: sorted(waiting).map(([key, each]) => [key, [each.first, each.last, each.days, each.sessions, each.flagged ? 1 : 0]]),
  }
}

function sorted<T>(map: ReadonlyMap<string, T>): readonly (readonly [string, T])[] {
  return [...map].sort(([a], [b]) => (a < b ? -1 : 1))
}

function decodeModel(json: Json | undefined): RoleModel | null {
  if (!isJsonObject(json)) return null
  const [sessions, days, last] = ['sessions', 'days', 'last'].map((name) => own(json, name))
  const [places, waiting] = [own(json, 'places'), own(json, 'waiting')]
  if (!isCount(sessions) || !isCount(days) || !(last === null || isCount(last)) || !Array.isArray(places) || !Array.isArray(waiting))
    return null
  const model: RoleModel = { ...emptyModel(), sessions, days, lastDay: last }
  for (const [place, values] of pairs(places)) {
    const counted = decodeCounted(values)
    if (counted === null) return null
    model.places.set(place, counted)
  }
  for (const [key, entry] of pairs(waiting)) {
    const decoded = decodeWaiting(entry)
    if (decoded === null) return null
    model.waiting.set(key, decoded)
  }
  return model
}

function decodeCounted(values: Json): Counted | null {
  if (!Array.isArray(values)) return null
  const counted: Counted = { total: 0, values: new Map() }
  for (const [value, weight] of pairs(values)) {
    if (!isCount(weight)) return null
    counted.values.set(value, weight)
    counted.total = Math.round((counted.total + weight) * 1e6) / 1e6
  }
  return counted
}

function decodeWaiting(entry: Json): Waiting | null {
  if (!Array.isArray(entry) || !entry.every(isCount)) return null
  const [first, last, days, sessions, flagged] = entry as readonly number[]
  if (first === undefined || last === undefined || days === undefined || sessions === undefined) return null
  return { first, last, days, sessions, flagged: flagged === 1 }
}

function pairs(list: readonly Json[]): readonly (readonly [string, Json])[] {
  return list.flatMap((each: Json): readonly (readonly [string, Json])[] => {
    if (!Array.isArray(each)) return []
    const [name, value] = each as readonly Json[]
    return typeof name === 'string' && value !== undefined ? [[name, value]] : []
  })
}

function isCount(value: Json | undefined): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0
}
