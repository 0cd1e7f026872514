/** What operators do to a baseline: each with its record, who did it and why, from which it is learned again. */
import { eventRecord } from './audit/record.ts'
import { type Learned, learn } from './baseline/learn.ts'
import { type BaselineEvent, type RoleState, roleKey } from './baseline/learner.ts'
import type { Learning } from './baseline/model.ts'
import { readStates } from './baseline/rows.ts'
import type { JsonObject } from './core/json.ts'
import { loadKeys } from './store/sqlite/keys.ts'
import type { Store } from './store/store.ts'

export interface BaselineStore {
  readonly home: string
  readonly store: Pick<Store, 'query' | 'read' | 'run' | 'append' | 'now'>
}

export interface BaselineChange {
  readonly tenant: string | null
  /** Null: calls without a role. */
  readonly role: string | null
  readonly event: BaselineEvent
  /** What else the record says: `values` that are accepted, the `version`. */
  readonly more?: JsonObject
  /** Who does it, such as `human:alice`, and why. */
  readonly by: string
  readonly reason: string
}

/** Learns what the log holds since; `rebuild`: all of it. */
export function learnFrom({ home, store }: BaselineStore, how: { by: Learning; author: string; rebuild?: boolean }): Promise<Learned> {
  return learn({ store, keys: loadKeys(home), ...how })
}

/** Every role as it was learned last. `broken`: what is stored is not rightly signed. */
export function storedRoles({ home, store }: BaselineStore) {
  return store.query((tx) => readStates(tx, 'head', { ring: loadKeys(home).ring }))
}

/** Records the change and learns it. The state of the role after it; null: it was reset, or nothing is known of it. */
export async function changeBaseline(at: BaselineStore, change: BaselineChange, by: Learning): Promise<RoleState | null> {
  const { tenant, role, event, more = {}, by: author, reason } = change
  await at.store.append(
    eventRecord({
      kind: 'policy',
      session: null,
      tenant,
      tool: null,
      decision: null,
      code: null,
      at: at.store.now(),
      body: { event, role, ...more, by: author, reason },
    }),
  )
  const { states } = await learnFrom(at, { by, author })
  return states.get(roleKey(tenant, role ?? '')) ?? null
}
