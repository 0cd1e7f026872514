/** Folds the log into what is known of roles: calls day by day, and what operators did to a baseline, in the order of the log. Pure. */
import { isJsonObject, type Json, type JsonObject, own } from '../core/json.ts'
import { lessonOf } from './lesson.ts'
import { admit, emptyModel, type Learning, learnDay, type RoleModel, type SessionLesson } from './model.ts'

/** What is known of one role of one tenant. */
export interface RoleState {
  model: RoleModel
  /** Frozen copies by name (`v1`), oldest first. */
  readonly versions: Map<string, RoleModel>
  /** The version that calls are held to; null: the model as it is. */
  held: string | null
}

/** One record of the log, as far as a baseline looks at it. */
export interface LoggedEvent {
  readonly kind: string
  readonly id: string
  readonly session: string | null
  readonly tenant: string | null
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly body: JsonObject
}

/** What operators do, as the `event` of a record. */
export const BASELINE_EVENTS = ['baseline_accepted', 'baseline_reset', 'baseline_frozen', 'baseline_released'] as const
export type BaselineEvent = (typeof BASELINE_EVENTS)[number]

/** Frozen versions that are kept of a role; the oldest goes, but never the one that is held. */
export const MAX_VERSIONS = 8
const MAX_ROLES = 256
const DAY = 86_400_000

export type States = Map<string, RoleState>

/** Tenant and role as one key; each empty where there is none. */
export function roleKey(tenant: string | null, role: string): string {
  return `${tenant ?? ''}\n${role}`
}

export function dayOf(at: number): number {
  return Math.floor(at / DAY)
}

interface OpenLesson {
  readonly terms: SessionLesson['terms'][number][]
  readonly flagged: SessionLesson['flagged'][number][]
}

export class Learner {
  readonly states: States
  readonly #by: Learning
  readonly #open = new Map<string, Map<string, OpenLesson>>()
  #day = 0

  constructor(states: States, by: Learning) {
    this.states = states
    this.#by = by
  }

  /** In the order of the log. A clock that went back makes no day of its own. */
  take(record: LoggedEvent): void {
    const day = dayOf(record.at)
    if (day > this.#day) {
      this.flush()
      this.#day = day
    }
    if (record.kind === 'decision') this.#lesson(record)
    else this.#event(record)
  }

  /** Learns what was taken in of the day so far. */
  flush(): void {
    for (const key of [...this.#open.keys()].sort()) this.#flushRole(key)
  }

  #lesson({ id, session, tenant, body }: LoggedEvent): void {
    const lesson = lessonOf(body)
    if (lesson === null) return
    const key = roleKey(tenant, lesson.role)
    const sessions = this.#open.get(key) ?? new Map<string, OpenLesson>()
    this.#open.set(key, sessions)
    // A call without a session stands for itself.
    const name = session ?? `call ${id}`
    const open = sessions.get(name) ?? { terms: [], flagged: [] }
    sessions.set(name, open)
    open[lesson.kind === 'plain' ? 'terms' : 'flagged'].push(...lesson.terms)
  }

  #flushRole(key: string): void {
    const sessions = this.#open.get(key)
    this.#open.delete(key)
    const state = sessions === undefined ? null : this.#stateOf(key)
    if (sessions !== undefined && state !== null) learnDay(state.model, this.#day, { lessons: [...sessions.values()], by: this.#by })
  }

  #stateOf(key: string): RoleState | null {
    const known = this.states.get(key)
    if (known !== undefined) return known
    if (this.states.size >= MAX_ROLES) return null
    const state: RoleState = { model: emptyModel(), versions: new Map(), held: null }
    this.states.set(key, state)
    return state
  }

  #event({ tenant, body }: LoggedEvent): void {
    const [event, role] = [own(body, 'event'), own(body, 'role')]
    if (!isEvent(event) || (role !== null && typeof role !== 'string')) return
    const key = roleKey(tenant, role ?? '')
    this.#flushRole(key)
    const state = this.#stateOf(key)
    if (state === null) return
    if (event === 'baseline_reset') this.states.delete(key)
    else applyEvent(state, event, body)
  }
}

function isEvent(event: Json | undefined): event is BaselineEvent {
  return BASELINE_EVENTS.some((each) => each === event)
}

function applyEvent(state: RoleState, event: BaselineEvent, body: JsonObject): void {
  const [version, values] = [own(body, 'version'), own(body, 'values')]
  if (event === 'baseline_accepted' && Array.isArray(values)) {
    for (const value of values as readonly Json[]) if (typeof value === 'string') admit(state.model, value, true)
  }
  if (event === 'baseline_released') state.held = null
  if (event !== 'baseline_frozen' || typeof version !== 'string') return
  if (!state.versions.has(version)) state.versions.set(version, structuredClone(state.model))
  state.held = version
  for (const name of state.versions.keys()) {
    if (state.versions.size <= MAX_VERSIONS) break
    if (name !== version) state.versions.delete(name)
  }
}

/** What calls are held to. */
export function heldModel({ model, versions, held }: RoleState): RoleModel {
  return (held === null ? undefined : versions.get(held)) ?? model
}

/** The next free name of a version. */
export function nextVersion({ versions }: Pick<RoleState, 'versions'>): string {
  const numbers = [...versions.keys()].map((name) => Number(name.slice(1)))
  return `v${Math.max(0, ...numbers) + 1}`
}

/** Of a record of kind `policy` or `note`; whether it is one of a baseline. */
export function isBaselineRecord({ kind, body }: Pick<LoggedEvent, 'kind' | 'body'>): boolean {
  return kind === 'decision' || (isJsonObject(body) && isEvent(own(body, 'event')))
}
