/** The grants in force for a decision: those of the policy and of the store, each with its uses. */
import type { Signer } from '../store/chain.ts'
import type { ReadTransaction } from '../store/store.ts'
import type { Grant, HeldGrant } from './grant.ts'
import { readGrants, useCounter } from './store.ts'

export interface HoldOptions {
  /** Grants that the policy or its files hand out. */
  readonly fromPolicy: readonly Grant[]
  readonly ring: ReadonlyMap<string, Signer>
  /** Milliseconds since the epoch. */
  readonly now: number
}

/** Grants of the policy come first; order tells nothing. */
export function holdGrants(tx: ReadTransaction, { fromPolicy, ring, now }: HoldOptions): readonly HeldGrant[] {
  const listed = fromPolicy.map((grant) => ({ ...grant, used: tx.count(useCounter(grant.id), now), revoked: false }))
  return [...listed, ...readGrants(tx, ring, now)]
}
