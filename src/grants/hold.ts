/** The grants for a decision: those of the policy and of the store, each with its uses. */
import type { Effect } from '../core/effect.ts'
import type { Grant, GrantBinding, HeldGrant } from './grant.ts'
import { actionsFor } from './keys.ts'
import { type From, findGrants, grantsById, useCounter } from './store.ts'

export interface HoldOptions extends From {
  /** Grants that the policy or its files hand out. */
  readonly fromPolicy: readonly Grant[]
}

/** What may cover these effects for this caller. Grants of the policy come first; order tells nothing. */
export function holdGrants(effects: readonly Effect[], asking: GrantBinding, { fromPolicy, ...from }: HoldOptions): readonly HeldGrant[] {
  const actions = new Set(effects.flatMap(({ action }) => (action === null ? [] : actionsFor(action))))
  const listed = fromPolicy.filter(({ action }) => actions.has(action)).map((grant) => counted(grant, from))
  const stored = effects.flatMap((effect) => findGrants({ ...from, effect, asking }))
  return [...new Map([...listed, ...stored].map((grant) => [grant.id, grant])).values()]
}

/** The grants with these ids, wherever they are from, and those that they were narrowed from. */
export function holdGrantsById(ids: Iterable<string>, { fromPolicy, ...from }: HoldOptions): readonly HeldGrant[] {
  const wanted = new Set(ids)
  const listed = fromPolicy.filter(({ id }) => wanted.has(id)).map((grant) => counted(grant, from))
  for (const { id } of listed) wanted.delete(id)
  return [...listed, ...grantsById(wanted, from)]
}

function counted(grant: Grant, { tx, now }: From): HeldGrant {
  return { ...grant, used: tx.count(useCounter(grant.id), now), revoked: false }
}
