/** What proxies on this machine could not look into: they are other processes, and tell the log. */
import { PROXIES, uninspectedIn } from '../audit/uninspected.ts'
import type { GateStore } from '../open.ts'
import type { StoredRecord } from '../store/store.ts'
import { headOf } from './log.ts'

export interface UninspectedCount {
  readonly proxy: string
  readonly passed: boolean
  readonly count: number
}

/** Notes that are read at a time. What is left is counted the next time. */
const MAX_NOTES = 2_000

/** Counts from now on; each time only what was added since. */
export function countUninspected(store: Pick<GateStore, 'query' | 'read'>): () => readonly UninspectedCount[] {
  const counts = PROXIES.flatMap((proxy) => [true, false].map((passed) => ({ proxy, passed, count: 0 })))
  let after = headNow(store)
  return () => {
    after ??= headNow(store)
    if (after === null) return counts
    for (const { sequence, body } of store.read({ kind: 'note', after, limit: MAX_NOTES }) as Iterable<StoredRecord>) {
      after = sequence
      const told = uninspectedIn(body)
      const known = counts.find(({ proxy, passed }) => proxy === told?.proxy && passed === told.passed)
      if (known !== undefined && told !== null) known.count += told.count
    }
    return counts
  }
}

/** Null: the log cannot be read now, which every decision says. */
function headNow(store: Pick<GateStore, 'query' | 'read'>): number | null {
  try {
    return headOf(store)
  } catch {
    return null
  }
}
