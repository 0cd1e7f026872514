/** The baselines of roles for a gate on this machine: read from the store, anew only where something was learned. */
import { heldModel, roleKey } from './baseline/learner.ts'
import { emptyModel, pooled } from './baseline/model.ts'
import { readStates, revisionOf, type StoredStates } from './baseline/rows.ts'
import { Scorer } from './baseline/score.ts'
import type { RoleBaseline } from './core/behaviour.ts'
import type { ToolCall } from './core/call.ts'
import { loadKeys } from './store/sqlite/keys.ts'
import type { ReadTransaction, Store } from './store/store.ts'

export interface BaselineOptions {
  readonly home: string
  /** False: nothing is kept, so nothing is known. */
  readonly keep: boolean
  readonly store: Pick<Store, 'query'>
}

export interface BaselineParts {
  /** Null: baselines are not kept here. */
  readonly of: (call: ToolCall) => RoleBaseline | 'unreadable' | null
}

interface Known {
  readonly revision: number
  readonly stored: StoredStates
  readonly scorers: Map<string, Scorer>
}

/** Tenants whose roles are held at once. */
const MAX_TENANTS = 32

/** Roles that nothing is known of are all alike. */
const UNKNOWN = ''

const PREVIOUS = `SELECT tool FROM records WHERE session = ? AND tenant IS ? AND kind = 'decision' ORDER BY sequence DESC LIMIT 1`

export function baselineParts({ home, keep, store }: BaselineOptions): BaselineParts {
  const tenants = new Map<string, Known>()
  const knownOf = (tx: ReadTransaction, tenant: string): Known => {
    const revision = revisionOf(tx)
    const held = tenants.get(tenant)
    if (held?.revision === revision) return held
    const stored = readStates(tx, 'head', { ring: loadKeys(home).ring, tenant })
    const known: Known = { revision, stored, scorers: new Map() }
    if (tenants.size >= MAX_TENANTS) tenants.clear()
    tenants.set(tenant, known)
    return known
  }
  return {
    of: (call) => {
      if (!keep) return null
      const { tenant, role } = call.principal
      const { known, previous } = store.query((tx) => ({ known: knownOf(tx, tenant ?? ''), previous: previousOf(tx, call) }))
      if (known.stored.broken) return 'unreadable'
      const key = roleKey(tenant, role ?? '')
      const state = known.stored.states.get(key)
      const scorer = scorerOf(known, state === undefined ? UNKNOWN : key)
      return {
        role,
        previous,
        sessions: state === undefined ? 0 : heldModel(state).sessions,
        version: state?.held ?? null,
        surprise: (terms) => scorer.surprise(terms),
      }
    },
  }
}

function scorerOf({ stored: { states }, scorers }: Known, key: string): Scorer {
  const made = scorers.get(key)
  if (made !== undefined) return made
  const state = states.get(key)
  const scorer = new Scorer({
    role: state === undefined ? emptyModel() : heldModel(state),
    pool: states.size > 1 || state === undefined ? pooled([...states.values()].map(heldModel)) : null,
  })
  scorers.set(key, scorer)
  return scorer
}

function previousOf(tx: ReadTransaction, { session, principal }: ToolCall): string | null {
  if (session === null) return null
  const tool = tx.get(PREVIOUS, session, principal.tenant)?.tool
  return typeof tool === 'string' ? tool : null
}
