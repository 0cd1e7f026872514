/** Traffic that a proxy could not inspect: counted in this process by kind, and told in the log, but never so often that it floods it. */
import { eventRecord } from '../audit/record.ts'
import type { Store } from '../store/store.ts'

export interface UninspectedParts {
  readonly store: Pick<Store, 'append' | 'now'>
  /** `mcp`, `model` or `acp`. */
  readonly proxy: string
  /** Which upstream it came from or went to. */
  readonly upstream: string
  readonly session: string | null
}

export interface Uninspected {
  /** `passed`: it went on all the same, as the policy says. */
  readonly count: (what: string, passed: boolean) => void
  /** How often, by kind. */
  readonly totals: () => ReadonlyMap<string, number>
}

/** Milliseconds between two records of one kind. */
const QUIET_MS = 60_000

export function createUninspected({ store, proxy, upstream, session }: UninspectedParts): Uninspected {
  const totals = new Map<string, number>()
  const told = new Map<string, number>()
  return {
    count: (what, passed) => {
      const kind = `${what} ${passed ? 'passed' : 'blocked'}`
      const total = (totals.get(kind) ?? 0) + 1
      totals.set(kind, total)
      const now = Date.now()
      if (now - (told.get(kind) ?? 0) < QUIET_MS) return
      told.set(kind, now)
      const nothing = { tenant: null, tool: null, decision: null, code: null }
      const body = { event: 'uninspected', proxy, upstream, what, passed, total }
      // A log that cannot be written shows in the next decision.
      store.append(eventRecord({ ...nothing, kind: 'note', session, at: store.now(), body })).catch(() => {})
    },
    totals: () => totals,
  }
}
