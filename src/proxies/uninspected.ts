/** Traffic that a proxy could not inspect: told in the log, but never so often that it floods it. */
import { eventRecord } from '../audit/record.ts'
import type { Store } from '../store/store.ts'

export interface UninspectedParts {
  readonly store: Pick<Store, 'append' | 'now'>
  /** `mcp`, `model`, `acp` or `agents`. */
  readonly proxy: string
  /** Which upstream it came from or went to. */
  readonly upstream: string
  readonly session: string | null
  /** Holds whoever was not told of everything yet, for the end of the proxy. */
  readonly owing: Owing
}

/** Each tells the log what it has not been told. */
export type Owing = Set<() => Promise<unknown>>

export interface Uninspected {
  /** `passed`: it went on all the same, as the policy says. */
  readonly count: (what: string, passed: boolean) => void
}

/** Milliseconds between two records of one kind. */
const QUIET_MS = 60_000

interface Counted {
  readonly what: string
  readonly passed: boolean
  total: number
  /** Of those, how many the log was told of. */
  told: number
  at: number
}

export function createUninspected({ store, proxy, upstream, session, owing }: UninspectedParts): Uninspected {
  const kinds = new Map<string, Counted>()
  const tell = async (kind: Counted): Promise<void> => {
    const { what, passed, total, told } = kind
    kind.told = total
    const nothing = { tenant: null, tool: null, decision: null, code: null }
    const body = { event: 'uninspected', proxy, upstream, what, passed, count: total - told, total }
    // A log that cannot be written shows in the next decision.
    await store.append(eventRecord({ ...nothing, kind: 'note', session, at: store.now(), body })).catch(() => {})
  }
  const rest = async (): Promise<void> => {
    owing.delete(rest)
    for (const kind of kinds.values()) if (kind.total > kind.told) await tell(kind)
  }
  return {
    count: (what, passed) => {
      const name = `${what} ${passed ? 'passed' : 'blocked'}`
      const kind = kinds.get(name) ?? { what, passed, total: 0, told: 0, at: 0 }
      kinds.set(name, kind)
      kind.total += 1
      const now = Date.now()
      if (now - kind.at < QUIET_MS) {
        owing.add(rest)
        return
      }
      kind.at = now
      void tell(kind)
    },
  }
}

/** At the end of a proxy. */
export async function tellRest(owing: Owing): Promise<void> {
  for (const rest of [...owing]) await rest()
}
