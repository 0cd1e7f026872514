/** What a decision takes from grants: told by its own findings and resolutions, counted in the transaction of its record. */
import type { Decision } from '../core/decision.ts'
import type { Json, JsonObject } from '../core/json.ts'
import { runs } from '../core/verdict.ts'
import type { Transaction } from '../store/store.ts'
import { lineage } from './allocate.ts'
import { type HeldGrant, lapse } from './grant.ts'
import { markSpent, useCounter } from './store.ts'

/** Uses by id of the grant: one for each effect that it lets through, however many findings say so. */
export function usesOf(decision: Decision): ReadonlyMap<string, number> {
  const seen = new Set<string>()
  const uses = new Map<string, number>()
  if (!runs(decision.decision)) return uses
  const take = ({ grant, effect }: JsonObject): void => {
    if (typeof grant !== 'string' || seen.has(`${effect} ${grant}`)) return
    seen.add(`${effect} ${grant}`)
    uses.set(grant, (uses.get(grant) ?? 0) + 1)
  }
  for (const { code, evidence } of decision.findings) if (code === 'capability.granted') take(evidence)
  for (const { by, evidence } of decision.resolutions) {
    const listed: Json = evidence.uses ?? null
    if (by === 'grant' && Array.isArray(listed)) for (const use of listed) take(use as JsonObject)
  }
  return uses
}

/** Why the uses cannot be had any more; null where they are counted now. `held` is read in the same transaction. */
export function spendUses(
  tx: Transaction,
  uses: ReadonlyMap<string, number>,
  at: { held: readonly HeldGrant[]; now: number },
): string | null {
  const byId = new Map(at.held.map((grant) => [grant.id, grant]))
  for (const [id, times] of uses) {
    const grant = byId.get(id)
    const line = grant === undefined ? null : lineage(grant, byId)
    if (line === null) return `grant ${id} is not there any more`
    for (const each of line) {
      const reason = lapse({ ...each, used: tx.count(useCounter(each.id), at.now) }, { ...each.binding, now: at.now })
      if (reason !== null) return `grant ${each.id}: ${reason}`
      const used = tx.add(useCounter(each.id), times, { now: at.now, expiresAt: null })
      if (each.count !== null && used > each.count) return `grant ${each.id}: it is used up`
      if (each.count !== null && used === each.count && each.source === 'store') markSpent(tx, each.id)
    }
  }
  return null
}
