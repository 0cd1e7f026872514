/** Gives each effect a grant of its own. Pure: what is taken here is spent when the decision is recorded. */
import type { Effect } from '../core/effect.ts'
import { type Asking, type GrantScope, type HeldGrant, lapse, outside } from './grant.ts'

export interface Allocation {
  /** Index of the effect in the call. */
  readonly effect: number
  /** The grant that covers it; null: none does. */
  readonly grant: HeldGrant | null
  /** Why the nearest grant does not cover it; null where there is none for the action, or one covers it. */
  readonly obstacle: string | null
}

export interface Wanted {
  readonly index: number
  readonly effect: Effect
}

/** Every wanted effect with its grant. The tightest grant is spent first, so that a broad one is left for what needs it. */
export function allocate(wanted: readonly Wanted[], grants: readonly HeldGrant[], asking: Asking): readonly Allocation[] {
  const byId = new Map(grants.map((grant) => [grant.id, grant]))
  const taken = new Map<string, number>()
  const ordered = grants.toSorted(byTightness)
  return wanted.map(({ index, effect }) => {
    let obstacle: string | null = null
    for (const grant of ordered) {
      const problem = outside(grant, effect)
      if (problem === 'it is for another action') continue
      const line = lineage(grant, byId)
      const reason = problem ?? (line === null ? 'the grant it comes from is gone' : firstLapse(line, { asking, taken }))
      if (reason === null && line !== null) {
        for (const each of line) taken.set(each.id, (taken.get(each.id) ?? 0) + 1)
        return { effect: index, grant, obstacle: null }
      }
      obstacle ??= `grant ${grant.id}: ${reason}`
    }
    return { effect: index, grant: null, obstacle }
  })
}

/** The grant and all it was narrowed from; null where one of them is not there any more. */
export function lineage<T extends HeldGrant>(grant: T, byId: ReadonlyMap<string, T>): readonly T[] | null {
  const line: T[] = []
  for (let at: T | undefined = grant; at !== undefined; at = byId.get(at.parent ?? '')) {
    if (line.includes(at)) return null
    line.push(at)
    if (at.parent === null) return line
  }
  return null
}

interface Taken {
  readonly asking: Asking
  readonly taken: ReadonlyMap<string, number>
}

function firstLapse(line: readonly HeldGrant[], { asking, taken }: Taken): string | null {
  for (const each of line) {
    const reason = lapse({ ...each, used: each.used + (taken.get(each.id) ?? 0) }, asking)
    if (reason !== null) return reason
  }
  return null
}

function byTightness(a: HeldGrant, b: HeldGrant): number {
  return weight(b.scope) - weight(a.scope) || (a.expires ?? Infinity) - (b.expires ?? Infinity) || (a.id < b.id ? -1 : 1)
}

function weight(scope: GrantScope): number {
  return Object.keys(scope).length
}
